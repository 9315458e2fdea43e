// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/report/figure_files.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/words.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

std::string in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  for (const std::string& directory : split(path ? path : "", ':'))
    if (const std::string file = directory + "/" + name; access(file.c_str(), X_OK) == 0) return file;
  return "";
}

/// @throws std::runtime_error
std::string from_base64(const std::string& text) {
  const std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int known = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t digit = alphabet.find(c);
    if (digit == alphabet.npos) throw std::runtime_error("Chromium returned a figure that is not base64");
    bits = bits << 6 | static_cast<unsigned>(digit);
    known += 6;
    if (known < 8) continue;
    known -= 8;
    bytes += static_cast<char>(bits >> known & 0xff);
  }
  return bytes;
}

/// As a file URL: what is special in one is written by its number.
std::string url_of(const std::string& file) {
  std::ostringstream url;
  url << "file://" << std::hex << std::uppercase;
  for (const unsigned char c : fs::absolute(file).string())
    if (std::isalnum(c) || std::string_view("/-_.~").find(static_cast<char>(c)) != std::string_view::npos)
      url << static_cast<char>(c);
    else
      url << '%' << (c < 16 ? "0" : "") << static_cast<unsigned>(c);
  return url.str();
}

/// The page as it is after its scripts have run.
std::string opened(const std::string& page, const std::string& fragment) {
  const scratch_directory profile;
  std::vector<std::string> arguments = {find_chromium(),  "--headless",
                                        "--disable-gpu",  "--disable-extensions",
                                        "--no-first-run", "--user-data-dir=" + profile.path(),
                                        "--dump-dom"};
  // Chromium does not run as root in its sandbox; the page is our own and may not use the network.
  if (geteuid() == 0) arguments.push_back("--no-sandbox");
  arguments.push_back(url_of(page) + fragment);
  process_settings settings;
  settings.temporary = profile.path();  // where it leaves files, too, when it is killed
  measured_process chromium = run_measured(arguments, settings);
  if (chromium.status != 0)
    throw std::runtime_error(arguments[0] + " failed with status " + std::to_string(chromium.status) + ": " +
                             chromium.last_words());
  return std::move(chromium.out);
}

}  // namespace

std::string find_chromium() {
  if (const char* const chosen = std::getenv("CHROMIUM"); chosen && *chosen) return chosen;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"})
    if (const std::string file = in_path(name); !file.empty()) return file;
  throw std::runtime_error(
      "--figures needs Chromium, which is not installed; install chromium, or set CHROMIUM to its path");
}

std::size_t write_figures(const std::string& page, const std::string& directory) {
  const std::string dom = opened(page, "#figures");
  const std::string mark = "<pre id=\"toriscope-figures\">";
  const std::size_t begin = dom.find(mark);
  if (begin == std::string::npos) throw std::runtime_error("Chromium did not draw the figures of " + page);
  make_directory(directory);
  std::istringstream lines(dom.substr(begin + mark.size(), dom.find("</pre>", begin) - begin - mark.size()));
  std::size_t count = 0;
  for (std::string name, content; lines >> name >> content; ++count)
    write_text_file(directory + "/" + name, from_base64(content));
  return count;
}

}  // namespace toriscope

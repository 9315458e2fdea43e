// SPDX-License-Identifier: Apache-2.0
// For tests: see the header.
#include "testbenches/program/program_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/measured_process.h"
#include "base/test_terminal.h"
#include "base/text_file.h"
#include "base/words.h"

namespace toriscope {
program_directory::program_directory() {
  std::string name = (std::filesystem::temp_directory_path() / "toriscope_test_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
  path_ = name;
  std::filesystem::create_directory(path_ + "/work");
}

program_directory::~program_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

process_result program_directory::run(const strings& arguments) const {
  return start(with({TORISCOPE_PROGRAM}, arguments));
}

process_result program_directory::shell(const std::string& command) const {
  return start({"/bin/sh", "-c", "T=" + quoted_for_shell(TORISCOPE_PROGRAM) + "; " + command});
}

process_result program_directory::start(strings command) const {
  command.insert(command.begin(), {"/usr/bin/env", "XDG_CACHE_HOME=" + path_ + "/cache"});
  measured_process done = run_measured(command, {path_ + "/work"});
  return {done.status, std::move(done.out), std::move(done.err)};
}

void program_directory::write(const std::string& name, const std::string& text) const {
  std::ofstream(file(name), std::ios::binary) << text;
}

std::string program_directory::read(const std::string& name) const {
  return text_if_there(file(name)).value_or("");
}

strings program_directory::files() const {
  strings names;
  for (const auto& entry : std::filesystem::directory_iterator(path_ + "/work"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::json json_of(const program_directory& directory, const strings& arguments) {
  const process_result r = directory.run(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  return r.status == 0 ? nlohmann::json::parse(r.out) : nlohmann::json();
}

std::optional<std::string> shown_on_a_terminal(const program_directory& dir, const std::string& command) {
  test_terminal terminal;
  if (!terminal.made()) return std::nullopt;
  EXPECT_EQ(dir.shell("$T " + command + " 2>" + terminal.name()).status, 0) << command;
  return terminal.text();
}

std::string unended_groups(const std::string& save_file) {
  strings open;  // each the line that has to end it
  std::string wrong, before;
  std::istringstream lines(save_file);
  for (std::string line; std::getline(lines, line); before = line) {
    if (before == "@800200") open.push_back("@1000200" + line);
    if (before == "@c00200") open.push_back("@1401200" + line);
    if (before != "@1000200" && before != "@1401200") continue;
    if (open.empty() || open.back() != before + line) wrong += before + line + '\n';
    if (!open.empty()) open.pop_back();
  }
  for (const std::string& end : open) wrong += end + '\n';
  return wrong;
}

strings with(strings list, const strings& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/program_process.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace toriscope {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

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

process_result program_directory::run(const std::vector<std::string>& arguments) const {
  std::string command = "exec \"$T\"";
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  return shell(command);
}

process_result program_directory::shell(const std::string& command) const {
  const std::string line = "cd " + quoted(path_ + "/work") + " && T=" + quoted(TORISCOPE_PROGRAM) +
                           " && export XDG_CACHE_HOME=" + quoted(path_ + "/cache") + " && { " + command +
                           "\n} > ../out 2> ../err < /dev/null";
  const int status = std::system(line.c_str());
  process_result result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = contents(path_ + "/out");
  result.err = contents(path_ + "/err");
  return result;
}

void program_directory::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ + "/work/" + name, std::ios::binary) << text;
}

std::string program_directory::read(const std::string& name) const {
  return contents(path_ + "/work/" + name);
}

std::vector<std::string> program_directory::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_ + "/work"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace toriscope

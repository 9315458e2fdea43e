// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/program_process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/measured_process.h"
#include "base/words.h"

namespace toriscope {
namespace {

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
  std::vector<std::string> all = {TORISCOPE_PROGRAM};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return start(std::move(all));
}

process_result program_directory::shell(const std::string& command) const {
  return start({"/bin/sh", "-c", "T=" + quoted_for_shell(TORISCOPE_PROGRAM) + "; " + command});
}

process_result program_directory::start(std::vector<std::string> command) const {
  command.insert(command.begin(), {"/usr/bin/env", "XDG_CACHE_HOME=" + path_ + "/cache"});
  measured_process done = run_measured(command, {path_ + "/work"});
  return {done.status, std::move(done.out), std::move(done.err)};
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

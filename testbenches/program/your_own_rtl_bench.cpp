// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/your_own_rtl_bench.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace toriscope {

const std::string test_rtl = TORISCOPE_ROOT "/rtl_models/user_rtl/test_rtl/",
                  description = TORISCOPE_ROOT "/rtl_models/sv_wormhole/wormhole.json";

std::string contents(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void replace_all(std::string& text, const std::string& old, const std::string& now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
}

your_own_rtl::your_own_rtl() {
  setenv("TORISCOPE_RTL_CACHE", TORISCOPE_TEST_RTL_CACHE, 1);
  setenv("TORISCOPE_RTL_CXXFLAGS", TORISCOPE_TEST_RTL_CXXFLAGS, 1);  // what is cheapest, building and running
  setenv("TORISCOPE", TORISCOPE_ROOT, 1);
}

process_result your_own_rtl::run(std::string options, const std::string& router) {
  if (options.find("--topology") == std::string::npos) options += " --topology mesh:4x4";
  if (options.find("--rtl ") == std::string::npos) options += " --rtl mesh.node_1_1";
  return dir_.shell("\"$T\" run --cycles 500 --failure-wave none " + options + " --rtl-router '" + router + "'");
}

vcd_contents your_own_rtl::wave(const std::string& name) {
  const std::string directory = dir_.shell("pwd").out;
  return vcd_reader::read(directory.substr(0, directory.find('\n')) + '/' + name, true);
}

}  // namespace toriscope

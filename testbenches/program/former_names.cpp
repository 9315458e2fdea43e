// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/former_names.h"

#include <map>

#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

const std::map<std::string, std::string>& present_names() {
  static const std::map<std::string, std::string> names = [] {
    std::map<std::string, std::string> all = {{"--watch-links", "--observe-links"},
                                              {"--no-looking", "--no-observation"}};
    for (const parameter& p : parameters())
      if (!p.former.empty()) all["--" + p.former] = "--" + p.option;
    return all;
  }();
  return names;
}

}  // namespace

std::string with_present_option(const std::string& word) {
  const std::size_t end = word.find('=');
  const auto known = present_names().find(word.substr(0, end));
  if (known == present_names().end()) return word;
  return known->second + (end == std::string::npos ? "" : word.substr(end));
}

}  // namespace toriscope

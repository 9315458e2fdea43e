// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_assignment_file.h"

#include <filesystem>
#include <stdexcept>

#include "base/checked_json.h"

namespace toriscope {

namespace {

std::string key_of(unsigned class_number) {
  return std::to_string(class_number % 4) + "," + std::to_string(class_number / 4);
}

bool is_key(const std::string& key) {
  for (unsigned c = 0; c < rdt_classes; ++c)
    if (key == key_of(c)) return true;
  return false;
}

}  // namespace

rdt_assignment read_rdt_assignment(const std::string& path) {
  if (std::error_code ignored; !std::filesystem::exists(path, ignored))
    throw std::invalid_argument("'" + path +
                                "' is none of alpha, beta, perfect, and no file that can be read");
  const auto tree = read_json(path, path);
  const checked_json top(tree, path);
  const std::string expected = R"(expected one object, {"class_ranks": {"0,0": 2, ... "3,1": 1}})";
  if (!top.value().is_object() || top.size() != 1 || !top.has("class_ranks") || !top.value().front().is_object())
    top.refuse(expected);
  const checked_json ranks = top.object("class_ranks");
  for (const auto& [key, rank] : ranks.value().items())
    if (!is_key(key))
      ranks.refuse("class \"" + key + "\" is not one of the eight, \"a,b\" with a = 0..3 and b = 0..1");
  rdt_assignment assignment{};
  for (unsigned c = 0; c < rdt_classes; ++c)
    assignment[c] = static_cast<std::uint8_t>(ranks.at(key_of(c)).whole(0, rdt_max_ranks));
  return assignment;
}

}  // namespace toriscope

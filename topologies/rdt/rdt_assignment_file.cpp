// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_assignment_file.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/input_file.h"

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
  const auto refuse = [&](const std::string& why) { return std::invalid_argument(path + ": " + why); };
  refuse_directory(path);
  std::ifstream file(path);
  if (!file)
    throw std::invalid_argument("'" + path +
                                "' is none of alpha, beta, perfect, and no file that can be read");
  const nlohmann::json root = nlohmann::json::parse(file, nullptr, false);
  if (root.is_discarded()) throw refuse("is not JSON");
  if (!root.is_object() || root.size() != 1 || !root.contains("class_ranks") ||
      !root["class_ranks"].is_object())
    throw refuse(R"(expected one object, {"class_ranks": {"0,0": 2, ... "3,1": 1}})");
  const nlohmann::json& ranks = root["class_ranks"];
  for (const auto& [key, rank] : ranks.items())
    if (!is_key(key))
      throw refuse("class \"" + key + "\" is not one of the eight, \"a,b\" with a = 0..3 and b = 0..1");
  rdt_assignment assignment{};
  for (unsigned c = 0; c < rdt_classes; ++c) {
    const auto found = ranks.find(key_of(c));
    if (found == ranks.end()) throw refuse("class \"" + key_of(c) + "\" has no rank");
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > rdt_most_ranks)
      throw refuse("class \"" + key_of(c) + "\" has rank " + found->dump() + "; expected 0 (none) to 4");
    assignment[c] = static_cast<std::uint8_t>(found->get<unsigned>());
  }
  return assignment;
}

}  // namespace toriscope

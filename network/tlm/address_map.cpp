// SPDX-License-Identifier: Apache-2.0
#include "network/tlm/address_map.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/input_file.h"
#include "base/nearest_name.h"

namespace toriscope {

namespace {

using json = nlohmann::json;

/// "0x1000..0x1fff of node 3".
std::string text_of(const address_range& r) {
  std::ostringstream text;
  text << std::hex << "0x" << r.base << "..0x" << r.last() << std::dec << " of node " << r.node;
  return text.str();
}

std::uint64_t number(const json& value, const std::string& place) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    char* end = nullptr;
    errno = 0;
    const std::uint64_t result = std::strtoull(text.c_str(), &end, 0);
    if (errno == 0 && !text.empty() && text[0] != '-' && *end == '\0') return result;
  }
  throw std::invalid_argument(place + ": " + value.dump() +
                              "; expected a number, such as 4096 or \"0x1000\"");
}

node_id node_named(const json& value, const std::string& place, const netlist& wiring) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() < wiring.node_count())
    return value.get<node_id>();
  if (value.is_string())
    for (node_id n = 0; n < wiring.node_count(); ++n)
      if (wiring.path(n) == value.get<std::string>()) return n;
  throw std::invalid_argument(place + ": there is no node " + value.dump() + "; nodes are 0.." +
                              std::to_string(wiring.node_count() - 1) + " or paths as \"" + wiring.path(0) +
                              "\"");
}

address_range read_range(const json& entry, const std::string& place, const netlist& wiring) {
  const std::vector<std::string> keys{"node", "base", "size", "target_base", "access"};
  if (!entry.is_object())
    throw std::invalid_argument(place + ": expected an object {...} with: " + joined(keys));
  for (const auto& item : entry.items())
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
      throw std::invalid_argument(place + ": " + unknown_name("key", item.key(), keys));
  for (const char* key : {"node", "base", "size"})
    if (!entry.contains(key)) throw std::invalid_argument(place + ": '" + key + "' is missing");
  address_range range;
  range.node = node_named(entry["node"], place + ".node", wiring);
  range.base = number(entry["base"], place + ".base");
  range.size = number(entry["size"], place + ".size");
  if (entry.contains("target_base")) range.target_base = number(entry["target_base"], place + ".target_base");
  const json access = entry.value("access", json("rw"));
  if (access != "r" && access != "w" && access != "rw")
    throw std::invalid_argument(place + ".access: " + access.dump() + "; expected \"r\", \"w\" or \"rw\"");
  range.readable = access != "w";
  range.writable = access != "r";
  return range;
}

}  // namespace

address_map::address_map(std::initializer_list<address_range> ranges) {
  for (const address_range& range : ranges) add(range);
}

void address_map::add(const address_range& range) {
  if (range.size == 0)
    throw std::invalid_argument("address map: a range of node " + std::to_string(range.node) +
                                " has no bytes; expected a size of at least 1");
  if (range.last() < range.base)
    throw std::invalid_argument("address map: " + text_of(range) +
                                " goes beyond the last address of 64 bits");
  const auto behind =
      std::upper_bound(ranges_.begin(), ranges_.end(), range.base,
                       [](std::uint64_t base, const address_range& r) { return base < r.base; });
  const auto refuse = [&](const address_range& other) {
    throw std::invalid_argument("address map: " + text_of(range) + " overlaps " + text_of(other));
  };
  if (behind != ranges_.end() && behind->base <= range.last()) refuse(*behind);
  if (behind != ranges_.begin() && std::prev(behind)->last() >= range.base) refuse(*std::prev(behind));
  ranges_.insert(behind, range);
}

const address_range* address_map::find(std::uint64_t address, std::uint64_t bytes) const {
  auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                 [](std::uint64_t a, const address_range& r) { return a < r.base; });
  if (behind == ranges_.begin()) return nullptr;
  const address_range& range = *--behind;
  const std::uint64_t offset = address - range.base;
  return offset < range.size && bytes <= range.size - offset ? &range : nullptr;
}

address_map parse_address_map(const std::string& text, const std::string& where, const netlist& wiring) {
  json tree;
  try {
    tree = json::parse(text, nullptr, true, /*ignore_comments=*/true);
  } catch (const json::parse_error& error) {
    throw std::invalid_argument(where + ": no JSON: byte " + std::to_string(error.byte));
  } catch (const json::out_of_range& error) {
    throw std::invalid_argument(where + ": " + json_complaint(error));
  }
  if (!tree.is_object() || tree.size() != 1 || !tree.contains("ranges") || !tree["ranges"].is_array())
    throw std::invalid_argument(where + ": expected {\"ranges\": [...]}");
  address_map map;
  for (std::size_t i = 0; i < tree["ranges"].size(); ++i) {
    const std::string place = where + ", ranges[" + std::to_string(i) + "]";
    const address_range range = read_range(tree["ranges"][i], place, wiring);
    try {
      map.add(range);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(place + ": " + error.what());
    }
  }
  return map;
}

address_map read_address_map(const std::string& path, const netlist& wiring) {
  const std::string where = "address map '" + path + "'";
  return parse_address_map(text_of_file(path, where), where, wiring);
}

}  // namespace toriscope

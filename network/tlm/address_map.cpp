// SPDX-License-Identifier: Apache-2.0
#include "network/tlm/address_map.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/text_file.h"
#include "base/words.h"

namespace toriscope {

namespace {

/// "0x1000..0x1fff of node 3".
std::string text_of(const address_range& r) {
  std::ostringstream text;
  text << std::hex << "0x" << r.base << "..0x" << r.last() << std::dec << " of node " << r.node;
  return text.str();
}

std::uint64_t number(const checked_json& value) {
  if (value.value().is_number_unsigned()) return value.value().get<std::uint64_t>();
  if (value.value().is_string()) {
    const auto text = value.value().get<std::string>();
    const bool hexadecimal = begins_with(text, "0x") || begins_with(text, "0X");
    const char* const last = text.data() + text.size();
    std::uint64_t result = 0;
    const auto [end, error] =
        std::from_chars(text.data() + (hexadecimal ? 2 : 0), last, result, hexadecimal ? 16 : 10);
    if (error == std::errc() && end == last) return result;
  }
  value.refuse_value("expected a number, such as 4096 or \"0x1000\"");
}

node_id node_named(const checked_json& at, const netlist& wiring) {
  const auto& value = at.value();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() < wiring.terminal_count())
    return value.get<node_id>();
  if (value.is_string())
    for (node_id n = 0; n < wiring.terminal_count(); ++n)
      if (wiring.terminal_path(n) == value.get_ref<const std::string&>()) return n;
  at.refuse_value("expected a node: 0.." + std::to_string(wiring.terminal_count() - 1) +
                  " or a path such as \"" + wiring.terminal_path(0) + "\"");
}

address_range read_range(const checked_json& entry, const netlist& wiring) {
  entry.only({"node", "base", "size", "target_base", "access"});
  address_range range;
  range.node = node_named(entry.at("node"), wiring);
  range.base = number(entry.at("base"));
  range.size = number(entry.at("size"));
  if (entry.has("target_base")) range.target_base = number(entry.at("target_base"));
  const std::string access = entry.text("access", "rw");
  if (access != "r" && access != "w" && access != "rw")
    entry.at("access").refuse_value(R"(expected "r", "w" or "rw")");
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
  const auto tree = parse_json(text, where);
  const checked_json top(tree, where);
  const checked_json ranges = top.only({"ranges"}).array("ranges");
  address_map map;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const address_range range = read_range(ranges.item(i), wiring);
    try {
      map.add(range);
    } catch (const std::invalid_argument& error) {
      ranges.item(i).refuse(error.what());
    }
  }
  return map;
}

address_map read_address_map(const std::string& path, const netlist& wiring) {
  const std::string where = "address map " + path;
  return parse_address_map(text_of_file(path, where), where, wiring);
}

}  // namespace toriscope

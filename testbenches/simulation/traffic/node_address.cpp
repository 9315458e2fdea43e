// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/node_address.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {
namespace {

[[noreturn]] void refuse(std::string_view text, const netlist& wiring, const char* why) {
  const node_id last = wiring.node_count() - 1;
  std::string right = "a number from 0 to " + std::to_string(last);
  if (wiring.hierarchy().size() > 1)
    right += " or an address from " + wiring.address(0) + " to " + wiring.address(last);
  throw std::invalid_argument("node '" + std::string(text) + "' " + why + "; expected " + right);
}

/// The digits of one level: one character each, or any length with '_' between them.
bool append_digits(std::string_view group, std::vector<unsigned>& digits) {
  const bool separated = group.find('_') != std::string_view::npos;
  while (!group.empty()) {
    const std::size_t end = separated ? std::min(group.find('_'), group.size()) : 1;
    std::uint64_t digit = 0;
    if (end > 9 || !to_number(group.substr(0, end), digit)) return false;
    digits.push_back(static_cast<unsigned>(digit));
    if (separated && end + 1 == group.size()) return false;
    group.remove_prefix(std::min(separated ? end + 1 : end, group.size()));
  }
  return true;
}

}  // namespace

node_id parse_node(std::string_view text, const netlist& wiring) {
  if (wiring.has_node_names()) {
    for (node_id node = 0; node < wiring.node_count(); ++node)
      if (wiring.path(node) == text) return node;
    std::uint64_t number = 0;
    if (to_number(text, number) && number < wiring.node_count()) return static_cast<node_id>(number);
    throw std::invalid_argument(
        "node '" + one_line(std::string(text), 200) + "' does not exist; expected a number from 0 to " +
        std::to_string(wiring.node_count() - 1) + " or a name such as " + wiring.path(0));
  }
  if (text.find('.') == std::string_view::npos) {
    std::uint64_t number = 0;
    if (!to_number(text, number)) refuse(text, wiring, "is not a node");
    if (number >= wiring.node_count()) refuse(text, wiring, "is out of range");
    return static_cast<node_id>(number);
  }
  std::vector<unsigned> digits;
  std::string_view rest = text;
  for (std::size_t level = 0; level < wiring.hierarchy().size(); ++level) {
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::size_t before = digits.size();
    if (!append_digits(rest.substr(0, end), digits) ||
        digits.size() - before != wiring.hierarchy()[level].digits)
      refuse(text, wiring, "is not an address");
    const bool last = level + 1 == wiring.hierarchy().size();
    if (last != (end == rest.size())) refuse(text, wiring, "is not an address");
    if (!last) rest.remove_prefix(end + 1);
  }
  for (std::size_t i = 0; i < digits.size(); ++i)
    if (digits[i] >= wiring.radices()[i]) refuse(text, wiring, "is out of range");
  return wiring.node_at(digits);
}

terminal_id parse_terminal(std::string_view text, const netlist& wiring) {
  if (wiring.has_plain_terminals()) return parse_node(text, wiring);
  const terminal_id terminals = wiring.terminal_count();
  std::uint64_t number = 0;
  if (to_number(text, number) && number < terminals) return static_cast<terminal_id>(number);
  for (terminal_id t = 0; t < terminals; ++t)
    if (wiring.terminal_address(t) == text) return t;
  throw std::invalid_argument("terminal '" + std::string(text) +
                              "' does not exist; expected a number from 0 to " +
                              std::to_string(terminals - 1) + " or an address from " +
                              wiring.terminal_address(0) + " to " + wiring.terminal_address(terminals - 1));
}

}  // namespace toriscope

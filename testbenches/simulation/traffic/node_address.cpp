// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/node_address.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/glob.h"
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

/// Whether `text` is the last part of the name: cpu of chiplet_2.cpu.
bool ends_name(const std::string& name, std::string_view text) {
  return name.size() > text.size() && ends_in(name, text) && name[name.size() - text.size() - 1] == '.';
}

/// The number that has this name, alone or, where only one does, without its modules.
template <class NameOf>
std::optional<std::uint32_t> number_of_name(std::string_view text, std::uint32_t count, NameOf name_of) {
  std::optional<std::uint32_t> last_part;
  unsigned found = 0;
  for (std::uint32_t n = 0; n < count; ++n) {
    const auto [address, path] = name_of(n);
    if (address == text || path == text) return n;
    if (ends_name(address, text) || ends_name(path, text)) {
      last_part = n;
      ++found;
    }
  }
  return found == 1 ? last_part : std::nullopt;
}

[[noreturn]] void refuse_name(const char* what, std::string_view text, std::uint32_t count,
                              const std::vector<std::string>& known) {
  throw std::invalid_argument(std::string(what) + " '" + one_line(text, 200) +
                              "' does not exist; expected a number from 0 to " + std::to_string(count - 1) +
                              " or a name, such as " + joined(nearest_names(std::string(text), known)));
}

node_id named_node(std::string_view text, const netlist& wiring) {
  const node_id count = wiring.node_count();
  std::uint64_t number = 0;
  if (to_number(text, number) && number < count) return static_cast<node_id>(number);
  const auto named =
      number_of_name(text, count, [&](node_id n) { return std::pair(wiring.address(n), wiring.path(n)); });
  if (named) return *named;
  std::vector<std::string> known;
  for (node_id n = 0; n < count; ++n) known.push_back(wiring.address(n));
  refuse_name("node", text, count, known);
}

}  // namespace

node_id parse_node(std::string_view text, const netlist& wiring) {
  if (wiring.has_node_names()) return named_node(text, wiring);
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
  std::vector<std::string> known;
  for (terminal_id t = 0; t < terminals; ++t) known.push_back(wiring.terminal_address(t));
  const auto named = number_of_name(text, terminals, [&](terminal_id t) {
    return std::pair(known[t], wiring.has_node_names() ? wiring.terminal_path(t) : known[t]);
  });
  if (named) return *named;
  refuse_name("terminal", text, terminals, known);
}

}  // namespace toriscope

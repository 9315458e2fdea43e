// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/link_budget.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/whole_number.h"
#include "base/words.h"
#include "topologies/analysis/bisection.h"
#include "topologies/link_models/link_width.h"

namespace toriscope {
namespace {

struct named_kind {
  const char* name;
  budget_kind what;
};
constexpr named_kind kinds[] = {
    {"bisection", budget_kind::bisection}, {"pins", budget_kind::pins}, {"wires", budget_kind::wires}};

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("equal: '" + one_line(text, 200) + "': " + why);
}

budgeted_width shares_of(const netlist& net, budget_kind what) {
  budgeted_width result;
  const auto words = [&](const char* of_what) {
    result.words = std::to_string(result.shares) + " " + of_what;
  };
  if (what == budget_kind::bisection) {
    result.shares = count_natural_cut(net).directed_links;
    words("links across the bisection");
  } else if (what == budget_kind::wires) {
    if (!net.has_lengths()) refuse("wires", net.name() + " has no layout; expected bisection:BITS or pins:BITS");
    for (const netlist_link& l : net.links()) result.shares += l.length;
    words("node pitches of links");
  } else {
    std::vector<std::uint64_t> of_node(net.node_count());
    for (const netlist_link& l : net.links()) {
      ++of_node[l.from];
      ++of_node[l.to];
    }
    result.shares = *std::max_element(of_node.begin(), of_node.end());
    words("links of a node");
  }
  return result;
}

}  // namespace

link_budget parse_link_budget(const std::string& text) {
  const std::size_t colon = text.find(':');
  for (const named_kind& kind : kinds) {
    if (text.substr(0, colon) != kind.name) continue;
    link_budget budget{kind.what, 0};
    if (colon == std::string::npos || !to_number(text.substr(colon + 1), budget.bits) || budget.bits == 0)
      refuse(text, std::string("expected a number of bits: ") + kind.name + ":1024");
    return budget;
  }
  refuse(text, "expected bisection:BITS, pins:BITS or wires:BITS");
}

budgeted_width width_within(const netlist& net, const link_budget& budget, unsigned flit_bits) {
  budgeted_width result = shares_of(net, budget.what);
  const auto kind = std::find_if(std::begin(kinds), std::end(kinds),
                                 [&](const named_kind& k) { return k.what == budget.what; });
  const std::uint64_t least = result.shares * ((flit_bits + 254) / 255);
  if (budget.bits < least)
    refuse(std::string(kind->name) + ":" + std::to_string(budget.bits),
           result.words + "; flits of " + std::to_string(flit_bits) + " bits need at least " + kind->name +
               ":" + std::to_string(least));
  result.bits = static_cast<unsigned>(
      std::min<std::uint64_t>(flit_bits, result.shares == 0 ? flit_bits : budget.bits / result.shares));
  result.flit_cycles = flit_cycles(flit_bits, result.bits);
  return result;
}

void set_link_widths(netlist& net, const std::string& budget, unsigned flit_bits) {
  for (link_id l = 0; l < net.links().size(); ++l)
    if (net.own_values(l).width_bits != 0)
      refuse(budget, "links of this network have widths of their own; leave one of them out");
  set_link_widths(net, flit_bits, {width_within(net, parse_link_budget(budget), flit_bits).bits});
}

}  // namespace toriscope

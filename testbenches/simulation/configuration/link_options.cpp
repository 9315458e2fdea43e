// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/link_options.h"

#include <set>
#include <stdexcept>

#include "base/whole_number.h"
#include "base/words.h"
#include "testbenches/simulation/traffic/node_address.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/link_models/link_width.h"

namespace toriscope {

link_id parse_link(const std::string& text, const netlist& wiring) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos)
    throw std::invalid_argument("link '" + text + "' is not a link; expected NODE.PORT, for example 0." +
                                wiring.port_name(0, 0));
  const node_id node = [&] {
    try {
      return parse_node(text.substr(0, dot), wiring);
    } catch (const std::exception& error) {
      throw std::invalid_argument("link '" + text + "': " + error.what());
    }
  }();
  const std::string name = text.substr(dot + 1);
  std::vector<std::string> known;
  const port_range ports = wiring.ports(node);
  for (port_id p = 0; p < ports.size(); ++p) {
    if (ports[p].out == no_link) continue;
    if (wiring.port_name(node, p) == name) return ports[p].out;
    known.push_back(wiring.port_name(node, p));
  }
  throw std::invalid_argument("link '" + text + "': no link leaves node " + text.substr(0, dot) +
                              " by a port '" + name + "'; it has: " + joined(known));
}

void apply_link_override(const std::string& text, netlist& wiring, unsigned flit_bits) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("link '" + text + "': " + why +
                                "; expected NODE.PORT:delay=CYCLES:width=BITS, or one of the two");
  };
  std::vector<std::string> words = split(text, ':');
  netlist_link& link = wiring.link(parse_link(words.front(), wiring));
  if (words.size() == 1) refuse("no delay or width given");
  words.erase(words.begin());
  std::set<std::string> seen;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    std::uint64_t value = 0;
    if (!seen.insert(word.substr(0, equals)).second) refuse(word.substr(0, equals) + " is given twice");
    if (equals == std::string::npos || !to_number(word.substr(equals + 1), value))
      refuse("'" + word + "' is not delay=CYCLES or width=BITS");
    if (word.compare(0, equals, "delay") == 0) {
      if (value < 1 || value > max_link_delay)
        refuse("delays are 1 to " + std::to_string(max_link_delay) + " cycles");
      link.delay_cycles = static_cast<std::uint16_t>(value);
    } else if (word.compare(0, equals, "width") == 0) {
      set_width(link, flit_bits, value);
    } else {
      refuse("'" + word + "' is not delay=CYCLES or width=BITS");
    }
  }
}

dead_link parse_dead_link(const std::string& text, const netlist& wiring) {
  const std::size_t at = text.find('@');
  dead_link result;
  result.link = parse_link(text.substr(0, at), wiring);
  std::uint64_t cycle = 0;
  if (at != std::string::npos && !to_number(text.substr(at + 1), cycle))
    throw std::invalid_argument("--fail-link '" + text + "': '" + text.substr(at + 1) +
                                "' is not a cycle; expected NODE.PORT or NODE.PORT@CYCLE");
  result.from_cycle = cycle;
  return result;
}

}  // namespace toriscope

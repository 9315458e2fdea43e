// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/network_wires.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/words.h"

namespace toriscope {

std::string module_path(const netlist& wiring, node_id n) {
  std::vector<std::string> scopes = split(wiring.path(n), '.');
  for (std::string& scope : scopes)
    if (std::isdigit(static_cast<unsigned char>(scope.front()))) scope.insert(0, "node_");
  return fmt::format("{}", fmt::join(scopes, "."));
}

network_wires::network_wires(const netlist& wiring, const network_config& config,
                             const rtl_parameters& router, bool plain_names)
    : wiring_(wiring),
      config_(config),
      router_(router),
      plain_names_(plain_names),
      ports_(wiring.node_count(), std::vector<port_wires>(router.ports)) {
  for (node_id n = 0; n < wiring.node_count(); ++n)
    for (std::string& scope : split(module_path(wiring, n), '.')) taken_.insert(std::move(scope));
  for (const netlist_link& l : wiring.links()) add_link(l);
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) add_terminal(t);
  for (node_id n = 0; n < wiring.node_count(); ++n) tie_off(n);
}

void network_wires::add_link(const netlist_link& l) {
  port_wires& from = at(l.from, l.from_port);
  port_wires& to = at(l.to, l.to_port);
  const std::string from_port = wiring_.port_name(l.from, l.from_port);
  const std::string to_port = wiring_.port_name(l.to, l.to_port);
  const unsigned vcs = config_.router.vcs;
  const unsigned credit_delay = l.delay_cycles + config_.credit_delay_cycles;

  to.flit_i = declare(l.to, "in_" + to_port, flit_bits);
  const unsigned cycles = l.flit_cycles;
  from.flit_o =
      l.delay_cycles == 1 && cycles == 1 ? to.flit_i : declare(l.from, "out_" + from_port, flit_bits);
  if (cycles == 1) {
    connect(from.flit_o, to.flit_i, flit_bits, l.delay_cycles);
  } else {
    const std::string sent = declare(l.from, "out_word_" + from_port, flit_bits, cycles);
    const std::string come =
        l.delay_cycles == 1 ? sent : declare(l.to, "in_word_" + to_port, flit_bits, cycles);
    narrow_links_.push_back({from.flit_o, sent, come, to.flit_i, cycles});
    connect(sent, come, flit_bits, l.delay_cycles, cycles);
  }

  from.credit_i = declare(l.from, "credit_" + from_port, vcs);
  to.credit_o = credit_delay == 1 ? from.credit_i : declare(l.to, "freed_" + to_port, vcs);
  connect(to.credit_o, from.credit_i, vcs, credit_delay);
}

void network_wires::add_terminal(terminal_id t) {
  const netlist_terminal place = wiring_.terminal(t);
  port_wires& entry = at(place.node, place.port);
  port_wires& exit = at(place.exit, place.exit_port);
  const std::string entry_name = wiring_.port_name(place.node, place.port);
  const std::string exit_name = wiring_.port_name(place.exit, place.exit_port);
  const unsigned vcs = config_.router.vcs;
  const unsigned in = config_.injection_delay_cycles;
  const unsigned out = config_.ejection_delay_cycles;
  const auto pin = [t](const char* name, unsigned bits) {
    return fmt::format("{}[{}*{}+:{}]", name, t, width(bits), width(bits));
  };

  entry.flit_i = declare(place.node, "in_" + entry_name, flit_bits);
  connect(pin("flit_i", flit_bits), entry.flit_i, flit_bits, in);
  entry.credit_o = declare(place.node, "credit_ni" + entry_name.substr(std::string("local").size()), vcs);
  connect(entry.credit_o, pin("credit_o", vcs), vcs, in + config_.credit_delay_cycles);
  exit.flit_o = declare(place.exit, "out_" + exit_name, flit_bits);
  connect(exit.flit_o, pin("flit_o", flit_bits), flit_bits, out);
  exit.credit_i = declare(place.exit, "credit_" + exit_name, vcs);
  connect(pin("credit_i", vcs), exit.credit_i, vcs, out + config_.credit_delay_cycles);
}

/// Sides of ports that have no link.
void network_wires::tie_off(node_id n) {
  const unsigned vcs = config_.router.vcs;
  const std::string number = std::to_string(n) + "_";
  for (std::size_t p = 0; p < ports_[n].size(); ++p) {
    port_wires& w = ports_[n][p];
    const auto unused = [&](const char* name, unsigned bits) {
      wires_.push_back({free_name(name + number + std::to_string(p)), bits});
      return wires_.back().name;
    };
    if (w.flit_i.empty()) w.flit_i = "{FLIT_BITS{1'b0}}";
    if (w.credit_i.empty()) w.credit_i = std::to_string(vcs) + "'d0";
    if (w.flit_o.empty()) w.flit_o = unused("unused_flit_", flit_bits);
    if (w.credit_o.empty()) w.credit_o = unused("unused_credit_", vcs);
  }
}

std::string network_wires::width(unsigned bits, unsigned cycles) {
  if (cycles > 1) return fmt::format("(FLIT_BITS+{})/{}", cycles - 1, cycles);
  return bits == flit_bits ? "FLIT_BITS" : std::to_string(bits);
}

/// The name with a path in it, as an escaped identifier or a plain one. A backtick is a macro's in Icarus Verilog.
std::string network_wires::declare(node_id n, const std::string& name, unsigned bits, unsigned cycles) {
  std::string path = module_path(wiring_, n) + "." + name;
  std::replace(path.begin(), path.end(), '`', '_');
  const std::string free = free_name(plain_names_ ? plain_name(path) : path);
  taken_.insert(free);
  wires_.push_back({plain_names_ ? free : "\\" + free + " ", bits, cycles});
  return wires_.back().name;
}

/// Of letters, digits and underscores.
std::string network_wires::plain_name(const std::string& path) {
  std::string plain;
  for (const char c : path) {
    if (c == '.')
      plain += "__";
    else if (c == '+' || c == '-')
      plain += c == '+' ? 'p' : 'm';
    else
      plain += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return plain;
}

std::string network_wires::free_name(const std::string& name) const {
  std::string free = name;
  for (unsigned i = 2; taken_.count(free) > 0; ++i) free = name + "_" + std::to_string(i);
  return free;
}

void network_wires::connect(const std::string& from, const std::string& to, unsigned bits, unsigned delay,
                            unsigned cycles) {
  if (from != to) connections_.push_back({from, to, bits, delay - 1, cycles});
}

}  // namespace toriscope

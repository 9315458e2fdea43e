// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/cosim/port_pairs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "traces/signal_value.h"

namespace toriscope {
namespace {

constexpr std::uint64_t cycle_ps = 1000;

}  // namespace

port_pairs::port_pairs(const std::string& file, const netlist& wiring, const flit_layout& layout,
                       node_id node, cycle_t from, cycle_t to, lockstep_probe& probe)
    : layout_(layout),
      node_(node),
      from_(from),
      to_(to),
      file_(file, "1 ps", {"what model and RTL send by each port, compared"}),
      any_(file_.add(wiring.path(node), "differs", 1)) {
  for (unsigned q = 0; q < probe.rtl_of(node).parameters().ports; ++q) {
    const unsigned p = probe.port_of(node, q);
    const std::string name = p < wiring.port_count(node) ? wiring.port_name(node, static_cast<port_id>(p))
                                                         : "tied_off_" + std::to_string(q);
    const std::string scope = wiring.path(node) + '.' + name;
    ports_.push_back({name, add(scope, "flit_o", 64), add(scope, "flit_o_vc", 4),
                      add(scope, "flit_o_tag", 63),
                      add(scope, "credit_o", probe.rtl_of(node).parameters().vcs)});
  }
  probe.listen([this](const port_comparison& c) { show(c); });
}

port_pairs::pair port_pairs::add(const std::string& scope, const std::string& name, unsigned width) {
  const auto model = file_.add(scope, name + "_model", width), rtl = file_.add(scope, name + "_RTL", width);
  return {model, rtl, file_.add(scope, name + "_differs", 1)};
}

void port_pairs::set(const pair& p, std::uint64_t model, std::uint64_t rtl) {
  file_.set(p.model, model);
  file_.set(p.rtl, rtl);
  file_.set(p.differs, model != rtl);
}

void port_pairs::show(const port_comparison& c) {
  if (c.node != node_ || c.cycle < from_ || c.cycle > to_) return;
  if (!file_.begun())
    file_.begin(c.cycle * cycle_ps);
  else
    file_.advance(c.cycle * cycle_ps);
  if (std::exchange(last_, c.cycle) != c.cycle) any_differs_ = false;
  port& p = ports_[c.rtl_port];
  const auto part = [this](signal_kind kind, flit_word f) { return value_of(kind, f, layout_); };
  set(p.flit, c.model_flit.bits, c.rtl_flit.bits);
  set(p.vc, part(signal_kind::flit_vc, c.model_flit), part(signal_kind::flit_vc, c.rtl_flit));
  set(p.tag, part(signal_kind::flit_tag, c.model_flit), part(signal_kind::flit_tag, c.rtl_flit));
  set(p.credit, c.model_credit.vcs, c.rtl_credit.vcs);
  if (c.model_flit != c.rtl_flit || c.model_credit != c.rtl_credit) {
    p.differs_from = std::min(p.differs_from, c.cycle);
    any_differs_ = true;
  }
  file_.set(any_, any_differs_);
}

bool port_pairs::close() {
  if (!file_.begun()) return false;
  file_.close((last_ + 1) * cycle_ps);
  return true;
}

gtkw_rows port_pairs::rows(const std::vector<vcd_variable>& variables, const std::string& title) const {
  // In the order in which they were declared: one, and four pairs for each port.
  constexpr std::size_t of_port = 12;
  gtkw_rows rows;
  rows.comment(title);
  rows.add(variables.at(0), "model and RTL differ", false, wave_colour::red);
  std::vector<std::size_t> order(ports_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return ports_[a].differs_from < ports_[b].differs_from;
  });
  for (const std::size_t q : order) {
    rows.begin_group("compared: port " + ports_[q].name, ports_[q].differs_from != never);
    for (std::size_t i = 0; i < of_port; ++i) {
      const vcd_variable& v = variables.at(1 + q * of_port + i);
      std::string name = v.name.substr(v.name.rfind('.') + 1);
      for (char& c : name)
        if (c == '_') c = ' ';
      // "flit o vc model" is to be read as "flit_o vc model".
      name.replace(name.find(" o"), 2, "_o");
      const wave_colour colours[] = {wave_colour::green, wave_colour::orange, wave_colour::red};
      rows.add(v, ports_[q].name + ' ' + name, i / 3 == 1 || i / 3 == 2, colours[i % 3]);
    }
    rows.end_group();
  }
  return rows;
}

}  // namespace toriscope

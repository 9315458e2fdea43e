// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/cosim/lockstep_probe.h"

#include <fmt/format.h>

#include "rtl_models/rtl_eligibility.h"

namespace toriscope {
namespace {

std::string flit_text(flit_word f, const flit_layout& layout) {
  if (!f.valid()) return f.bits == 0 ? "no flit" : fmt::format("0x{:016x}, not valid", f.bits);
  const char* const kind = f.head() ? f.tail() ? "head and tail" : "head" : f.tail() ? "tail" : "body";
  const std::string fields =
      f.head() ? fmt::format("destination {}, state {}", layout.destination(f), layout.state(f))
               : fmt::format("index {}", layout.index(f));
  return fmt::format("{} on VC {}, {}, tag {} (0x{:016x})", kind, f.vc(), fields, layout.tag(f), f.bits);
}

std::string credit_text(std::uint64_t vcs) {
  std::string text;
  for (const unsigned v : vc_set(static_cast<vc_mask>(vcs)))
    text += (text.empty() ? "VC " : ", ") + std::to_string(v);
  return text.empty() ? "no credit" : "credit of " + text;
}

}  // namespace

std::string to_string(const pin_difference& d, const netlist& wiring, const flit_layout& layout) {
  const std::string place = fmt::format("cycle {}, {}.{}", d.cycle, wiring.name(), wiring.path(d.node));
  if (d.what == pin_difference::pins::assertion)
    return fmt::format("{}: an assertion of the RTL failed: {}", place, d.said);
  const std::string port =
      d.port < wiring.port_count(d.node) ? wiring.port_name(d.node, d.port) : "(tied off)";
  if (d.what == pin_difference::pins::flit_o)
    return fmt::format("{}, port {}, flit_o: the model sends {}; the RTL {}", place, port,
                       flit_text({d.model}, layout), flit_text({d.rtl}, layout));
  return fmt::format("{}, port {}, credit_o: the model sends {}; the RTL {}", place, port,
                     credit_text(d.model), credit_text(d.rtl));
}

lockstep_probe::lockstep_probe(const netlist& wiring, const std::vector<node_id>& nodes, maker make,
                               cycle_t cycles_after)
    : wiring_(wiring),
      nodes_(nodes),
      make_(std::move(make)),
      cycles_after_(cycles_after),
      sides_(nodes.size()),
      place_(wiring.node_count(), static_cast<std::uint32_t>(nodes.size())) {
  std::uint32_t place = 0;
  for (const node_id n : nodes) place_[n] = place++;
}

network::node_factory lockstep_probe::factory() {
  return [this](const char* name, const node_context& context) -> std::unique_ptr<node> {
    if (place_[context.id] == sides_.size()) return nullptr;
    sides_[place_[context.id]].rtl = make_(context);
    return std::make_unique<probed_node>(name, context, *this);
  };
}

/// A node that was not stepped was shown nothing, and sent nothing.
void lockstep_probe::catch_up(side& s, node_id n, cycle_t now) {
  if (s.cycles_done >= now) return;
  const unsigned rtl_ports = s.rtl->parameters().ports;
  for (unsigned p = 0; p < rtl_ports; ++p) {
    s.rtl->set_flit(static_cast<port_id>(p), {});
    s.rtl->set_credit(static_cast<port_id>(p), {});
  }
  while (s.cycles_done < now) {
    const cycle_t cycle = s.cycles_done;
    if (disturb_) disturb_(*s.model, *s.rtl, cycle);
    clock(s, n, cycle);
    for (unsigned p = 0; p < rtl_ports; ++p) compare(s, n, p, {}, {}, cycle);
  }
}

void lockstep_probe::clock(side& s, node_id n, cycle_t now) {
  try {
    s.rtl->clock_edge();
  } catch (const rtl_assertion& failed) {
    differs({now, n, 0, pin_difference::pins::assertion, 0, 0, failed.what()});
  }
  ++s.cycles_done;
  ++router_cycles_;
}

void lockstep_probe::before_step(const probed_node& node, cycle_t now) {
  side& s = sides_[place_[node.id()]];
  catch_up(s, node.id(), now);
  if (disturb_) disturb_(node, *s.rtl, now);
  for (unsigned p = 0; p < wiring_.port_count(node.id()); ++p) {
    const probed_node::port_wires& w = node.wires(static_cast<port_id>(p));
    const port_id q = port_of_rtl(wiring_, node.id(), p, s.rtl->parameters());
    s.rtl->set_flit(q, w.in ? w.in->shown(now) : flit_word{});
    s.rtl->set_credit(q, w.credits_in ? w.credits_in->shown(now) : credit_word{});
  }
  clock(s, node.id(), now);
}

bool lockstep_probe::after_step(const probed_node& node, cycle_t now) {
  const side& s = sides_[place_[node.id()]];
  for (unsigned q = 0; q < s.rtl->parameters().ports; ++q) {
    const unsigned p = port_of(node.id(), q);
    const bool tied = p >= wiring_.port_count(node.id());
    const probed_node::port_wires w = tied ? probed_node::port_wires{} : node.wires(static_cast<port_id>(p));
    const flit_word flit = w.out ? w.out->shown(now + w.out->delay_cycles()) : flit_word{};
    const credit_word credit =
        w.credits_back ? w.credits_back->shown(now + w.credits_back->delay_cycles()) : credit_word{};
    compare(s, node.id(), q, flit, credit, now);
  }
  if (first_) finish(now);  // nodes that were not stepped may have differed before
  if (first_ && now >= first_->cycle + cycles_after_) sc_core::sc_pause();
  return true;  // every node, in every cycle
}

void lockstep_probe::compare(const side& s, node_id n, unsigned rtl_port, flit_word flit, credit_word credit,
                             cycle_t now) {
  const auto q = static_cast<port_id>(rtl_port);
  const auto p = static_cast<port_id>(port_of(n, rtl_port));
  const flit_word rtl_flit = s.rtl->flit(q);
  const credit_word rtl_credit = s.rtl->credit(q);
  pins_compared_ += 64 + s.rtl->parameters().vcs;
  if (listener_) listener_({now, n, rtl_port, flit, rtl_flit, credit, rtl_credit});
  if (rtl_flit != flit) differs({now, n, p, pin_difference::pins::flit_o, flit.bits, rtl_flit.bits, {}});
  if (rtl_credit != credit)
    differs({now, n, p, pin_difference::pins::credit_o, credit.vcs, rtl_credit.vcs, {}});
}

void lockstep_probe::differs(pin_difference d) {
  ++mismatches_;
  if (!first_ || d.cycle < first_->cycle) first_ = std::move(d);
}

void lockstep_probe::finish(cycle_t cycles_done) {
  for (const node_id n : nodes_) catch_up(sides_[place_[n]], n, cycles_done);
}

}  // namespace toriscope

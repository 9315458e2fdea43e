// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_node.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "network/network.h"
#include "topologies/wire_place.h"

namespace toriscope {
namespace {

/// The network that is being built around a module.
network& network_around(const sc_core::sc_object& module) {
  for (sc_core::sc_object* o = module.get_parent_object(); o; o = o->get_parent_object())
    if (auto* const found = dynamic_cast<network*>(o)) return *found;
  throw std::logic_error(std::string(module.name()) + " is not part of a network");
}

template <class Port>
std::unique_ptr<Port> make_port(const char* pin, const std::string& port_name) {
  return std::make_unique<Port>((pin + port_name).c_str());
}

}  // namespace

rtl_node::rtl_node(const sc_core::sc_module_name& name, const node_context& context,
                   std::unique_ptr<rtl_router> rtl)
    : node(name, context),
      wiring_(context.wiring),
      network_(context.network),
      wires_(context.wires),
      rtl_(std::move(rtl)),
      sent_(context.wiring.port_count(context.id)),
      account_(context.wiring.port_count(context.id), context.network,
               context.wiring.local_ports(context.id)),
      look_in_(rtl_->patience_cycles()) {
  const router_config& config = context.network.config;
  const auto refuse = [this](const std::string& why) {
    throw std::invalid_argument(std::string(sc_core::sc_module::name()) + ": " + why);
  };
  const router_config& own = context.kind().config;
  const std::string obstacle =
      rtl_->follows_model() ? obstacle_to_rtl(own)
                            : obstacle_to_user_rtl(wiring_, context.id, context.network.compares_queues);
  if (!obstacle.empty()) refuse(obstacle);
  rtl_parameters needed = parameters_of(wiring_, context.id, context.network.layout, config, own,
                                        context.network.limited_reception);
  const rtl_parameters& built = rtl_->parameters();
  needed.table = built.table;  // a matter between the RTL and its file
  if (needed.local_ports <= built.local_ports &&
      needed.ports - needed.local_ports <= built.ports - built.local_ports) {
    needed.ports = built.ports;  // those too many are tied off
    needed.local_ports = built.local_ports;
  }
  if (built != needed)
    refuse("the RTL router was built with " + what_differs(built, needed) + "; this node needs " +
           what_differs(needed, built));

  for (port_id p = 0; p < wiring_.port_count(context.id); ++p) {
    const bool local = wiring_.is_local(context.id, p);
    const bool goes_in = wire_into(wiring_, context.id, p) != no_wire;
    const wire_id out = wire_out_of(wiring_, context.id, p);
    const bool goes_out = out != no_wire;
    const std::string& port_name = wiring_.port_name(context.id, p);
    if (goes_out) {
      const wire_place place = wire_at(wiring_, out);
      account_.set_link(p, context.kinds.of(place.to).config, place.flit_cycles);
    }
    port_pins pins;
    if (goes_in) {
      pins.flit_i = make_port<sc_core::sc_in<flit_word>>("flit_i_", port_name);
      pins.credit_o = make_port<sc_core::sc_out<credit_word>>("credit_o_", port_name);
    }
    if (goes_out) pins.flit_o = make_port<sc_core::sc_out<flit_word>>("flit_o_", port_name);
    if (goes_out && (!local || context.network.limited_reception))
      pins.credit_i = make_port<sc_core::sc_in<credit_word>>("credit_i_", port_name);
    pins_.push_back(std::move(pins));
    if (!goes_out) without_flit_o_.push_back(rtl_port(p));
    if (!goes_in) without_credit_o_.push_back(rtl_port(p));
  }
  for (port_id q = 0; q < built.ports; ++q)
    if (port_of_node(wiring_, context.id, q, built) >= pins_.size()) {
      without_flit_o_.push_back(q);
      without_credit_o_.push_back(q);
    }

  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
}

void rtl_node::connect(const node_context& context) {
  node::connect(context);
  network& around = network_around(*this);
  shares_clock_ = around.config().threads > 1 && rtl_->is_clocked_with_others();
  clk(around.clk);
  const port_range ports = wiring_.ports(id());
  for (port_id p = 0; p < ports.size(); ++p) {
    if (ports[p].in != no_link) {
      pins_[p].flit_i->bind(around.link_at(ports[p].in));
      pins_[p].credit_o->bind(around.credit_at(ports[p].in));
    }
    if (ports[p].out != no_link) {
      pins_[p].flit_o->bind(around.link_at(ports[p].out));
      pins_[p].credit_i->bind(around.credit_at(ports[p].out));
    }
  }
  for (unsigned p = wiring_.local_port(id()); p < wiring_.port_count(id()); ++p) {
    port_pins& local = pins_[p];
    if (const terminal_id t = wiring_.entering(id(), static_cast<port_id>(p)); t != no_terminal) {
      local.flit_i->bind(around.injection_link(t));
      local.credit_o->bind(around.injection_credit(t));
    }
    if (const terminal_id t = wiring_.leaving(id(), static_cast<port_id>(p)); t != no_terminal) {
      local.flit_o->bind(around.ejection_link(t));
      if (local.credit_i) local.credit_i->bind(around.ejection_credit(t));
    }
  }
}

/// The clock domain calls this in the cycles in which a link shows something: hops are counted, and the
/// network interface does its cycle.
bool rtl_node::step(cycle_t now) {
  const arrival_mask shown = arrivals(now);
  const port_range ports = wiring_.ports(id());
  for (port_id p = 0; p < ports.size(); ++p)
    if (shown >> flit_arrival(p) & 1u) {
      const flit_word f = wires_.flit(ports[p].in).shown(now);
      if (f.head()) count_hop(f);
    }
  return step_interfaces(now);
}

std::string rtl_node::at_end() const {
  const std::uint64_t by_links = account_.contents().flits;
  const std::uint64_t by_router = rtl_->flits_inside().value_or(by_links);
  if (by_links != by_router)
    return "the links show " + std::to_string(by_links) + " flits inside the router; the router reports " +
           std::to_string(by_router);
  return rtl_->at_end();
}

void rtl_node::count_hop(flit_word head) { ++network_.packets[network_.packet_of(head)].hops; }

void rtl_node::clock_rtl() {
  for (port_id p = 0; p < pins_.size(); ++p) {
    const port_id q = rtl_port(p);
    if (pins_[p].flit_i) {
      const flit_word f = pins_[p].flit_i->read();
      rtl_->set_flit(q, f);
      if (f.valid()) account_.flit_in(p, f, cycle_);
    }
    if (pins_[p].credit_i) {
      const credit_word c = pins_[p].credit_i->read();
      rtl_->set_credit(q, c);
      if (c.valid()) account_.credits_in(p, c);
    }
  }
  rtl_->clock_edge();
  for (port_id p = 0; p < pins_.size(); ++p) {
    const port_id q = rtl_port(p);
    if (pins_[p].flit_o)
      if (const flit_word f = rtl_->flit(q); f.valid()) check(p, account_.flit_out(p, f, cycle_));
    if (pins_[p].credit_o)
      if (const credit_word c = rtl_->credit(q); c.valid()) check(p, account_.credits_out(p, c));
  }
  for (const port_id q : without_flit_o_)
    if (rtl_->flit(q).bits != 0) sends_nowhere(q, "no link leaves here, and its flit_o");
  for (const port_id q : without_credit_o_)
    if (rtl_->credit(q).valid()) sends_nowhere(q, "no link enters here, and its credit_o");
  ++cycle_;
  if (--look_in_ == 0) look_for_lost_credits();
}

void rtl_node::look_for_lost_credits() {
  look_in_ = rtl_->patience_cycles();
  if (const std::string lost = rtl_->look_for_lost_credits(); !lost.empty()) throw rtl_assertion(lost);
  if (const auto slot = account_.look_for_lost_credits()) throw rtl_assertion(lost_credit(*slot));
}

std::string rtl_node::lost_credit(const node_account::input_slot& slot) const {
  return "input port " + wiring_.port_name(id(), slot.p) + ", VC " + std::to_string(slot.v) +
         ": a flit left " + std::to_string(rtl_->patience_cycles()) +
         " cycles ago or earlier, and its credit was not returned; each flit that leaves a buffer returns "
         "one";
}

/// Nothing comes in any more, so that flits leave as far as their credits go, and owed credits come. Not for the
/// project's own RTL, whose waveforms end with the run.
std::string rtl_node::settle() {
  if (rtl_->follows_model()) return {};
  constexpr cycle_t quiet_cycles = 64;  // then no more is expected to move; a credit has the patience
  node_account settled = account_;
  rtl_->neighbours_stop();
  const auto owed = [&] { return settled.owing() || !rtl_->owed_credit().empty(); };
  cycle_t now = cycle_;
  for (cycle_t quiet = 0; quiet < (owed() ? rtl_->patience_cycles() : quiet_cycles); ++quiet, ++now) {
    if (settled.contents().flits == 0 && !owed()) return {};
    for (port_id p = 0; p < pins_.size(); ++p) {
      if (pins_[p].flit_i) rtl_->set_flit(rtl_port(p), {});
      if (pins_[p].credit_i) rtl_->set_credit(rtl_port(p), {});
    }
    try {
      rtl_->clock_edge();
    } catch (const rtl_assertion&) {
      return {};  // it may say anything of neighbours that have stopped
    }
    for (port_id p = 0; p < pins_.size(); ++p) {
      if (pins_[p].flit_o && rtl_->flit(rtl_port(p)).valid()) {
        if (!settled.flit_out(p, rtl_->flit(rtl_port(p)), now).empty()) return {};
        quiet = 0;
      }
      if (pins_[p].credit_o && rtl_->credit(rtl_port(p)).valid())
        if (!settled.credits_out(p, rtl_->credit(rtl_port(p))).empty()) return {};
    }
  }
  if (std::string owed_inside = rtl_->owed_credit(); !owed_inside.empty()) return owed_inside;
  const auto slot = settled.owing();
  return slot ? lost_credit(*slot) : "";
}

void rtl_node::check(port_id p, const std::string& wrong) const {
  if (!wrong.empty()) throw rtl_assertion("port " + wiring_.port_name(id(), p) + ": " + wrong);
}

void rtl_node::sends_nowhere(port_id q, const char* what) const {
  throw rtl_assertion("port " + std::to_string(q) + " of the RTL: " + what + " is not 0");
}

void rtl_node::clock_alone() {
  clocked_ = true;
  failed_.reset();
  try {
    clock_rtl();
  } catch (const rtl_assertion& failed) {
    failed_ = failed;
  }
}

void rtl_node::clock_together() {
  network& around = network_around(*this);
  if (!together_) {
    together_ = std::make_shared<std::vector<node_id>>();
    for (node_id n = 0; n < wiring_.node_count(); ++n)
      if (auto* const other = dynamic_cast<rtl_node*>(&around.at(n)); other && other->rtl_->is_clocked_with_others()) {
        together_->push_back(n);
        other->together_ = together_;
      }
  }
  around.share_work(*together_, [&around](node_id n) { static_cast<rtl_node&>(around.at(n)).clock_alone(); });
}

void rtl_node::edge() {
  if (!clocked_) {
    if (shares_clock_)
      clock_together();
    else
      clock_alone();
  }
  clocked_ = false;
  if (failed_) return network_around(*this).fail(id(), failed_->what());
  for (port_id p = 0; p < pins_.size(); ++p) {
    const port_id q = rtl_port(p);
    if (pins_[p].flit_o) {
      const flit_word sent = rtl_->flit(q);
      pins_[p].flit_o->write(sent);
      sent_[p] += sent.valid();
    }
    if (pins_[p].credit_o) pins_[p].credit_o->write(rtl_->credit(q));
  }
}

}  // namespace toriscope

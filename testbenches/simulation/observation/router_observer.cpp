// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/router_observer.h"

#include <algorithm>

#include "base/bit_set.h"

namespace toriscope {

const char* name_of(stall_cause f) {
  static constexpr const char* names[front_fates] = {
      "moved",       "pipeline",  "no_output_vc",  "lost_vc_allocation", "no_credit",
      "lost_switch", "link_busy", "output_buffer", "discarded"};
  return names[static_cast<std::size_t>(f)];
}

router_observer::router_observer(const netlist& wiring, const network_config& config)
    : config_(config), kinds_(wiring, config) {
  std::size_t ports = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    first_port_.push_back(ports);
    ports += wiring.port_count(n);
    first_local_.push_back(wiring.local_port(n));
  }
  last_read_.resize(wiring.node_count());
  ports_.resize(ports);
  vcs_.resize(ports * config.router.vcs);
}

void router_observer::before_step(const probed_node& node, cycle_t now) {
  const router& core = node.watched();
  const unsigned vcs = core.vc_count();
  step_.arrivals.clear();
  arrived_ = {};
  for (unsigned i = 0; i < core.port_count(); ++i) {
    const auto p = static_cast<port_id>(i);
    see_arrival(node, p, now);
    before_.in_use[p] = core.in_use(p);
    for (const unsigned v : before_.in_use[p]) {
      observed_state::input& in = before_.inputs[p][v];
      in = {core.front(p, v), -1, -1};
      if (const auto owned = core.assigned(p, v))
        in = {in.front, static_cast<std::int8_t>(owned->port), static_cast<std::int8_t>(owned->vc)};
    }
    for (unsigned v = 0; v < vcs && has_output_buffers(); ++v)
      before_.buffers[p][v] = core.output_buffer(p, v);
    for (unsigned v = 0; v < vcs && keeps_owners_; ++v)
      before_.owners[p][v] = static_cast<std::int16_t>(core.output_owner(p, v));
    before_.available[p] = core.grantable(p);
  }
}

/// A packet that is discarded in the step may have no record after it.
void router_observer::see_arrival(const probed_node& node, port_id p, cycle_t now) {
  const flit_wire* const in = node.wires(p).in;
  if (!in) return;
  const flit_word f = in->shown(now);
  if (!f.valid()) return;
  const network_state& network = node.network();
  const packet_id packet = network.packet_of(f);
  step_.arrivals.push_back({p, f, packet, f.head() ? network.packets[packet].source : 0});
  arrived_.add(p);
  came_[p] = f;
}

bool router_observer::after_step(const probed_node& node, cycle_t now) {
  step_.node = &node;
  step_.now = now;
  step_.before = &before_;
  for (auto* events : {&step_.sent, &step_.injected}) events->clear();
  step_.fronts.clear();
  step_.buffered.clear();

  const unsigned ports = node.watched().port_count();
  see_wires(node, now);
  for (unsigned p = 0; p < ports; ++p) see_fronts(node, static_cast<port_id>(p), now);
  if (has_output_buffers()) see_buffers(node, now);

  // Only now: what is granted in this cycle keeps no flit from asking in this cycle.
  for (const front_event& e : has_output_buffers() ? step_.buffered : step_.fronts)
    if (e.fate == stall_cause::moved && e.out_port >= 0)
      port(node, static_cast<unsigned>(e.out_port)).free_from =
          now + node.wires(static_cast<port_id>(e.out_port)).flit_cycles;
  if (!step_.fronts.empty() || !step_.buffered.empty()) last_read_[node.id()] = now;

  for (step_listener* listener : listeners_) listener->stepped(step_);
  return node.watched().flits() > 0 || now <= last_read_[node.id()] + timing(node.id()).switch_to_sent;
}

void router_observer::see_wires(const probed_node& node, cycle_t now) {
  const unsigned ports = node.watched().port_count();
  for (unsigned i = 0; i < ports; ++i) {
    const auto p = static_cast<port_id>(i);
    const probed_node::port_wires& w = node.wires(p);
    if (w.out)
      if (const flit_word f = w.out->shown(now + w.out->delay_cycles()); f.valid())
        step_.sent.push_back({p, f, node.network().packet_of(f)});
  }
  for (unsigned p = first_local_[node.id()]; p < ports; ++p) {
    const flit_wire* const injection = node.wires(static_cast<port_id>(p)).in;
    if (!injection) continue;
    if (const flit_word f = injection->shown(now + injection->delay_cycles()); f.valid())
      step_.injected.push_back({static_cast<port_id>(p), f, node.network().packet_of(f)});
  }
}

void router_observer::see_fronts(const probed_node& node, port_id p, cycle_t now) {
  vc_set fronts = before_.in_use[p];
  const bool arrived = arrived_.has(p);
  if (arrived && !fronts.has(came_[p].vc())) {
    fronts.add(came_[p].vc());
    before_.inputs[p][came_[p].vc()] = {};
  }
  if (!fronts) return;
  const credit_wire& credits = *node.wires(p).credits_back;
  const vc_mask read = credits.shown(now + credits.delay_cycles()).vcs;
  for (const unsigned v : fronts) {
    flit_word front = before_.inputs[p][v].front;
    if (!front.valid()) {
      if (!arrived || came_[p].vc() != v) continue;
      front = came_[p];
    }
    step_.fronts.emplace_back();
    front_event& e = step_.fronts.back();
    e.port = p;
    e.vc = static_cast<std::uint8_t>(v);
    e.flit = front;
    see_front(node, e, read >> v & 1u, now);
  }
}

void router_observer::see_front(const probed_node& node, front_event& e, bool read, cycle_t now) {
  vc_memory& m = vcs_[slot(node.id(), e.port, e.vc)];
  if (!m.open) {
    m = {node.network().packet_of(e.flit), now, 0, true, false, false};
    e.routed = true;
  }
  e.packet = m.packet;

  const observed_state::input& before = before_.inputs[e.port][e.vc];
  const auto after = node.watched().assigned(e.port, e.vc);
  if (!m.has_grant && read && !after && !m.is_discarded) m.is_discarded = has_no_option(node, e);
  if (!m.has_grant && !m.is_discarded && (read || after)) {
    m.has_grant = e.granted_vc = true;
    m.granted = now;
  }
  if (before.out_port >= 0) {
    e.out_port = before.out_port;
    e.out_vc = before.out_vc;
  } else if (after) {
    e.out_port = after->port;
    e.out_vc = static_cast<int>(after->vc);
  } else {
    unsigned count = 0;  // a granted option is put first
    const route_option* const options = node.watched().options(e.port, e.vc, count);
    if (count > 0) e.out_port = options[0].out_port;
  }

  e.asked_vc = e.granted_vc;
  if (m.is_discarded)
    e.fate = read ? stall_cause::discarded : stall_cause::pipeline;
  else if (read)
    e.fate = stall_cause::moved;
  else if (!m.has_grant)
    e.fate = fate_in_va(node, e, m, now);
  else
    e.fate = fate_in_sa(node, e, m, now);

  if (!has_output_buffers()) {
    e.asked_switch = e.fate == stall_cause::moved || e.fate == stall_cause::lost_switch;
    if (config_.router.speculative && e.asked_vc && e.out_port >= 0)
      e.asked_switch = now >= port(node, static_cast<unsigned>(e.out_port)).free_from;
  }
  if (read && e.flit.tail()) m.open = false;
}

/// Not granted an output VC so far.
stall_cause router_observer::fate_in_va(const probed_node& node, front_event& e, const vc_memory& m,
                                       cycle_t now) {
  unsigned count = 0;
  const route_option* const options = node.watched().options(e.port, e.vc, count);
  if (now < m.routed + timing(node.id()).routing_cycles(count)) return stall_cause::pipeline;
  for (unsigned k = 0; k < count; ++k)
    if (vc_set(options[k].vcs) & before_.available[options[k].out_port]) {
      e.asked_vc = true;
      e.out_port = options[k].out_port;
      return stall_cause::lost_vc_allocation;
    }
  return stall_cause::no_output_vc;
}

/// Owns an output VC and was not read out.
stall_cause router_observer::fate_in_sa(const probed_node& node, const front_event& e, const vc_memory& m,
                                       cycle_t now) {
  if (e.flit.head() && now < m.granted + timing(node.id()).head_va) return stall_cause::pipeline;
  if (has_output_buffers()) return stall_cause::output_buffer;
  if (now < port(node, static_cast<unsigned>(e.out_port)).free_from) return stall_cause::link_busy;
  return has_credit(node, e.out_port, e.out_vc) ? stall_cause::lost_switch : stall_cause::no_credit;
}

/// The credits after the step are those that it decided by, where nothing was sent.
bool router_observer::has_credit(const probed_node& node, int p, int vc) const {
  return !node.wires(static_cast<port_id>(p)).credits_in ||
         node.watched().credits(static_cast<port_id>(p), static_cast<unsigned>(vc)) > 0;
}

/// paper2009, LT: one flit for each link, of the buffers that were full at the start of the cycle.
void router_observer::see_buffers(const probed_node& node, cycle_t now) {
  const unsigned ports = node.watched().port_count();
  for (unsigned p = 0; p < ports; ++p)
    for (unsigned v = 0; v < config_.router.vcs; ++v) {
      const flit_word f = before_.buffers[p][v];
      if (!f.valid()) continue;
      front_event e{};
      e.port = static_cast<port_id>(p);
      e.vc = static_cast<std::uint8_t>(v);
      e.flit = f;
      e.packet = node.network().packet_of(f);
      e.out_port = static_cast<int>(p);
      e.out_vc = static_cast<int>(v);
      const bool sent = std::any_of(step_.sent.begin(), step_.sent.end(),
                                    [&](const flit_event& s) { return s.port == p && s.flit.vc() == v; });
      e.fate = sent                                     ? stall_cause::moved
               : now < port(node, p).free_from          ? stall_cause::link_busy
               : has_credit(node, e.out_port, e.out_vc) ? stall_cause::lost_switch
                                                        : stall_cause::no_credit;
      e.asked_switch = sent || e.fate == stall_cause::lost_switch;
      step_.buffered.push_back(e);
    }
}

/// VA has taken all options from the head: they led over dead links.
bool router_observer::has_no_option(const probed_node& node, const front_event& e) {
  unsigned count = 0;
  node.watched().options(e.port, e.vc, count);
  return count == 0;
}

}  // namespace toriscope

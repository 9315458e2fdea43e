// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/hop_follower.h"

namespace toriscope {

hop_follower::hop_follower(const netlist& wiring, const router_observer& observer, hop_listener& listener)
    : observer_(observer), listener_(listener), vcs_(observer.config().router.vcs) {
  std::size_t ports = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    first_port_.push_back(ports);
    ports += wiring.port_count(n);
  }
  inputs_.resize(ports * vcs_);
  leaving_.resize(observer.has_output_buffers() ? ports * vcs_ : 0);
  owners_.resize(leaving_.size());
}

void hop_follower::end(hop_record& hop, cycle_t cycle, hop_end how) {
  hop.end = cycle;
  hop.how = how;
  listener_.hop_ended(hop);
}

void hop_follower::stepped(const router_step& step) {
  const node_id n = step.node->id();
  for (const flit_event& e : step.arrivals) {
    if (!e.flit.head()) continue;
    hop_record hop;
    hop.packet = e.packet;
    hop.begin = step.now;
    hop.node = n;
    hop.source = e.source;
    hop.in_port = e.port;
    hop.in_vc = static_cast<std::uint8_t>(e.flit.vc());
    inputs_[slot(n, e.port, hop.in_vc)].push_back(hop);
  }
  for (const front_event& e : step.fronts) see_front(step, e);
  for (const front_event& e : step.buffered) see_buffered(step, e);
}

void hop_follower::see_front(const router_step& step, const front_event& e) {
  const node_id n = step.node->id();
  std::deque<hop_record>& queue = inputs_[slot(n, e.port, e.vc)];
  hop_record& hop = queue.front();
  if (is_stall(e.fate)) ++hop.waits[stall_index(e.fate)];
  if (e.granted_vc) {
    // The event does not have the VC of a packet of one flit that is granted it and leaves in the same cycle.
    const router_state& r = step.node->watched().state();
    const unsigned port = r.output_port(e.port, e.vc), vc = r.output_vc_of(e.port, e.vc);
    hop.out_port = static_cast<std::int8_t>(port);
    hop.out_vc = static_cast<std::int8_t>(vc);
    if (!owners_.empty()) owners_[slot(n, port, vc)] = slot(n, e.port, e.vc);
  }
  const bool gone = e.flit.tail() && (e.fate == stall_cause::moved || e.fate == stall_cause::discarded);
  if (!gone) return;
  if (e.fate == stall_cause::discarded)
    end(hop, step.now, hop_end::discarded);
  else if (leaving_.empty())
    end(hop, step.now + observer_.timing(n).switch_to_sent, hop_end::sent);
  else
    leaving_[slot(n, static_cast<unsigned>(hop.out_port), static_cast<unsigned>(hop.out_vc))].push_back(hop);
  queue.pop_front();
}

void hop_follower::see_buffered(const router_step& step, const front_event& e) {
  const std::size_t output = slot(step.node->id(), e.port, e.vc);
  std::deque<hop_record>& leaving = leaving_[output];
  const bool has_left = !leaving.empty() && leaving.front().packet == e.packet;
  if (is_stall(e.fate))
    ++(has_left ? leaving.front() : inputs_[owners_[output]].front()).waits[stall_index(e.fate)];
  if (!has_left || !e.flit.tail() || e.fate != stall_cause::moved) return;
  end(leaving.front(), step.now, hop_end::sent);
  leaving.pop_front();
}

void hop_follower::end_at(cycle_t cycles_done) {
  for (auto* const places : {&leaving_, &inputs_})
    for (std::deque<hop_record>& queue : *places) {
      for (hop_record& hop : queue) end(hop, cycles_done, hop_end::unfinished);
      queue.clear();
    }
}

}  // namespace toriscope

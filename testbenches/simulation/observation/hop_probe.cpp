// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/hop_probe.h"

#include "testbenches/simulation/observation/counting_probe.h"

namespace toriscope {

bool hop_probe::supports(const network_config& config) { return counting_probe::supports(config); }

hop_probe::hop_probe(const netlist& wiring, const network_config& config, hop_listener& listener)
    : vcs_(config.router.vcs), listener_(listener) {
  std::size_t ports = 0;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    first_port_.push_back(ports);
    ports += wiring.port_count(n);
  }
  queues_.resize(ports * vcs_);
}

void hop_probe::connected(const probed_node& node) {
  nodes_.push_back(&node);
  const auto depth = static_cast<std::uint8_t>(node.watched().state().kind.config.depth);
  for (unsigned p = 0; p < node.watched().port_count(); ++p)
    for (unsigned v = 0; v < vcs_; ++v) {
      input_queue& q = queue(node.id(), p, v);
      q.first_head = static_cast<std::uint32_t>(heads_.size());
      q.depth = depth;
      heads_.resize(heads_.size() + depth);
    }
}

void hop_probe::before_step(const probed_node& node, cycle_t now) {
  const router_state& r = node.watched().state();
  occupied_ = r.occupied_ports();
  allocating_ = {};
  for (const unsigned p : occupied_) {
    to_allocate_[p] = r.in_port(&input_sets::to_allocate, p);
    if (to_allocate_[p]) allocating_.add(p);
  }
  busy_outputs_ = r.busy_outputs ? r.busy_at(now) : port_set();
  if (!allocating_ && r.kind.config.pipeline != pipeline::single_cycle) return;
  for (unsigned o = 0; o < r.ports; ++o) free_[o] = r.out_port(&output_sets::free, o);
}

bool hop_probe::after_step(const probed_node& node, cycle_t now) {
  const port_set arrived = router::ports_with_flits(node.arrivals(now));
  if (const port_set seen = occupied_ | arrived) see(node, arrived, seen, now);
  return false;
}

/// @param arrived  input ports that a flit came to
/// @param seen     and those that held one
[[gnu::noinline]] void hop_probe::see(const probed_node& node, port_set arrived, port_set seen, cycle_t now) {
  const router_state& r = node.watched().state();
  for (const unsigned p : seen) {
    const input_unit& in = r.in[p];
    if (arrived.has(p))
      if (const flit_word f = in.in->arrived(now); f.head()) open_hop(node, p, f, now);
    const credit_wire& credits = *in.credits_back;
    const vc_set moved(credits.shown(now + credits.delay_cycles()).vcs);
    for (const unsigned v : moved - r.in_port(&input_sets::active, p))  // the tail gives the output VC up
      end_hop(r, p, v, now + r.kind.timing.switch_to_sent, hop_end::sent, true);
    if (const vc_set waiting = r.in_port(&input_sets::occupied, p) - moved) count_waits(r, p, waiting);
  }
}

void hop_probe::open_hop(const probed_node& node, unsigned p, flit_word f, cycle_t now) {
  input_queue& q = queue(node.id(), p, f.vc());
  const packet_id packet = node.network().packet_of(f);
  unsigned place = unsigned{q.first} + q.count++;
  if (place >= q.depth) place -= q.depth;
  heads_[q.first_head + place] = {packet, now, node.network().packets[packet].source};
}

void hop_probe::end_hop(const router_state& r, unsigned p, unsigned v, cycle_t end, hop_end how,
                        bool has_output) {
  input_queue& q = queue(r.node, p, v);
  const head& h = heads_[q.first_head + q.first];
  hop_record hop;
  hop.packet = h.packet;
  hop.begin = h.shown;
  hop.end = end;
  hop.node = r.node;
  hop.source = h.source;
  hop.in_port = static_cast<port_id>(p);
  hop.in_vc = static_cast<std::uint8_t>(v);
  if (has_output) {
    hop.out_port = static_cast<std::int8_t>(r.output_port(p, v));
    hop.out_vc = static_cast<std::int8_t>(r.output_vc_of(p, v));
  }
  hop.how = how;
  hop.waits = q.waits;
  listener_.hop_ended(hop);
  q.waits = {};
  if (++q.first == q.depth) q.first = 0;
  --q.count;
}

/// @param waiting  VCs whose front flit was not read out
void hop_probe::count_waits(const router_state& r, unsigned p, vc_set waiting) {
  const vc_set active = r.in_port(&input_sets::active, p);
  const vc_set with_credit = r.in_port(&input_sets::with_credit, p);
  vc_set in_sa = waiting & active;
  vc_set in_va = waiting - active;
  if (r.kind.config.pipeline != pipeline::single_cycle) {
    const vc_set requested = allocating_.has(p) ? to_allocate_[p] : vc_set();
    in_va &= requested;
    in_sa -= requested;  // granted in this cycle: SA comes in the next one
  }
  for (const unsigned v : in_va) {
    const route_option* const options = r.options(r.shape.number(p, v));
    stall_cause why = stall_cause::no_output_vc;
    for (unsigned k = 0; k < r.in_vc(p, v).option_count; ++k)
      if (vc_set(options[k].vcs) & free_[options[k].out_port]) why = stall_cause::lost_vc_allocation;
    count(r, p, v, why);
  }
  for (const unsigned v : in_sa)
    count(r, p, v,
          busy_outputs_.has(r.output_port(p, v)) ? stall_cause::link_busy
          : with_credit.has(v)                   ? stall_cause::lost_switch
                                                 : stall_cause::no_credit);
}

void hop_probe::end_at(cycle_t cycles_done) {
  for (const probed_node* const node : nodes_) {
    const router_state& r = node->watched().state();
    for (unsigned p = 0; p < r.ports; ++p)
      for (unsigned v = 0; v < vcs_; ++v) {
        bool has_output = (r.in_port(&input_sets::active, p) | r.in_port(&input_sets::granted, p)).has(v);
        for (; queue(r.node, p, v).count > 0; has_output = false)
          end_hop(r, p, v, cycles_done, hop_end::unfinished, has_output);
      }
  }
}

}  // namespace toriscope

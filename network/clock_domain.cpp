// SPDX-License-Identifier: Apache-2.0
#include "network/clock_domain.h"

#include "network/packet_check.h"

namespace toriscope {

clock_domain::clock_domain(const netlist& wiring, network_state& network, std::vector<node*>& nodes,
                           link_clock& links)
    : wiring_(wiring), network_(network), nodes_(nodes), links_(links), awake_(network.node_count) {}

void clock_domain::edge() {
  const cycle_t now = links_.visible();
  network_.now = now;
  if (failures_) failures_->close_outputs(nodes_, now);
  for (const packet_request& request : ready_) create(request, now);
  ready_.clear();
  if (source_) {
    created_.clear();
    source_->packets_at(now, created_);
    for (const packet_request& request : created_) create(request, now);
  }
  stepped_watched_.clear();
  step_awake_nodes(now);
  links_.edge();
}

/// Fetches state of the `count` nodes from *next on into the caches, each part a few nodes before it is used:
/// a pointer has to be there before what it points to can be fetched.
[[gnu::always_inline]] inline void clock_domain::prefetch(node* const* next, std::size_t count, cycle_t now) {
  if (count > 8) next[8]->prefetch();
  if (count > 6) next[6]->prefetch_ports(now);
  if (count > 4) next[4]->prefetch_wires(now);
  if (count > 2) next[2]->prefetch_buffers(now);
}

/// Returns whether the node has something to do in the next cycle whatever happens.
[[gnu::always_inline]] inline bool clock_domain::step(node& n, cycle_t now) {
  ++network_.counters.router_steps;
  const bool again = n.step(now);
  if (!watching_ || !watched_[n.id()]) return again;
  stepped_watched_.push_back(n.id());
  return again || n.changes_by_itself();
}

void clock_domain::step_awake_nodes(cycle_t now) {
  if (nodes_.size() <= cached_nodes)
    return network_.wakes.take(now, [&](std::uint32_t n) { return step(*nodes_[n], now); });
  node** const awake = awake_.data();
  std::size_t count = 0;
  network_.wakes.take(now, [&](std::uint32_t n) {
    awake[count++] = nodes_[n];
    return false;
  });
  for (std::size_t i = 0; i < count; ++i) {
    prefetch(awake + i, count - i, now);
    if (step(*awake[i], now)) network_.wakes.wake(awake[i]->id(), now + 1);
  }
}

void clock_domain::check(const packet_request& request) const {
  check_packet(request, wiring_.terminal_count(), network_.message_classes);
}

void clock_domain::create(const packet_request& request, cycle_t now) {
  check(request);
  const bool plain = wiring_.has_plain_terminals();
  const node_id node = plain ? request.source : wiring_.terminal(request.source).node;
  if (!nodes_[node]) return network_.packets.skip();  // another rank's
  const packet_id packet = network_.packets.create(request, now);
  packet_record& record = network_.packets[packet];
  turns_.give(record, network_.injection, wiring_.terminal_count());
  if (failures_ &&
      !failures_->connect(request.source, request.destination, network_.injection.of(packet, record)))
    return refuse(packet);
  ++network_.counters.packets_created;
  network_.counters.flits_created += request.flits;
  (plain ? nodes_[node]->ni() : nodes_[node]->ni_of(request.source)).enqueue(packet);
  network_.wakes.wake(node, now);
}

/// The packet has a number and a record for the report, and that is all.
void clock_domain::refuse(packet_id packet) {
  ++network_.counters.packets_refused;
  for (packet_sink* sink : network_.sinks) sink->packet_refused(packet, network_.packets[packet]);
  network_.packets.retire(packet);
}

void clock_domain::send(const packet_request& request) {
  check(request);
  if (!sends_) links_.drive(*this);
  sends_ = true;
  pending_.push_back(request);
  links_.written(*this);
}

/// Update phase: what processes sent can be created at the next edge.
void clock_domain::sample(cycle_t) {
  ready_.insert(ready_.end(), pending_.begin(), pending_.end());
  pending_.clear();
}

void clock_domain::watch(node_id n) {
  watched_.resize(nodes_.size());
  watched_[n] = true;
  watching_ = true;
}

}  // namespace toriscope

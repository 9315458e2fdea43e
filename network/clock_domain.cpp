// SPDX-License-Identifier: Apache-2.0
#include "network/clock_domain.h"

#include <algorithm>
#include <cstdlib>

#include "network/packet_check.h"

namespace toriscope {

namespace {

/// Nodes that have something to do; fewer are not worth a meeting of the threads in this cycle.
std::size_t worth_a_meeting() {
  const char* const other = std::getenv("TORISCOPE_SHARED_NODES");  // for tests
  return other ? std::strtoul(other, nullptr, 10) : 128;
}

}  // namespace

clock_domain::clock_domain(const netlist& wiring, const std::vector<std::unique_ptr<network_part>>& parts,
                           const node_ranges& ranges, std::vector<node*>& nodes, link_clock& links)
    : wiring_(wiring),
      parts_(parts),
      ranges_(ranges),
      network_(parts.front()->state),
      nodes_(nodes),
      links_(links) {}

void clock_domain::edge() {
  begin();
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
  step_parts(now);
  links_.edge();
}

/// Something in it is not made for threads.
bool clock_domain::must_be_stepped_alone() const {
  return (network_.gate && !network_.gate->takes_calls_at_once()) ||
         std::any_of(nodes_.begin(), nodes_.end(),
                     [](const node* n) { return n && !n->is_stepped_with_others(); });
}

void clock_domain::step_parts(cycle_t now) {
  if (parts_.size() == 1) {
    parts_.front()->step(nodes_, now, watched_);
    stepped_watched_.swap(parts_.front()->stepped_watched);
  } else {
    step_together(now);
  }
  for (const auto& part : parts_)
    if (part->done.broken) throw invariant_violation(*part->broken);
}

/// Before the first cycle, when all is known.
void clock_domain::begin() {
  if (begun_ || parts_.size() == 1) return;
  begun_ = true;
  least_to_share_ = worth_a_meeting();
  if (!must_be_stepped_alone()) team_ = std::make_unique<thread_team>(static_cast<unsigned>(parts_.size()));
  for (const auto& part : parts_) part->state.reports_later = team_ != nullptr;
  if (!source_ || !team_) return;
  sharing_ = source_;
  sharing_->share_draws(ranges_.count());
}

void clock_domain::share_work(const std::vector<node_id>& of, const std::function<void(node_id)>& work) {
  begin();
  const auto of_part = [&](unsigned i) {
    for (const node_id n : of)
      if (!team_ || ranges_.of(n) == i) work(n);
  };
  if (team_)
    team_->run(of_part);
  else
    of_part(0);
}

void clock_domain::step_together(cycle_t now) {
  const auto step = [this, now](unsigned i) {
    if (sharing_ && sharing_ == source_) sharing_->draw_ahead(i);
    parts_[i]->take_notes(parts_, i, now);
    parts_[i]->step(nodes_, now, watched_);
  };
  if (team_ && stepped_ >= least_to_share_) {
    links_.begin_parts(ranges_.count());
    team_->run(step);
    links_.end_parts();
  } else {
    for (unsigned i = 0; i < parts_.size(); ++i) step(i);
  }
  stepped_watched_.clear();
  stepped_ = 0;
  for (const auto& part : parts_) {
    const network_part::summary& done = part->done;
    stepped_ += done.stepped;
    if (done.watched)
      stepped_watched_.insert(stepped_watched_.end(), part->stepped_watched.begin(),
                              part->stepped_watched.end());
    if (done.ends) part->state.report_ends();
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
  parts_[ranges_.of(node)]->state.wakes.wake(node, now);
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
}

}  // namespace toriscope

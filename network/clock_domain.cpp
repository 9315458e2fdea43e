// SPDX-License-Identifier: Apache-2.0
#include "network/clock_domain.h"

#include <algorithm>

#include "network/packet_check.h"

namespace toriscope {

clock_domain::clock_domain(const netlist& wiring, const std::vector<std::unique_ptr<network_part>>& parts,
                           const node_ranges& ranges, unsigned threads, std::vector<node*>& nodes,
                           link_clock& links)
    : wiring_(wiring),
      parts_(parts),
      ranges_(ranges),
      threads_(threads),
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
  if (begun_ || threads_ == 1) return;
  begun_ = true;
  least_to_share_ = nodes_worth_a_meeting();
  if (must_be_stepped_alone()) return;
  team_ = std::make_unique<thread_team>(threads_);
  if (parts_.size() == 1) return;
  for (const auto& part : parts_) part->state.reports_later = true;
  if (!source_) return;
  sharing_ = source_;
  sharing_->share_draws(ranges_.count());
}

void clock_domain::share_work(const std::vector<node_id>& of, const std::function<void(node_id)>& work) {
  begin();
  const unsigned shares = team_ ? threads_ : 1;
  const auto do_share = [&](unsigned share) {
    for (std::size_t i = of.size() * share / shares; i < of.size() * (share + 1) / shares; ++i) work(of[i]);
  };
  if (team_)
    team_->run(do_share);
  else
    do_share(0);
}

void clock_domain::step_together(cycle_t now) {
  const auto step = [this, now](unsigned i) {
    if (i >= parts_.size()) return;
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
  for (std::size_t i = 0, count = network_.sinks.size(); i < count; ++i)
    network_.sinks[i]->packet_refused(packet, network_.packets[packet]);
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
  // It may have slept over changes that need no step, and would sleep on.
  if (nodes_[n]) parts_[ranges_.of(n)]->state.wakes.wake(n, links_.visible());
}

}  // namespace toriscope

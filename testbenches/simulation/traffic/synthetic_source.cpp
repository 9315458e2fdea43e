// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/synthetic_source.h"

#include <algorithm>
#include <utility>

#include "testbenches/simulation/traffic/draw_packet.h"

namespace toriscope {

synthetic_source::synthetic_source(node_id nodes, std::shared_ptr<const traffic_pattern> pattern,
                                   const config& settings)
    : pattern_(std::move(pattern)),
      lengths_(settings.lengths),
      arrivals_(settings.arrivals, packets_per_cycle(settings.rate_flits_per_node_cycle, settings.lengths)),
      message_classes_(settings.message_classes) {
  if (arrivals_.none()) return;
  random_.reserve(nodes);
  for (node_id n = 0; n < nodes; ++n) random_.emplace_back(settings.seed, n);
  if (arrivals_.kind() == arrival_kind::constant) {
    phase_.reserve(nodes);
    for (random_stream& random : random_) phase_.push_back(random.next() >> 1);
  }
  if (arrivals_.kind() == arrival_kind::on_off) {
    chain_ = on_off_chain(arrivals_.packets(), settings.mean_burst_packets);
    for (random_stream& random : random_) on_.push_back(chain_.starts_on(random));
  }
  next_.resize(nodes);
  arriving_.assign(horizon, end_of_list);
  undecided_.assign(horizon, end_of_list);
}

std::uint64_t synthetic_source::packets_per_cycle(double rate_flits_per_node_cycle,
                                                  const packet_lengths& lengths) {
  // rate * total_weight / weighted_flits, with one rounding of the rate only.
  const uint128 flits = probability(rate_flits_per_node_cycle);
  return static_cast<std::uint64_t>(flits * lengths.total_weight() / lengths.weighted_flits());
}

void synthetic_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  if (arrivals_.none()) return;
  if (!started_) start(now);
  for (const drawing& d : left_) file(d);
  left_.clear();

  // What is left to others must be known in the next cycle.
  const cycle_t decided = shares_ > 0 ? now + 1 : now;
  if (decided >= decided_before_)
    for (node_id n = std::exchange(undecided_[decided % horizon], end_of_list); n != end_of_list;) {
      const node_id next = next_[n];
      draw_or_leave({n, decided, decided + horizon - 1});
      n = next;
    }

  due_.clear();
  for (node_id n = std::exchange(arriving_[now % horizon], end_of_list); n != end_of_list; n = next_[n])
    due_.push_back(n);
  std::sort(due_.begin(), due_.end());
  for (const node_id n : due_) {
    emit(n, out);
    draw_or_leave({n, now + 1, now + horizon - 1});
  }
}

void synthetic_source::draw_or_leave(drawing d) {
  if (shares_ > 0) return left_.push_back(d);
  draw(d);
  file(d);
}

void synthetic_source::draw_ahead(unsigned share) {
  for (std::size_t i = left_.size() * share / shares_; i < left_.size() * (share + 1) / shares_; ++i) draw(left_[i]);
}

cycle_t synthetic_source::next_packet_cycle(cycle_t from) const {
  if (arrivals_.none()) return ~cycle_t{0};
  if (!started_) return from;
  cycle_t cycle = from;  // within the horizon every node has an entry
  while (arriving_[cycle % horizon] == end_of_list && undecided_[cycle % horizon] == end_of_list) ++cycle;
  return cycle;
}

void synthetic_source::start(cycle_t now) {
  // Nodes start with different horizons, so that those without packets do not all come up in the same cycle
  // again.
  started_ = true;
  for (node_id n = static_cast<node_id>(random_.size()); n-- > 0;) {
    drawing d{n, now, now + n % (horizon - 1)};
    draw(d);
    file(d);
  }
}

void synthetic_source::draw(drawing& d) {
  const node_id n = d.n;
  if (arrivals_.kind() == arrival_kind::constant) {
    // The packet of a cycle comes when the sum of p passes a whole number: cycles left = ceil((1 - phase) /
    // p).
    const std::uint64_t p = arrivals_.packets();
    const std::uint64_t cycles = (certain - phase_[n] + p - 1) / p;
    d.arrival = cycles <= d.last - d.first + 1;
    if (d.arrival) {
      phase_[n] = (phase_[n] + cycles * p) % certain;
      d.cycle = d.first + cycles - 1;
    } else {
      phase_[n] += (d.last - d.first + 1) * p;
      d.cycle = d.last + 1;
    }
    return;
  }
  if (arrivals_.kind() == arrival_kind::on_off) {
    bool on = on_[n];
    d.cycle = d.first;
    for (; d.cycle <= d.last && !on; ++d.cycle) on = chain_.next(false, random_[n]);
    on_[n] = on && (d.cycle > d.last || chain_.next(true, random_[n]));
    d.arrival = on && d.cycle <= d.last;
    return;
  }
  d.cycle = d.first + random_[n].calls_to_below(arrivals_.more_than_none(), d.last + 1 - d.first) - 1;
  d.arrival = d.cycle <= d.last;
}

void synthetic_source::file(const drawing& d) {
  node_id& head = (d.arrival ? arriving_ : undecided_)[d.cycle % horizon];
  next_[d.n] = head;
  head = d.n;
}

void synthetic_source::archive(state_archive& a, cycle_t now) {
  a.number(started_);
  if (!started_) return;
  a.require(!arrivals_.none(), "a source without packets has begun");
  // Each node waits for its next packet, or for the cycle from which on it is drawn.
  std::vector<drawing> waiting(random_.size());
  if (!a.reads()) {
    for (cycle_t cycle = now; cycle < now + horizon; ++cycle) {
      for (node_id n = arriving_[cycle % horizon]; n != end_of_list; n = next_[n]) waiting[n] = {n, 0, 0, cycle, true};
      const bool later = cycle < decided_before_;
      for (node_id n = undecided_[cycle % horizon]; n != end_of_list; n = next_[n])
        waiting[n] = {n, 0, 0, later ? cycle + horizon : cycle, false};
    }
    for (const drawing& d : left_) waiting[d.n] = d;
  }
  for (node_id n = 0; n < random_.size(); ++n) {
    drawing& d = waiting[n];
    random_[n].archive(a);
    if (!phase_.empty()) a.word(phase_[n]);
    if (!on_.empty()) {
      bool on = on_[n];
      a.number(on);
      on_[n] = on;
    }
    a.number(d.arrival);
    cycle_t ahead = d.cycle - now;
    a.below(ahead, d.arrival ? horizon : horizon + 1);
    if (!a.reads()) continue;
    d = {n, now, now + horizon - 1, now + ahead, d.arrival};
    if (!d.arrival && ahead == 0) draw(d);
    file(d);
  }
  if (a.reads()) decided_before_ = now + 1;
}

void synthetic_source::emit(node_id n, std::vector<packet_request>& out) {
  random_stream& random = random_[n];
  const bool one = arrivals_.kind() == arrival_kind::constant || arrivals_.kind() == arrival_kind::on_off;
  const unsigned packets = one ? 1 : arrivals_.count(random.last());
  for (unsigned i = 0; i < packets; ++i) {
    packet_request request = draw_packet(n, lengths_, *pattern_, random);
    if (message_classes_ > 1)
      request.message_class = static_cast<std::uint8_t>(random.below(message_classes_));
    out.push_back(request);
  }
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/source_backlogs.h"

#include <algorithm>
#include <cmath>

#include "testbenches/simulation/statistics/confidence_interval.h"

namespace toriscope {
namespace {

constexpr unsigned half = source_backlogs::bins / 2;

template <class T>
void join_pairs(std::array<T, source_backlogs::bins>& all) {
  for (unsigned b = 0; b < half; ++b) all[b] = all[2 * b] + all[2 * b + 1];
  std::fill(all.begin() + half, all.end(), T{0});
}

}  // namespace

source_backlogs::source_backlogs(node_id nodes, unsigned classes, const source_load& load, cycle_t begin,
                                 cycle_t window)
    : classes_(classes),
      load_(load),
      begin_(begin),
      window_(window),
      queues_(load.what == source_load::kind::limited ? 0 : std::size_t{nodes} * classes),
      created_(load.what == source_load::kind::counted ? queues_.size() : 0) {}

void source_backlogs::created(const packet_record& record) {
  if (record.created < begin_ || record.created >= end()) return;
  const unsigned bin = bin_of(record.created - begin_);
  all_created_[bin] += record.flits;
  if (!created_.empty()) created_[queue_of(record)][bin] += record.flits;
}

void source_backlogs::sent(const packet_record& record) {
  if (queues_.empty() || record.head_sent < begin_) return;
  if (record.head_sent >= end()) return waits(record);
  queue& q = queues_[queue_of(record)];
  q.earliest = std::min(q.earliest, record.created);
  const cycle_t moment = record.head_sent - begin_;
  q.sent[bin_of(moment)] += record.flits;
  longest_ = std::max(longest_, record.flits);
  if (record.head_sent == record.created) q.empty_until = std::max(q.empty_until, moment + 1);
}

void source_backlogs::waits(const packet_record& record) {
  if (queues_.empty() || record.created >= end()) return;
  queue& q = queues_[queue_of(record)];
  q.earliest = std::min(q.earliest, record.created);
  longest_ = std::max(longest_, record.flits);
  ++q.waiting;
}

double source_backlogs::offered(std::size_t at, unsigned bin) const {
  if (!created_.empty()) return static_cast<double>(created_[at][bin]);
  return load_.flits_per_cycle * static_cast<double>(begin_of(bin + 1) - begin_of(bin));
}

void source_backlogs::double_window() {
  window_ *= 2;
  for (queue& q : queues_) {
    join_pairs(q.sent);
    q.waiting = 0;
  }
  for (auto& created : created_) join_pairs(created);
  join_pairs(all_created_);
}

backlog_growth source_backlogs::growth() const {
  backlog_growth all;
  double squares = 0;
  bool surely = false;  // one source alone
  std::size_t counted = queues_.size();
  for (std::size_t at = 0; at < queues_.size(); ++at) {
    const queue& q = queues_[at];
    // Without a packet there is nothing to be seen of an empty queue.
    const cycle_t busy_from = std::max(q.empty_until, std::max(q.earliest, begin_) - begin_);
    if (q.waiting == 0 || busy_from > begin_of(half)) continue;
    unsigned first = 0;
    while (begin_of(first) < busy_from) ++first;
    if (begin_of(first) >= window_) continue;  // a window of few cycles
    double sum = 0;
    double of_squares = 0;
    for (unsigned b = first; b < bins; ++b) {
      const double more = offered(at, b) - static_cast<double>(q.sent[b]);
      sum += more;
      of_squares += more * more;
    }
    const double n = bins - first;
    const auto cycles = static_cast<double>(window_ - begin_of(first));
    const double variance = std::max(0.0, of_squares - sum * sum / n) * n / (n - 1);
    const double error = std::max<double>(longest_, std::sqrt(variance));  // a packet more or less is chance
    all.growth += sum / cycles;
    squares += error * error / cycles / cycles;
    if (sum <= error) continue;
    if (sum / cycles > all.worst_growth) {
      all.worst_growth = sum / cycles;
      all.worst = static_cast<node_id>(at / classes_);
    }
    if (counted != at / classes_) ++all.sources;
    counted = at / classes_;
    const double chance = 0.05 / static_cast<double>(queues_.size());
    surely = surely || (sum > 3 * error && sum > student_t(n - 1, chance) * error);
  }
  all.standard_error = std::sqrt(squares);
  double waiting = 0;
  double chance = 0;  // variance: of flits that come in packets, and these in bursts of geometric length
  for (unsigned b = half; b < bins; ++b) {
    waiting += static_cast<double>(all_created_[b]);
    chance += static_cast<double>(all_created_[b]) * longest_ * (2 * load_.burst_packets - 1);
    for (const queue& q : queues_) waiting -= static_cast<double>(q.sent[b]);
  }
  const bool more_waits = !queues_.empty() && waiting > 2.5 * std::sqrt(chance);  // .6 %
  const cycle_t in_cycles = window_ - begin_of(half);  // none in a window of one cycle
  all.in_all = queues_.empty() || in_cycles == 0 ? 0 : waiting / static_cast<double>(in_cycles);
  all.growing = surely || more_waits || all.growth > all.standard_error;
  if (!all.growing) all.sources = 0;
  return all;
}

void source_backlogs::append_to(std::vector<std::uint64_t>& words) const {
  for (const queue& q : queues_) {
    words.insert(words.end(), q.sent.begin(), q.sent.end());
    words.insert(words.end(), {q.empty_until, q.earliest, q.waiting});
  }
  words.push_back(longest_);
  words.insert(words.end(), all_created_.begin(), all_created_.end());
  for (const auto& created : created_) words.insert(words.end(), created.begin(), created.end());
}

void source_backlogs::add_from(word_reader& words) {
  const auto add = [&](std::array<std::uint32_t, bins>& all) {
    for (std::uint32_t& flits : all) flits += static_cast<std::uint32_t>(words.next());
  };
  for (queue& q : queues_) {
    add(q.sent);
    q.empty_until = std::max(q.empty_until, words.next());
    q.earliest = std::min(q.earliest, words.next());
    q.waiting += static_cast<std::uint32_t>(words.next());
  }
  longest_ = std::max(longest_, static_cast<std::uint32_t>(words.next()));
  for (std::uint64_t& flits : all_created_) flits += words.next();
  for (auto& created : created_) add(created);
}

void source_backlogs::archive(state_archive& a) {
  a.number(begin_);
  a.number(window_);
  a.require(window_ > 0 && window_ < cycle_t{1} << 50, "a window has no cycles");
  a.number(longest_);
  const auto all = [&a](auto& counts) {
    for (auto& count : counts) a.number(count);
  };
  all(all_created_);
  for (queue& q : queues_) {
    all(q.sent);
    a.number(q.empty_until);
    a.number(q.earliest);
    a.number(q.waiting);
  }
  for (auto& created : created_) all(created);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/distributed/distributed_run.h"

#include <algorithm>
#include <utility>

#include "base/word_reader.h"
#include "testbenches/simulation/distributed/process_team.h"
#include "topologies/analysis/netlist_parts.h"

namespace toriscope {
namespace {

/// The same words for every rank.
rank_words for_all(const process_transport& transport, const std::vector<std::uint64_t>& words) {
  return rank_words(transport.ranks(), words);
}

/// What adds up over the ranks.
std::vector<std::uint64_t*> sums_of(run_totals& t) {
  network_counters& c = t.counters;
  return {&c.flits_created,   &c.flits_injected,   &c.flits_ejected,     &c.flits_discarded,
          &c.packets_created, &c.packets_received, &c.packets_discarded, &c.packets_refused,
          &c.router_steps,    &t.packet_hash,      &t.wire_hash,         &t.flits_sent};
}

}  // namespace

void run_counts::append_to(std::vector<std::uint64_t>& words) const {
  const std::vector<std::uint64_t> of_flows = flows ? flows->words() : std::vector<std::uint64_t>();
  for (const std::vector<std::uint64_t>& more : {measured.words(), of_flows, lost.words()})
    words.insert(words.end(), more.begin(), more.end());
}

void run_counts::add(word_reader& words) const {
  measured.add(words);
  if (flows) flows->add(words);
  lost.add(words);
}

void run_counts::forget() const {
  measured.forget();
  if (flows) flows->forget();
  lost.forget();
}

distributed_run::distributed_run(process_transport& transport, const netlist& wiring)
    : transport_(transport), rank_of_(cut_into_parts(wiring, transport.ranks())) {}

partition distributed_run::part() {
  partition p;
  p.transport = &transport_;
  p.rank_of = rank_of_;
  p.contribution = [this] { return outstanding_ ? outstanding_() : 1; };
  p.window_done = [this](std::int64_t sum) {
    if (sum != 0 || over_) return;
    over_ = true;
    if (on_over_) on_over_();
  };
  p.was_over_before = [this](cycle_t cycle) {
    return over_ && last_ended_ && length(last_ended_(), 0) <= cycle;
  };
  return p;
}

void distributed_run::watch(network& net) {
  net_ = &net;
  net.clock_of_links().listen(*this);
}

void distributed_run::cycle_done(cycle_t done) {
  at(done) = {net_->packet_hash(), net_->config().wire_hash ? net_->wire_hash() : 0,
              net_->counters().flits_discarded,
              net_->has_foreign_routers() ? net_->in_foreign_routers() : foreign_contents{}};
}

void distributed_run::until_none(std::function<std::int64_t()> outstanding,
                                 std::function<cycle_t()> last_ended, std::function<void()> over) {
  outstanding_ = std::move(outstanding);
  last_ended_ = std::move(last_ended);
  on_over_ = std::move(over);
}

cycle_t distributed_run::end(cycle_t last_ended, cycle_t at_least) {
  net_->close_border();
  cycles_ = net_->cycles_done();
  const cycle_t last = length(last_ended, at_least);
  return over_ && !net_->failure() ? cycles_ = last : cycles_;
}

cycle_t distributed_run::length(cycle_t last_ended, cycle_t at_least) {
  rank_words in;
  transport_.exchange(for_all(transport_, {last_ended}), in);
  for (const auto& words : in)
    if (!words.empty()) last_ended = std::max(last_ended, words.front());
  return std::max(last_ended + 1, at_least);
}

void distributed_run::bring_together(const run_counts& counts) {
  rank_words out(transport_.ranks()), in;
  if (!leads()) counts.append_to(out[0]);
  transport_.exchange(out, in);
  if (!leads()) return counts.forget();
  for (const std::vector<std::uint64_t>& of_rank : in) {
    if (of_rank.empty()) continue;  // our own
    word_reader words(of_rank);
    counts.add(words);
  }
}

void distributed_run::go_on(const run_counts& counts, bool over) {
  over_ = over;
  cycle_done(net_->cycles_done() - 1);
  if (!leads()) counts.forget();
}

void distributed_run::agree(const std::string& error) {
  std::vector<std::uint64_t> words;
  append_text(words, error);
  rank_words in;
  transport_.exchange(for_all(transport_, words), in);
  in[transport_.rank()] = words;
  for (const std::vector<std::uint64_t>& of_rank : in)
    if (const std::string said = word_reader(of_rank).text(); !said.empty()) throw rank_disagreement(said);
}

void distributed_run::gather(const run_counts& counts, run_totals& totals, std::string& error) {
  totals.cycles = cycles_;
  counts.lost.forget_from(cycles_);
  totals.ranks = transport_.ranks();
  const auto waited = static_cast<std::uint64_t>((transport_.waiting_cpu_seconds() - waited_before_) * 1e6);
  totals.working_cpu_us = totals.cpu_us - std::min(totals.cpu_us, waited);
  if (cycles_ > 0) {
    totals.packet_hash = at(cycles_ - 1).packet;
    totals.wire_hash = at(cycles_ - 1).wire;
    totals.counters.flits_discarded = at(cycles_ - 1).flits_discarded;
    if (over_) totals.in_foreign_routers = at(cycles_ - 1).in_foreign_routers;
  }
  rank_words out(transport_.ranks());
  rank_words in;
  std::vector<std::uint64_t>& mine = out[0];
  if (!leads()) {
    for (const std::uint64_t* sum : sums_of(totals)) mine.push_back(*sum);
    mine.insert(mine.end(), {totals.cpu_us, totals.working_cpu_us});
    totals.in_foreign_routers.append_to(mine);
    append_text(mine, error);
    counts.append_to(mine);
  }
  transport_.exchange(out, in);
  if (!leads()) return;
  for (const std::vector<std::uint64_t>& of_rank : in) {
    if (of_rank.empty()) continue;  // our own
    word_reader words(of_rank);
    for (std::uint64_t* sum : sums_of(totals)) *sum += words.next();
    totals.cpu_us = std::max(totals.cpu_us, words.next());
    totals.working_cpu_us = std::max(totals.working_cpu_us, words.next());
    totals.in_foreign_routers.add(foreign_contents::from(words));
    const std::string theirs = words.text();
    if (error.empty()) error = theirs;
    counts.add(words);
  }
  counts.measured.all_parts_added();
}

}  // namespace toriscope

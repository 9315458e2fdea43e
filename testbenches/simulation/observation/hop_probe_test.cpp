// SPDX-License-Identifier: Apache-2.0
// hop_probe, which reads sets of VCs, beside hop_follower, which follows flits: every hop is equal. Their sums are
// those of the counts, and their times those of the timelines.
#include "testbenches/simulation/observation/hop_probe.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "testbenches/simulation/observation/hop_follower.h"
#include "testbenches/simulation/observation/observed_bench.h"

namespace toriscope::hop_probe_test {
namespace {

constexpr cycle_t all_cycles = 2500;

struct hop_log final : hop_listener {
  void hop_ended(const hop_record& hop) override {
    hops.push_back(hop);
    of_packet.emplace(hop.packet, hop);
  }
  std::vector<hop_record> hops;
  std::multimap<packet_id, hop_record> of_packet;
};

struct hop_bench {
  hop_bench(const bench_setup& s, sc_core::sc_clock& clock)
      : is_plain(hop_probe::supports(s.config)),
        probe(*observed_bench::make(s).wiring, s.config, of_probe),
        bench(s, clock, all_cycles, is_plain ? probe_all(probe) : network::node_factory()),
        follower(*bench.made.wiring, bench.seen.observer, of_follower) {
    bench.seen.observer.listen(follower);
    if (s.packets.empty())
      for (packet_id id = 20; id < 40; ++id) bench.tell(id);
  }
  const bool is_plain;
  hop_log of_probe, of_follower;
  hop_probe probe;
  observed_bench bench;
  hop_follower follower;
};

auto all_of(const hop_record& h) {
  return std::tuple(h.node, h.in_port, h.in_vc, h.begin, h.end, h.packet, h.source, h.out_port, h.out_vc,
                    h.how, h.waits);
}

void expect_equal_hops(hop_bench& b) {
  const auto sorted = [](std::vector<hop_record> hops) {
    std::sort(hops.begin(), hops.end(),
              [](const hop_record& x, const hop_record& y) { return all_of(x) < all_of(y); });
    return hops;
  };
  const std::vector<hop_record> one = sorted(b.of_probe.hops), other = sorted(b.of_follower.hops);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    ASSERT_TRUE(all_of(one[i]) == all_of(other[i]))
        << "packet " << one[i].packet << " and " << other[i].packet;
}

/// All waits within the run are counted once.
void expect_all_waits(const hop_bench& b) {
  stall_counts sum{};
  for (const hop_record& hop : b.of_follower.hops)
    for (std::size_t i = 0; i < stall_causes; ++i) sum[i] += hop.waits[i];
  const fate_counts fates = b.bench.seen.counts.total_fates();
  fate_counts buffered{};
  const netlist& wiring = *b.bench.made.wiring;
  for (node_id n = 0; n < wiring.node_count(); ++n)
    for (port_id p = 0; p < wiring.port_count(n); ++p)
      for (unsigned v = 0; v < b.bench.seen.counts.vcs(); ++v)
        for (std::size_t f = 0; f < front_fates; ++f)
          buffered[f] += b.bench.seen.counts.output_vc(n, p, v)[f];
  for (std::size_t i = 0; i < stall_causes; ++i)
    EXPECT_EQ(sum[i], at(fates, stall_at(i)) + at(buffered, stall_at(i))) << name_of(stall_at(i));
}

/// Head shown and VCs as the timeline has them; the last tail arrives when the packet does.
void expect_hops_of_timelines(const hop_bench& b, unsigned& compared) {
  for (const auto& timeline : b.bench.timelines) {
    if (!timeline->received()) continue;
    auto [from, to] = b.of_follower.of_packet.equal_range(timeline->packet());
    std::vector<hop_record> hops;
    for (auto i = from; i != to; ++i) hops.push_back(i->second);
    std::sort(hops.begin(), hops.end(),
              [](const hop_record& x, const hop_record& y) { return x.begin < y.begin; });
    ASSERT_EQ(hops.size(), timeline->hops().size());
    for (std::size_t h = 0; h < hops.size(); ++h) {
      const timeline_hop& t = timeline->hops()[h];
      EXPECT_EQ(hops[h].begin, t.shown);
      EXPECT_EQ(hops[h].node, t.node);
      EXPECT_EQ(hops[h].in_port, t.in_port);
      EXPECT_EQ(hops[h].in_vc, t.in_vc);
      EXPECT_EQ(hops[h].out_port, t.out_port);
      EXPECT_EQ(hops[h].out_vc, t.out_vc);
      EXPECT_EQ(hops[h].source, timeline->record().source);
      EXPECT_GE(hops[h].end, t.sent + timeline->record().flits - 1);
      ++compared;
    }
    if (!b.bench.setup.config.limited_reception) {
      EXPECT_EQ(hops.back().end + timeline->hops().back().link_cycles, timeline->received_cycle());
    }
  }
}

TEST(hop_probe_test, sets_of_vcs_tell_the_same_hops_as_flits) {
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  std::vector<hop_bench*> benches;  // never destroyed
  for (const bench_setup& s : setups_of_all_kinds()) benches.push_back(new hop_bench(s, clock));
  bench_setup cut;  // the run ends amid traffic
  cut.name = "cut";
  cut.traffic_cycles = 2 * all_cycles;
  benches.push_back(new hop_bench(cut, clock));
  bench_setup one_slot;
  one_slot.name = "one_slot";
  one_slot.config.router.depth = 1;
  benches.push_back(new hop_bench(one_slot, clock));
  sc_core::sc_start(static_cast<double>(all_cycles) - 0.5, sc_core::SC_NS);

  unsigned plain = 0, compared = 0, unfinished = 0, waits = 0;
  for (hop_bench* b : benches) {
    SCOPED_TRACE(b->bench.setup.name);
    const cycle_t done = b->bench.twin.cycles_done();
    b->follower.end_at(done);
    const std::size_t told = b->of_follower.hops.size();
    b->follower.end_at(done);
    EXPECT_EQ(b->of_follower.hops.size(), told) << "each hop ends once";
    EXPECT_EQ(b->bench.net.packet_hash(), b->bench.twin.packet_hash());
    EXPECT_GT(b->of_follower.hops.size(), 100u);
    if (b->bench.setup.from == 0 && b->bench.setup.to >= all_cycles) expect_all_waits(*b);
    expect_hops_of_timelines(*b, compared);
    for (const hop_record& hop : b->of_follower.hops) unfinished += hop.how == hop_end::unfinished;
    for (const hop_record& hop : b->of_follower.hops)
      for (const std::uint32_t n : hop.waits) waits += n;
    if (!b->is_plain) continue;
    ++plain;
    b->probe.end_at(done);
    expect_equal_hops(*b);
  }
  EXPECT_GE(plain, 13u);
  EXPECT_GT(compared, 500u);
  EXPECT_GT(unfinished, 10u);
  EXPECT_GT(waits, 10000u);
}

}  // namespace
}  // namespace toriscope::hop_probe_test

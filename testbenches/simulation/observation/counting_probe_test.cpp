// SPDX-License-Identifier: Apache-2.0
// counting_probe, which reads sets of VCs, beside router_observer, which follows flits: every count is equal.
#include "testbenches/simulation/observation/counting_probe.h"

#include <gtest/gtest.h>

#include "testbenches/simulation/observation/observed_bench.h"

namespace toriscope::counting_probe_test {
namespace {

constexpr cycle_t all_cycles = 4000;

struct counted_bench {
  counted_bench(const bench_setup& s, sc_core::sc_clock& clock, cycle_t until)
      : same(observed_bench::make(s)),
        counted(*same.wiring, s.config, s.from, std::min(s.to, until)),
        bench(s, clock, until, probe_all(counted.probe())) {}
  topology same;
  observation counted;
  observed_bench bench;
};

void expect_equal_counts(const counted_bench& b) {
  const observation_counts &one = b.bench.seen.counts, &other = b.counted.counts;
  const netlist& wiring = *b.bench.made.wiring;
  const auto expect_equal = [](const fate_counts& x, const fate_counts& y, const char* what) {
    for (std::size_t f = 0; f < front_fates; ++f)
      ASSERT_EQ(x[f], y[f]) << what << ' ' << name_of(static_cast<stall_cause>(f));
  };
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    SCOPED_TRACE(wiring.address(n));
    for (const event_kind& kind : event_table)
      ASSERT_EQ(one.events(n).*kind.member, other.events(n).*kind.member) << kind.name;
    for (port_id p = 0; p < wiring.port_count(n); ++p) {
      SCOPED_TRACE(wiring.port_name(n, p));
      ASSERT_NO_FATAL_FAILURE(expect_equal(one.output_port(n, p), other.output_port(n, p), "output port"));
      for (unsigned v = 0; v < one.vcs(); ++v) {
        ASSERT_NO_FATAL_FAILURE(expect_equal(one.input_vc(n, p, v), other.input_vc(n, p, v), "input VC"));
        ASSERT_EQ(one.flits_sent(n, p, v), other.flits_sent(n, p, v));
      }
    }
  }
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t)
    for (unsigned v = 0; v < one.vcs(); ++v) ASSERT_EQ(one.flits_injected(t, v), other.flits_injected(t, v));
  for (wire_id w = 0; w < wire_count(wiring); ++w)
    ASSERT_EQ(b.bench.seen.roots.waits_for(w), b.counted.roots.waits_for(w));
}

TEST(counting_probe_test, sets_of_vcs_tell_the_same_as_flits) {
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  std::vector<counted_bench*> benches;  // never destroyed
  for (const bench_setup& s : setups_of_all_kinds())
    benches.push_back(new counted_bench(s, clock, all_cycles));
  for (const pipeline stages : {pipeline::four_stage, pipeline::single_cycle})
    for (const cycle_t to : {cycle_t{902}, 2 * all_cycles}) {  // the second window is cut off amid traffic
      bench_setup s;
      s.name = std::string(to_string(stages)) + "_to_" + std::to_string(to);
      s.config.router.pipeline = stages;
      s.from = 401, s.to = to, s.traffic_cycles = 2 * all_cycles;
      benches.push_back(new counted_bench(s, clock, 2 * all_cycles));
    }
  sc_core::sc_start(static_cast<double>(all_cycles) - 0.5, sc_core::SC_NS);

  unsigned plain = 0;
  for (counted_bench* b : benches) {
    SCOPED_TRACE(b->bench.setup.name);
    b->counted.end_at(b->bench.twin.cycles_done());
    EXPECT_EQ(b->bench.net.packet_hash(), b->bench.twin.packet_hash());
    EXPECT_GT(stalls_of(b->counted.counts.total_fates()), 0u);
    EXPECT_EQ(b->counted.counts.to(), std::min(b->bench.setup.to, all_cycles)) << "no cycle counts after the last one";
    expect_equal_counts(*b);
    plain += b->counted.plain != nullptr;
  }
  EXPECT_GE(plain, 16u);
}

}  // namespace
}  // namespace toriscope::counting_probe_test

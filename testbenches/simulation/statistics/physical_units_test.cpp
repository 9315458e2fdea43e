// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/physical_units.h"

#include <gtest/gtest.h>

#include <cmath>

#include "topologies/link_models/link_width.h"
#include "topologies/registry.h"

namespace toriscope::physical_units_test {
namespace {

topology torus_with_narrow_links() {
  topology made = make_topology("torus:8x8");
  set_link_widths(*made.wiring, "bisection:2048", 128);  // 32 links across: 64 bits, a flit in 2 cycles
  return made;
}

TEST(physical_units, follow_from_clock_and_flit_size) {
  const statistics figures{{"offered", "flits/node/cycle", "", .5},
                           {"accepted", "flits/node/cycle", "", .25},
                           {"latency.mean", "cycles", "", 30.},
                           {"latency.p50", "cycles", "", std::uint64_t{28}},
                           {"latency.p99", "cycles", "", std::nan("")}};
  const topology torus = torus_with_narrow_links();
  const auto value = [&](const std::string& name) {
    for (const statistic& s : in_physical_units(figures, 2, 128, *torus.wiring))
      if (s.name == name) return std::get<double>(s.value);
    return -1.;
  };
  EXPECT_EQ(value("latency.mean_ns"), 15);
  EXPECT_EQ(value("latency.p50_ns"), 14);
  EXPECT_TRUE(std::isnan(value("latency.p99_ns"))) << "no value there either";
  EXPECT_TRUE(std::isnan(value("latency.max_ns"))) << "no such figure";
  EXPECT_EQ(value("offered_gbps"), 128);  // half a flit of 128 bits, 2 times in a ns
  EXPECT_EQ(value("accepted_gbps"), 64);
  EXPECT_EQ(value("accepted_total_gbps"), 4096);
  EXPECT_EQ(value("bisection_gbps"), 32 * 64 * 2);
}

TEST(physical_units, what_all_terminals_accept) {
  const statistics figures{{"offered", "flits/node/cycle", "", .25}, {"accepted", "flits/node/cycle", "", .25}};
  const topology cmesh = make_topology("cmesh:2x2,2");  // 4 nodes, 8 terminals
  set_link_widths(*cmesh.wiring, 128, std::vector<std::uint64_t>{});
  double total = 0;
  for (const statistic& s : in_physical_units(figures, 2, 128, *cmesh.wiring))
    if (s.name == "accepted_total_gbps") total = std::get<double>(s.value);
  EXPECT_EQ(total, 8 * 64);
}

TEST(physical_units, lengths_follow_from_the_pitch) {
  const statistics lengths = lengths_in_mm(*make_topology("mesh:3x2").wiring, .5);
  ASSERT_EQ(lengths.size(), 2u);
  EXPECT_EQ(std::get<double>(lengths[0].value), .5);
  EXPECT_EQ(std::get<double>(lengths[1].value), 3.5) << "7 wires, each counted once";
}

TEST(physical_units, a_network_without_a_layout_has_no_lengths) {
  for (const statistic& s : lengths_in_mm(*make_topology("fattree:2,2").wiring, .5))
    EXPECT_TRUE(std::isnan(std::get<double>(s.value))) << s.name;
}

}  // namespace
}  // namespace toriscope::physical_units_test

// SPDX-License-Identifier: Apache-2.0
// The equations of Dally 1990 against values worked out by hand.
#include "testbenches/experiments/papers/dally_equations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/experiments/papers/dally_contention.h"

namespace toriscope::dally {
namespace {

TEST(dally_equations, without_traffic) {
  const cube torus{32, 2};
  EXPECT_DOUBLE_EQ(torus.nodes(), 1024);
  EXPECT_DOUBLE_EQ(cube::of_nodes(4096, 3).k, 16);
  EXPECT_DOUBLE_EQ(wormhole_latency(3, 10), 13);
  EXPECT_DOUBLE_EQ(channel_width(torus), 16);
  EXPECT_DOUBLE_EQ(bisection_width(torus, 16), 1024);
  EXPECT_DOUBLE_EQ(bisection_width({2, 10}, 1), 1024);
  EXPECT_DOUBLE_EQ(pins({32, 4}), 128);
  EXPECT_DOUBLE_EQ(mean_distance(torus), 31);
  EXPECT_DOUBLE_EQ(network_latency(torus, 200), 43.5);
  EXPECT_DOUBLE_EQ(network_latency({2, 10}, 200), 205);
  EXPECT_DOUBLE_EQ(longest_wire({32, 4}), 32);
  EXPECT_DOUBLE_EQ(network_latency({32, 4}, 320, wire_delay::constant), 82);
  EXPECT_DOUBLE_EQ(network_latency({32, 4}, 320, wire_delay::linear), 32 * 82);
  EXPECT_NEAR(network_latency({32, 4}, 320, wire_delay::logarithmic), 4.465736 * 82, 1e-3);
  EXPECT_DOUBLE_EQ(capacity({2, 7}), 2);
  EXPECT_DOUBLE_EQ(capacity({5, 3}), 1.25);
}

TEST(dally_equations, a_row_of_a_binary_4_cube_has_so_many_wires_over_each_gap) {
  // 2 dimensions in a row of 4 nodes 0 1 2 3: links 0-1, 2-3, 0-2, 1-3, two wires each.
  EXPECT_EQ(row_density_of_binary_cube(2), (std::vector<unsigned>{4, 4, 4}));
  // 8 nodes, over the gap behind node 2: 2-3; 0-2 does not cross it, 1-3 does; 0-4, 1-5, 2-6.
  EXPECT_EQ(row_density_of_binary_cube(3)[2], 10u);
}

TEST(dally_equations, the_slope_is_that_of_the_latency) {
  for (const double n : {2.5, 4., 7.}) {
    const double h = 1e-5;
    const double difference = network_latency(cube::of_nodes(16384, n + h), 150) -
                              network_latency(cube::of_nodes(16384, n - h), 150);
    EXPECT_NEAR(latency_slope(cube::of_nodes(16384, n), 150), difference / (2 * h), 1e-4);
  }
}

/// Worked out from n (k - 1) / 2 + 300 / k, times the cycle: of 16,384 nodes 47.2 in 4 dimensions, 48.4 in 3.
TEST(dally_equations, dimensions_of_the_smallest_latency) {
  const std::vector<unsigned> of_256{2, 2, 2}, of_16k{4, 3, 2}, of_1m{5, 5, 2};
  const auto best = [](double nodes) {
    std::vector<unsigned> dimensions;
    for (const wire_delay delay : {wire_delay::constant, wire_delay::logarithmic, wire_delay::linear})
      dimensions.push_back(best_dimension(nodes, 150, delay));
    return dimensions;
  };
  EXPECT_EQ(best(256), of_256);
  EXPECT_EQ(best(16384), of_16k);
  EXPECT_EQ(best(1048576), of_1m);
  // A bit among 8 nodes: 1.83 + 0.71 cycles in 2 dimensions, 1.5 + 1 in 3.
  EXPECT_EQ(best_dimension(8, 1, wire_delay::constant), 3u);
}

TEST(dally_equations, distance_and_aspect_ratio_balance) {
  // n k (k-1) = 4 L: 2 dimensions of 10 with 45 bits.
  EXPECT_NEAR(balanced_dimension(100, 45), 2, 1e-9);
  EXPECT_NEAR(balanced_dimension(64, 90), 1.5, 1e-9);  // k = 16
}

TEST(dally_contention, rates_of_the_streams) {
  const stream_rates r = rates({4, 3}, {200, .8});
  EXPECT_DOUBLE_EQ(r.s, .001);
  EXPECT_DOUBLE_EQ(r.r, .003);
  EXPECT_DOUBLE_EQ(r.ss, .00025);
  EXPECT_DOUBLE_EQ(r.sr, .00075);
  EXPECT_DOUBLE_EQ(r.rs, .00075);
  EXPECT_DOUBLE_EQ(r.rr, .00225);
}

TEST(dally_contention, one_dimension_by_hand) {
  // k = 2: T_R = 0; T_1 = 200 + (1/16 + 1/16) .001 200^2 = 205.
  EXPECT_NEAR(*source_service_time({2, 1}, {200, .2}), 205, 1e-9);
  EXPECT_NEAR(*latency({2, 1}, {200, .2}), 205.5, 1e-9);
  // k = 4, lambda_C = .00075: T_i0 = (1 - sqrt(.85)) / .00075 = 104.0608; T_R = T_i0 (1 + .0390228) - 100
  // = 8.12155; T_1 = 100 + .75 T_R + .1054688 .001 (108.12155)^2 + .0117188 .001 100^2 = 107.4413.
  EXPECT_NEAR(*continuing_service_time({4, 1}, {200, .2}, 100), 104.0608, 1e-3);
  EXPECT_NEAR(*routing_wait({4, 1}, {200, .2}, 100), 8.1216, 1e-3);
  EXPECT_NEAR(*source_service_time({4, 1}, {200, .2}), 107.4413, 1e-3);
}

TEST(dally_contention, without_load_it_is_the_latency_of_the_network) {
  for (const cube& c : {cube{32, 2}, cube{4, 5}, cube{2, 12}})
    EXPECT_NEAR(*latency(c, {200, 0}), network_latency(c, 200), 1e-9);
}

TEST(dally_contention, there_is_no_steady_state_where_the_root_is_not_real) {
  // lambda_C = 15 (31/32) .2/200: no solution from T = 1/(2 lambda_C) = 34.41 on.
  EXPECT_TRUE(continuing_service_time({32, 2}, {200, .2}, 34.4));
  EXPECT_FALSE(continuing_service_time({32, 2}, {200, .2}, 34.5));
  EXPECT_FALSE(latency({32, 2}, {200, 1}));
}

/// With queues nothing is held while it waits: of k = 2, T_0 + n l T_0^2 / 8.
TEST(dally_contention, queues_shorten_the_wait) {
  EXPECT_NEAR(wait_with_queues({2, 10}, {200, .3}), 10 * .3 / 200 * 200 * 200 / 8, 1e-9);
  EXPECT_NEAR(wait_with_queues({32, 2}, {200, .3}), 8.82, .005);
  EXPECT_LT(wait_with_queues({8, 4}, {200, .3}), *latency({8, 4}, {200, .3}) - network_latency({8, 4}, 200));
  EXPECT_DOUBLE_EQ(wait_with_queues({8, 4}, {200, 0}), 0);
}

TEST(dally_contention, at_the_largest_throughput_the_source_is_always_busy) {
  for (const cube& c : {cube{4, 5}, cube{2, 10}}) {
    const double most = max_throughput(c, 200);
    EXPECT_NEAR(*source_service_time(c, {200, most}) * most / 200, 1, 1e-6);
  }
  // k = 2, n = 1: T lambda_E = 1 with T = 200 (1 + 25 lambda_E): x + x^2/8 = 1 with x = 200 lambda_E =
  // lambda.
  EXPECT_NEAR(max_throughput({2, 1}, 200), .898979, 1e-5);
}

}  // namespace
}  // namespace toriscope::dally

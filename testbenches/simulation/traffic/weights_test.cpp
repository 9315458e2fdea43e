// SPDX-License-Identifier: Apache-2.0
// Expected weights against destinations drawn, for every pattern and choice of options.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/registry.h"

namespace toriscope::weights_test {
namespace {

std::vector<double> dense(const destination_weights& w, node_id source, node_id nodes) {
  std::vector<double> all(nodes, w.every_other);
  all[source] = w.own;
  for (const auto& [node, weight] : w.points) all[node] += weight;
  return all;
}

void expect_as_drawn(const std::string& name, const std::string& spec, const pattern_options& options) {
  const std::shared_ptr<const netlist> wiring = make_topology(spec).wiring;
  const auto pattern = make_pattern(name, wiring, options);
  const node_id nodes = wiring->terminal_count();
  constexpr int draws = 20000;
  for (node_id source = 0; source < nodes; source += 5) {
    const std::vector<double> expected = dense(pattern->weights(source), source, nodes);
    double sum = 0;
    for (const double w : expected) sum += w;
    EXPECT_NEAR(sum, 1, 1e-12) << name << " on " << spec;
    std::vector<int> drawn(nodes, 0);
    random_stream random(17, source);
    for (int i = 0; i < draws; ++i) ++drawn[pattern->destination(source, random)];
    for (node_id node = 0; node < nodes; ++node) {
      const double sigma = std::sqrt(draws * expected[node] * (1 - expected[node]));
      ASSERT_NEAR(drawn[node], draws * expected[node], 5.5 * sigma + 1e-6)
          << name << " on " << spec << ": " << source << " to " << node;
    }
  }
}

TEST(weights, are_what_is_drawn) {
  for (const pattern_kind& kind : pattern_kinds())
    for (const bool self : {false, true}) {
      pattern_options options;
      options.include_self = self;
      options.hot_probability = 0.3;
      options.local_square = 3;
      expect_as_drawn(kind.name, "torus:4x4", options);
      options.local_probability = 0.6;
      options.hot_nodes = {"3", "5", "5", "10"};
      expect_as_drawn(kind.name, "mesh:8x8", options);
    }
  expect_as_drawn("hotspot", "ttn:2,2,0", {});
  expect_as_drawn("local", "ttn:2,2,0", {});
  for (const char* name : {"hotspot", "local", "tornado", "transpose"})
    expect_as_drawn(name, "cmesh:4x4,3", {});
}

}  // namespace
}  // namespace toriscope::weights_test

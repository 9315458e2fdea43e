// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/rdt_area.h"

#include <cstdlib>

#include "topologies/path.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

constexpr int nodes_on_a_side = 256;
constexpr int reach = nodes_on_a_side / 2 - 1;  ///< offsets from -reach to reach
constexpr int width = 2 * reach + 1;

node_id node_at(int x, int y) {
  const auto on_torus = [](int v) { return (v + nodes_on_a_side) % nodes_on_a_side; };
  return static_cast<node_id>(on_torus(y) * nodes_on_a_side + on_torus(x));
}

}  // namespace

rdt_area::rdt_area(const std::string& assignment, distance_kind kind) {
  topology_options options;
  options.routing = "floating";
  const topology rdt = make_for_analysis("rdt:" + assignment + ",256", options);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) {
      const node_id source = node_at(x, y);
      const std::vector<unsigned> shortest = distances_from(*rdt.wiring, source);
      std::vector<unsigned>& found = distances_[rdt_class(x, y)];
      for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
          const node_id to = node_at(x + dx, y + dy);
          found.push_back(kind == distance_kind::shortest
                              ? shortest[to]
                              : routed_distance(*rdt.wiring, *rdt.routing, source, to, max_vcs));
        }
    }
}

double rdt_area::mean(unsigned class_number, unsigned side) const {
  const int last = static_cast<int>(side) - 1;
  double sum = 0;
  for (int dy = -last; dy <= last; ++dy)
    for (int dx = -last; dx <= last; ++dx)
      sum += 1.0 * (last + 1 - std::abs(dy)) * (last + 1 - std::abs(dx)) *
             distances_[class_number][static_cast<std::size_t>((dy + reach) * width + dx + reach)];
  const double places = 1.0 * side * side;
  return sum / places / places;
}

double rdt_area::mean(unsigned side) const {
  double sum = 0;
  for (unsigned c = 0; c < rdt_classes; ++c) sum += mean(c, side);
  return sum / rdt_classes;
}

}  // namespace toriscope

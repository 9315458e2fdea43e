// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn_shape.h"

#include <algorithm>
#include <cstdlib>

#include "base/bits_for.h"

namespace toriscope {

namespace {

/// The gates of a level in one dimension of an HTN: on its own z-planes.
std::vector<htn_gate> plane_gates(const htn_shape& shape, unsigned level, unsigned dimension) {
  const unsigned m = shape.m;
  const unsigned planes = 1u << shape.connectivity;
  std::vector<htn_gate> gates;
  for (unsigned z = (level - 2) * planes; z < (level - 1) * planes; ++z)
    for (unsigned i = 0; i < m; ++i) {
      const unsigned first = m * m * z + (dimension == htn_y ? i : m * i);
      gates.push_back({first + (m - 1) * (dimension == htn_y ? m : 1), first});
    }
  return gates;
}

/// Those of an MH3DT with m = 4: its own lines.
std::vector<htn_gate> line_gates(const htn_shape& shape, unsigned level, unsigned dimension) {
  const auto node = [](unsigned z, unsigned y, unsigned x) { return 16 * z + 4 * y + x; };
  const unsigned lines = 1u << shape.connectivity;
  std::vector<htn_gate> gates;
  for (unsigned i = (level - 2) * lines; i < (level - 1) * lines; ++i) {
    const unsigned j = i / 2 == 0 ? 0 : 3;
    const unsigned k = i % 2 == 0 ? 0 : 3;
    gates.push_back(dimension == htn_x   ? htn_gate{node(0, i, 3), node(0, i, 0)}
                    : dimension == htn_y ? htn_gate{node(2, 3, i), node(2, 0, i)}
                                         : htn_gate{node(0, j, k), node(2, j, k)});
  }
  return gates;
}

}  // namespace

std::vector<unsigned> htn_shape::radices() const {
  std::vector<unsigned> result((levels - 1) * dimensions(), n);
  result.insert(result.end(), 3, m);
  return result;
}

std::string htn_shape::in_words() const {
  static const char* const names[] = {"HTN", "MH3DT", "H3D-torus"};
  return names[static_cast<unsigned>(kind)] + std::string("(") + std::to_string(m) + "," + std::to_string(n) +
         "," + std::to_string(levels) + "," + std::to_string(connectivity) + ")";
}

const char* to_string(htn_kind kind) {
  static const char* const names[] = {"htn", "mh3dt", "h3dt"};
  return names[static_cast<unsigned>(kind)];
}

std::vector<htn_ring> htn_rings(const htn_shape& shape) {
  std::vector<htn_ring> rings;
  const unsigned dimensions = shape.dimensions();
  for (unsigned level = 2; level <= shape.levels; ++level)
    for (unsigned d = dimensions; d-- > 0;)
      rings.push_back(
          {level, d, (shape.levels - level) * dimensions + dimensions - 1 - d,
           shape.kind == htn_kind::htn ? plane_gates(shape, level, d) : line_gates(shape, level, d)});
  return rings;
}

unsigned htn_bm_distance(const htn_shape& shape, unsigned from, unsigned to) {
  unsigned hops = 0;
  for (unsigned d = 0; d < 3; ++d, from /= shape.m, to /= shape.m) {
    const auto offset =
        static_cast<unsigned>(std::abs(static_cast<int>(from % shape.m) - static_cast<int>(to % shape.m)));
    hops += shape.torus_bm() ? std::min(offset, shape.m - offset) : offset;
  }
  return hops;
}

unsigned htn_highest_level(unsigned m, unsigned connectivity) {
  return (1u << (floor_log2(m) - connectivity)) + 1;
}

}  // namespace toriscope

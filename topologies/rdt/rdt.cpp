// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt.h"

#include <string>
#include <vector>

#include "topologies/analysis/planar_layout.h"

namespace toriscope {

namespace {

/// The base torus of N x N, N a power of two.
struct place {
  unsigned x;
  unsigned y;
};

place moved(place at, rdt_offset by, unsigned size) {
  return {(at.x + static_cast<unsigned>(by.dx)) & (size - 1),
          (at.y + static_cast<unsigned>(by.dy)) & (size - 1)};
}

/// The first direction of that rank that leads to the same neighbour.
unsigned first_like(unsigned rank, unsigned direction, unsigned size) {
  const place wanted = moved({0, 0}, rdt_step(rank, direction), size);
  for (unsigned d = 0; d < direction; ++d) {
    const place found = moved({0, 0}, rdt_step(rank, d), size);
    if (found.x == wanted.x && found.y == wanted.y) return d;
  }
  return direction;
}

/// Directions of that rank that have a port of their own.
std::vector<unsigned> directions_with_port(unsigned rank, unsigned size) {
  std::vector<unsigned> result;
  for (const unsigned d : {h_plus, h_minus, v_plus, v_minus})
    if (first_like(rank, d, size) == d) result.push_back(d);
  return result;
}

/// Whether h+ and h- (v+ and v-) of that rank lead to the same neighbour.
bool rings_of_two(unsigned rank, unsigned size) { return first_like(rank, h_minus, size) == h_plus; }

/// Whether the hop crosses coordinate 0: of x in h, of y in v.
bool wraps(place at, rdt_offset by, unsigned direction, unsigned size) {
  const bool horizontal = direction == h_plus || direction == h_minus;
  const int target = horizontal ? static_cast<int>(at.x) + by.dx : static_cast<int>(at.y) + by.dy;
  return target < 0 || target >= static_cast<int>(size);
}

std::string port_name(unsigned rank, unsigned direction) {
  static const char* const base[] = {"x+", "x-", "y+", "y-"};
  static const char* const upper[] = {"h+", "h-", "v+", "v-"};
  return rank == 0 ? base[direction] : "r" + std::to_string(rank) + "_" + upper[direction];
}

}  // namespace

rdt_port_map::rdt_port_map(const rdt_shape& shape) {
  count.fill(0);
  port_id next = 0;
  for (unsigned rank = 0; rank <= shape.usable_ranks(); ++rank) {
    if (rank > 0 && !shape.perfect) next = 4;
    const std::vector<unsigned> own = directions_with_port(rank, shape.size);
    for (const unsigned d : own) port[rank][d] = next++;
    for (const unsigned d : {h_plus, h_minus, v_plus, v_minus})
      port[rank][d] = port[rank][first_like(rank, d, shape.size)];
    for (unsigned c = 0; c < rdt_classes; ++c)
      if (rank == 0 || shape.has_links(c, rank)) count[c] = next;
  }
}

std::shared_ptr<netlist> build_rdt(const rdt_shape& shape) {
  const unsigned size = shape.size;
  auto net = std::make_shared<netlist>("rdt", std::vector<unsigned>{size, size},
                                       std::vector<hierarchy_level>{{"node", 2}});
  const rdt_port_map ports(shape);
  std::vector<unsigned> ranks_of[rdt_classes];
  for (unsigned c = 0; c < rdt_classes; ++c) {
    ranks_of[c] = {0};
    for (unsigned rank = 1; rank <= rdt_max_ranks; ++rank)
      if (shape.has_links(c, rank)) ranks_of[c].push_back(rank);
  }
  std::vector<unsigned> directions[rdt_max_ranks + 1];
  for (unsigned rank = 0; rank <= rdt_max_ranks; ++rank) directions[rank] = directions_with_port(rank, size);
  const auto for_each_port = [&](auto f) {
    for (unsigned y = 0; y < size; ++y)
      for (unsigned x = 0; x < size; ++x)
        for (const unsigned rank : ranks_of[rdt_class(x, y)])
          for (const unsigned d : directions[rank]) f(place{x, y}, rank, d);
  };
  const auto number = [size](place at) { return at.y * size + at.x; };

  std::size_t port_count = 0;
  for (unsigned c = 0; c < rdt_classes; ++c)
    port_count += std::size_t{shape.nodes() / rdt_classes} * ports.count[c];
  net->reserve(shape.nodes(), port_count, port_count);
  std::vector<std::string> names;
  const auto add_node = [&] {
    net->add_node(std::vector<std::string_view>(names.begin(), names.end()));
    names.clear();
  };
  for_each_port([&](place at, unsigned rank, unsigned d) {
    if (rank == 0 && d == h_plus && number(at) > 0) add_node();
    const bool far_end = rings_of_two(rank, size) && wraps(at, rdt_step(rank, d), d, size);
    names.push_back(port_name(rank, far_end ? d + 1 : d));
  });
  add_node();

  for_each_port([&](place at, unsigned rank, unsigned d) {
    if (d == h_minus || d == v_minus) return;  // made from the other end
    const rdt_offset step = rdt_step(rank, d);
    if (rings_of_two(rank, size) && wraps(at, step, d, size)) return;
    const place to = moved(at, step, size);
    const port_id there = ports.port[rank][d + 1];
    const auto level = static_cast<std::uint8_t>(rank + 1);
    net->connect(number(at), ports.port[rank][d], number(to), there, level);
    net->connect(number(to), there, number(at), ports.port[rank][d], level);
  });
  set_planar_lengths(*net);
  return net;
}

}  // namespace toriscope

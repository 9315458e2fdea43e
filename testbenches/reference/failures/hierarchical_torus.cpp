// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/failures/hierarchical_torus.h"

#include <array>

namespace toriscope {
namespace {

constexpr unsigned k = 3;               // radix of every digit
constexpr unsigned inside = k * k * k;  // nodes of a module

/// Digits of a node, most significant first: Y X z y x.
std::array<unsigned, 5> digits_of(node_id n) {
  return {n / inside / k, n / inside % k, n / (k * k) % k, n / k % k, n % k};
}

/// The node of a module that has the link to the next module (+) or the one before (-) on ring 0 (Y), 1 (X).
constexpr unsigned gate(unsigned ring, bool plus) { return ring * 2 * k * k + (plus ? 0 : 4); }

/// Ports: z+ z- y+ y- x+ x- of every node, then at gates one port between modules.
constexpr port_id module_port = 6;

class hierarchical final : public routing_function {
 public:
  unsigned state_bits() const override { return 3; }  // c, and the dateline bit d below it

  unsigned route(const route_request& r, route_option* options) const override {
    const auto at = digits_of(r.node), to = digits_of(r.destination);
    const unsigned c = r.state >> 1;
    unsigned target = r.destination % inside;
    for (unsigned ring = 0; ring < 2; ++ring) {
      if (at[ring] == to[ring]) continue;
      const unsigned leave = gate(ring, (to[ring] + k - at[ring]) % k == 1);
      if (r.node % inside == leave) {
        options[0] = {module_port, static_cast<vc_mask>(1u << 2 * c), (c + 1) << 1};
        return 1;
      }
      target = leave;
      break;
    }
    options[0] = within(r, at, digits_of(target), c);
    return 1;
  }

 private:
  static route_option within(const route_request& r, const std::array<unsigned, 5>& at,
                             const std::array<unsigned, 5>& to, unsigned c) {
    for (unsigned d = 2; d < 5; ++d) {
      if (at[d] == to[d]) continue;
      const unsigned dimension = d - 2;
      const bool plus = (to[d] + k - at[d]) % k == 1;
      const bool same_ring = r.in_port / 2u == dimension && r.in_port < module_port;
      const bool wraps = plus ? at[d] == k - 1 : at[d] == 0;
      const unsigned dateline = (same_ring && r.state & 1u) || wraps;
      return {static_cast<port_id>(2 * dimension + !plus), static_cast<vc_mask>(1u << (2 * c + dateline)),
              c << 1 | dateline};
    }
    const bool has_gate = r.node % inside == gate(0, true) || r.node % inside == gate(0, false) ||
                          r.node % inside == gate(1, true) || r.node % inside == gate(1, false);
    return {static_cast<port_id>(has_gate ? module_port + 1 : module_port), 0x3f, r.state};
  }
};

}  // namespace

topology make_hierarchical_torus() {
  auto net = std::make_shared<netlist>("htn", std::vector<unsigned>(5, k),
                                       std::vector<hierarchy_level>{{"bm", 2}, {"node", 3}});
  const auto gate_name = [](unsigned place) -> const char* {
    return place == gate(0, true)    ? "Y+"
           : place == gate(0, false) ? "Y-"
           : place == gate(1, true)  ? "X+"
           : place == gate(1, false) ? "X-"
                                     : nullptr;
  };
  for (node_id n = 0; n < net->node_count(); ++n) {
    std::vector<std::string_view> ports{"z+", "z-", "y+", "y-", "x+", "x-"};
    if (const char* name = gate_name(n % inside)) ports.push_back(name);
    net->add_node(ports);
  }
  for (node_id n = 0; n < net->node_count(); ++n) {
    const auto at = digits_of(n);
    for (unsigned d = 0; d < 3; ++d) {
      const unsigned stride = d == 0 ? k * k : d == 1 ? k : 1;
      const node_id next = at[d + 2] + 1 == k ? n - (k - 1) * stride : n + stride;
      const auto plus = static_cast<port_id>(2 * d), minus = static_cast<port_id>(2 * d + 1);
      net->connect(n, plus, next, minus, 1, 1);
      net->connect(next, minus, n, plus, 1, 1);
    }
    for (unsigned ring = 0; ring < 2; ++ring) {
      if (n % inside != gate(ring, true)) continue;
      const unsigned stride = ring == 0 ? k * inside : inside;
      const node_id module = n - n % inside;
      const node_id next =
          (at[ring] + 1 == k ? module - (k - 1) * stride : module + stride) + gate(ring, false);
      net->connect(n, module_port, next, module_port, 2, 3);
      net->connect(next, module_port, n, module_port, 2, 3);
    }
  }
  topology result;
  result.wiring = std::move(net);
  result.routing = std::make_shared<hierarchical>();
  return result;
}

}  // namespace toriscope

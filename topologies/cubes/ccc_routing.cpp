// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/ccc_routing.h"

#include <algorithm>
#include <vector>

#include "topologies/cubes/ccc.h"
#include "topologies/vc_lanes.h"

namespace toriscope {

namespace {

enum direction : unsigned { plus = 0, minus = 1 };

class ccc_routing final : public routing_function {
 public:
  ccc_routing(unsigned n, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return 4; }

 private:
  enum run : unsigned { before = 0, main_run = 1, after = 2 };

  /// The route state, taken apart.
  struct leg {
    unsigned run;
    unsigned main;  ///< direction of the main run
    bool wrapped;
  };
  /// The shortest walk with a main run in a given direction.
  struct walk_plan {
    unsigned links;
    unsigned first_run;
  };

  static leg unpack(route_state state) { return {state >> 2, state >> 1 & 1, (state & 1) != 0}; }
  static route_state pack(const leg& at) { return at.run << 2 | at.main << 1 | (at.wrapped ? 1u : 0u); }

  std::uint32_t turned(std::uint32_t bits, unsigned by) const {
    return (bits >> by | bits << (n_ - by)) & ((1u << n_) - 1);
  }
  walk_plan plan(std::uint32_t to_cross, unsigned to, direction main) const;
  leg next_leg(const route_request& request, std::uint32_t to_cross, unsigned to) const;
  void note_walk(node_id from, node_id to);
  void move(unsigned position, unsigned way, leg at, route_option* option) const;

  unsigned n_;
  std::vector<std::uint32_t> places_;  ///< by node: cycle << 5 | position
  std::vector<std::uint8_t> plans_;  ///< by bits to cross and position wanted, both as seen from here: bit 0
                                     ///< the main run is -; bit 1 (2): if it is + (-), a run comes before
  vc_lanes lanes_;  ///< of the links of a cycle, and across: by position and port
  vc_mask all_vcs_;
};

ccc_routing::ccc_routing(unsigned n, unsigned vcs)
    : n_(n), places_(std::size_t{n} << n), plans_(std::size_t{n} << n), lanes_(std::size_t{3} * n, ccc_vc_classes, vcs), all_vcs_(all_vcs(vcs)) {
  for (std::uint32_t cycle = 0; cycle >> n == 0; ++cycle)
    for (unsigned position = 0; position < n; ++position)
      places_[cycle * n + position] = cycle << 5 | position;
  for (std::uint32_t to_cross = 0; to_cross >> n == 0; ++to_cross)
    for (unsigned to = 0; to < n; ++to) {
      const walk_plan up = plan(to_cross, to, plus);
      const walk_plan down = plan(to_cross, to, minus);
      plans_[to_cross * n + to] = static_cast<std::uint8_t>(
          (down.links < up.links ? 1 : 0) | (up.first_run > 0 ? 2 : 0) | (down.first_run > 0 ? 4 : 0));
    }
  // All cycles are alike, and packets that cross three times at most have all classes (the tests look at all).
  for (std::uint32_t cycle = 0; cycle >> n == 0; ++cycle)
    for (unsigned i = 0; i < n * n && __builtin_popcount(cycle) <= 3; ++i) note_walk(i / n, cycle * n + i % n);
  lanes_.share_out();
}

void ccc_routing::note_walk(node_id from, node_id to) {
  route_request request{from, ccc_local, 0, to, 0};
  route_option hop;
  for (;;) {
    ccc_routing::route(request, &hop);
    if (hop.out_port == ccc_local) return;
    const unsigned position = request.node % n_;
    lanes_.note(std::size_t{3} * position + hop.out_port, hop.vcs);
    const node_id cycle = request.node - position;
    if (hop.out_port == cross)
      request.node = (request.node / n_ ^ 1u << position) * n_ + position;
    else
      request.node = cycle + (position + (hop.out_port == cycle_plus ? 1 : n_ - 1)) % n_;
    request.in_port = cycle_plus;  // any but the local port
    request.state = hop.state;
  }
}

ccc_routing::walk_plan ccc_routing::plan(std::uint32_t to_cross, unsigned to, direction main) const {
  if (to_cross == 0) return {main == plus ? to : n_ - to, 0};
  walk_plan best{~0u, 0};
  // Bit i of `ahead`: a crossing i links ahead of the place where the main run begins.
  std::uint32_t ahead = to_cross;
  if (main == minus) {
    ahead = 0;
    for (unsigned i = 0; i < n_; ++i) ahead |= (to_cross >> i & 1) << ((n_ - i) % n_);
    to = (n_ - to) % n_;
  }
  for (unsigned first_run = 0; first_run < n_; ++first_run) {
    const unsigned crossings_end = 31 - static_cast<unsigned>(__builtin_clz(ahead));
    const unsigned end = (n_ - first_run + crossings_end) % n_;
    const unsigned rest = (to + n_ - end) % n_;
    const unsigned links = first_run + crossings_end + std::min(rest, n_ - rest);
    if (links < best.links) best = {links, first_run};
    ahead = turned(ahead, n_ - 1);  // one link further back
  }
  return best;
}

/// The run to which the packet's next hop belongs. @param to_cross, to  as seen from its place
ccc_routing::leg ccc_routing::next_leg(const route_request& request, std::uint32_t to_cross,
                                       unsigned to) const {
  const unsigned plan = plans_[to_cross * n_ + to];
  leg at = unpack(request.state);
  if (request.in_port == ccc_local) at = {before, plan & 1, false};
  if (at.run == before && (plan >> (1 + at.main) & 1) == 0) return {main_run, at.main, false};
  if (at.run == main_run && to_cross == 0) {
    const unsigned ahead = at.main == plus ? to : n_ - to;
    if (2 * ahead > n_) return {after, at.main, false};
  }
  return at;
}

void ccc_routing::move(unsigned position, unsigned way, leg at, route_option* option) const {
  const bool wraps = position == (way == plus ? n_ - 1 : 0);
  at.wrapped = at.wrapped || wraps;
  const bool late = way == plus ? at.run == after : at.run != before;
  const port_id port = way == plus ? cycle_plus : cycle_minus;
  *option = {port, lanes_.of(std::size_t{3} * position + port, (late ? 2 : 0) + (at.wrapped ? 1 : 0)), pack(at)};
}

unsigned ccc_routing::route(const route_request& request, route_option* options) const {
  const std::uint32_t here = places_[request.node];
  const std::uint32_t wanted = places_[request.destination];
  if (here == wanted) {
    options[0] = {ccc_local, all_vcs_, 0};
    return 1;
  }
  const unsigned position = here & 31;
  const unsigned end = wanted & 31;
  const std::uint32_t to_cross = turned((here ^ wanted) >> 5, position);
  const leg at = next_leg(request, to_cross, end >= position ? end - position : end + n_ - position);
  if (at.run == main_run && (to_cross & 1) != 0)
    options[0] = {cross, lanes_.of(std::size_t{3} * position + cross, 2 * at.main + (at.wrapped ? 1 : 0)),
                  pack(at)};
  else
    move(position, at.run == main_run ? at.main : 1 - at.main, at, options);
  return 1;
}

}  // namespace

std::shared_ptr<const routing_function> make_ccc_routing(unsigned n, unsigned vcs) {
  return std::make_shared<ccc_routing>(n, vcs);
}

}  // namespace toriscope

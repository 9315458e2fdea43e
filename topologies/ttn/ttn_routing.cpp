// SPDX-License-Identifier: Apache-2.0
#include "topologies/ttn/ttn_routing.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "topologies/ttn/ttn.h"
#include "topologies/vc_lanes.h"

namespace toriscope {

namespace {

class ttn_routing final : public routing_function {
 public:
  ttn_routing(const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return 1 + group_bits_ + (keeps_bmd_ ? 1 : 0); }
  bool reads_to_first_difference() const override { return true; }
  route_arithmetic arithmetic() const override;

 private:
  enum ring_way : unsigned { plus = 0, minus = 1 };
  /// Where a hop toward a gate stands with the ring of that gate.
  enum leg : unsigned { before_ring = 0, in_ring = 1, past_dateline = 2 };

  using vc_class_number = std::uint8_t;  ///< of a hop in the BM, among those in use

  /// A hop within a BM.
  struct bm_move {
    std::uint8_t to;
    port_id port;
    bool wraps;
    bool ends_dimension;  ///< bmd starts anew after it
  };
  /// Where a ring is left for the next BM.
  struct gate {
    std::uint8_t node;  ///< BM node it leaves from
    port_id port;
  };
  /// What an input port says of a packet, as sets of rings that it may be about to follow.
  struct arrival {
    std::uint8_t new_level;  ///< it comes to the level of that ring
    std::uint8_t in_ring;    ///< it comes by that ring
  };
  /// A packet's next ring, seen from a node.
  struct ring_step {
    unsigned ring;  ///< digit - 2
    unsigned at;    ///< the node's digit
    ring_way way;
    bool wraps;      ///< the next inter-BM hop is the wrap hop
    bool ends_ring;  ///< it is the last one of the ring
  };

  ring_step next_ring(node_id node, node_id destination) const;
  static bm_move plan_bm_move(const ttn_shape& shape, const ttn_port_map& ports, ring_ties ties,
                              unsigned from, unsigned to);
  void plan_arrivals(const ttn_shape& shape, const ttn_port_map& ports);
  void plan_ring(const ttn_shape& shape, const ttn_port_map& ports, unsigned ring);
  void plan_classes(const ttn_shape& shape, ttn_vc_rule rule);
  void note_classes(const ttn_shape& shape);
  void note_moves(unsigned from, unsigned to, const vc_class_number (&classes)[2]);
  static std::size_t bm_link(unsigned node, port_id port) { return 8 * node + port; }
  static std::size_t ring_link(ring_way way, unsigned digit) { return 128 + 4 * way + digit; }
  route_option move_in_bm(unsigned from, unsigned to, const vc_class_number (&classes)[2],
                          route_state state) const;
  route_state pack_group(unsigned group) const { return group << 1; }

  bm_move moves_[16][16];           ///< by BM node and BM node wanted
  gate gates_[8][4][2];             ///< by ring, group, way round
  std::uint8_t nearest_[8][2][16];  ///< group to choose, by ring, way round, BM node
  arrival arrivals_[16][8];         ///< by BM node and input port
  port_id local_port_[16];
  vc_class_number toward_[8][3][2];  ///< by ring, leg, bmd: on the way to a gate
  vc_class_number last_[2];          ///< by bmd: in the destination's BM
  vc_lanes lanes_;                   ///< of bm_link() and ring_link(): in all BMs, in all rings alike
  const ttn_shape shape_;
  const ring_ties ties_;
  vc_mask all_vcs_;
  unsigned group_bits_;
  route_state group_mask_;  ///< where the group stands in the state
  route_state bmd_mask_;
  bool keeps_bmd_;
  bool unidirectional_;
};

ttn_routing::ttn_routing(const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs)
    : moves_{},
      gates_{},
      nearest_{},
      arrivals_{},
      local_port_{},
      toward_{},
      last_{},
      lanes_(136, ttn_vc_classes(rule, shape), vcs),
      shape_(shape),
      ties_(ties),
      all_vcs_(all_vcs(vcs)),
      group_bits_(shape.connectivity),
      group_mask_(((1u << shape.connectivity) - 1) << 1),
      bmd_mask_(1u << (1 + shape.connectivity)),
      // With nowrap a wrap hop is the only hop of its dimension: there is nothing to remember.
      keeps_bmd_(!ttn_needs_nowrap(rule) && ties != ring_ties::nowrap && !shape.mesh_modules()),
      unidirectional_(shape.unidirectional) {
  const ttn_port_map ports(shape);
  for (unsigned from = 0; from < 16; ++from)
    for (unsigned to = 0; to < 16; ++to)
      if (from != to) moves_[from][to] = plan_bm_move(shape, ports, ties, from, to);
  plan_arrivals(shape, ports);

  for (unsigned ring = 0; ring < shape.digits() - 2; ++ring) plan_ring(shape, ports, ring);
  plan_classes(shape, rule);
  if (rule == ttn_vc_rule::paper) {
    lanes_.share_out_alike();  // what the paper proves, and its witnesses freeze
  } else {
    note_classes(shape);
    lanes_.share_out();
  }
}

void ttn_routing::plan_classes(const ttn_shape& shape, ttn_vc_rule rule) {
  const std::vector<unsigned> classes = ttn_bm_classes(rule, shape);
  const auto number = [&](const ttn_bm_hop& hop) {
    const auto at = std::find(classes.begin(), classes.end(), ttn_bm_class(rule, shape, hop));
    return static_cast<vc_class_number>(at == classes.end() ? 0 : at - classes.begin());  // none: no such hop
  };
  for (const bool bmd : {false, true}) {
    last_[bmd] = number({true, 0, false, false, false, bmd});
    for (unsigned ring = 0; ring < shape.digits() - 2; ++ring)
      for (const leg at : {before_ring, in_ring, past_dateline})
        toward_[ring][at][bmd] = number({false, ttn_level(ring + 2), ttn_horizontal(ring + 2),
                                         at != before_ring, at == past_dateline, bmd});
  }
}

/// Notes the classes of the hops from a BM node to another.
void ttn_routing::note_moves(unsigned from, unsigned to, const vc_class_number (&classes)[2]) {
  route_state state = 0;
  for (unsigned at = from; at != to; at = moves_[at][to].to) {
    const route_option move = move_in_bm(at, to, classes, state);
    lanes_.note(bm_link(at, move.out_port), move.vcs);
    state = move.state;
  }
}

void ttn_routing::note_classes(const ttn_shape& shape) {
  for (unsigned from = 0; from < 16; ++from)
    for (unsigned to = 0; to < 16; ++to) note_moves(from, to, last_);
  for (unsigned ring = 0; ring < shape.digits() - 2; ++ring)
    for (const ring_way way : {plus, minus})
      for (unsigned g = 0; g < shape.groups() && (way == plus || !unidirectional_); ++g) {
        const unsigned goal = gates_[ring][g][way].node;
        for (unsigned from = 0; from < 16; ++from)
          if (nearest_[ring][way][from] == g) note_moves(from, goal, toward_[ring][before_ring]);
        // Toward an H ring the group is that of the V ring before it, which is left where - leaves, or + does.
        for (const ring_way gate_of : {plus, minus})
          if (ring % 2 == 0 && (gate_of == minus || !unidirectional_))
            note_moves(gates_[ring + 1][g][gate_of].node, goal, toward_[ring][before_ring]);
        // From one hop of the ring to the next: with links both ways - goes one hop only.
        for (const leg at : {in_ring, past_dateline})
          if (way == plus) note_moves(gates_[ring][g][minus].node, goal, toward_[ring][at]);
      }
  // A ring of four: after the wrap hop come at most two more, with links both ways one more, if it is +.
  const unsigned after = unidirectional_ ? 2 : 1;
  for (const ring_way way : {plus, minus})
    for (unsigned digit = 0; digit < 4; ++digit) {
      const unsigned behind_wrap = way == plus ? (digit + 1) & 3 : (4 - digit) & 3;  // 0: the wrap hop
      const bool both = behind_wrap != 0 && behind_wrap <= (way == plus ? after : 0);
      lanes_.note(ring_link(way, digit), both ? 0b11 : behind_wrap == 0 ? 0b10 : 0b01);
    }
}

ttn_routing::bm_move ttn_routing::plan_bm_move(const ttn_shape& shape, const ttn_port_map& ports,
                                               ring_ties ties, unsigned from, unsigned to) {
  const bool vertical = (from >> 2) != (to >> 2);  // rows first
  const unsigned at = vertical ? from >> 2 : from & 3;
  const unsigned wanted = vertical ? to >> 2 : to & 3;
  const unsigned offset = (wanted - at) & 3;
  bool goes_plus = wanted > at;
  if (!shape.mesh_modules() && offset != 2) goes_plus = offset == 1;
  if (!shape.mesh_modules() && offset == 2 && ties == ring_ties::positive) goes_plus = true;
  const ttn_direction way = vertical ? (goes_plus ? y_plus : y_minus) : (goes_plus ? x_plus : x_minus);
  const unsigned next = (at + (goes_plus ? 1 : 3)) & 3;
  return {static_cast<std::uint8_t>(vertical ? next << 2 | (from & 3) : (from & 12) | next),
          ports.bm_port[from][way], ttn_bm_wraps(from, way), offset != 2};
}

void ttn_routing::plan_arrivals(const ttn_shape& shape, const ttn_port_map& ports) {
  for (unsigned node = 0; node < 16; ++node) {
    local_port_[node] = ports.count[node];
    arrivals_[node][local_port_[node]] = {0xff, 0};
  }
  for (unsigned ring = 0; ring < shape.digits() - 2; ++ring)
    for (unsigned g = 0; g < shape.groups(); ++g) {
      const unsigned both_of_level = 3u << (ring & ~1u);
      const arrival by_ring{static_cast<std::uint8_t>(~both_of_level), static_cast<std::uint8_t>(1u << ring)};
      const ttn_gates at = ttn_gates_of(shape, ring + 2, g);
      arrivals_[at.out][ports.out_port[ring][g]] = by_ring;
      arrivals_[at.in][ports.in_port[ring][g]] = by_ring;
      // A longer way from gate to gate would have to remember that it is one.
      if (ttn_bm_distance(shape, at.in, at.out) > 1)
        throw std::logic_error("gates of " + ttn_in_words(shape) + " are more than one hop apart");
    }
}

void ttn_routing::plan_ring(const ttn_shape& shape, const ttn_port_map& ports, unsigned ring) {
  for (unsigned g = 0; g < shape.groups(); ++g) {
    const ttn_gates at = ttn_gates_of(shape, ring + 2, g);
    gates_[ring][g][plus] = {at.out, ports.out_port[ring][g]};
    gates_[ring][g][minus] = {at.in, ports.in_port[ring][g]};
  }
  for (const ring_way way : {plus, minus})
    for (unsigned n = 0; n < 16; ++n) {
      const auto distance = [&](unsigned g) { return ttn_bm_distance(shape, n, gates_[ring][g][way].node); };
      unsigned best = 0;
      for (unsigned g = 1; g < shape.groups(); ++g)
        if (distance(g) < distance(best)) best = g;
      nearest_[ring][way][n] = static_cast<std::uint8_t>(best);
    }
}

ttn_routing::ring_step ttn_routing::next_ring(node_id node, node_id destination) const {
  const unsigned digit = (31 - static_cast<unsigned>(__builtin_clz(node ^ destination))) >> 1;
  const unsigned at = (node >> (2 * digit)) & 3;
  const unsigned offset = ((destination >> (2 * digit)) - at) & 3;
  const ring_way way = unidirectional_ || offset <= 2 ? plus : minus;
  return {digit - 2, at, way, way == plus ? at == 3 : at == 0, offset == (way == plus ? 1u : 3u)};
}

route_option ttn_routing::move_in_bm(unsigned from, unsigned to, const vc_class_number (&classes)[2],
                                     route_state state) const {
  const bm_move& move = moves_[from][to];
  const bool bmd = move.wraps || (state & bmd_mask_) != 0;
  const route_state kept = state & ~bmd_mask_;
  return {move.port, lanes_.of(bm_link(from, move.port), classes[bmd]),
          keeps_bmd_ && bmd && !move.ends_dimension ? kept | bmd_mask_ : kept};
}

unsigned ttn_routing::route(const route_request& request, route_option* options) const {
  const node_id node = request.node;
  const node_id destination = request.destination;
  const unsigned here = node & 15;
  if ((node ^ destination) >> 4 == 0) {
    options[0] = node == destination ? route_option{local_port_[here], all_vcs_, 0}
                                     : move_in_bm(here, destination & 15, last_, request.state & bmd_mask_);
    return 1;
  }

  const ring_step step = next_ring(node, destination);
  const arrival came = arrivals_[here][request.in_port];
  const route_state state = (came.new_level >> step.ring & 1) != 0
                                ? pack_group(nearest_[step.ring][step.way][here])
                                : request.state;
  const unsigned group = (state & group_mask_) >> 1;
  const gate& out = gates_[step.ring][group][step.way];
  if (here != out.node) {
    const unsigned at = (state & 1) != 0 ? past_dateline : came.in_ring >> step.ring & 1u;
    options[0] = move_in_bm(here, out.node, toward_[step.ring][at], state);
    return 1;
  }

  const bool rd = step.wraps || (state & 1) != 0;
  options[0] = {out.port, lanes_.of(ring_link(step.way, step.at), rd),
                pack_group(group) | (rd && !step.ends_ring ? 1u : 0u)};
  return 1;
}

/// sv/route_ttn.sv has the layout.
route_arithmetic ttn_routing::arithmetic() const {
  if (shape_.kind != ttn_kind::ttn || shape_.connectivity != 0)
    return {route_arithmetic::none, "of TTN, TESH and STTN only TTN(2,L,0) has one"};
  const unsigned classes = lanes_.classes();
  const auto uses = [&](std::size_t link) {
    unsigned used = 0;
    for (unsigned c = 0; c < classes; ++c) used |= (lanes_.of(link, c) != 0 ? 1u : 0u) << c;
    return used;
  };
  route_arithmetic a{route_arithmetic::ttn};
  a.put(0, 1, unidirectional_);
  a.put(1, 1, ties_ == ring_ties::positive);
  a.put(4, 4, shape_.digits());
  for (unsigned ring = 0; ring < shape_.digits() - 2; ++ring)
    for (const unsigned i : {0u, 1u}) {
      a.put(8 + 4 * (2 * ring + i), 4, gates_[ring][0][i].node);  // by way
      for (const leg at : {before_ring, in_ring, past_dateline})
        a.put(72 + 2 * (2 * (3 * ring + at) + i), 2, toward_[ring][at][i]);  // by dateline of the BM
    }
  for (const unsigned bmd : {0u, 1u}) a.put(168 + 2 * bmd, 2, last_[bmd]);
  for (const ring_way way : {plus, minus})
    for (unsigned digit = 0; digit < 4; ++digit)
      a.put(172 + 2 * (4 * way + digit), 2, uses(ring_link(way, digit)));
  for (unsigned node = 0; node < 16; ++node)
    for (port_id port = 0; port < 4; ++port) a.put(188 + 4 * (4 * node + port), 4, uses(bm_link(node, port)));
  return a;
}

}  // namespace

std::shared_ptr<const routing_function> make_ttn_routing(const ttn_shape& shape, ring_ties ties,
                                                         ttn_vc_rule rule, unsigned vcs) {
  return std::make_shared<ttn_routing>(shape, ties, rule, vcs);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/ttn/ttn_routing.h"

#include "topologies/ttn/ttn.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

class ttn_routing final : public routing_function {
 public:
  ttn_routing(const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return 1 + group_bits_ + (keeps_bmd_ ? 1 : 0); }

 private:
  enum direction : unsigned { plus = 0, minus = 1 };

  /// A hop within a BM.
  struct bm_move {
    port_id port;
    bool wraps;
    bool ends_dimension;  ///< bmd starts anew after it
  };
  /// Where a ring is left for the next BM, and where that comes in.
  struct gate {
    std::uint8_t node;  ///< BM node it leaves from
    port_id port;
    std::uint8_t peer;  ///< BM node it comes in at
  };
  /// A packet's next ring, seen from a node.
  struct ring_step {
    unsigned ring;  ///< digit - 2
    direction way;
    bool wraps;  ///< the next inter-BM hop is the wrap hop
  };

  ring_step next_ring(node_id node, node_id destination) const;
  bm_move plan_bm_move(unsigned from, unsigned to, ring_ties ties) const;
  route_option move_in_bm(unsigned from, unsigned to, const vc_mask (&vcs)[2], route_state state) const;
  route_state pack_group(unsigned group) const { return group << 1; }

  bm_move moves_[16][16];           ///< by BM node and BM node wanted
  gate gates_[8][4][2];             ///< by ring, group, direction
  std::uint8_t nearest_[8][2][16];  ///< group to choose, by ring, direction, BM node
  port_id local_port_[16];
  vc_mask toward_[8][2][2];  ///< by ring, rd, bmd: on the way to a gate
  vc_mask last_[2];          ///< by bmd: in the destination's BM
  vc_mask between_[2];       ///< by rd: inter-BM links
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
      local_port_{},
      toward_{},
      all_vcs_(all_vcs(vcs)),
      group_bits_(shape.connectivity),
      group_mask_(((1u << shape.connectivity) - 1) << 1),
      bmd_mask_(1u << (1 + shape.connectivity)),
      // With nowrap a wrap hop is the only hop of its dimension: there is nothing to remember.
      keeps_bmd_(!ttn_needs_nowrap(rule) && ties != ring_ties::nowrap),
      unidirectional_(shape.unidirectional) {
  const ttn_port_map ports(shape);
  for (unsigned n = 0; n < 16; ++n) local_port_[n] = ports.count[n];
  for (unsigned from = 0; from < 16; ++from)
    for (unsigned to = 0; to < 16; ++to)
      if (from != to) moves_[from][to] = plan_bm_move(from, to, ties);

  const unsigned classes = ttn_vc_classes(rule);
  const auto mask = [&](const ttn_bm_hop& hop) { return vc_class(ttn_bm_class(rule, hop), classes, vcs); };
  for (unsigned bit = 0; bit < 2; ++bit) {
    last_[bit] = mask({true, 0, false, false, bit != 0});
    between_[bit] = vc_class(bit, classes, vcs);
  }
  for (unsigned ring = 0; ring < shape.digits() - 2; ++ring) {
    const unsigned digit = ring + 2;
    for (unsigned bits = 0; bits < 4; ++bits)
      toward_[ring][bits >> 1][bits & 1] =
          mask({false, ttn_level(digit), ttn_horizontal(digit), (bits & 2) != 0, (bits & 1) != 0});
    for (unsigned g = 0; g < shape.groups(); ++g) {
      const ttn_gates at = ttn_gates_of(shape, digit, g);
      gates_[ring][g][plus] = {at.out, ports.out_port[ring][g], at.in};
      gates_[ring][g][minus] = {at.in, ports.in_port[ring][g], at.out};
    }
    for (const direction way : {plus, minus})
      for (unsigned n = 0; n < 16; ++n) {
        unsigned best = 0;
        for (unsigned g = 1; g < shape.groups(); ++g)
          if (ttn_bm_distance(n, gates_[ring][g][way].node) <
              ttn_bm_distance(n, gates_[ring][best][way].node))
            best = g;
        nearest_[ring][way][n] = static_cast<std::uint8_t>(best);
      }
  }
}

ttn_routing::bm_move ttn_routing::plan_bm_move(unsigned from, unsigned to, ring_ties ties) const {
  const bool vertical = (from >> 2) != (to >> 2);  // rows first
  const unsigned at = vertical ? from >> 2 : from & 3;
  const unsigned wanted = vertical ? to >> 2 : to & 3;
  const unsigned offset = (wanted - at) & 3;
  const bool goes_plus = offset != 2 ? offset == 1 : ties == ring_ties::positive || wanted > at;
  const port_id port = vertical ? (goes_plus ? y_plus : y_minus) : (goes_plus ? x_plus : x_minus);
  return {port, goes_plus ? at == 3 : at == 0, offset != 2};
}

ttn_routing::ring_step ttn_routing::next_ring(node_id node, node_id destination) const {
  const unsigned digit = (31 - static_cast<unsigned>(__builtin_clz(node ^ destination))) >> 1;
  const unsigned at = (node >> (2 * digit)) & 3;
  const unsigned offset = ((destination >> (2 * digit)) - at) & 3;
  const direction way = unidirectional_ || offset <= 2 ? plus : minus;
  return {digit - 2, way, way == plus ? at == 3 : at == 0};
}

route_option ttn_routing::move_in_bm(unsigned from, unsigned to, const vc_mask (&vcs)[2],
                                     route_state state) const {
  const bm_move& move = moves_[from][to];
  const bool bmd = move.wraps || (state & bmd_mask_) != 0;
  const route_state kept = state & ~bmd_mask_;
  return {move.port, vcs[bmd], keeps_bmd_ && bmd && !move.ends_dimension ? kept | bmd_mask_ : kept};
}

unsigned ttn_routing::route(const route_request& request, route_option* options) const {
  const node_id node = request.node;
  const node_id destination = request.destination;
  const unsigned here = node & 15;
  if ((node ^ destination) >> 4 == 0) {
    options[0] = node == destination ? route_option{local_port_[here], all_vcs_, 0}
                                     : move_in_bm(here, destination & 15, last_, request.state);
    return 1;
  }

  const ring_step step = next_ring(node, destination);
  route_state state = request.state;
  if (request.in_port == local_port_[here]) state = pack_group(nearest_[step.ring][step.way][here]);
  const unsigned group = (state & group_mask_) >> 1;
  const gate& out = gates_[step.ring][group][step.way];
  if (here != out.node) {
    options[0] = move_in_bm(here, out.node, toward_[step.ring][state & 1], state);
    return 1;
  }

  const bool rd = step.wraps || (state & 1) != 0;
  const unsigned shift = 2 * (step.ring + 2);
  const unsigned digit = (node >> shift) + (step.way == plus ? 1u : 3u);
  const node_id next = (node & ~(node_id{3} << shift) & ~node_id{15}) | ((digit & 3) << shift) | out.peer;
  // What the packet will need over there: nothing in the last phase; a new group where a new level begins.
  route_state then = 0;
  if ((next ^ destination) >> 4 != 0) {
    const ring_step after = next_ring(next, destination);
    if (after.ring == step.ring)
      then = pack_group(group) | (rd ? 1u : 0u);
    else if (after.ring / 2 == step.ring / 2)
      then = pack_group(group);
    else
      then = pack_group(nearest_[after.ring][after.way][out.peer]);
  }
  options[0] = {out.port, between_[rd], then};
  return 1;
}

}  // namespace

std::shared_ptr<const routing_function> make_ttn_routing(const ttn_shape& shape, ring_ties ties,
                                                         ttn_vc_rule rule, unsigned vcs) {
  return std::make_shared<ttn_routing>(shape, ties, rule, vcs);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn_adaptive.h"

#include <stdexcept>

#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr route_state direction_chosen = 1;
constexpr route_state direction_plus = 2;

class htn_adaptive final : public routing_function {
 public:
  htn_adaptive(const htn_shape& shape, htn_gates gates, const htn_vc_rule& escape, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return 2; }
  unsigned options_at_most() const override { return max_options; }
  vc_mask escape_vcs() const override { return escape_; }
  bool reads_to_first_difference() const override { return reads_one_digit_; }

 private:
  /// Options so far; the last place is the escape's.
  struct option_list {
    route_option* first;
    route_option* end;
    void add(port_id port, vc_mask vcs, route_state state) {
      if (end < first + max_options - 1) *end++ = {port, vcs, state};
    }
  };

  void add_moves(std::uint32_t here, std::uint32_t to, route_state state, option_list& list) const;
  void add_ring_way(unsigned ring, bool plus, std::uint32_t here, std::uint32_t to, route_state state,
                    option_list& list) const;
  route_option escape_move(std::uint32_t here, std::uint32_t to, vc_mask vcs, route_state state) const;
  route_option escape_along(unsigned ring, const htn_paths::leg& leg, std::uint32_t here,
                            std::uint32_t to) const;

  htn_paths paths_;
  vc_mask escape_;
  vc_mask adaptive_;
  vc_mask last_;                 ///< of the escape: in the destination's BM
  std::vector<vc_mask> toward_;  ///< by ring
  vc_mask between_[2];           ///< by "it is the wrap hop"
  bool reads_one_digit_;
};

htn_adaptive::htn_adaptive(const htn_shape& shape, htn_gates gates, const htn_vc_rule& escape, unsigned vcs)
    : paths_(shape, gates, ring_ties::nowrap),
      escape_(all_vcs(escape.classes_in(shape))),
      adaptive_((vc_set::below(vcs) - vc_set(escape_)).mask()),
      reads_one_digit_(gates == htn_gates::nearest || shape.kind != htn_kind::htn) {
  if (vcs <= escape.classes_in(shape))
    throw std::invalid_argument("adaptive routing needs at least " +
                                std::to_string(escape.classes_in(shape) + 1) + " VCs, not " +
                                std::to_string(vcs));
  const auto mask = [&](unsigned c) { return c == htn_vc_rule::any ? escape_ : vc_set::of(c).mask(); };
  last_ = mask(escape.last[0]);
  for (const htn_ring& ring : htn_rings(shape))  // all of level 2
    toward_.push_back(mask(escape.toward[ring.dimension][0][0]));
  for (unsigned wraps = 0; wraps < 2; ++wraps) between_[wraps] = mask(escape.between[wraps]);
}

/// Minimal hops toward BM node `to`.
void htn_adaptive::add_moves(std::uint32_t here, std::uint32_t to, route_state state,
                             option_list& list) const {
  for (unsigned d = 0; d < 3; ++d) {
    const htn_paths::leg leg = paths_.between(paths_.bm_axis(d), here, to);
    if (leg.from == leg.to) continue;
    list.add(paths_.bm_port(here, d, leg.plus), adaptive_, state);
    if (leg.tie) list.add(paths_.bm_port(here, d, !leg.plus), adaptive_, state);
  }
}

void htn_adaptive::add_ring_way(unsigned ring, bool plus, std::uint32_t here, std::uint32_t to,
                                route_state state, option_list& list) const {
  const std::uint32_t gate = paths_.gate(ring, plus, here, to);
  if (gate != paths_.in_bm(here))
    add_moves(here, gate, state, list);
  else
    list.add(paths_.ring_port(here, ring, plus), adaptive_, 0);
}

route_option htn_adaptive::escape_move(std::uint32_t here, std::uint32_t to, vc_mask vcs,
                                       route_state state) const {
  const unsigned d = paths_.next_dimension(here, to);
  return {paths_.bm_port(here, d, paths_.between(paths_.bm_axis(d), here, to).plus), vcs, state};
}

route_option htn_adaptive::escape_along(unsigned ring, const htn_paths::leg& leg, std::uint32_t here,
                                        std::uint32_t to) const {
  const std::uint32_t gate = paths_.gate(ring, leg.plus, here, to);
  if (gate != paths_.in_bm(here))
    return escape_move(here, gate, toward_[ring],
                       leg.tie ? direction_chosen | (leg.plus ? direction_plus : 0u) : 0u);
  const bool wraps = htn_paths::step_of(paths_.ring_axis(ring), leg, leg.plus).wraps;
  return {paths_.ring_port(here, ring, leg.plus), between_[wraps], 0};
}

unsigned htn_adaptive::route(const route_request& request, route_option* options) const {
  const std::uint32_t here = paths_.packed(request.node);
  const std::uint32_t to = paths_.packed(request.destination);
  if (here == to) {
    *options = {paths_.local_port(here), static_cast<vc_mask>(escape_ | adaptive_), 0};
    return 1;
  }
  option_list list{options, options};
  if (paths_.same_bm(here, to)) {
    add_moves(here, to, 0, list);
    *list.end++ = escape_move(here, paths_.in_bm(to), last_, 0);
    return static_cast<unsigned>(list.end - options);
  }
  const unsigned ring = paths_.next_ring(here, to);
  const htn_paths::leg leg = paths_.between(paths_.ring_axis(ring), here, to);
  const route_state choice = request.state & (direction_chosen | direction_plus);
  if (!leg.tie) {
    add_ring_way(ring, leg.plus, here, to, 0, list);
  } else if (choice != 0) {
    add_ring_way(ring, (choice & direction_plus) != 0, here, to, choice, list);
  } else {
    for (const bool plus : {leg.plus, !leg.plus})
      add_ring_way(ring, plus, here, to, direction_chosen | (plus ? direction_plus : 0u), list);
  }
  *list.end++ = escape_along(ring, leg, here, to);
  return static_cast<unsigned>(list.end - options);
}

}  // namespace

std::shared_ptr<const routing_function> make_htn_adaptive(const htn_shape& shape, htn_gates gates,
                                                          const htn_vc_rule& escape, unsigned vcs) {
  return std::make_shared<htn_adaptive>(shape, gates, escape, vcs);
}

}  // namespace toriscope

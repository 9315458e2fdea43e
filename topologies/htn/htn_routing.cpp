// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn_routing.h"

#include "topologies/htn/htn.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr route_state rd = 1;
constexpr route_state bmd = 2;
constexpr route_state chosen = 4;
constexpr route_state chosen_plus = 8;

template <bool links, bool channels>
class selection_routing final : public routing_function {
 public:
  selection_routing(const htn_shape& shape, const htn_setting& setting, const htn_vc_rule& rule, unsigned vcs)
      : paths_(shape, setting.gates, setting.ties),
        last_{},
        between_{},
        all_vcs_(all_vcs(vcs)),
        selects_between_(rule.selects_between && rule.between[0] != rule.between[1]),
        reads_one_digit_(setting.gates == htn_gates::nearest || shape.kind != htn_kind::htn) {
    const auto mask = [&](unsigned c) {
      return c == htn_vc_rule::any ? all_vcs_ : vc_class(c, rule.classes_in(shape), vcs);
    };
    for (const htn_ring& ring : htn_rings(shape)) {
      toward_.emplace_back();
      for (unsigned bits = 0; bits < 4; ++bits)
        toward_.back().vcs[bits >> 1][bits & 1] =
            mask(rule.toward[ring.dimension][bits >> 1][bits & 1] + rule.per_level * (ring.level - 2));
    }
    for (unsigned bit = 0; bit < 2; ++bit) {
      last_[bit] = mask(rule.last[bit]);
      between_[bit] = rule.between_vcs(bit, vcs);
    }
  }

  unsigned route(const route_request& request, route_option* options) const override {
    const std::uint32_t here = paths_.packed(request.node);
    const std::uint32_t to = paths_.packed(request.destination);
    if (here == to) {
      *options = {paths_.local_port(here), all_vcs_, 0};
      return 1;
    }
    if (paths_.same_bm(here, to))
      return static_cast<unsigned>(move_in_bm(here, to, last_, request.state, options) - options);

    const unsigned ring = paths_.next_ring(here, to);
    const htn_paths::leg leg = paths_.between(paths_.ring_axis(ring), here, to);
    route_option* end = options;
    if (!links) {
      end = along_ring(ring, leg, leg.plus, here, to, request.state, end);
    } else if ((request.state & chosen) != 0) {
      end = along_ring(ring, leg, (request.state & chosen_plus) != 0, here, to, request.state, end);
    } else {
      for (unsigned way = 0; way < (leg.tie ? 2 : 1); ++way) {
        const bool plus = leg.plus != (way != 0);
        const route_state choice = leg.tie ? chosen | (plus ? chosen_plus : 0) : 0;
        end = along_ring(ring, leg, plus, here, to, request.state | choice, end);
      }
    }
    return static_cast<unsigned>(end - options);
  }
  unsigned state_bits() const override { return links ? 4 : 2; }
  unsigned options_at_most() const override { return (links ? 4 : 1) * (channels ? 2 : 1); }
  bool reads_to_first_difference() const override { return reads_one_digit_; }

 private:
  struct vcs_by_bits {
    vc_mask vcs[2][2];
  };

  /// Toward BM node `to`. @param vcs  by bmd
  route_option* move_in_bm(std::uint32_t here, std::uint32_t to, const vc_mask (&vcs)[2], route_state state,
                           route_option* end) const {
    const unsigned d = paths_.next_dimension(here, to);
    const htn_paths::axis& axis = paths_.bm_axis(d);
    const htn_paths::leg leg = paths_.between(axis, here, to);
    for (unsigned way = 0; way < (links && leg.tie ? 2 : 1); ++way) {
      const bool plus = leg.plus != (way != 0);
      const htn_paths::step step = htn_paths::step_of(axis, leg, plus);
      const bool after = step.wraps || (state & bmd) != 0;
      const route_state then = state & ~bmd;
      const route_state then_after = step.last ? then : then | bmd;
      const port_id port = paths_.bm_port(here, d, plus);
      *end++ = {port, vcs[after], after ? then_after : then};
      if (channels && axis.ring && !after && !step.crosses && vcs[1] != vcs[0])
        *end++ = {port, vcs[1], then_after};
    }
    return end;
  }

  /// Toward the ring's gate, or through it.
  route_option* along_ring(unsigned ring, const htn_paths::leg& leg, bool plus, std::uint32_t here,
                           std::uint32_t to, route_state state, route_option* end) const {
    const std::uint32_t gate = paths_.gate(ring, plus, here, to);
    if (gate != paths_.in_bm(here)) return move_in_bm(here, gate, toward_[ring].vcs[state & rd], state, end);
    const htn_paths::step step = htn_paths::step_of(paths_.ring_axis(ring), leg, plus);
    const bool after = step.wraps || (state & rd) != 0;
    const port_id port = paths_.ring_port(here, ring, plus);
    *end++ = {port, between_[after], !step.last && after ? rd : route_state{0}};
    if (channels && selects_between_ && !after && !step.crosses) *end++ = {port, between_[1], 0};
    return end;
  }

  htn_paths paths_;
  std::vector<vcs_by_bits> toward_;  ///< by ring; then rd, bmd
  vc_mask last_[2];                  ///< by bmd: in the destination's BM
  vc_mask between_[2];               ///< by rd: on the ring
  vc_mask all_vcs_;
  bool selects_between_;
  bool reads_one_digit_;
};

}  // namespace

std::shared_ptr<const routing_function> make_htn_routing(const htn_shape& shape, const htn_setting& setting,
                                                         const htn_vc_rule& rule, unsigned vcs) {
  const htn_selection& selection = setting.selection;
  if (selection.links && selection.channels)
    return std::make_shared<selection_routing<true, true>>(shape, setting, rule, vcs);
  if (selection.links) return std::make_shared<selection_routing<true, false>>(shape, setting, rule, vcs);
  if (selection.channels) return std::make_shared<selection_routing<false, true>>(shape, setting, rule, vcs);
  return std::make_shared<selection_routing<false, false>>(shape, setting, rule, vcs);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn_routing.h"

#include "topologies/htn/htn.h"
#include "topologies/vc_lanes.h"

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
        last_{rule.last[0], rule.last[1]},
        between_{rule.between[0], rule.between[1]},
        // In a ring of two packets go one way only, which tells the modules apart.
        places_(1u << (paths_.bm_bits() + (shape.n == 2 ? paths_.rings() : 0))),
        ring_links_(std::size_t{6} * places_),
        lanes_(ring_links_ + 2 * shape.n, rule.classes_in(shape), vcs),
        all_vcs_(all_vcs(vcs)),
        selects_between_(rule.selects_between && rule.between[0] != rule.between[1]),
        reads_one_digit_(setting.gates == htn_gates::nearest || shape.kind != htn_kind::htn) {
    for (const htn_ring& ring : htn_rings(shape)) {
      toward_.emplace_back();
      for (unsigned bits = 0; bits < 4; ++bits)
        toward_.back().classes[bits >> 1][bits & 1] = static_cast<std::uint8_t>(
            rule.toward[ring.dimension][bits >> 1][bits & 1] + rule.per_level * (ring.level - 2));
    }
    if (rule.between[0] == htn_vc_rule::any) between_[0] = between_[1] = 0;  // one class has all VCs
    if (rule.fixed) {
      lanes_.share_out_alike();
    } else {
      note_classes(shape);
      lanes_.share_out();
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
  using vc_class_number = std::uint8_t;

  struct classes_by_bits {
    vc_class_number classes[2][2];
  };

  std::size_t bm_link(std::uint32_t here, unsigned dimension, bool plus) const {
    return 6 * std::size_t{here & (places_ - 1)} + 2 * dimension + (plus ? 0 : 1);
  }
  std::size_t ring_link(unsigned digit, bool plus) const { return ring_links_ + 2 * digit + (plus ? 0 : 1); }

  /// Notes the classes of all packets: they come from all nodes, so that a move says no more than the ones from its
  /// end, unless the dateline bit goes with it.
  void note_classes(const htn_shape& shape) {
    const std::vector<htn_ring> rings = htn_rings(shape);
    bool goes_on_behind_dateline[2] = {false, false};
    std::vector<bool> sets_out(2 * shape.n);  // by digit and way
    for (unsigned from = 0; from < shape.n; ++from)
      for (unsigned to = 0; to < shape.n; ++to) {
        if (from == to) continue;
        const htn_paths::axis& ring = paths_.ring_axis(0);
        const htn_paths::leg leg = paths_.between(ring, from << ring.shift, to << ring.shift);
        for (const bool plus : {true, false})
          if (plus == leg.plus || (links && leg.tie)) {
            sets_out[2 * from + plus] = true;
            goes_on_behind_dateline[plus] |= note_ring(ring, from, to, plus);
          }
      }
    const unsigned modules = shape.n == 2 ? 1u << rings.size() : 1;
    for (node_id node = 0; node < shape.bm_nodes() * modules; ++node) {
      const std::uint32_t here = paths_.packed(node);
      for (unsigned d = 0; d < 3; ++d) {
        const htn_paths::axis& axis = paths_.bm_axis(d);
        for (unsigned to = 0; to < axis.size; ++to)
          note_moves(here, (here & ~(axis.mask << axis.shift)) | to << axis.shift, last_, 0, false);
      }
      for (unsigned ring = 0; ring < rings.size(); ++ring)
        for (const bool plus : {true, false}) {
          if (!sets_out[2 * paths_.ring_axis(ring).of(here) + plus]) continue;
          for (const std::uint32_t gate : paths_.gates(ring, plus, here))
            note_moves(here, gate, toward_[ring].classes[0], 0, false);
        }
    }
    for (unsigned ring = 0; ring < rings.size(); ++ring)
      for (const bool plus : {true, false})
        for (const htn_gate& gate : rings[ring].gates) {
          if (!goes_on_behind_dateline[plus]) continue;
          const std::uint32_t here = paths_.packed(plus ? gate.in : gate.out);
          note_moves(here, paths_.gate(ring, plus, here, here), toward_[ring].classes[1], 0, true);
        }
  }

  /// From one place in a ring of subnetworks. @return whether packets go on in the ring behind its dateline
  bool note_ring(const htn_paths::axis& ring, unsigned from, unsigned to, bool plus) {
    bool goes_on = false;
    route_state state = 0;
    do {
      route_option options[2];
      const htn_paths::leg leg{from, to, plus, false};
      const route_option* const end =
          ring_hop(0, leg, plus, std::uint32_t{from} << ring.shift, state, options);
      for (const route_option* o = options; o != end; ++o) lanes_.note(ring_link(from, plus), o->vcs);
      from = htn_paths::step_of(ring, leg, plus).to;
      state = options->state & rd;
      goes_on = goes_on || state != 0;
    } while (state != 0);
    return goes_on;
  }

  /// Toward BM node `to`. @param all_the_way  not up to the end of bmd only
  void note_moves(std::uint32_t here, std::uint32_t to, const vc_class_number (&classes)[2],
                  route_state state, bool all_the_way) {
    if (paths_.in_bm(here ^ to) == 0) return;
    const unsigned d = paths_.next_dimension(here, to);
    const htn_paths::axis& axis = paths_.bm_axis(d);
    const htn_paths::leg leg = paths_.between(axis, here, to);
    route_option options[4];
    const route_option* const end = move_in_bm(here, to, classes, state, options);
    for (const route_option* o = options; o != end; ++o) {
      const bool plus = leg.tie ? o->out_port == paths_.bm_port(here, d, true) : leg.plus;
      lanes_.note(bm_link(here, d, plus), o->vcs);
      const std::uint32_t next = (here & ~(axis.mask << axis.shift)) | htn_paths::step_of(axis, leg, plus).to
                                                                           << axis.shift;
      if (all_the_way || (o->state & bmd) != 0) note_moves(next, to, classes, o->state, all_the_way);
    }
  }

  /// Toward BM node `to`. @param classes  by bmd
  route_option* move_in_bm(std::uint32_t here, std::uint32_t to, const vc_class_number (&classes)[2],
                           route_state state, route_option* end) const {
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
      const std::size_t link = bm_link(here, d, plus);
      *end++ = {port, lanes_.of(link, classes[after]), after ? then_after : then};
      if (channels && axis.ring && !after && !step.crosses && classes[1] != classes[0])
        *end++ = {port, lanes_.of(link, classes[1]), then_after};
    }
    return end;
  }

  /// Toward the ring's gate, or through it.
  route_option* along_ring(unsigned ring, const htn_paths::leg& leg, bool plus, std::uint32_t here,
                           std::uint32_t to, route_state state, route_option* end) const {
    const std::uint32_t gate = paths_.gate(ring, plus, here, to);
    if (gate != paths_.in_bm(here))
      return move_in_bm(here, gate, toward_[ring].classes[state & rd], state, end);
    return ring_hop(ring, leg, plus, here, state, end);
  }

  route_option* ring_hop(unsigned ring, const htn_paths::leg& leg, bool plus, std::uint32_t here,
                         route_state state, route_option* end) const {
    const htn_paths::step step = htn_paths::step_of(paths_.ring_axis(ring), leg, plus);
    const bool after = step.wraps || (state & rd) != 0;
    const port_id port = paths_.ring_port(here, ring, plus);
    const std::size_t link = ring_link(leg.from, plus);
    *end++ = {port, lanes_.of(link, between_[after]), !step.last && after ? rd : route_state{0}};
    if (channels && selects_between_ && !after && !step.crosses)
      *end++ = {port, lanes_.of(link, between_[1]), 0};
    return end;
  }

  htn_paths paths_;
  std::vector<classes_by_bits> toward_;  ///< by ring; then rd, bmd
  vc_class_number last_[2];              ///< by bmd: in the destination's BM
  vc_class_number between_[2];           ///< by rd: on the ring
  unsigned places_;                      ///< whose links in the BM are told apart: one BM, with n = 2 all
  std::size_t ring_links_;               ///< number of the first of them
  vc_lanes lanes_;                       ///< of bm_link() and ring_link()
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

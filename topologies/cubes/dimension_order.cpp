// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/dimension_order.h"

#include "topologies/cubes/cube_places.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

template <bool LowestFirst, ring_classes Classes>
class dimension_order final : public routing_function {
 public:
  dimension_order(const cube_shape& shape, ring_ties ties, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return any_ring_ ? 1 : 0; }
  bool reads_to_first_difference() const override { return !LowestFirst; }

 private:
  cube_places places_;
  vc_mask classes_[2][2];  ///< by whether the dimension has wrap links, and the class in it
  vc_mask all_vcs_;
  bool any_ring_;
};

template <bool LowestFirst, ring_classes Classes>
dimension_order<LowestFirst, Classes>::dimension_order(const cube_shape& shape, ring_ties ties, unsigned vcs)
    : places_(shape, ties), all_vcs_(all_vcs(vcs)), any_ring_(dimension_order_classes(shape) > 1) {
  for (const unsigned high : {0u, 1u}) {
    classes_[0][high] = all_vcs_;
    classes_[1][high] = any_ring_ ? vc_class(high, 2, vcs) : all_vcs_;
  }
}

template <bool LowestFirst, ring_classes Classes>
unsigned dimension_order<LowestFirst, Classes>::route(const route_request& request,
                                                      route_option* options) const {
  const cube_place here = places_.at(request.node);
  const cube_place wanted = places_.at(request.destination);
  if (here == wanted) {
    options[0] = {places_.local_port(request.node), all_vcs_, 0};
    return 1;
  }
  const unsigned d =
      LowestFirst ? places_.lowest_difference(here, wanted) : places_.highest_difference(here, wanted);
  const cube_places::step step = places_.next_step(d, here, wanted);
  const bool rises =
      Classes == ring_classes::wrapping ? places_.wrap_lies_ahead(d, here, wanted, step.plus) : step.wraps;
  const bool high = rises || (request.state & 1) != 0;
  options[0] = {places_.port(request.node, d, step.plus), classes_[places_.ring(d)][high],
                !step.last && high ? 1u : 0u};
  return 1;
}

}  // namespace

const char* to_string(ring_ties ties) {
  switch (ties) {
    case ring_ties::nowrap:
      return "nowrap";
    case ring_ties::positive:
      return "positive";
    case ring_ties::balanced:
      break;
  }
  return "balanced";
}

unsigned dimension_order_classes(const cube_shape& shape) {
  for (unsigned d = 0; d < shape.dimensions(); ++d)
    if (shape.ring(d)) return 2;
  return 1;
}

std::shared_ptr<const routing_function> make_dimension_order(const cube_shape& shape, ring_ties ties,
                                                             unsigned vcs, bool lowest_first,
                                                             ring_classes classes) {
  constexpr ring_classes line = ring_classes::dateline;
  constexpr ring_classes wrapping = ring_classes::wrapping;
  if (classes == wrapping) {
    if (lowest_first) return std::make_shared<dimension_order<true, wrapping>>(shape, ties, vcs);
    return std::make_shared<dimension_order<false, wrapping>>(shape, ties, vcs);
  }
  if (lowest_first) return std::make_shared<dimension_order<true, line>>(shape, ties, vcs);
  return std::make_shared<dimension_order<false, line>>(shape, ties, vcs);
}

}  // namespace toriscope

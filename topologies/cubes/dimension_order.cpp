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
  route_arithmetic arithmetic() const override;

 private:
  /// VCs of a hop in a ring, by the balanced rule.
  vc_mask balanced_vcs(const route_request& request, const cube_places::step& step, bool wrap_ahead) const;

  const cube_shape shape_;
  const ring_ties ties_;
  cube_places places_;
  vc_mask classes_[2][2];  ///< by whether the dimension has wrap links, and the class in it
  vc_mask all_vcs_;
  bool any_ring_;
};

template <bool LowestFirst, ring_classes Classes>
dimension_order<LowestFirst, Classes>::dimension_order(const cube_shape& shape, ring_ties ties, unsigned vcs)
    : shape_(shape),
      ties_(ties),
      places_(shape, ties),
      all_vcs_(all_vcs(vcs)),
      any_ring_(dimension_order_classes(shape) > 1) {
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
  const port_id port = places_.port(request.node, d, step.plus);
  if (Classes == ring_classes::balanced) {
    const bool ring = places_.ring(d);
    const bool wrap_ahead = places_.wrap_lies_ahead(d, here, wanted, step.plus);
    options[0] = {port, ring ? balanced_vcs(request, step, wrap_ahead) : all_vcs_,
                  ring && !step.last ? 1u : 0u};
    return 1;
  }
  const bool rises =
      Classes == ring_classes::wrapping ? places_.wrap_lies_ahead(d, here, wanted, step.plus) : step.wraps;
  const bool high = rises || (request.state & 1) != 0;
  options[0] = {port, classes_[places_.ring(d)][high], !step.last && high ? 1u : 0u};
  return 1;
}

/// sv/route_cube.sv has the layout.
template <bool LowestFirst, ring_classes Classes>
route_arithmetic dimension_order<LowestFirst, Classes>::arithmetic() const {
  constexpr unsigned most_dimensions = 15, radix_bits = 15;
  route_arithmetic a{route_arithmetic::cube};
  a.put(0, 1, LowestFirst);
  a.put(1, 2, ties_ == ring_ties::positive ? 1 : ties_ == ring_ties::balanced ? 2 : 0);
  a.put(3, 2, Classes == ring_classes::wrapping ? 1 : Classes == ring_classes::balanced ? 2 : 0);
  a.put(5, 1, shape_.unidirectional);
  if (shape_.dimensions() > most_dimensions)
    return {route_arithmetic::none, "it has at most " + std::to_string(most_dimensions) + " dimensions"};
  a.put(8, 4, shape_.dimensions());
  for (unsigned d = 0; d < shape_.dimensions(); ++d) {
    const unsigned radix = shape_.radix(d);
    if ((d + 1 < shape_.dimensions() && (radix & (radix - 1)) != 0) || radix > 1u << radix_bits)
      return {route_arithmetic::none, "all sizes but the first number of the topology must be powers of two; " +
                                          dimension_name(d) + " has " + std::to_string(radix)};
    a.put(16 + 16 * d, radix_bits, radix - 1);
    a.put(16 + 16 * d + radix_bits, 1, shape_.ring(d));
  }
  return a;
}

template <bool LowestFirst, ring_classes Classes>
vc_mask dimension_order<LowestFirst, Classes>::balanced_vcs(const route_request& request,
                                                            const cube_places::step& step,
                                                            bool wrap_ahead) const {
  const vc_mask* const of_ring = classes_[1];
  const bool in_ring = (request.state & 1) != 0;
  const bool high = in_ring && (of_ring[1] >> request.in_vc & 1u) != 0;
  if (step.last) return high ? of_ring[1] : all_vcs_;
  if (wrap_ahead) return of_ring[step.wraps];
  return in_ring ? of_ring[high] : all_vcs_;
}

template <ring_classes Classes>
std::shared_ptr<const routing_function> make(const cube_shape& shape, ring_ties ties, unsigned vcs,
                                             bool lowest_first) {
  if (lowest_first) return std::make_shared<dimension_order<true, Classes>>(shape, ties, vcs);
  return std::make_shared<dimension_order<false, Classes>>(shape, ties, vcs);
}

}  // namespace

unsigned dimension_order_classes(const cube_shape& shape) {
  for (unsigned d = 0; d < shape.dimensions(); ++d)
    if (shape.ring(d)) return 2;
  return 1;
}

std::shared_ptr<const routing_function> make_dimension_order(const cube_shape& shape, ring_ties ties,
                                                             unsigned vcs, bool lowest_first,
                                                             ring_classes classes) {
  switch (classes) {
    case ring_classes::wrapping:
      return make<ring_classes::wrapping>(shape, ties, vcs, lowest_first);
    case ring_classes::balanced:
      return make<ring_classes::balanced>(shape, ties, vcs, lowest_first);
    case ring_classes::dateline:
      break;
  }
  return make<ring_classes::dateline>(shape, ties, vcs, lowest_first);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/minimal_adaptive.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "topologies/cubes/cube_places.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

class minimal_adaptive final : public routing_function {
 public:
  minimal_adaptive(const cube_shape& shape, ring_ties ties, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return options_at_most_; }
  vc_mask escape_vcs() const override { return escape_; }

 private:
  cube_places places_;
  vc_mask all_vcs_;
  vc_mask escape_;
  unsigned options_at_most_;
};

minimal_adaptive::minimal_adaptive(const cube_shape& shape, ring_ties ties, unsigned vcs)
    : places_(shape, ties),
      all_vcs_(all_vcs(vcs)),
      escape_(all_vcs(dimension_order_classes(shape))),
      options_at_most_(1) {
  if (vcs < minimal_adaptive_vcs(shape))
    throw std::invalid_argument("adaptive routing needs at least " +
                                std::to_string(minimal_adaptive_vcs(shape)) + " VCs, not " +
                                std::to_string(vcs));
  for (unsigned d = 0; d < shape.dimensions(); ++d) {
    const bool ties_in_it = shape.ring(d) && !shape.unidirectional && shape.radix(d) % 2 == 0;
    options_at_most_ += shape.radix(d) == 1 ? 0 : ties_in_it ? 2 : 1;
  }
  options_at_most_ = std::min(options_at_most_, max_options);
}

unsigned minimal_adaptive::route(const route_request& request, route_option* options) const {
  const node_id node = request.node;
  const cube_place here = places_.at(node);
  const cube_place wanted = places_.at(request.destination);
  if (here == wanted) {
    options[0] = {places_.local_port(node), all_vcs_, 0};
    return 1;
  }
  const vc_mask adaptive = (vc_set(all_vcs_) - vc_set(escape_)).mask();
  const unsigned most = options_at_most_ - 1;
  unsigned count = 0;
  unsigned d = 0;
  cube_places::step step{};
  for (cube_place left = here; left != wanted; left = places_.moved(d, left, wanted)) {
    d = places_.lowest_difference(left, wanted);
    step = places_.next_step(d, here, wanted);
    if (count < most) options[count++] = {places_.port(node, d, step.plus), adaptive, 0};
    if (step.tie && count < most) options[count++] = {places_.port(node, d, !step.plus), adaptive, 0};
  }
  // What the loop came to last is the highest dimension: that of the escape.
  const bool past_wrap = places_.ring(d) && !places_.wrap_lies_ahead(d, here, wanted, step.plus);
  options[count++] = {places_.port(node, d, step.plus), static_cast<vc_mask>(past_wrap ? 2 : 1), 0};
  return count;
}

}  // namespace

unsigned minimal_adaptive_vcs(const cube_shape& shape) { return dimension_order_classes(shape) + 1; }

std::shared_ptr<const routing_function> make_minimal_adaptive(const cube_shape& shape, ring_ties ties,
                                                              unsigned vcs) {
  return std::make_shared<minimal_adaptive>(shape, ties, vcs);
}

}  // namespace toriscope

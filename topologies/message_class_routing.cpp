// SPDX-License-Identifier: Apache-2.0
#include "topologies/message_class_routing.h"

#include <stdexcept>
#include <utility>

#include "topologies/vc_classes.h"

namespace toriscope {

message_class_routing::message_class_routing(std::shared_ptr<const routing_function> inner,
                                             unsigned vcs_per_class)
    : inner_(std::move(inner)), vcs_per_class_(vcs_per_class) {
  if (vcs_per_class == 0) throw std::invalid_argument("a message class needs at least one VC");
}

vc_mask message_class_routing::escape_vcs() const {
  const unsigned of_class = inner_->escape_vcs() & all_vcs(vcs_per_class_);
  unsigned all = 0;
  for (unsigned first = 0; first < max_vcs; first += vcs_per_class_) all |= of_class << first;
  return static_cast<vc_mask>(all);
}

unsigned message_class_routing::route(const route_request& request, route_option* options) const {
  const unsigned first = request.in_vc / vcs_per_class_ * vcs_per_class_;
  route_request within = request;
  within.in_vc = static_cast<std::uint8_t>(request.in_vc - first);
  const unsigned count = inner_->route(within, options);
  for (unsigned k = 0; k < count; ++k) options[k].vcs = static_cast<vc_mask>(options[k].vcs << first);
  return count;
}

}  // namespace toriscope

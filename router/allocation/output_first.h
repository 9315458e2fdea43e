// SPDX-License-Identifier: Apache-2.0
// Separable output-first allocation: each resource picks one of its requesters, each requester takes one of the
// resources that picked it.
#pragma once

#include "router/allocation/separable.h"

namespace toriscope {

class output_first final : public separable {
 public:
  using separable::separable;
  void allocate(const request_list& requests, tentative_grants& space, request_list& grants) const override;
};

}  // namespace toriscope

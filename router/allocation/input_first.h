// SPDX-License-Identifier: Apache-2.0
// Separable input-first allocation: each requester picks one of its candidates, each resource grants one of the
// requesters that picked it.
#pragma once

#include "router/allocation/separable.h"

namespace toriscope {

class input_first final : public separable {
 public:
  using separable::separable;
  void allocate(const request_list& requests, tentative_grants& space, request_list& grants) const override;
};

}  // namespace toriscope

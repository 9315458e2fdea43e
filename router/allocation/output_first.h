// SPDX-License-Identifier: Apache-2.0
// Separable output-first allocation: each that is asked for picks one of those that ask, each that asks takes
// one of those that picked it.
#pragma once

#include "router/allocation/separable.h"

namespace toriscope {

class output_first final : public separable {
 public:
  using separable::separable;
  void match(const request_list& requests, picks& space, request_list& grants) const override;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Separable input-first allocation: each that asks picks one of its choices, each that is asked for grants
// one of those that picked it.
#pragma once

#include "router/allocation/separable.h"

namespace toriscope {

class input_first final : public separable {
 public:
  using separable::separable;
  void match(const request_list& requests, picks& space, request_list& grants) const override;
};

}  // namespace toriscope

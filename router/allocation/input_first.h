// SPDX-License-Identifier: Apache-2.0
// Separable input-first allocation: each that asks picks one of its choices, each that is asked for grants
// one of those that picked it.
#pragma once

#include "router/allocation/allocation_policy.h"

namespace toriscope {

class input_first final : public allocation_policy {
 public:
  input_first(arena& memory, const allocation_shape& shape);
  void match(const request_list& requests, picks& space, request_list& grants) const override;
  void count(const allocation_request& grant, bool first) override;

 private:
  arbiter_bank& inputs_;   ///< of those who ask, over their choices
  arbiter_bank& outputs_;  ///< of those asked for, over those who ask
};

}  // namespace toriscope

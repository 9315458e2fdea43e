// SPDX-License-Identifier: Apache-2.0
// Separable output-first allocation: each that is asked for picks one of those that ask, each that asks takes
// one of those that picked it.
#pragma once

#include "router/allocation/allocation_policy.h"

namespace toriscope {

class output_first final : public allocation_policy {
 public:
  output_first(arena& memory, const allocation_shape& shape);
  void match(const request_list& requests, picks& space, request_list& grants) const override;
  void count(const allocation_request& grant, bool first) override;

 private:
  arbiter_bank& inputs_;   ///< of those who ask, over their choices
  arbiter_bank& outputs_;  ///< of those asked for, over those who ask
};

}  // namespace toriscope

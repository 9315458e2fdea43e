// SPDX-License-Identifier: Apache-2.0
// Delay independent of length (Dally 1990, Sect. III: constant channel delay).
#pragma once

#include "topologies/link_models/delay_model.h"

namespace toriscope {

class constant_delay final : public delay_model {
 public:
  explicit constant_delay(double cycles) : cycles_(cycles) {}
  double cycles(unsigned) const override { return cycles_; }

 private:
  double cycles_;
};

}  // namespace toriscope

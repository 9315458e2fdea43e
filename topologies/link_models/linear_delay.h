// SPDX-License-Identifier: Apache-2.0
// A l: long wires, limited by the speed of light (Dally 1990, Eq. 5: t = l sqrt(eps_r) / c).
#pragma once

#include "topologies/link_models/delay_model.h"

namespace toriscope {

class linear_delay final : public delay_model {
 public:
  /// @param per_pitch  A, cycles per node pitch
  explicit linear_delay(double per_pitch) : per_pitch_(per_pitch) {}
  double cycles(unsigned length) const override { return per_pitch_ * length; }

 private:
  double per_pitch_;
};

}  // namespace toriscope

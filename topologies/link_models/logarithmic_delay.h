// SPDX-License-Identifier: Apache-2.0
// A ln(K l): short wires, limited by their capacitance (Dally 1990, Eq. 4: t = tau_inv e ln(K l), so that A
// is tau_inv e in cycles). With K = e it is A (1 + ln l), the form of Eq. 17.
#pragma once

#include <cmath>

#include "topologies/link_models/delay_model.h"

namespace toriscope {

class logarithmic_delay final : public delay_model {
 public:
  /// @param scale  A, cycles
  /// @param log_k  ln K
  logarithmic_delay(double scale, double log_k) : scale_(scale), log_k_(log_k) {}
  double cycles(unsigned length) const override { return scale_ * (log_k_ + std::log(length)); }

 private:
  double scale_;
  double log_k_;
};

}  // namespace toriscope

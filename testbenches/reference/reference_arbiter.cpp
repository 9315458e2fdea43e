// SPDX-License-Identifier: Apache-2.0
// See reference_arbiter.h.
#include "testbenches/reference/reference_arbiter.h"

namespace toriscope::reference {

arbiter::arbiter(arbiter_kind kind, unsigned requesters) : kind_(kind), requesters_(requesters) {
  if (kind != arbiter_kind::matrix) return;
  // "of those never granted, the lowest number"
  goes_before_.assign(requesters, std::vector<bool>(requesters, false));
  for (unsigned i = 0; i < requesters; ++i) {
    for (unsigned j = i + 1; j < requesters; ++j) goes_before_[i][j] = true;
  }
}

bool arbiter::is_before(const contender& a, const contender& b) const {
  switch (kind_) {
    case arbiter_kind::round_robin: {
      // "the first at or after its pointer"
      const unsigned steps_to_a = (a.number + requesters_ - pointer_) % requesters_;
      const unsigned steps_to_b = (b.number + requesters_ - pointer_) % requesters_;
      return steps_to_a < steps_to_b;
    }
    case arbiter_kind::matrix:
      return goes_before_[a.number][b.number];
    case arbiter_kind::age:
      return a.age != b.age ? a.age < b.age : a.number < b.number;
  }
  return false;
}

std::size_t arbiter::pick(const std::vector<contender>& asking) const {
  for (std::size_t a = 0; a < asking.size(); ++a) {
    bool before_all_others = true;
    for (std::size_t b = 0; b < asking.size(); ++b) {
      if (b != a && !is_before(asking[a], asking[b])) before_all_others = false;
    }
    if (before_all_others) return a;
  }
  return asking.size();
}

void arbiter::granted(unsigned winner) {
  pointer_ = (winner + 1) % requesters_;
  if (kind_ != arbiter_kind::matrix) return;
  // "row and column of a winner are turned round": now every other requester goes before it
  for (unsigned other = 0; other < requesters_; ++other) {
    goes_before_[winner][other] = false;
    if (other != winner) goes_before_[other][winner] = true;
  }
}

}  // namespace toriscope::reference

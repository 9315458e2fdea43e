// SPDX-License-Identifier: Apache-2.0
// An arbiter of the reference model (docs/model.md, "Arbiters"): picks one of several requesters.
//
//   contract   pick() changes nothing; granted() is called where the text says that a pointer moves
//   source     the matrix: Dally and Towles 2004, 18.5
#pragma once

#include <cstdint>
#include <vector>

#include "router/router_config.h"

namespace toriscope::reference {

/// A requester that asks to be picked.
struct contender {
  unsigned number = 0;  ///< 0 .. n-1
  std::uint64_t age =
      0;  ///< sequence number of the oldest packet that it stands for; the lowest is the oldest
};

class arbiter {
 public:
  /// @param requesters  n
  arbiter(arbiter_kind kind, unsigned requesters);

  /// The one of `asking` that is picked, as an index into `asking`, which must not be empty.
  std::size_t pick(const std::vector<contender>& asking) const;
  /// Requester `winner` has got what it asked for.
  void granted(unsigned winner);

 private:
  /// Whether a is picked rather than b.
  bool is_before(const contender& a, const contender& b) const;

  const arbiter_kind kind_;
  const unsigned requesters_;
  unsigned pointer_ = 0;                        // round_robin
  std::vector<std::vector<bool>> goes_before_;  // matrix: [i][j], "i goes before j"
};

}  // namespace toriscope::reference

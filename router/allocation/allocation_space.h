// SPDX-License-Identifier: Apache-2.0
// Space for the allocations of one cycle, used by one router at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "router/allocation/arbiter_array.h"
#include "router/allocation/request.h"

namespace toriscope {

/// Which request each of those asked for has picked so far.
class picks {
 public:
  /// For as many as may be asked for, at least.
  void reserve(unsigned count) {
    if (by_asked_.size() < count) by_asked_.resize(count, nobody);
    asked_.reserve(count);
  }

  /// Request number `r` of the list is put to the arbiter of the one asked for.
  void put(const arbiter_array& arbiters, const request_list& requests, unsigned r) {
    const allocation_request& request = requests[r];
    std::uint16_t& pick = by_asked_[request.asked];
    if (pick == nobody) {
      asked_.push_back(request.asked);
      pick = static_cast<std::uint16_t>(r);
      return;
    }
    const allocation_request& other = requests[pick];
    if (arbiters.before(request.asked, {request.asking, request.packet}, {other.asking, other.packet}))
      pick = static_cast<std::uint16_t>(r);
  }

  /// The request that somebody asked for has picked, by number.
  unsigned of(unsigned asked) const { return by_asked_[asked]; }
  /// Those who were asked.
  const std::vector<std::uint16_t>& asked() const { return asked_; }

  void clear() {
    for (const std::uint16_t a : asked_) by_asked_[a] = nobody;
    asked_.clear();
  }

 private:
  static constexpr std::uint16_t nobody = 0xffff;  // 31 ports x 16 VCs x 16 choices are fewer
  std::vector<std::uint16_t> by_asked_;
  std::vector<std::uint16_t> asked_;
};

struct allocation_space {
  request_list requests;
  request_list speculative;  ///< for the switch, by those who ask in VA
  request_list grants;
  picks picked;
};

}  // namespace toriscope

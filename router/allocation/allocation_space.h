// SPDX-License-Identifier: Apache-2.0
// Space for the allocations of one cycle, used by one router at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "router/allocation/arbiter_array.h"
#include "router/allocation/request.h"

namespace toriscope {

/// The request that the arbiter of each resource prefers so far.
class tentative_grants {
 public:
  /// Room for `resources` resources at least.
  void reserve(unsigned resources) {
    if (by_resource_.size() < resources) by_resource_.resize(resources, none);
    resources_.reserve(resources);
  }

  /// The arbiter of its resource compares request number `r` of the list with the one that it prefers.
  void propose(const arbiter_array& arbiters, const request_list& requests, unsigned r) {
    const allocation_request& request = requests[r];
    std::uint16_t& preferred = by_resource_[request.resource];
    if (preferred == none) {
      resources_.push_back(request.resource);
      preferred = static_cast<std::uint16_t>(r);
      return;
    }
    const allocation_request& other = requests[preferred];
    if (arbiters.before(request.resource, {request.requester, request.packet}, {other.requester, other.packet}))
      preferred = static_cast<std::uint16_t>(r);
  }

  /// The request that resource number `resource`, which was proposed to, prefers: its number in the list.
  unsigned of(unsigned resource) const { return by_resource_[resource]; }
  /// The resources that were proposed to.
  const std::vector<std::uint16_t>& resources() const { return resources_; }

  void clear() {
    for (const std::uint16_t r : resources_) by_resource_[r] = none;
    resources_.clear();
  }

 private:
  static constexpr std::uint16_t none = 0xffff;  // 31 ports x 16 VCs x 16 candidates are fewer
  std::vector<std::uint16_t> by_resource_;
  std::vector<std::uint16_t> resources_;
};

struct allocation_space {
  request_list requests;
  request_list speculative;  ///< for the switch, by requesters of VA
  request_list grants;
  tentative_grants picked;
};

}  // namespace toriscope

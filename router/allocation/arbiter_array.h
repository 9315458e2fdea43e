// SPDX-License-Identifier: Apache-2.0
// The interface of arbiters (docs/model.md, "Arbiters"). An arbiter orders its requesters; the first of those that
// request is picked. An array holds as many equal arbiters as a router needs for one purpose.
// CONTRIBUTING.md shows how to add one.
#pragma once

#include "base/arena.h"
#include "base/state_archive.h"
#include "router/packet_table.h"

namespace toriscope {

/// A requester of an arbiter.
struct requester {
  unsigned number;   ///< 0 .. n-1
  packet_id packet;  ///< the oldest that it stands for
};

class arbiter_array {
 public:
  /// Whether, as things stand, arbiter number `arbiter` picks `a` rather than `b`: a strict order.
  virtual bool before(unsigned arbiter, const requester& a, const requester& b) const = 0;

  /// The pick of requester number `winner` became a grant: the arbiter's state moves.
  virtual void granted(unsigned arbiter, unsigned winner) = 0;

  /// The state of all. @param arbiters, requesters  that it was made for
  virtual void archive(state_archive& a, unsigned arbiters, unsigned requesters) = 0;

 protected:
  ~arbiter_array() = default;  // arrays stand in the arena
};

}  // namespace toriscope

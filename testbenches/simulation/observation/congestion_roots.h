// SPDX-License-Identifier: Apache-2.0
// Where congestion begins: the link or port that each waiting flit waits for in the end (docs/observation.md).
//
// A flit that lost a switch or a VC to another one, or waits for a narrow link, waits for that link or port itself. One
// that lacks a credit or a VC waits for what the flit at the front of that VC downstream waited for a cycle ago; where
// that one moved on, for the link itself (the credit is on its way). So trees of waiting flits have their root at the
// link or port where flits do move, too slowly for what wants to pass.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbenches/simulation/observation/router_step.h"
#include "topologies/wire_place.h"

namespace toriscope {

class congestion_roots final : public step_listener {
 public:
  /// Counts the cycles from .. to-1.
  congestion_roots(const netlist& wiring, unsigned vcs, cycle_t from, cycle_t to);

  void stepped(const router_step& step) override;

  /// Cycles that flits waited for a link or port in the end.
  std::uint64_t waits_for(wire_id w) const { return waits_[w]; }
  std::uint64_t all_waits() const { return all_; }
  /// The wires that most is waited for, none for which nothing is.
  std::vector<wire_id> largest(std::size_t most) const;

 private:
  /// What the flit at a front waited for, in the last two cycles.
  struct front {
    std::array<std::uint32_t, 2> root;
    std::array<std::uint32_t, 2> cycle{~0u, ~0u};  ///< in which it did, modulo 2^32
  };

  std::size_t slot(node_id n, unsigned p, unsigned v) const { return (first_port_[n] + p) * vcs_ + v; }
  /// @returns whether it waited a cycle ago
  bool waited(const front& f, cycle_t now, wire_id& root) const;
  wire_id root_of(const router_step& step, const front_event& e) const;
  wire_id root_downstream(node_id n, port_id out, vc_set vcs, cycle_t now) const;
  void note(front& f, wire_id root, cycle_t now);

  const netlist& wiring_;
  const unsigned vcs_;
  const cycle_t from_, to_;
  std::vector<std::size_t> first_port_;
  std::vector<front> inputs_;
  std::vector<front> buffers_;  ///< paper2009: of output VCs
  std::vector<std::uint64_t> waits_;
  std::uint64_t all_ = 0;
};

}  // namespace toriscope

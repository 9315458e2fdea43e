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

  class router_waits;
  router_waits of_router(node_id n);

  /// Cycles that flits waited for a link or port in the end.
  std::uint64_t waits_for(wire_id w) const { return waits_[w]; }
  std::uint64_t all_waits() const;
  /// The wires that most is waited for, none for which nothing is.
  std::vector<wire_id> largest(std::size_t most) const;

 private:
  /// What the flit at a front waited for, in the last two cycles.
  struct front {
    std::array<std::uint32_t, 2> root;
    std::array<std::uint32_t, 2> cycle{~0u, ~0u};  ///< in which it did, modulo 2^32
  };

  /// An output port: its wire, and the first input VC behind it; local ports have none.
  struct behind {
    std::uint32_t wire;
    std::uint32_t first_vc = no_vc;
  };
  static constexpr std::uint32_t no_vc = ~0u;

  std::size_t slot(node_id n, unsigned p, unsigned v) const { return (first_port_[n] + p) * vcs_ + v; }
  /// @returns whether it waited a cycle ago
  static bool waited(const front& f, cycle_t now, std::uint32_t& root) {
    const unsigned before = (now - 1) & 1;
    if (f.cycle[before] != static_cast<std::uint32_t>(now - 1)) return false;
    root = f.root[before];
    return true;
  }
  const unsigned vcs_;
  const cycle_t from_, to_;
  std::vector<std::size_t> first_port_;
  std::vector<behind> outputs_;  ///< by port
  std::vector<front> inputs_;
  std::vector<front> buffers_;  ///< paper2009: of output VCs
  std::vector<std::uint64_t> waits_;
};

/// The waits of one router.
class congestion_roots::router_waits {
 public:
  router_waits(congestion_roots& all, node_id n)
      : outputs_(&all.outputs_[all.first_port_[n]]),
        mine_(&all.inputs_[all.slot(n, 0, 0)]),
        inputs_(all.inputs_.data()),
        waits_(all.waits_.data()),
        vcs_(all.vcs_) {}

  /// In cycle `now`, which counts, a flit at the front of input VC (p, v) waits for output port `out`.
  /// @param lacked  the VCs downstream that it lacks, or lacks a credit for; none: the port passes other flits
  void add(unsigned p, unsigned v, unsigned out, vc_set lacked, cycle_t now) {
    note(mine_[p * vcs_ + v], root_of(out, lacked, now), now);
  }
  void note(front& f, std::uint32_t root, cycle_t now) {
    f.root[now & 1] = root;
    f.cycle[now & 1] = static_cast<std::uint32_t>(now);
    ++waits_[root];
  }
  std::uint32_t root_of(unsigned out, vc_set lacked, cycle_t now) const {
    const behind& port = outputs_[out];
    std::uint32_t root = port.wire;
    if (port.first_vc != no_vc)
      for (const unsigned v : lacked)
        if (waited(inputs_[port.first_vc + v], now, root)) break;
    return root;
  }

 private:
  const behind* const outputs_;
  front* const mine_;
  const front* const inputs_;
  std::uint64_t* const waits_;
  const unsigned vcs_;
};

inline congestion_roots::router_waits congestion_roots::of_router(node_id n) { return {*this, n}; }

}  // namespace toriscope

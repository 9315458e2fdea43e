// SPDX-License-Identifier: Apache-2.0
// A port of a node on the side where flits go into a user's router.
//
// It has the buffers that the neighbour has credits for: a FIFO of the network's depth per VC. A router
// without VCs gets one packet after the other, from the VCs in turn; one with VCs each flit on its own VC.
// VCs of the network and of the router are two things: a router without VCs has credits for its one buffer,
// whichever VC of the network a flit came on.
#pragma once

#include <deque>
#include <vector>

#include "rtl_models/user_rtl/packet_scoreboard.h"

namespace toriscope {

class ingress_port {
 public:
  /// @param number      of the port in the router
  /// @param unbuffered  the router's own buffers are what the neighbour has credits for
  ingress_port(const node_context& context, const adapter_config& config, unsigned number, bool unbuffered,
               packet_scoreboard& scoreboard);

  /// A flit that the link shows; invalid: none.
  void arrive(flit_word f);
  /// What to offer at the next clock edge; null: nothing. Stays the same until accepted, if the router has no
  /// VCs. @param vcs  of the router, that may be offered to
  const wide_flit* offer(std::uint32_t vcs, cycle_t now);
  /// The VC of the router that the offer is for.
  unsigned offered_vc() const { return config_.vcs > 1 ? vc_ : 0; }
  /// The router has taken the offer. @param when unbuffered, its slot is not free yet
  void accepted();
  /// Credits of the router itself.
  void router_credits(std::uint32_t vcs);
  /// The VCs of the router with a credit.
  std::uint32_t with_credit() const;
  /// The credits for the neighbour in this cycle.
  credit_word freed();

  /// Flits that the router has not taken.
  std::size_t waiting() const;
  /// Those of VC v of the network.
  std::size_t waiting(unsigned v) const { return vcs_[v].flits.size(); }

 private:
  struct input_vc {
    std::deque<flit_word> flits;
    packet_inside* packet = nullptr;  ///< whose flits are going in
    unsigned freed = 0;               ///< slots that the neighbour has not been told of
  };
  bool choose(std::uint32_t vcs, cycle_t now);
  /// Whether VC v of the router has no flit of this port.
  bool is_empty(unsigned v) const;

  const adapter_config& config_;
  const unsigned depth_;
  const unsigned number_;
  const port_id port_;
  const bool unbuffered_;
  packet_scoreboard& scoreboard_;
  std::vector<input_vc> vcs_;      ///< of the network
  // By VC of the router:
  std::vector<unsigned> credits_;                  ///< its free slots, where it gives credits
  std::vector<std::uint64_t> entered_, returned_;  ///< flits, and credits, since the beginning
  unsigned vc_ = 0;                ///< of the offer
  bool offered_ = false;
  bool within_packet_ = false;  ///< a router without VCs: the packet of vc_ goes on
  wide_flit flit_{};
};

}  // namespace toriscope

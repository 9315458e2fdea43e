// SPDX-License-Identifier: Apache-2.0
// A port of a node on the side where flits leave a user's router.
//
// A flit that has left is the model's again and waits here, one per port with ready/valid, until it can be sent: a
// cycle (a narrow link: several) has room for one, and it needs a credit. A router without VCs knows nothing of the VC
// that a packet takes: it is chosen when the head is here - of those that the routing function allows, the first free
// one with a credit, in turn - and the packet's until its tail has been sent. One with VCs chooses itself: a VC that
// the routing function does not allow there is an error.
#pragma once

#include <deque>
#include <vector>

#include "rtl_models/user_rtl/packet_scoreboard.h"

namespace toriscope {

class egress_port {
 public:
  /// @param number   of the port in the router
  /// @param counted  a flit waits here for a credit; else the router has counted it
  egress_port(const node_context& context, const adapter_config& config, unsigned number, bool counted,
              packet_scoreboard& scoreboard);

  /// Credits that the link shows.
  void credits(credit_word c);

  /// Ready/valid: whether a flit may leave the router at the next clock edge, a bit per VC of the router.
  std::uint32_t ready() const;
  /// Credits: the pulses for the router at the next clock edge.
  std::uint32_t pulses();
  /// On/off: a bit per VC of the router, whether it may go on sending.
  std::uint32_t on() const;
  /// On/off: no flit has left too long after "off". @throws rtl_assertion
  void check_room() const;
  /// A flit has left the router. @throws rtl_assertion
  void take(const wide_flit& flit);
  /// Credits: the router has had one for each flit that has left it. @throws rtl_assertion
  void check_credits() const;
  /// The flit to be sent in this cycle, once a cycle; invalid: none.
  flit_word send();

  /// Whether the node has a link there.
  bool exists() const { return out_ >= 0; }
  /// Flits that have left the router and have not been sent.
  std::size_t waiting() const;
  /// Something may wait for the neighbour.
  bool blocked() const;
  /// Nothing is in the way of a packet: no flit waits, no packet is coming out, all VCs have a credit.
  bool open() const;

 private:
  struct waiting_flit {
    flit_word flit;
    packet_inside packet;  ///< of a head: how it came in
  };
  struct router_vc {
    std::deque<waiting_flit> flits;
    packet_inside* packet = nullptr;  ///< whose flits are coming out
    int sent_on = -1;                 ///< VC of the packet that is being sent
    unsigned pulses = 0;              ///< credits that the router has not been told of
  };
  /// Whether a VC with these credits may be given to a packet.
  bool is_free(unsigned credits) const;
  bool has_credit(unsigned credits) const { return !counted_ || unlimited_ || credits > 0; }
  /// Finds a VC for the head at the front.
  bool allocate(router_vc& from);
  [[noreturn]] void wrong_way(const packet_inside& p) const;
  [[noreturn]] void wrong_vc(const packet_inside& p, unsigned vc, vc_mask allowed) const;
  /// Of the message class of a packet.
  vc_mask vcs_of_class(const packet_inside& p) const;

  const node_context context_;
  const adapter_config& config_;
  const unsigned number_;
  const int out_;  ///< the port of the node; -1: none
  const bool local_;
  const bool unlimited_;  ///< the network interface takes whatever comes
  const bool counted_;
  packet_scoreboard& scoreboard_;
  unsigned flit_cycles_ = 1;  ///< of the link
  unsigned busy_cycles_ = 0;  ///< the link carries a flit for so long
  std::vector<router_vc> from_;
  std::vector<unsigned> to_;  ///< credits, by VC of the network
  unsigned next_from_ = 0;
  unsigned next_to_ = 0;
};

}  // namespace toriscope

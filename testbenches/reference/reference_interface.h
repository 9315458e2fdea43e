// SPDX-License-Identifier: Apache-2.0
// The network interface of the reference model: docs/model.md, "Network interface".
//
//   ports      clk; the injection link and the ejection link, each with its credits (those of the ejection
//              link stay idle without limited reception)
//   contract   a queue without bounds for each message class; every flit is taken in the cycle in which it is
//              shown, and with limited reception leaves its buffer when its packet has been admitted
//   limits     a flit that is not the next of its VC's packet throws std::logic_error
#pragma once

#include <deque>
#include <systemc>
#include <vector>

#include "links/flit_systemc.h"
#include "testbenches/reference/packet_registry.h"
#include "testbenches/reference/reference_arbiter.h"
#include "topologies/route.h"

namespace toriscope::reference {

/// What an interface is told at its making.
struct interface_setting {
  terminal_id terminal = 0;
  unsigned vcs = 1;
  unsigned depth = 1;
  unsigned received_vcs = 1;  ///< of the router that packets come from
  unsigned received_depth = 1;
  unsigned message_classes = 1;
  bool shared_classes = false;
  bool limited_reception = false;
};

class interface : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_out<flit_word> injection{"injection"};
  sc_core::sc_in<credit_word> injection_credit{"injection_credit"};
  sc_core::sc_in<flit_word> ejection{"ejection"};
  sc_core::sc_out<credit_word> ejection_credit{"ejection_credit"};

  SC_HAS_PROCESS(interface);
  interface(sc_core::sc_module_name name, const interface_setting& setting, const flit_layout& layout,
            packet_registry& office);

  /// Appends a packet to the queue of its class.
  /// @param state  the route state of its head
  void enqueue(unsigned message_class, terminal_id destination, std::uint32_t flits, std::uint64_t tag,
               route_state state);

  std::uint64_t flits_sent() const { return flits_sent_; }
  std::uint64_t flits_received() const { return flits_received_; }

 private:
  struct outgoing {
    terminal_id destination;
    std::uint32_t flits;
    std::uint64_t tag;
    route_state state;
  };
  /// The source side of a message class.
  struct sender {
    std::deque<outgoing> queue;
    std::uint32_t next_flit = 0;  // of the packet at the front of the queue; > 0: it is under way
    unsigned vc = 0;              // that the packet under way goes out on
  };
  /// A VC of the destination side.
  struct receiver {
    std::deque<flit_word> buffer;
    bool under_way = false;
    std::uint64_t tag = 0;
    std::uint64_t next_index = 0;
  };

  void cycle();
  void take();
  void receive();
  void receive_flit(receiver& in, flit_word flit);
  void send();
  bool may_leave(const receiver& in) const;
  bool is_under_way_on(unsigned vc) const;
  std::vector<contender> vcs_for_head(unsigned message_class) const;
  bool can_send(unsigned message_class) const;
  flit_word send_flit(unsigned message_class);

  const interface_setting setting_;
  const flit_layout layout_;
  packet_registry& office_;
  cycle_t now_ = 0;
  std::vector<sender> senders_;       // [class]
  std::vector<arbiter> vc_arbiters_;  // [class], over all VCs; one for all of them when classes are shared
  arbiter class_arbiter_;             // over classes
  std::vector<unsigned> credits_;     // [vc]
  std::vector<receiver> receivers_;   // [vc]
  std::uint64_t flits_sent_ = 0;
  std::uint64_t flits_received_ = 0;
};

}  // namespace toriscope::reference

// SPDX-License-Identifier: Apache-2.0
// The network interface of the textbook network: docs/model.md, "Network interface".
//
//   ports      clk; the injection link with its credits, the ejection link (which has none)
//   contract   one packet at a time leaves an unbounded queue; every flit is taken in the cycle in which
//              it is shown
//   limits     a flit that is not the next of its VC's packet throws std::logic_error
#pragma once

#include <deque>
#include <systemc>
#include <vector>

#include "links/flit_systemc.h"
#include "router/router_config.h"
#include "topologies/route.h"

namespace toriscope::textbook {

/// What an interface needs from the network around it.
class packet_office {
 public:
  virtual ~packet_office() = default;
  /// Puts the packets created in cycle `now` into the queues of their sources. All interfaces call it at the
  /// start of their cycle and the first call does it, so the order of the processes does not matter.
  virtual void create_packets(cycle_t now) = 0;
  /// The tail of the packet with this tag has been taken by node `at` in cycle `now`.
  virtual void receive_packet(std::uint64_t tag, node_id at, cycle_t now) = 0;
};

class interface : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_out<flit_word> injection{"injection"};
  sc_core::sc_in<credit_word> injection_credit{"injection_credit"};
  sc_core::sc_in<flit_word> ejection{"ejection"};

  SC_HAS_PROCESS(interface);
  interface(sc_core::sc_module_name name, node_id node, const flit_layout& layout,
            const router_config& config, packet_office& office);

  /// Appends a packet to the queue.
  void enqueue(node_id destination, std::uint32_t flits, std::uint64_t tag);

  std::uint64_t flits_sent() const { return flits_sent_; }
  std::uint64_t flits_received() const { return flits_received_; }

 private:
  struct outgoing {
    node_id destination;
    std::uint32_t flits;
    std::uint64_t tag;
  };
  struct incoming {
    bool under_way = false;
    std::uint64_t tag = 0;
    std::uint64_t next_index = 0;
  };

  void cycle();
  void receive();
  void send();

  const node_id node_;
  const flit_layout layout_;
  const router_config config_;
  packet_office& office_;
  cycle_t now_ = 0;
  std::deque<outgoing> queue_;
  std::uint32_t next_flit_ = 0;  // of the packet at the front of the queue
  unsigned vc_ = 0;              // that the packet at the front of the queue goes out on
  unsigned pointer_ = 0;         // over the VCs
  std::vector<unsigned> credits_;
  std::vector<incoming> incoming_;  // [vc]
  std::uint64_t flits_sent_ = 0;
  std::uint64_t flits_received_ = 0;
};

}  // namespace toriscope::textbook

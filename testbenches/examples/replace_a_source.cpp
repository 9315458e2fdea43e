// SPDX-License-Identifier: Apache-2.0
// Traffic of your own, and your own look at what arrives: a ring of tokens, each sent on where it is
// received.
#include <iostream>
#include <systemc>

#include "network/network.h"
#include "topologies/registry.h"

using namespace toriscope;

class token_ring : public traffic_source, public packet_sink {
 public:
  explicit token_ring(node_id nodes) : nodes_(nodes) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now == 0) out.push_back({0, 1, 1});
    if (here_ == 0 || sent_on_) return;
    out.push_back({here_, (here_ + 1) % nodes_, 1});
    sent_on_ = true;
  }

  void packet_received(packet_id, const packet_record& packet, cycle_t received) override {
    std::cout << packet.source << " -> " << packet.destination << "  " << packet.hops << " hops, "
              << received - packet.created << " cycles\n";
    here_ = packet.destination;
    sent_on_ = false;
  }

 private:
  node_id nodes_;
  node_id here_ = 0;
  bool sent_on_ = true;
};

int sc_main(int, char*[]) {
  const topology mesh = make_topology("mesh:4x4");
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  network chip("mesh", mesh.wiring, mesh.routing, {});
  chip.clk(clock);

  token_ring ring(mesh.wiring->node_count());
  chip.set_source(&ring);
  chip.add_sink(&ring);
  sc_core::sc_start(1, sc_core::SC_US);
  std::cout << chip.counters().packets_received << " hand-overs\n";
  return chip.idle() ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// Transfers of two packets while the links to their target fail, in one cycle after the other.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "network/tlm/tlm_network.h"
#include "topologies/registry.h"

namespace toriscope::lost_transfers_test {
namespace {

constexpr node_id source = 0, target = 8;

tlm_config with_map_of_target() {
  tlm_config config;
  config.map.add({target, 0, 0x1000});
  return config;
}

/// A torus in which all links to the target are dead from a cycle on.
class lossy_torus final : public sc_core::sc_module {
 public:
  lossy_torus(const sc_core::sc_module_name& name, const topology& torus, cycle_t cut_off)
      : sc_module(name),
        net("net", torus.wiring, torus.routing, config(torus, cut_off)),
        sockets("sockets", net, with_map_of_target()) {
    net.clk(clock);
    initiator.bind(sockets.target_socket(source));
    memory.register_b_transport(this, &lossy_torus::access);
    sockets.initiator_socket(target, target_call::blocking).bind(memory);
    sc_core::sc_spawn([this] { write(); });
  }

  sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
  network net;
  tlm_network sockets;
  tlm_utils::simple_initiator_socket<lossy_torus> initiator{"initiator"};
  tlm_utils::simple_target_socket<lossy_torus> memory{"memory"};
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  static network_config config(const topology& torus, cycle_t cut_off) {
    network_config config;
    config.message_classes = tlm_network::message_classes;
    for (link_id l = 0; l < torus.wiring->links().size(); ++l)
      if (torus.wiring->link(l).to == target) config.dead_links.push_back({l, cut_off});
    return config;
  }
  void access(tlm::tlm_generic_payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
  void write() {
    unsigned char bytes[128] = {};
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_data_ptr(bytes);
    p.set_data_length(sizeof bytes);
    p.set_streaming_width(sizeof bytes);
    sc_core::sc_time delay;
    initiator->b_transport(p, delay);
    status = p.get_response_status();
  }
};

TEST(lost_transfers, are_those_of_which_any_packet_is_lost) {
  topology_options options;
  options.vcs = network_config().router.vcs;
  options.message_classes = tlm_network::message_classes;
  const topology torus = make_topology("torus:4x4", options);
  std::vector<std::unique_ptr<lossy_torus>> toruses;
  for (cycle_t cut_off = 12; cut_off <= 40; ++cut_off)
    toruses.push_back(
        std::make_unique<lossy_torus>(("cut_off_" + std::to_string(cut_off)).c_str(), torus, cut_off));
  sc_core::sc_start(400, sc_core::SC_NS);
  unsigned whole = 0, in_part = 0;
  for (const auto& t : toruses) {
    const network_counters& packets = t->net.counters();
    const bool lost = packets.packets_discarded + packets.packets_refused > 0;
    EXPECT_EQ(t->sockets.counters().request_packets, 2u);
    EXPECT_EQ(t->status, lost ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE) << t->name();
    whole += !lost;
    in_part += lost && packets.packets_received == 1;
  }
  EXPECT_GT(whole, 0u);
  EXPECT_GT(in_part, 0u);
}

}  // namespace
}  // namespace toriscope::lost_transfers_test

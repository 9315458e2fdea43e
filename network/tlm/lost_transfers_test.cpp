// SPDX-License-Identifier: Apache-2.0
// Transfers of several packets while links fail: those to the target or to the source, in one cycle after the
// other, or one of two ways. What initiators
// and targets say by return value.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/tlm/tlm_network.h"
#include "topologies/registry.h"

namespace toriscope::lost_transfers_test {
namespace {

constexpr node_id source = 0, target = 8;

tlm_config with_map_of_target(target_call call = target_call::blocking) {
  tlm_config config;
  config.call = call;
  config.map.add({target, 0, 0x1000});
  return config;
}

/// An initiator that accesses the target some times, 128 bytes each, in a network some of whose links die.
class lossy_network final : public sc_core::sc_module {
 public:
  lossy_network(const sc_core::sc_module_name& name, const topology& made, std::vector<dead_link> dead_links,
                tlm::tlm_command command = tlm::TLM_WRITE_COMMAND, unsigned accesses = 1)
      : sc_module(name),
        net("net", made.wiring, made.routing, config(std::move(dead_links))),
        sockets("sockets", net, with_map_of_target()) {
    net.clk(clock);
    initiator.bind(sockets.target_socket(source));
    memory.register_b_transport(this, &lossy_network::access);
    sockets.initiator_socket(target, target_call::blocking).bind(memory);
    sc_core::sc_spawn([this, command, accesses] {
      for (unsigned i = 0; i < accesses; ++i) access_target(command);
    });
  }

  sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
  network net;
  tlm_network sockets;
  tlm_utils::simple_initiator_socket<lossy_network> initiator{"initiator"};
  tlm_utils::simple_target_socket<lossy_network> memory{"memory"};
  std::vector<tlm::tlm_response_status> statuses;
  std::vector<unsigned char> bytes = std::vector<unsigned char>(128);

 private:
  static network_config config(std::vector<dead_link> dead_links) {
    network_config config;
    config.message_classes = tlm_network::message_classes;
    config.dead_links = std::move(dead_links);
    return config;
  }
  void access(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    if (p.is_read()) p.get_data_ptr()[0] = 1;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void access_target(tlm::tlm_command command) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_data_ptr(bytes.data());
    p.set_data_length(static_cast<unsigned>(bytes.size()));
    p.set_streaming_width(p.get_data_length());
    sc_core::sc_time delay;
    initiator->b_transport(p, delay);
    statuses.push_back(p.get_response_status());
  }
};

topology made_in_two_classes(const char* spec, const char* routing = "") {
  topology_options options;
  options.vcs = network_config().router.vcs;
  options.message_classes = tlm_network::message_classes;
  options.routing = routing;
  return make_topology(spec, options);
}

/// Toruses in which all links to a node die, each in another cycle, and what became of the one access.
struct toruses_without_a_node {
  toruses_without_a_node(const std::string& name, node_id cut_off, tlm::tlm_command command, cycle_t latest) {
    const topology torus = made_in_two_classes("torus:4x4");
    for (cycle_t from = 12; from <= latest; ++from) {
      std::vector<dead_link> dead_links;
      for (link_id l = 0; l < torus.wiring->links().size(); ++l)
        if (torus.wiring->link(l).to == cut_off) dead_links.push_back({l, from});
      all.push_back(
          std::make_unique<lossy_network>((name + std::to_string(from)).c_str(), torus, dead_links, command));
    }
  }
  /// @param before  packets received before those that may be lost
  void expect_fates(std::uint64_t before) const {
    unsigned whole = 0, in_part = 0;
    for (const auto& t : all) {
      const network_counters& packets = t->net.counters();
      const bool lost = packets.packets_discarded + packets.packets_refused > 0;
      EXPECT_EQ(t->sockets.counters().request_packets, before == 0 ? 2u : 1u);
      const auto expected = lost ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
      EXPECT_EQ(t->statuses, std::vector{expected}) << t->name();
      EXPECT_EQ(t->sockets.counters().lost, lost) << t->name();
      EXPECT_EQ(t->bytes[0], before > 0 && !lost) << t->name();
      EXPECT_TRUE(t->sockets.idle()) << t->name();
      whole += !lost;
      in_part += lost && packets.packets_received == before + 1;
    }
    EXPECT_GT(whole, 0u);
    EXPECT_GT(in_part, 0u);
  }
  std::vector<std::unique_ptr<lossy_network>> all;
};

/// Two ways in a mesh, of which each packet draws one: a link of the one is dead from the start.
std::unique_ptr<lossy_network> mesh_with_one_of_two_ways() {
  const topology mesh = made_in_two_classes("mesh:3x3", "o1turn");
  std::vector<dead_link> first_link;
  for (link_id l = 0; l < mesh.wiring->links().size(); ++l)
    if (mesh.wiring->link(l).from == source && first_link.empty()) first_link.push_back({l, 0});
  return std::make_unique<lossy_network>("one_of_two_ways", mesh, first_link, tlm::TLM_WRITE_COMMAND, 20);
}

TEST(lost_transfers, are_those_of_which_any_packet_is_lost) {
  const toruses_without_a_node no_target("no_target", target, tlm::TLM_WRITE_COMMAND, 40),
      no_source("no_source", source, tlm::TLM_READ_COMMAND, 60);
  const auto half = mesh_with_one_of_two_ways();
  sc_core::sc_start(3000, sc_core::SC_NS);
  no_target.expect_fates(0);
  no_source.expect_fates(1);
  // Those that are lost do not hold up the others.
  EXPECT_EQ(half->statuses.size(), 20u);
  const auto lost = std::count(half->statuses.begin(), half->statuses.end(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_GT(lost, 0);
  EXPECT_EQ(std::count(half->statuses.begin(), half->statuses.end(), tlm::TLM_OK_RESPONSE), 20 - lost);
  EXPECT_GT(20 - lost, 0);
  EXPECT_EQ(half->sockets.counters().lost, static_cast<std::uint64_t>(lost));
}

const sc_core::sc_time ns(1, sc_core::SC_NS);

/// A read of 8 bytes at the target, which a non-blocking socket may hold.
struct read_payload final : tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
  read_payload() {
    set_mm(this);
    acquire();
    set_command(tlm::TLM_READ_COMMAND);
    set_data_ptr(bytes);
    set_data_length(8);
    set_streaming_width(8);
  }
  void free(tlm::tlm_generic_payload*) override {}
  unsigned char bytes[32] = {};
};

/// An initiator and a target in a torus, which do what a test tells them to.
class two_partners final : public sc_core::sc_module {
 public:
  using non_blocking = std::function<tlm::tlm_sync_enum(tlm::tlm_phase&, sc_core::sc_time&)>;

  two_partners(const sc_core::sc_module_name& name, target_call call)
      : sc_module(name),
        net("net", torus.wiring, torus.routing, config()),
        sockets("sockets", net, with_map_of_target(call)) {
    net.clk(clock);
    initiator.bind(sockets.target_socket(source));
    initiator.register_nb_transport_bw(this, &two_partners::from_network);
    sockets.initiator_socket(target).bind(memory);
    memory.register_b_transport(this, &two_partners::access);
    memory.register_nb_transport_fw(this, &two_partners::to_target);
    memory.register_transport_dbg(this, &two_partners::debug);
  }
  /// Whether the script has come to its end.
  static bool run(const std::function<void()>& script) {
    bool done = false;
    sc_core::sc_spawn([&] {
      script();
      done = true;
    });
    sc_core::sc_start(1000, sc_core::SC_NS);
    return done;
  }
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return initiator->nb_transport_fw(p, phase, delay);
  }

  const topology torus = made_in_two_classes("torus:4x4");
  sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
  network net;
  tlm_network sockets;
  tlm_utils::simple_initiator_socket<two_partners> initiator{"initiator"};
  tlm_utils::simple_target_socket<two_partners> memory{"memory"};
  non_blocking backward, forward;
  tlm::tlm_generic_payload* asked = nullptr;  ///< what the target has

 private:
  static network_config config() {
    network_config config;
    config.message_classes = tlm_network::message_classes;
    return config;
  }
  tlm::tlm_sync_enum from_network(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return backward(phase, delay);
  }
  tlm::tlm_sync_enum to_target(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    asked = &p;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return forward(phase, delay);
  }
  void access(tlm::tlm_generic_payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
  unsigned debug(tlm::tlm_generic_payload& p) { return p.get_data_length(); }
};

TLM_DECLARE_EXTENDED_PHASE(aside);

TEST(tlm_response, does_not_end_with_an_extended_phase_of_the_initiator) {
  two_partners b("partners", target_call::blocking);
  b.backward = [](tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    phase = aside;
    return tlm::TLM_UPDATED;
  };
  read_payload p;
  EXPECT_TRUE(two_partners::run([&] {
    b.send(p, tlm::BEGIN_REQ);
    wait(200 * ns);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(p.get_ref_count(), 2) << "it is held until END_RESP";
    EXPECT_EQ(b.send(p, tlm::END_RESP), tlm::TLM_COMPLETED);
    wait(ns);
  }));
  EXPECT_EQ(p.get_ref_count(), 1) << "ours";
}

/// By a return value, which says so for 30 ns later; a call in between says it again.
TEST(tlm_target, responds_once) {
  two_partners b("partners", target_call::non_blocking);
  tlm::tlm_sync_enum status = tlm::TLM_UPDATED;
  sc_core::sc_event called;
  b.forward = [&](tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    delay += 30 * ns;
    if (status == tlm::TLM_UPDATED) phase = tlm::BEGIN_RESP;
    called.notify();
    return status;
  };
  std::vector<std::string> errors;
  sc_core::sc_spawn([&] {
    for (;;) {
      wait(called);
      wait(10 * ns);
      // No exception, for AddressSanitizer loses track of the stack where SystemC has threads.
      sc_core::sc_report_handler::set_actions("toriscope/tlm", sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      b.sockets.initiator_socket(target).get_base_interface().nb_transport_bw(*b.asked, phase, delay);
      const sc_core::sc_report* const report = sc_core::sc_report_handler::get_cached_report();
      errors.emplace_back(report ? report->get_msg() : "none");
      sc_core::sc_report_handler::clear_cached_report();
      sc_core::sc_report_handler::set_actions("toriscope/tlm", sc_core::SC_ERROR, sc_core::SC_UNSPECIFIED);
    }
  });
  EXPECT_TRUE(two_partners::run([&] {
    for (const auto how : {tlm::TLM_UPDATED, tlm::TLM_COMPLETED}) {
      status = how;
      read_payload p;
      sc_core::sc_time delay;
      b.initiator->b_transport(p, delay);
      EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    }
  }));
  EXPECT_THAT(errors, testing::ElementsAre(testing::HasSubstr("a transaction that is not under way"),
                                           testing::HasSubstr("a transaction that is not under way")));
}

/// The target would go on: its range ends at 0x1000.
TEST(tlm_debug, ends_where_the_range_does) {
  two_partners b("partners", target_call::blocking);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  read_payload p;
  p.set_data_length(sizeof p.bytes);
  p.set_address(0xfe0);
  EXPECT_EQ(b.initiator->transport_dbg(p), 32u);
  p.set_address(0xff0);
  EXPECT_EQ(b.initiator->transport_dbg(p), 16u);
}

}  // namespace
}  // namespace toriscope::lost_transfers_test

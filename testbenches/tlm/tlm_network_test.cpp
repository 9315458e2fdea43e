// SPDX-License-Identifier: Apache-2.0
// Sockets at the nodes of a network: blocking and debug accesses, what becomes packets, time, and every
// error. Non-blocking ones are in tlm_phases_test.cpp.
#include "network/tlm/tlm_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "testbenches/tlm/tlm_test_bench.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope::tlm_network_test {
namespace {

using bytes = std::vector<unsigned char>;
using bench = tlm_test_bench;
using testing::ElementsAre;
using testing::IsEmpty;

const auto half_cycle = sc_core::sc_time(500, sc_core::SC_PS);
const auto cycle = sc_core::sc_time(1, sc_core::SC_NS);

constexpr cycle_t cut_off_late = 20000;

/// Another bus width than the others have.
struct wide_initiator final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit wide_initiator(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

tlm_config with_request_queue(unsigned requests) {
  tlm_config config;
  config.request_queue = requests;
  return config;
}

/// All that is elaborated, at once.
struct benches {
  benches() {
    wide.socket.bind(plain.sockets.target_socket<64>(11));
    beside.socket.bind(gated.sockets.target_socket(bench::blocking_node));
  }
  wide_initiator wide{"wide"};
  bench plain{"plain", {}};
  bench cut_off{"cut_off", {}, 0};
  bench cut_off_later{"cut_off_later", {}, cut_off_late};
  bench shared{"shared", {}, bench::never, "cmesh:2x2,4"};  // the initiator and three targets at one router
  bench gated{"gated", with_request_queue(1)};
  scripted_initiator beside{"beside"};  // at the node of the blocking memory
};

benches& elaborated() {
  static benches only;
  return only;
}

bytes counted(std::size_t n, unsigned char from = 1) {
  bytes b(n);
  std::iota(b.begin(), b.end(), from);
  return b;
}

class tlm_network_test : public testing::Test {
 protected:
  ~tlm_network_test() override {
    EXPECT_THAT(b.violations(), IsEmpty());
    EXPECT_TRUE(b.sockets.idle());
    EXPECT_TRUE(b.net.idle());
    EXPECT_EQ(b.sockets.outstanding(bench::initiator_node), 0u);
  }
  void run(const std::function<void()>& script) { EXPECT_TRUE(b.run(script)) << "the script hangs"; }
  /// To the middle between two edges.
  static void align() {
    const double now = sc_core::sc_time_stamp() / cycle;
    wait((std::floor(now) + 1.5) * cycle - sc_core::sc_time_stamp());
  }
  tlm::tlm_response_status status(tlm::tlm_command command, std::uint64_t address, std::size_t length,
                                  unsigned streaming_width, const bytes& enables = {}) {
    managed_payload p;
    p.data.resize(length);
    p.enables = enables;
    p.prepare(command, address, streaming_width);
    return b.access(p);
  }
  tlm::tlm_response_status read_status(std::uint64_t address, std::size_t length = 4) {
    return status(tlm::TLM_READ_COMMAND, address, length, static_cast<unsigned>(length));
  }

  bench& b = elaborated().plain;
};

TEST_F(tlm_network_test, what_is_written_is_read_back) {
  for (const node_id n : {bench::blocking_node, bench::non_blocking_node})
    run([&] {
      EXPECT_EQ(b.write(bench::address(n, 0x10), counted(200)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(b.read(bench::address(n, 0x10), 200), counted(200));
      EXPECT_EQ(b.read(bench::address(n, 0x11), 3), counted(3, 2));
    });
  EXPECT_EQ(b.memories[bench::non_blocking_node]->blocking_calls(), 0u);
  EXPECT_EQ(b.memories[bench::blocking_node]->non_blocking_calls(), 0u);
}

TEST_F(tlm_network_test, sockets_are_of_terminals_where_a_router_has_several) {
  bench& shared = elaborated().shared;
  EXPECT_TRUE(shared.run([&] {
    for (const node_id t : {bench::blocking_node, bench::non_blocking_node}) {
      EXPECT_EQ(shared.write(bench::address(t, 0x10), counted(200, static_cast<unsigned char>(t))),
                tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(shared.read(bench::address(t, 0x10), 200), counted(200, static_cast<unsigned char>(t)));
    }
  }));
  EXPECT_THAT(shared.violations(), IsEmpty());
  EXPECT_TRUE(shared.net.idle());
}

/// Reads four bytes from node 1.
void read_beside() {
  managed_payload p;
  p.data.resize(4);
  p.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::non_blocking_node), 4);
  sc_core::sc_time delay;
  elaborated().beside.socket->b_transport(p, delay);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST_F(tlm_network_test, responses_to_the_node_of_a_target_take_no_room_of_its_requests) {
  bench& gated = elaborated().gated;
  EXPECT_TRUE(gated.run([&] {
    for (int i = 0; i < 3; ++i) {
      read_beside();
      EXPECT_EQ(gated.write(bench::address(bench::blocking_node), counted(4)), tlm::TLM_OK_RESPONSE);
    }
  }));
  EXPECT_THAT(gated.violations(), IsEmpty());
  EXPECT_TRUE(gated.net.idle());
}

TEST_F(tlm_network_test, long_transfers_take_several_packets) {
  const tlm_counters before = b.sockets.counters();
  const network_counters flits = b.net.counters();
  run([&] {
    b.write(bench::address(bench::blocking_node), counted(200));
    b.read(bench::address(bench::blocking_node), 65);
  });
  const tlm_counters& after = b.sockets.counters();
  EXPECT_EQ(after.request_packets - before.request_packets, 4u + 1u);
  EXPECT_EQ(after.response_packets - before.response_packets, 1u + 2u);
  const std::uint64_t write_flits = 3 * (1 + 8) + (1 + 1) + 1;  // 64, 64, 64 and 8 bytes; an answer
  const std::uint64_t read_flits = 1 + (1 + 8) + (1 + 1);       // a question; 64 and 1 bytes
  EXPECT_EQ(b.net.counters().flits_created - flits.flits_created, write_flits + read_flits);
}

TEST_F(tlm_network_test, an_access_takes_the_time_of_its_packets_and_of_the_target) {
  // Zero-load latency of a packet of S flits over h links of the default router: 4 h + 5 + S - 1.
  run([&] {
    align();
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    b.read(bench::address(bench::blocking_node), 8);
    const auto request = 9 * cycle;
    const auto memory = 20 * cycle;
    const auto response = 10 * cycle;
    EXPECT_EQ(sc_core::sc_time_stamp() - start, half_cycle + request + memory + response);
  });
}

TEST_F(tlm_network_test, sockets_of_any_bus_width_talk_to_each_other) {
  run([&] {
    managed_payload p;
    p.data = counted(16, 40);
    p.prepare(tlm::TLM_WRITE_COMMAND, bench::address(bench::blocking_node, 0x600), 16);
    sc_core::sc_time delay;
    elaborated().wide.socket->b_transport(p, delay);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(b.read(bench::address(bench::blocking_node, 0x600), 16), counted(16, 40));
  });
}

TEST_F(tlm_network_test, an_annotated_delay_is_waited_for) {
  run([&] {
    align();
    managed_payload p;
    p.data.resize(8);
    p.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::blocking_node), 8);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time delay(100, sc_core::SC_NS);
    b.initiator.socket->b_transport(p, delay);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_core::sc_time_stamp() - start, half_cycle + (100 + 9 + 20 + 10) * cycle);
  });
}

TEST_F(tlm_network_test, byte_enables_count_in_both_directions) {
  run([&] {
    const std::uint64_t at = bench::address(bench::blocking_node, 0x400);
    b.write(at, bytes(6, 9));
    managed_payload p;
    p.data = counted(6);
    p.enables = {0xff, 0, 0};  // repeated
    p.prepare(tlm::TLM_WRITE_COMMAND, at, 6);
    EXPECT_EQ(b.access(p), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(b.read(at, 6), ElementsAre(1, 9, 9, 4, 9, 9));
    p.data = bytes(6, 77);
    p.enables = {0, 0xff};
    p.prepare(tlm::TLM_READ_COMMAND, at, 6);
    EXPECT_EQ(b.access(p), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(p.data, ElementsAre(77, 9, 77, 4, 77, 9));
  });
}

TEST_F(tlm_network_test, streaming_goes_to_the_same_addresses_again) {
  run([&] {
    const std::uint64_t at = bench::address(bench::blocking_node, 0xffc);  // the last four bytes
    managed_payload p;
    p.data = counted(10);
    p.prepare(tlm::TLM_WRITE_COMMAND, at, 4);
    EXPECT_EQ(b.access(p), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(b.read(at, 4), ElementsAre(9, 10, 7, 8));
  });
}

TEST_F(tlm_network_test, a_target_sees_the_request_at_its_own_address) {
  tlm::tlm_generic_payload* kept = nullptr;
  b.scripted.blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    EXPECT_EQ(p.get_address(), 0x100u + 0x24);
    EXPECT_EQ(p.get_command(), tlm::TLM_WRITE_COMMAND);
    EXPECT_EQ(p.get_streaming_width(), 2u);
    EXPECT_EQ(bytes(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length()), counted(3));
    EXPECT_EQ(bytes(p.get_byte_enable_ptr(), p.get_byte_enable_ptr() + p.get_byte_enable_length()),
              bytes({0xff, 0}));
    EXPECT_FALSE(p.is_dmi_allowed());
    p.set_dmi_allowed(true);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    p.acquire();
    kept = &p;
  };
  run([&] {
    managed_payload p;
    p.data = counted(3);
    p.enables = {0xff, 0};
    p.prepare(tlm::TLM_WRITE_COMMAND, bench::address(bench::scripted_node, 0x24), 2);
    EXPECT_EQ(b.access(p), tlm::TLM_OK_RESPONSE);
    EXPECT_FALSE(p.is_dmi_allowed()) << "there is none";
    EXPECT_EQ(p.get_address(), bench::address(bench::scripted_node, 0x24));
  });
  b.scripted.debug = [](tlm::tlm_generic_payload& p) {
    EXPECT_EQ(p.get_address(), 0x100u + 0x24);
    return p.get_data_length();
  };
  managed_payload p;
  p.data = counted(3);
  p.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::scripted_node, 0x24), 3);
  EXPECT_EQ(b.initiator.socket->transport_dbg(p), 3u);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->get_ref_count(), 1) << "nothing else holds it";
  EXPECT_EQ(kept->get_data_ptr()[2], 3) << "a target may keep what it has acquired";
  kept->release();
}

TEST_F(tlm_network_test, the_null_command_goes_there_and_back) {
  b.scripted.blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    EXPECT_EQ(p.get_command(), tlm::TLM_IGNORE_COMMAND);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  run([&] {
    const std::uint64_t at = bench::address(bench::scripted_node);
    EXPECT_EQ(status(tlm::TLM_IGNORE_COMMAND, at, 4, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(status(tlm::TLM_IGNORE_COMMAND, at, 0, 0), tlm::TLM_OK_RESPONSE) << "it may have no data";
  });
}

TEST_F(tlm_network_test, a_blocking_target_gets_one_call_at_a_time) {
  unsigned active = 0, most = 0, done = 0;
  b.scripted.blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    most = std::max(most, ++active);
    wait(50 * cycle);
    --active;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  for (unsigned i = 0; i < 3; ++i)
    bench::spawn([&] {
      EXPECT_EQ(b.write(bench::address(bench::scripted_node), counted(4)), tlm::TLM_OK_RESPONSE);
      ++done;
    });
  run([&] { wait(300 * cycle); });
  EXPECT_EQ(done, 3u);
  EXPECT_EQ(most, 1u);
}

TEST_F(tlm_network_test, requests_of_one_moment_become_packets_in_the_order_of_their_nodes) {
  bench& gated = elaborated().gated;
  unsigned done = 0;
  const std::function<void()> of_node_0 = [&] {
    EXPECT_EQ(gated.write(bench::address(bench::blocking_node), counted(4)), tlm::TLM_OK_RESPONSE);
    ++done;
  };
  const std::function<void()> of_node_1 = [&] {
    read_beside();
    ++done;
  };
  for (const bool lower_first : {false, true}) {
    EXPECT_TRUE(gated.run([&] {
      const packet_id first = gated.net.packets().created();
      bench::spawn(lower_first ? of_node_0 : of_node_1);
      bench::spawn(lower_first ? of_node_1 : of_node_0);
      wait(3 * cycle);
      ASSERT_EQ(gated.net.packets().created(), first + 2);
      EXPECT_EQ(gated.net.packets()[first].source, 0u);
      EXPECT_EQ(gated.net.packets()[first + 1].source, 1u);
      wait(300 * cycle);
    }));
    EXPECT_EQ(done, lower_first ? 4u : 2u);
  }
  EXPECT_THAT(gated.violations(), IsEmpty());
  EXPECT_TRUE(gated.net.idle());
}

// --- errors ---

TEST_F(tlm_network_test, unmapped_addresses_are_address_errors) {
  const tlm_counters before = b.sockets.counters();
  run([&] {
    EXPECT_EQ(read_status(0x10), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.write(0xf0000, counted(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read_status(bench::address(bench::scripted_phases_node, 0xffe)),
              tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << "half of it is beyond the last range";
    EXPECT_EQ(read_status(bench::address(bench::blocking_node, 0xffe)), tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << "half of it is another node's";
    EXPECT_EQ(read_status(bench::address(bench::bare_node)), tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << "no target is bound";
  });
  EXPECT_EQ(b.sockets.counters().refused - before.refused, 5u);
  EXPECT_EQ(b.sockets.counters().requests, before.requests) << "nothing goes into the network";
}

TEST_F(tlm_network_test, accesses_that_the_map_does_not_allow_are_command_errors) {
  run([&] {
    EXPECT_EQ(b.write(bench::address(bench::read_only_node), counted(4)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(read_status(bench::address(bench::read_only_node)), tlm::TLM_OK_RESPONSE);
  });
}

TEST_F(tlm_network_test, malformed_payloads_are_refused) {
  const std::uint64_t at = bench::address(bench::blocking_node);
  run([&] {
    EXPECT_EQ(status(tlm::TLM_READ_COMMAND, at, 0, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status(tlm::TLM_READ_COMMAND, at, 4, 0), tlm::TLM_BURST_ERROR_RESPONSE);
    unsigned char enable = 0xff;
    managed_payload p;
    p.data.resize(4);
    p.prepare(tlm::TLM_READ_COMMAND, at, 4);
    p.set_byte_enable_ptr(&enable);
    EXPECT_EQ(b.access(p), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    p.prepare(tlm::TLM_READ_COMMAND, at, 4);
    p.set_data_ptr(nullptr);
    EXPECT_EQ(b.access(p), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST_F(tlm_network_test, what_the_target_refuses_comes_back_as_it_says) {
  const std::uint64_t at = bench::address(bench::refusing_node);
  const tlm_counters before = b.sockets.counters();
  run([&] {
    EXPECT_EQ(b.write(at, counted(4)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(status(tlm::TLM_READ_COMMAND, at, 4, 4, {0xff, 0}), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(status(tlm::TLM_READ_COMMAND, at, 4, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(read_status(at + 0x7fe), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.read(at + 0x7fe, 4), bytes(4, 0xee)) << "no bytes come with an error";
  });
  EXPECT_EQ(b.sockets.counters().responses - before.responses, 5u) << "the target rejected them";
}

TEST_F(tlm_network_test, packets_that_find_no_way_are_generic_errors) {
  bench& broken = elaborated().cut_off;
  EXPECT_TRUE(broken.run([&] {
    EXPECT_EQ(broken.write(bench::address(bench::cut_off_node), counted(200)),
              tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(broken.write(bench::address(bench::blocking_node), counted(8)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(broken.read(bench::address(bench::cut_off_node), 4), bytes(4, 0xee));
  }));
  EXPECT_EQ(broken.sockets.counters().lost, 2u);
  EXPECT_TRUE(broken.sockets.idle());
  EXPECT_THAT(broken.violations(), IsEmpty());
}

TEST_F(tlm_network_test, a_transfer_that_is_cut_in_two_is_lost_as_a_whole) {
  bench& broken = elaborated().cut_off_later;
  EXPECT_TRUE(broken.run([&] {
    const std::uint64_t at = bench::address(bench::cut_off_node);
    EXPECT_EQ(broken.write(at, counted(1024)), tlm::TLM_OK_RESPONSE);
    wait((cut_off_late - 100) * cycle - sc_core::sc_time_stamp());
    const std::uint64_t received = broken.net.counters().packets_received;
    EXPECT_EQ(broken.write(at, bytes(2048)), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_GT(broken.net.counters().packets_received, received) << "some packets were there in time";
  }));
  EXPECT_GT(broken.net.counters().packets_discarded, 0u);
  EXPECT_EQ(broken.memories[bench::cut_off_node]->bytes[2], 3) << "nothing has been written";
  EXPECT_EQ(broken.sockets.counters().lost, 1u);
  EXPECT_TRUE(broken.sockets.idle());
}

// --- debug, DMI ---

TEST_F(tlm_network_test, debug_accesses_take_no_time_and_no_packets) {
  const std::uint64_t at = bench::address(bench::non_blocking_node, 0xff0);
  const tlm_counters before = b.sockets.counters();
  const sc_core::sc_time start = sc_core::sc_time_stamp();
  managed_payload p;
  p.data = counted(8);
  p.prepare(tlm::TLM_WRITE_COMMAND, at, 8);
  EXPECT_EQ(b.initiator.socket->transport_dbg(p), 8u);
  EXPECT_EQ(b.memories[bench::non_blocking_node]->bytes[0xff0 + 7], 8);
  p.data.assign(32, 0);
  p.prepare(tlm::TLM_READ_COMMAND, at, 32);
  EXPECT_EQ(b.initiator.socket->transport_dbg(p), 16u) << "up to the end of the range";
  EXPECT_EQ(p.data[7], 8);
  EXPECT_EQ(p.get_address(), at);
  EXPECT_EQ(p.get_data_length(), 32u);
  p.set_address(0x10);
  EXPECT_EQ(b.initiator.socket->transport_dbg(p), 0u) << "unmapped";
  p.set_address(bench::address(bench::bare_node));
  EXPECT_EQ(b.initiator.socket->transport_dbg(p), 0u) << "no target";
  EXPECT_EQ(sc_core::sc_time_stamp(), start);
  EXPECT_EQ(b.sockets.counters().requests, before.requests);
}

TEST_F(tlm_network_test, dmi_is_refused) {
  managed_payload p;
  p.data.resize(4);
  p.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::blocking_node), 4);
  tlm::tlm_dmi dmi;
  dmi.allow_read_write();
  EXPECT_FALSE(b.initiator.socket->get_direct_mem_ptr(p, dmi));
  EXPECT_TRUE(dmi.is_none_allowed());
}

TEST(tlm_deadlock, requests_and_responses_cannot_block_each_other) {
  // Each class on VCs of its own: the proof of one class is the proof of both, and responses are always
  // taken.
  for (const auto& [spec, vcs] : {std::pair{"ttn:2,2,0", 8u}, {"torus:4x4", 4u}}) {
    topology_options options;
    options.vcs = vcs;
    options.message_classes = tlm_network::message_classes;
    const topology made = make_topology(spec, options);
    EXPECT_EQ(prove(*made.wiring, *made.routing, vcs).outcome, proof_outcome::proven) << spec;
    // A packet that comes in by a VC of a class goes on by VCs of that class.
    for (unsigned vc = 0; vc < vcs; ++vc) {
      route_option option[routing_function::max_options];
      const port_id local = made.wiring->local_port(0);
      ASSERT_GT(made.routing->route({0, local, static_cast<std::uint8_t>(vc), 5, 0}, option), 0u);
      const vc_mask requests = static_cast<vc_mask>((1u << vcs / 2) - 1);
      EXPECT_EQ((option[0].vcs & requests) != 0, vc < vcs / 2) << spec << " vc " << vc;
      EXPECT_EQ((option[0].vcs & ~requests) != 0, vc >= vcs / 2) << spec << " vc " << vc;
    }
  }
}

}  // namespace
}  // namespace toriscope::tlm_network_test

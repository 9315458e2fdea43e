// SPDX-License-Identifier: Apache-2.0
// Callers that leave: processes that are killed in b_transport, and responses that are held while requests come. Calls
// of both kinds through one socket. Phases of a target's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/tlm/tlm_test_bench.h"

namespace toriscope::tlm_callers_test {
namespace {

using bench = tlm_test_bench;
using testing::Each;
using testing::ElementsAre;

const sc_core::sc_time ns(1, sc_core::SC_NS);
constexpr node_id node = 11;

tlm_config one_at_a_time() {
  tlm_config config;
  config.outstanding = 1;
  return config;
}

TEST(tlm_killed_caller, is_not_answered) {
  bench b("killed", one_at_a_time());
  scripted_initiator initiator("other");  // without a checker, which knows no killed callers
  initiator.socket.bind(b.sockets.target_socket(node));
  managed_payload first, second;
  sc_core::sc_event called;
  sc_core::sc_process_handle caller;
  const auto prepare = [&](managed_payload& p) {
    p.data.assign(8, 0xee);
    p.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::blocking_node, 0x10), 8);
  };
  const auto read = [&](managed_payload& p) {
    prepare(p);
    bench::spawn([&] {
      caller = sc_core::sc_get_current_process_handle();
      called.notify();
      sc_core::sc_time delay;
      initiator.socket->b_transport(p, delay);
    });
    wait(called);
  };
  const std::vector<unsigned char> bytes{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_TRUE(b.run([&] {
    EXPECT_EQ(b.write(bench::address(bench::blocking_node, 0x10), bytes), tlm::TLM_OK_RESPONSE);
    read(first);
    wait(5 * ns);
    caller.kill();
    EXPECT_EQ(b.sockets.outstanding(node), 1u) << "it is on its way";
    read(second);
    caller.kill();
    EXPECT_EQ(b.sockets.counters().requests, 2u) << "the other one was not sent";
    wait(200 * ns);
    for (const managed_payload* p : {&first, &second}) {
      EXPECT_EQ(p->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
      EXPECT_THAT(p->data, Each(0xee));
    }
    EXPECT_EQ(b.sockets.outstanding(node), 0u);
    // The same payload, sent again while the response to the killed one is on its way.
    read(first);
    wait(5 * ns);
    caller.kill();
    prepare(first);
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    sc_core::sc_time delay;
    initiator.socket->b_transport(first, delay);
    EXPECT_GT(sc_core::sc_time_stamp() - begin, 100 * ns) << "it waited for the place of the other one";
    EXPECT_EQ(first.data, bytes);
  }));
  EXPECT_TRUE(b.sockets.idle());
  EXPECT_EQ(b.sockets.counters().requests, 4u);
}

/// A read by a blocking call behind a write that waits for its turn, in one thread and without time between them.
void expect_order(phase_style style) {
  tlm_config config = one_at_a_time();
  config.phases = style;
  bench b("order", config);
  managed_payload& other = b.pool.take();
  managed_payload& written = b.pool.take();
  managed_payload read;
  const auto prepare = [](managed_payload& p, tlm::tlm_command command, unsigned char value) {
    p.data.assign(8, value);
    p.prepare(command, bench::address(bench::blocking_node, 0x20), 8);
  };
  prepare(other, tlm::TLM_WRITE_COMMAND, 5);
  prepare(written, tlm::TLM_WRITE_COMMAND, 7);
  prepare(read, tlm::TLM_READ_COMMAND, 0xee);
  sc_core::sc_event ended;
  b.initiator.backward = [&](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) ended.notify();
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  };
  EXPECT_TRUE(b.run([&] {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (b.initiator.socket->nb_transport_fw(other, phase, delay) == tlm::TLM_ACCEPTED) wait(ended);
    phase = tlm::BEGIN_REQ;
    EXPECT_EQ(b.initiator.socket->nb_transport_fw(written, phase, delay), tlm::TLM_ACCEPTED) << "there is no room";
    b.initiator.socket->b_transport(read, delay);
    EXPECT_THAT(read.data, Each(7));
    wait(200 * ns);
  }));
  for (managed_payload* p : {&other, &written}) p->release();
  EXPECT_EQ(b.pool.held(), 0u);
}

TEST(tlm_full_phases, and_blocking_calls_keep_their_order) { expect_order(phase_style::full); }
TEST(tlm_early_phases, and_blocking_calls_keep_their_order) { expect_order(phase_style::early); }

/// A write by phases behind a read that blocks, both in one moment.
TEST(tlm_blocking_call, is_not_overtaken_by_a_request_of_the_same_moment) {
  tlm_config config;
  config.phases = phase_style::early;
  bench b("behind", config);
  const std::uint64_t at = bench::address(bench::blocking_node, 0x20);
  managed_payload& written = b.pool.take();
  written.data.assign(8, 7);
  written.prepare(tlm::TLM_WRITE_COMMAND, at, 8);
  b.initiator.backward = [](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  };
  std::vector<unsigned char> before;
  EXPECT_TRUE(b.run([&] {
    EXPECT_EQ(b.write(at, std::vector<unsigned char>(8, 5)), tlm::TLM_OK_RESPONSE);
    sc_core::sc_event called;
    bench::spawn([&] {
      called.notify();
      before = b.read(at, 8);
    });
    wait(called);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(b.initiator.socket->nb_transport_fw(written, phase, delay), tlm::TLM_ACCEPTED);
    wait(400 * ns);
    EXPECT_THAT(b.read(at, 8), Each(7));
  }));
  EXPECT_EQ(before, std::vector<unsigned char>(8, 5));
  written.release();
  EXPECT_EQ(b.pool.held(), 0u);
  EXPECT_THAT(b.violations(), testing::IsEmpty());
}

TLM_DECLARE_EXTENDED_PHASE(aside);

TEST(tlm_extended_phase, of_a_target_does_not_end_a_request) {
  tlm_config config;
  config.target_outstanding = 2;
  bench b("extended", config);
  std::vector<tlm::tlm_generic_payload*> asked;
  b.scripted_phases.forward = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    asked.push_back(&p);
    phase = aside;
    return tlm::TLM_UPDATED;
  };
  unsigned done = 0;
  for (int i = 0; i < 2; ++i)
    bench::spawn([&] {
      b.write(bench::address(bench::scripted_phases_node), {1});
      ++done;
    });
  EXPECT_TRUE(b.run([&] {
    wait(200 * ns);
    for (unsigned requests = 1; requests <= 2; ++requests) {
      ASSERT_EQ(asked.size(), requests) << "the next one comes behind END_REQ";
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      b.scripted_phases.socket->nb_transport_bw(*asked.back(), phase, delay);
      wait(20 * ns);
    }
    for (tlm::tlm_generic_payload* p : asked) {
      p->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      b.scripted_phases.socket->nb_transport_bw(*p, phase, delay);
      wait(200 * ns);
    }
  }));
  EXPECT_EQ(done, 2u);
  EXPECT_THAT(b.violations(), testing::IsEmpty());
}

TEST(tlm_held_response, does_not_hold_the_end_of_a_rejected_request) {
  tlm_config config;
  config.phases = phase_style::early;
  bench b("held", config);
  std::vector<std::string> came;
  b.initiator.backward = [&](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    came.emplace_back(phase == tlm::END_REQ ? "END_REQ" : "BEGIN_RESP");
    return tlm::TLM_ACCEPTED;
  };
  managed_payload& read = b.pool.take();
  managed_payload& unmapped = b.pool.take();
  const auto send = [&](managed_payload& p, tlm::tlm_phase phase, sc_core::sc_time delay) {
    return b.initiator.socket->nb_transport_fw(p, phase, delay);
  };
  EXPECT_TRUE(b.run([&] {
    for (managed_payload* p : {&read, &unmapped}) {
      p->data.assign(8, 0xee);
      p->prepare(tlm::TLM_READ_COMMAND, p == &read ? bench::address(bench::blocking_node) : 0, 8);
    }
    send(read, tlm::BEGIN_REQ, {});
    wait(100 * ns);
    send(unmapped, tlm::BEGIN_REQ, 10 * ns);
    wait(20 * ns);
    EXPECT_THAT(came, ElementsAre("BEGIN_RESP", "END_REQ"));
    for (managed_payload* p : {&read, &unmapped}) {
      send(*p, tlm::END_RESP, {});
      wait(ns);
    }
    EXPECT_THAT(came, ElementsAre("BEGIN_RESP", "END_REQ", "BEGIN_RESP"));
    EXPECT_EQ(unmapped.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }));
  for (managed_payload* p : {&read, &unmapped}) p->release();
  EXPECT_THAT(b.violations(), testing::IsEmpty());
  EXPECT_EQ(b.pool.held(), 0u);
}

}  // namespace
}  // namespace toriscope::tlm_callers_test

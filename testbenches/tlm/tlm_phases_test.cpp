// SPDX-License-Identifier: Apache-2.0
// The non-blocking side of the sockets: the phases and when they come, back-pressure, early completion, and
// what an initiator or target does wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testbenches/tlm/tlm_test_bench.h"

namespace toriscope::tlm_phases_test {
namespace {

using bench = tlm_test_bench;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

tlm_config two_at_a_time(phase_style phases) {
  tlm_config config;
  config.phases = phases;
  config.outstanding = 2;
  config.target_outstanding = 2;
  return config;
}

tlm_config one_waits() {
  tlm_config config;
  config.outstanding = 8;
  config.request_queue = 1;
  return config;
}

struct benches {
  bench full{"full", two_at_a_time(phase_style::full)};
  bench early{"early", two_at_a_time(phase_style::early)};
  bench gated{"gated", one_waits()};
};

benches& elaborated() {
  static benches only;
  return only;
}

const sc_core::sc_time ns(1, sc_core::SC_NS);

class tlm_phases_test : public testing::Test {
 protected:
  ~tlm_phases_test() override {
    for (bench* b : {&full, &early, &gated}) {
      EXPECT_TRUE(b->sockets.idle());
      b->initiator.backward = accept_call;
      b->scripted_phases.forward = accept_call;
      EXPECT_EQ(b->pool.held(), 0u) << "a payload is not released";
    }
  }

  /// A request of 8 bytes to a node, from this initiator, which holds it until it has been answered.
  managed_payload& request(bench& b, node_id n, tlm::tlm_command command = tlm::TLM_READ_COMMAND) {
    managed_payload& p = b.pool.take();
    p.data.assign(8, 0xee);
    p.enables.clear();
    p.prepare(command, n == 0 ? 0 : bench::address(n), 8);
    return p;
  }
  static tlm::tlm_sync_enum forward(bench& b, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                    sc_core::sc_time delay = {}) {
    return b.initiator.socket->nb_transport_fw(p, phase, delay);
  }
  static tlm::tlm_sync_enum send(bench& b, tlm::tlm_generic_payload& p, tlm::tlm_phase_enum phase,
                                 sc_core::sc_time delay = {}) {
    tlm::tlm_phase sent = phase;
    return forward(b, p, sent, delay);
  }
  /// Writes down the phases that come back, and when; answers them with TLM_ACCEPTED.
  void record(bench& b) {
    b.initiator.backward = [this](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      came.push_back(phase == tlm::END_REQ ? "END_REQ" : "BEGIN_RESP");
      at.push_back((sc_core::sc_time_stamp() + delay - start) / ns);
      return tlm::TLM_ACCEPTED;
    };
    start = sc_core::sc_time_stamp();
  }
  /// To the middle between two edges.
  static void align() {
    wait((std::floor(sc_core::sc_time_stamp() / ns) + 1.5) * ns - sc_core::sc_time_stamp());
  }
  /// What is reported. No exception, for AddressSanitizer loses track of the stack where SystemC has threads.
  static std::string error_of(const std::function<void()>& call) {
    sc_core::sc_report_handler::set_actions("toriscope/tlm", sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    call();
    const sc_core::sc_report* const report = sc_core::sc_report_handler::get_cached_report();
    const std::string text = report ? report->get_msg() : "nothing was rejected";
    sc_core::sc_report_handler::clear_cached_report();
    return text;
  }

  bench& full = elaborated().full;
  bench& early = elaborated().early;
  bench& gated = elaborated().gated;
  std::vector<std::string> came;
  std::vector<double> at;
  sc_core::sc_time start;
};

TEST_F(tlm_phases_test, four_phases_each_at_its_time) {
  managed_payload& p = request(full, bench::non_blocking_node);
  EXPECT_TRUE(full.run([&] {
    align();
    record(full);
    EXPECT_EQ(send(full, p, tlm::BEGIN_REQ, 100 * ns), tlm::TLM_ACCEPTED);
    wait(300 * ns);
    EXPECT_THAT(came, ElementsAre("END_REQ", "BEGIN_RESP"));
    // There is room: the request is accepted when its delay is over. Two links there, a memory that takes 20 ns for
    // each of its phases; what it says at an edge goes with the next; two links and one flit more back.
    EXPECT_THAT(at, ElementsAre(100, 100.5 + 13 + 20 + 20 + 1 + 14));
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(send(full, p, tlm::END_RESP), tlm::TLM_COMPLETED);
    wait(ns);
  }));
  EXPECT_EQ(p.get_ref_count(), 1) << "ours";
  p.release();
  EXPECT_THAT(full.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, the_end_of_a_request_is_held_while_too_many_are_on_their_way) {
  std::vector<managed_payload*> p;
  for (int i = 0; i < 3; ++i) p.push_back(&request(full, bench::holding_node));
  EXPECT_TRUE(full.run([&] {
    record(full);
    for (int i = 0; i < 3; ++i) {
      send(full, *p[static_cast<unsigned>(i)], tlm::BEGIN_REQ);
      wait(200 * ns);
    }
    EXPECT_THAT(came, ElementsAre("END_REQ", "END_REQ")) << "the target has not answered any";
    EXPECT_EQ(full.sockets.outstanding(0), 2u);
    EXPECT_EQ(full.memories[bench::holding_node]->non_blocking_calls(), 1u) << "it holds END_REQ itself";
    came.clear();
    full.memories[bench::holding_node]->go_on();
    wait(200 * ns);
    EXPECT_THAT(came, ElementsAre("BEGIN_RESP", "END_REQ"));
    send(full, *p[0], tlm::END_RESP);
    for (int i = 1; i < 3; ++i) {
      full.memories[bench::holding_node]->go_on();
      wait(200 * ns);
      send(full, *p[static_cast<unsigned>(i)], tlm::END_RESP);
    }
    wait(ns);
  }));
  for (managed_payload* q : p) q->release();
  EXPECT_THAT(full.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, one_response_at_a_time) {
  managed_payload& first = request(full, bench::blocking_node);
  managed_payload& second = request(full, bench::blocking_node);
  EXPECT_TRUE(full.run([&] {
    record(full);
    send(full, first, tlm::BEGIN_REQ);
    wait(ns);
    send(full, second, tlm::BEGIN_REQ);
    wait(300 * ns);
    EXPECT_THAT(came, ElementsAre("END_REQ", "END_REQ", "BEGIN_RESP"));
    send(full, first, tlm::END_RESP, 50 * ns);
    wait(40 * ns);
    EXPECT_EQ(came.size(), 3u);
    wait(20 * ns);
    EXPECT_EQ(came.size(), 4u);
    send(full, second, tlm::END_RESP);
    wait(ns);
  }));
  first.release();
  second.release();
  EXPECT_THAT(full.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, refusals_come_as_responses) {
  managed_payload& p = request(full, 0);
  EXPECT_TRUE(full.run([&] {
    record(full);
    EXPECT_EQ(send(full, p, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
    wait(ns);
    EXPECT_THAT(came, ElementsAre("END_REQ", "BEGIN_RESP"));
    EXPECT_EQ(p.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    send(full, p, tlm::END_RESP);
    wait(ns);
  }));
  p.release();
  EXPECT_THAT(full.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, early_is_by_return_value) {
  managed_payload& p = request(early, bench::blocking_node);
  managed_payload& unmapped = request(early, 0);
  managed_payload& late = request(early, 0);
  EXPECT_TRUE(early.run([&] {
    record(early);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    EXPECT_EQ(forward(early, p, phase), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::END_REQ);
    EXPECT_EQ(send(early, unmapped, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
    EXPECT_EQ(unmapped.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    wait(100 * ns);
    EXPECT_THAT(came, ElementsAre("BEGIN_RESP"));
    send(early, p, tlm::END_RESP);
    // With a delay nothing can be said at once; a response then says END_REQ, too.
    EXPECT_EQ(send(early, late, tlm::BEGIN_REQ, 10 * ns), tlm::TLM_ACCEPTED);
    wait(20 * ns);
    EXPECT_THAT(came, ElementsAre("BEGIN_RESP", "BEGIN_RESP"));
    send(early, late, tlm::END_RESP);
    wait(ns);
  }));
  for (managed_payload* q : {&p, &unmapped, &late}) {
    EXPECT_EQ(q->get_ref_count(), 1);
    q->release();
  }
  EXPECT_THAT(early.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, an_initiator_may_end_the_response_by_return_value) {
  for (const tlm::tlm_sync_enum status : {tlm::TLM_UPDATED, tlm::TLM_COMPLETED}) {
    managed_payload& p = request(full, bench::blocking_node);
    unsigned responses = 0;
    full.initiator.backward = [&](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
      ++responses;
      delay += 5 * ns;
      phase = tlm::END_RESP;
      return status;
    };
    EXPECT_TRUE(full.run([&] {
      send(full, p, tlm::BEGIN_REQ);
      wait(200 * ns);
    }));
    EXPECT_EQ(responses, 1u);
    EXPECT_EQ(p.get_ref_count(), 1);
    p.release();
  }
  EXPECT_THAT(full.violations(), IsEmpty());
}

// --- the network as an initiator ---

/// A target that answers BEGIN_REQ with a return value, 30 ns later.
struct returning_target {
  bench& b;
  tlm::tlm_sync_enum status;
  tlm::tlm_phase_enum phase;
  unsigned ends = 0;  ///< END_RESP received

  void install() {
    b.scripted_phases.forward = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase& to, sc_core::sc_time& delay) {
      if (to == tlm::END_RESP) return ++ends, tlm::TLM_COMPLETED;
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      delay += 30 * ns;
      to = phase;
      return status;
    };
  }
};

TEST_F(tlm_phases_test, a_target_may_complete_early) {
  const std::uint64_t at_target = bench::address(bench::scripted_phases_node);
  for (bench* b : {&full, &early}) {
    returning_target completes{*b, tlm::TLM_COMPLETED, tlm::BEGIN_REQ};
    completes.install();
    EXPECT_TRUE(b->run([&] {
      const sc_core::sc_time begin = sc_core::sc_time_stamp();
      EXPECT_EQ(b->write(at_target, {1}), tlm::TLM_OK_RESPONSE);
      EXPECT_GT(sc_core::sc_time_stamp() - begin, 30 * ns);
    }));
    EXPECT_EQ(completes.ends, 0u);
    returning_target responds{*b, tlm::TLM_UPDATED, tlm::BEGIN_RESP};
    responds.install();
    EXPECT_TRUE(b->run([&] { EXPECT_EQ(b->write(at_target, {1}), tlm::TLM_OK_RESPONSE); }));
    EXPECT_EQ(responds.ends, 1u);
    EXPECT_THAT(b->violations(), IsEmpty());
  }
}

TEST_F(tlm_phases_test, responses_of_a_target_are_taken_at_once) {
  for (bench* b : {&full, &early}) {
    tlm::tlm_sync_enum answer = tlm::TLM_UPDATED;
    unsigned ends = 0;
    tlm::tlm_generic_payload* asked = nullptr;
    b->scripted_phases.forward = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      if (phase == tlm::END_RESP) return ++ends, tlm::TLM_COMPLETED;
      asked = &p;
      return tlm::TLM_ACCEPTED;
    };
    bool done = false;
    bench::spawn([&] {
      b->write(bench::address(bench::scripted_phases_node), {1});
      done = true;
    });
    EXPECT_TRUE(b->run([&] {
      wait(100 * ns);
      ASSERT_NE(asked, nullptr);
      asked->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      answer = b->scripted_phases.socket->nb_transport_bw(*asked, phase, delay);
      auto& exit = b->sockets.initiator_socket(bench::scripted_phases_node).get_base_interface();
      const std::string again = error_of([&] { exit.nb_transport_bw(*asked, phase = tlm::BEGIN_RESP, delay); });
      EXPECT_THAT(again, HasSubstr("that is not under way"));
      wait(100 * ns);
    }));
    EXPECT_TRUE(done);
    EXPECT_EQ(answer, b == &early ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED);
    EXPECT_EQ(ends, b == &early ? 0u : 1u);
    EXPECT_THAT(b->violations(), IsEmpty());
  }
}

TEST_F(tlm_phases_test, a_queue_that_is_full_stops_the_network_up_behind_it) {
  random_memory& memory = *gated.memories[bench::holding_node];
  unsigned done = 0;
  for (int i = 0; i < 6; ++i)
    bench::spawn([&] {
      gated.write(bench::address(bench::holding_node), std::vector<unsigned char>(64, 1));
      ++done;
    });
  EXPECT_TRUE(gated.run([&] {
    const std::uint64_t received = gated.net.counters().packets_received;
    wait(1000 * ns);
    EXPECT_EQ(gated.net.counters().packets_received - received, 2u) << "one is held, one waits";
    EXPECT_GT(gated.net.counters().flits_injected - gated.net.counters().flits_ejected, 0u);
    for (int i = 0; i < 6; ++i) {
      memory.go_on();
      wait(300 * ns);
    }
  }));
  EXPECT_EQ(done, 6u);
  EXPECT_THAT(gated.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, early_holds_the_end_of_a_request_where_there_is_no_room) {
  std::vector<managed_payload*> p;
  for (int i = 0; i < 3; ++i) p.push_back(&request(early, bench::holding_node));
  EXPECT_TRUE(early.run([&] {
    record(early);
    EXPECT_EQ(send(early, *p[0], tlm::BEGIN_REQ), tlm::TLM_UPDATED);
    EXPECT_EQ(send(early, *p[1], tlm::BEGIN_REQ), tlm::TLM_UPDATED);
    EXPECT_EQ(send(early, *p[2], tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
    wait(200 * ns);
    EXPECT_THAT(came, IsEmpty());
    EXPECT_EQ(early.sockets.outstanding(0), 2u);
    for (managed_payload* q : p) {
      early.memories[bench::holding_node]->go_on();
      wait(200 * ns);
      send(early, *q, tlm::END_RESP);
    }
    EXPECT_THAT(came, ElementsAre("BEGIN_RESP", "END_REQ", "BEGIN_RESP", "BEGIN_RESP"));
    wait(ns);
  }));
  for (managed_payload* q : p) q->release();
  EXPECT_THAT(early.violations(), IsEmpty());
}

// Two requests of one initiator in one moment: a header, and a header with eight bytes.
TEST_F(tlm_phases_test, requests_become_packets_in_their_order) {
  managed_payload& question = request(early, bench::blocking_node);
  managed_payload& data = request(early, bench::blocking_node, tlm::TLM_WRITE_COMMAND);
  EXPECT_TRUE(early.run([&] {
    tlm::tlm_generic_payload* answered = nullptr;
    early.initiator.backward = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
      answered = &p;
      return tlm::TLM_ACCEPTED;
    };
    const packet_id first = early.net.packets().created();
    EXPECT_EQ(send(early, question, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
    EXPECT_EQ(send(early, data, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
    wait(3 * ns);
    ASSERT_EQ(early.net.packets().created(), first + 2);
    EXPECT_EQ(early.net.packets()[first].flits, 1u);
    EXPECT_EQ(early.net.packets()[first + 1].flits, 2u);
    for (int i = 0; i < 2; ++i) {
      wait(200 * ns);
      send(early, *answered, tlm::END_RESP);
    }
    wait(ns);
  }));
  for (managed_payload* q : {&question, &data}) q->release();
  EXPECT_THAT(early.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, a_payload_may_be_sent_again_in_another_way) {
  managed_payload& p = request(full, bench::blocking_node);
  EXPECT_TRUE(full.run([&] {
    EXPECT_EQ(full.access(p), tlm::TLM_OK_RESPONSE);
    p.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::blocking_node), 8);
    record(full);
    send(full, p, tlm::BEGIN_REQ);
    wait(200 * ns);
    EXPECT_THAT(came, ElementsAre("END_REQ", "BEGIN_RESP"));
    send(full, p, tlm::END_RESP);
    wait(ns);
  }));
  p.release();
  EXPECT_THAT(full.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, a_target_is_busy_with_as_many_requests_as_it_is_given) {
  for (bench* b : {&gated, &full}) {
    std::vector<tlm::tlm_generic_payload*> asked;
    b->scripted_phases.forward = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
      asked.push_back(&p);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    };
    unsigned done = 0;
    for (int i = 0; i < 2; ++i)
      bench::spawn([&, b] {
        b->write(bench::address(bench::scripted_phases_node), {1});
        ++done;
      });
    EXPECT_TRUE(b->run([&] {
      for (unsigned responses = 0; responses < 2; ++responses) {
        wait(200 * ns);
        EXPECT_EQ(asked.size(), b == &full ? 2u : responses + 1) << "one at a time, or two";
        ASSERT_GT(asked.size(), responses);
        asked[responses]->set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        b->scripted_phases.socket->nb_transport_bw(*asked[responses], phase, delay);
      }
      wait(200 * ns);
    }));
    EXPECT_EQ(done, 2u);
    EXPECT_THAT(b->violations(), IsEmpty());
  }
}

// --- what others do wrong ---

TEST_F(tlm_phases_test, a_response_ends_once_and_is_that_of_the_transaction) {
  auto& entry = dynamic_cast<tlm_entry&>(*full.sockets.target_socket(0).get_base_export().get_interface());
  managed_payload& p = request(full, bench::blocking_node);
  managed_payload& other = request(full, bench::blocking_node);
  const auto end = [&](tlm::tlm_generic_payload& payload) {
    return error_of([&] {
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay;
      entry.nb_transport_fw(payload, phase, delay);
    });
  };
  EXPECT_TRUE(full.run([&] {
    record(full);
    send(full, p, tlm::BEGIN_REQ);
    wait(200 * ns);
    EXPECT_THAT(end(other), HasSubstr("END_RESP without a BEGIN_RESP"));
    EXPECT_EQ(send(full, p, tlm::END_RESP, 50 * ns), tlm::TLM_COMPLETED);
    EXPECT_THAT(end(p), HasSubstr("END_RESP without a BEGIN_RESP")) << "it has been announced";
    wait(60 * ns);
  }));
  EXPECT_EQ(p.get_ref_count(), 1);
  for (managed_payload* q : {&p, &other}) q->release();
  EXPECT_THAT(full.violations(), IsEmpty());
}

TEST_F(tlm_phases_test, what_an_initiator_may_not_do) {
  managed_payload bare;
  bare.data.resize(4);
  bare.prepare(tlm::TLM_READ_COMMAND, bench::address(bench::blocking_node), 4);
  auto& entry = dynamic_cast<tlm_entry&>(*full.sockets.target_socket(0).get_base_export().get_interface());
  const auto call = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    entry.nb_transport_fw(p, phase, delay);
  };
  EXPECT_THAT(error_of([&] { call(bare, tlm::BEGIN_REQ); }), HasSubstr("without a memory manager"));
  EXPECT_THAT(error_of([&] { call(bare, tlm::END_RESP); }), HasSubstr("END_RESP without a BEGIN_RESP"));
  EXPECT_THAT(error_of([&] { call(bare, tlm::END_REQ); }), HasSubstr("an initiator does not send END_REQ"));
  managed_payload& p = request(full, 0);
  managed_payload& second = request(full, 0);
  EXPECT_TRUE(full.run([&] {
    call(p, tlm::BEGIN_REQ);
    EXPECT_THAT(error_of([&] { call(second, tlm::BEGIN_REQ); }), HasSubstr("BEGIN_REQ before the END_REQ"));
    full.initiator.backward = [](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
      return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    wait(ns);
  }));
  p.release();
  second.release();
}

TEST_F(tlm_phases_test, what_a_target_may_not_do) {
  auto& exit = full.sockets.initiator_socket(bench::scripted_phases_node).get_base_interface();
  managed_payload stranger;
  const auto call = [&](tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    exit.nb_transport_bw(stranger, phase, delay);
  };
  EXPECT_THAT(error_of([&] { call(tlm::BEGIN_RESP); }), HasSubstr("that is not under way"));
  EXPECT_THAT(error_of([&] { call(tlm::BEGIN_REQ); }), HasSubstr("a target does not send BEGIN_REQ"));
}

}  // namespace
}  // namespace toriscope::tlm_phases_test

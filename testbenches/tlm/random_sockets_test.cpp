// SPDX-License-Identifier: Apache-2.0
// The random initiator and the random memory of the soak: what they draw, and that they tell what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/tlm/byte_access.h"
#include "testbenches/tlm/random_initiator.h"
#include "testbenches/tlm/random_memory.h"
#include "testbenches/tlm/scripted_sockets.h"
#include "testbenches/tlm/tlm_test_bench.h"

namespace toriscope::random_sockets_test {
namespace {

using testing::Each;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t base = 0x1000, nowhere = 0x100000;
constexpr unsigned of_each_stream = 600, streams = 2;

/// What a target was asked for, by kind.
struct kinds {
  unsigned reads = 0, writes = 0, enabled = 0, streamed = 0, unmapped = 0, of_second = 0, at_once = 0;
};

/// An initiator with two targets in one memory behind it, which does what it is asked for, and then perhaps
/// something else.
struct drawn_transactions {
  random_initiator initiator;
  scripted_target target;
  std::vector<unsigned char> memory = std::vector<unsigned char>(2 * base);
  std::function<void(tlm::tlm_generic_payload&)> spoil = [](auto&) {};
  kinds seen;
  unsigned longest = 0;

  explicit drawn_transactions(const std::string& name)
      : initiator((name + "_initiator").c_str(), settings()), target((name + "_target").c_str()) {
    initiator.socket.bind(target.socket);
    target.blocking = [this](auto& p, auto& delay) { answer(p, delay); };
    target.forward = [this](auto& p, auto&, auto& delay) {
      answer(p, delay);
      return tlm::TLM_COMPLETED;
    };
  }

 private:
  static random_initiator::config settings() {
    random_initiator::config c;
    c.targets = {{base}, {2 * base}};
    c.unmapped = nowhere;
    c.transactions = of_each_stream;
    c.max_bytes = 100;
    return c;
  }
  void answer(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
    const bool exists = p.get_address() != nowhere;
    ++(p.is_read() ? seen.reads : seen.writes);
    seen.enabled += p.get_byte_enable_ptr() != nullptr;
    seen.streamed += p.get_streaming_width() < p.get_data_length();
    seen.unmapped += !exists;
    seen.of_second += exists && p.get_address() >= 2 * base;
    seen.at_once += delay == sc_core::SC_ZERO_TIME;
    longest = std::max(longest, p.get_data_length());
    p.set_response_status(exists ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (exists) access_bytes(p, memory.data(), base, p.get_data_ptr());
    spoil(p);
  }
};

TEST(random_sockets, an_initiator_draws_every_kind_and_tells_what_its_reference_has_not) {
  drawn_transactions right("right"), other_bytes("other_bytes"), other_status("other_status"),
      all_is_well("all_is_well");
  other_bytes.spoil = [](auto& p) { p.get_data_ptr()[p.get_data_length() - 1] ^= 1; };
  other_status.spoil = [](auto& p) {
    if (p.is_response_ok()) p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  };
  all_is_well.spoil = [](auto& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); };
  sc_core::sc_start(1, sc_core::SC_MS);

  constexpr unsigned all = streams * of_each_stream;
  EXPECT_THAT(right.initiator.differences(), IsEmpty());
  EXPECT_EQ(right.initiator.done(), all);
  EXPECT_EQ(right.initiator.errors(), right.seen.unmapped);
  EXPECT_EQ(right.longest, 100u);
  // By their shares, with four standard deviations.
  const auto near = [](unsigned seen, double share) {
    EXPECT_NEAR(seen, all * share, 4 * std::sqrt(all * share * (1 - share))) << share;
  };
  near(right.seen.reads, 1. / 2);
  near(right.seen.writes, 1. / 2);
  near(right.seen.enabled, 1. / 4);
  near(right.seen.streamed, 1. / 8);
  near(right.seen.unmapped, 1. / 64);
  near(right.seen.of_second, 63. / 64 / 2);
  near(right.seen.at_once, 1. / 3 + 2. / 3 / 41);

  ASSERT_EQ(other_bytes.initiator.differences().size(), 10u) << "the first ten";
  EXPECT_THAT(other_bytes.initiator.differences(), Each(HasSubstr(", other bytes than the reference has")));
  ASSERT_EQ(other_status.initiator.differences().size(), 10u);
  EXPECT_THAT(other_status.initiator.differences(), Each(testing::EndsWith("TLM_GENERIC_ERROR_RESPONSE")));
  EXPECT_THAT(all_is_well.initiator.differences(), Each(HasSubstr(" at " + std::to_string(nowhere) + ": ")));
  EXPECT_THAT(all_is_well.initiator.differences().size(), Gt(5u));
}

/// Without blocking calls.
random_initiator::config to_one_target(unsigned transactions, unsigned outstanding) {
  random_initiator::config settings;
  settings.targets = {{base}};
  settings.transactions = transactions;
  settings.callers = 0;
  settings.outstanding = outstanding;
  return settings;
}

/// Three may be under way, and that many are.
TEST(random_sockets_outstanding, are_as_many_as_may_be) {
  random_initiator initiator("initiator", to_one_target(200, 3));
  scripted_target target("target");
  initiator.socket.bind(target.socket);
  std::vector<tlm::tlm_generic_payload*> open;
  target.forward = [&](auto& p, auto& phase, auto&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    open.push_back(&p);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(open.size(), 3u);
}

/// By the value that BEGIN_RESP returns, or by a call of its own.
TEST(random_sockets_responses, are_ended_in_every_way) {
  random_initiator initiator("initiator", to_one_target(600, 1));
  scripted_target target("target");
  initiator.socket.bind(target.socket);
  sc_core::sc_event changed;
  tlm::tlm_generic_payload* request = nullptr;
  bool responding = false;
  unsigned by_call = 0, updated = 0, completed = 0;
  target.forward = [&](auto& p, auto& phase, auto&) {
    changed.notify();
    if (phase == tlm::BEGIN_REQ) {
      request = &p;
      return tlm::TLM_ACCEPTED;
    }
    ++by_call;
    responding = false;
    return tlm::TLM_COMPLETED;
  };
  tlm_test_bench::spawn([&] {
    for (unsigned i = 0; i < 600; ++i) {
      while (!request) sc_core::wait(changed);
      responding = true;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      const tlm::tlm_sync_enum status =
          target.socket->nb_transport_bw(*std::exchange(request, nullptr), phase, delay);
      updated += status == tlm::TLM_UPDATED;
      completed += status == tlm::TLM_COMPLETED;
      while (status == tlm::TLM_ACCEPTED && responding) sc_core::wait(changed);
    }
  });
  sc_core::sc_start(1, sc_core::SC_MS);
  EXPECT_EQ(by_call + updated + completed, 600u);
  for (const unsigned seen : {by_call, updated, completed})
    EXPECT_NEAR(seen, 600 / 3., 4 * std::sqrt(600 * 2 / 9.));
}

/// The shapes of an answer to BEGIN_REQ, and those of b_transport.
TEST(random_sockets_memory, a_memory_answers_in_every_shape) {
  random_memory memory("memory", {});
  scripted_initiator initiator("initiator");
  initiator.socket.bind(memory.socket);
  payload_pool pool;
  unsigned completed = 0, responded = 0, ended = 0, accepted = 0, ended_later = 0, responded_later = 0;
  initiator.backward = [&](auto&, auto& phase, auto&) {
    (phase == tlm::END_REQ ? ended_later : responded_later) += 1;
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  };
  unsigned waited = 0;
  const auto ask = [&] {
    managed_payload& p = pool.take();
    p.data.assign(4, 0);
    p.prepare(tlm::TLM_READ_COMMAND, 0, 4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = initiator.socket->nb_transport_fw(p, phase, delay);
    completed += status == tlm::TLM_COMPLETED;
    accepted += status == tlm::TLM_ACCEPTED;
    responded += status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
    ended += status == tlm::TLM_UPDATED && phase == tlm::END_REQ;
    if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
      phase = tlm::END_RESP;
      initiator.socket->nb_transport_fw(p, phase, delay = sc_core::SC_ZERO_TIME);
    }
    sc_core::wait(200, sc_core::SC_NS);
    p.release();
    managed_payload blocking;
    blocking.data.assign(4, 0);
    blocking.prepare(tlm::TLM_READ_COMMAND, 0, 4);
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    delay = sc_core::sc_time(100, sc_core::SC_NS);
    initiator.socket->b_transport(blocking, delay);
    waited += sc_core::sc_time_stamp() - before >= sc_core::sc_time(100, sc_core::SC_NS);
  };
  tlm_test_bench::spawn([&] {
    for (unsigned i = 0; i < 600; ++i) ask();
  });
  sc_core::sc_start(1, sc_core::SC_MS);
  const auto near = [](unsigned seen, double share) {
    EXPECT_NEAR(seen, 600 * share, 4 * std::sqrt(600 * share * (1 - share))) << share;
  };
  near(completed, 1. / 6);
  near(responded, 1. / 6);
  near(ended, 1. / 6);
  near(accepted, 1. / 2);
  near(ended_later, 1. / 3);
  EXPECT_EQ(responded_later, ended + accepted);
  near(waited, 1. / 2);
  EXPECT_EQ(pool.held(), 0u);

  managed_payload last;
  const auto debug_bytes = [&](std::uint64_t address) {
    last.data.assign(4, 0);
    last.prepare(tlm::TLM_READ_COMMAND, address, 4);
    return initiator.socket->transport_dbg(last);
  };
  EXPECT_EQ(debug_bytes(4092), 4u) << "of 4096";
  EXPECT_EQ(debug_bytes(4094), 2u);
  EXPECT_EQ(debug_bytes(4096), 0u);
  EXPECT_EQ(debug_bytes(4097), 0u);
}

}  // namespace
}  // namespace toriscope::random_sockets_test

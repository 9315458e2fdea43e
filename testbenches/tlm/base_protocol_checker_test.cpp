// SPDX-License-Identifier: Apache-2.0
// The checker of the base protocol is silent when all is well, and catches each thing that is not: provoked
// here by an initiator and a target that do as they are told.
#include "testbenches/tlm/base_protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iterator>

#include "testbenches/tlm/managed_payload.h"
#include "testbenches/tlm/scripted_sockets.h"

namespace toriscope::base_protocol_checker_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const sc_core::sc_time none;
const sc_core::sc_time some(5, sc_core::SC_NS);

struct bench {
  scripted_initiator initiator{"initiator"};
  base_protocol_checker checker{"checker"};
  scripted_target target{"target"};

  bench() {
    initiator.socket.bind(checker.from_initiator);
    checker.to_target.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

/// Modules are elaborated once per process.
bench& elaborated() {
  static bench only;
  return only;
}

class base_protocol_checker_test : public testing::Test {
 protected:
  base_protocol_checker_test() {
    b.checker.forget();
    b.initiator.backward = b.target.forward = accept_call;
    for (managed_payload* p : {&first, &second}) {
      p->data.resize(4);
      p->prepare(tlm::TLM_WRITE_COMMAND, 0x100, 4);
    }
  }

  tlm::tlm_sync_enum forward(managed_payload& p, tlm::tlm_phase phase, sc_core::sc_time delay = none) {
    return b.initiator.socket->nb_transport_fw(p, phase, delay);
  }
  tlm::tlm_sync_enum backward(managed_payload& p, tlm::tlm_phase phase, sc_core::sc_time delay = none) {
    return b.target.socket->nb_transport_bw(p, phase, delay);
  }
  /// The target answers the next forward call so.
  void target_returns(tlm::tlm_sync_enum status, tlm::tlm_phase phase, sc_core::sc_time delay = none) {
    b.target.forward = returning(status, phase, delay);
  }
  void initiator_returns(tlm::tlm_sync_enum status, tlm::tlm_phase phase, sc_core::sc_time delay = none) {
    b.initiator.backward = returning(status, phase, delay);
  }
  /// The target answers the next b_transport so.
  void blocking_call(const std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)>& does,
                     sc_core::sc_time delay = none) {
    b.target.blocking = does;
    b.initiator.socket->b_transport(first, delay);
  }
  /// Up to the response of `p`.
  void respond(managed_payload& p) {
    forward(p, tlm::BEGIN_REQ);
    backward(p, tlm::END_REQ);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    backward(p, tlm::BEGIN_RESP);
  }
  void expect_violation(const std::string& what) {
    EXPECT_THAT(b.checker.violations(), ElementsAre(HasSubstr(what)));
  }
  void expect_silence() { EXPECT_THAT(b.checker.violations(), IsEmpty()); }

  bench& b = elaborated();
  payload_pool pool;
  managed_payload& first = pool.take();
  managed_payload& second = pool.take();

 private:
  static non_blocking_call returning(tlm::tlm_sync_enum status, tlm::tlm_phase phase,
                                     sc_core::sc_time delay) {
    return [=](tlm::tlm_generic_payload& p, tlm::tlm_phase& to, sc_core::sc_time& time) {
      if (phase == tlm::BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
      to = phase;
      time = delay;
      return status;
    };
  }
};

// --- what is allowed ---

TEST_F(base_protocol_checker_test, four_phases_are_fine) {
  respond(first);
  forward(first, tlm::END_RESP);
  EXPECT_EQ(b.checker.under_way(), 0u);
  expect_silence();
}

TEST_F(base_protocol_checker_test, a_second_request_may_follow_the_end_of_the_first) {
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ);
  respond(second);
  forward(second, tlm::END_RESP);
  EXPECT_EQ(b.checker.under_way(), 1u);
  expect_silence();
}

TEST_F(base_protocol_checker_test, a_response_implies_the_end_of_the_request) {
  forward(first, tlm::BEGIN_REQ);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  initiator_returns(tlm::TLM_COMPLETED, tlm::END_RESP, some);
  backward(first, tlm::BEGIN_RESP);
  EXPECT_EQ(b.checker.under_way(), 0u);
  forward(second, tlm::BEGIN_REQ);
  expect_silence();
}

TEST_F(base_protocol_checker_test, a_target_may_answer_by_return_values) {
  target_returns(tlm::TLM_UPDATED, tlm::END_REQ, some);
  forward(first, tlm::BEGIN_REQ);
  target_returns(tlm::TLM_UPDATED, tlm::BEGIN_RESP, some);
  forward(second, tlm::BEGIN_REQ);
  target_returns(tlm::TLM_COMPLETED, tlm::END_RESP, some);
  forward(second, tlm::END_RESP, some);
  EXPECT_EQ(b.checker.under_way(), 1u);
  expect_silence();
}

TEST_F(base_protocol_checker_test, a_target_may_complete_at_once) {
  b.target.forward = [](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  forward(first, tlm::BEGIN_REQ);
  EXPECT_EQ(b.checker.under_way(), 0u);
  expect_silence();
}

TEST_F(base_protocol_checker_test, a_blocking_call_may_add_time) {
  blocking_call([](auto& p, auto& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += some;
  });
  expect_silence();
}

// --- phases ---

TEST_F(base_protocol_checker_test, two_requests_at_a_time) {
  forward(first, tlm::BEGIN_REQ);
  forward(second, tlm::BEGIN_REQ);
  expect_violation("BEGIN_REQ before the END_REQ of another transaction");
}

TEST_F(base_protocol_checker_test, two_responses_at_a_time) {
  respond(first);
  respond(second);
  expect_violation("BEGIN_RESP before the END_RESP of another transaction");
}

TEST_F(base_protocol_checker_test, a_request_begun_twice) {
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ);
  forward(first, tlm::BEGIN_REQ);
  expect_violation("BEGIN_REQ of a transaction that is under way");
}

TEST_F(base_protocol_checker_test, a_request_ended_twice) {
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ);
  backward(first, tlm::END_REQ);
  expect_violation("END_REQ after END_REQ");
}

TEST_F(base_protocol_checker_test, a_response_before_its_request) {
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  backward(first, tlm::BEGIN_RESP);
  expect_violation("BEGIN_RESP of a transaction that is not under way");
}

TEST_F(base_protocol_checker_test, the_end_of_a_response_that_has_not_begun) {
  forward(first, tlm::BEGIN_REQ);
  forward(first, tlm::END_RESP);
  expect_violation("END_RESP after BEGIN_REQ");
  forward(second, tlm::BEGIN_REQ);
  backward(second, tlm::END_REQ);
  forward(second, tlm::END_RESP);
  EXPECT_THAT(b.checker.violations(), ElementsAre(testing::_, HasSubstr("END_RESP after END_REQ")));
}

TEST_F(base_protocol_checker_test, the_end_of_a_request_after_the_response) {
  respond(first);
  backward(first, tlm::END_REQ);
  expect_violation("END_REQ after BEGIN_RESP");
}

TEST_F(base_protocol_checker_test, a_phase_of_the_other_side) {
  forward(first, tlm::BEGIN_REQ);
  forward(first, tlm::END_REQ);
  expect_violation("END_REQ by the wrong side");
}

TEST_F(base_protocol_checker_test, an_initiator_that_begins_by_return_value) {
  forward(first, tlm::BEGIN_REQ);
  initiator_returns(tlm::TLM_UPDATED, tlm::BEGIN_RESP);
  backward(first, tlm::END_REQ);
  expect_violation("BEGIN_RESP by the wrong side");
}

TEST_F(base_protocol_checker_test, an_initiator_that_completes_with_the_end_of_the_request) {
  forward(first, tlm::BEGIN_REQ);
  initiator_returns(tlm::TLM_COMPLETED, tlm::END_REQ);
  backward(first, tlm::END_REQ);
  expect_violation("TLM_COMPLETED in answer to END_REQ");
}

// --- payload ---

TEST_F(base_protocol_checker_test, a_target_that_changes_the_address) {
  forward(first, tlm::BEGIN_REQ);
  first.set_address(0x200);
  backward(first, tlm::END_REQ);
  expect_violation("the request was changed before END_REQ");
}

/// Of a read: the bytes themselves are the target's. What is behind the new pointers is as before.
TEST_F(base_protocol_checker_test, a_request_of_which_any_attribute_changes) {
  std::vector<unsigned char> other_data(4), enables(2, 0xff), other_enables(2, 0xff);
  using change = std::function<void(tlm::tlm_generic_payload&)>;
  const change changes[] = {[](auto& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); },
                            [](auto& p) { p.set_address(0x101); },
                            [&](auto& p) { p.set_data_ptr(other_data.data()); },
                            [](auto& p) { p.set_data_length(3); },
                            [&](auto& p) { p.set_byte_enable_ptr(other_enables.data()); },
                            [](auto& p) { p.set_byte_enable_length(1); },
                            [](auto& p) { p.set_streaming_width(3); }};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    b.checker.forget();
    first.prepare(tlm::TLM_READ_COMMAND, 0x100, 4);
    first.set_byte_enable_ptr(enables.data());
    first.set_byte_enable_length(2);
    forward(first, tlm::BEGIN_REQ);
    changes[i](first);
    backward(first, tlm::END_REQ);
    EXPECT_THAT(b.checker.violations(), ElementsAre(HasSubstr("request was changed before END_REQ"))) << i;
  }
}

TEST_F(base_protocol_checker_test, a_length_of_byte_enables_that_there_are_not) {
  forward(first, tlm::BEGIN_REQ);
  first.set_byte_enable_length(1);
  backward(first, tlm::END_REQ);
  expect_violation("the request was changed before END_REQ");
}

TEST_F(base_protocol_checker_test, an_initiator_that_changes_the_data) {
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ);
  first.data[2] = 1;
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  backward(first, tlm::BEGIN_RESP);
  expect_violation("the request was changed before BEGIN_RESP");
}

TEST_F(base_protocol_checker_test, a_target_that_changes_byte_enables_and_completes) {
  first.enables = {0xff, 0};
  first.prepare(tlm::TLM_READ_COMMAND, 0x100, 4);
  b.target.forward = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    first.enables[1] = 0xff;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  forward(first, tlm::BEGIN_REQ);
  expect_violation("the request was changed before TLM_COMPLETED");
}

TEST_F(base_protocol_checker_test, a_target_that_changes_the_length_in_a_blocking_call) {
  blocking_call([](auto& p, auto&) {
    p.set_data_length(1);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  });
  expect_violation("b_transport changed the request");
}

TEST_F(base_protocol_checker_test, a_request_that_has_a_status) {
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  forward(first, tlm::BEGIN_REQ);
  expect_violation("a request has the response status TLM_OK_RESPONSE");
}

TEST_F(base_protocol_checker_test, a_blocking_request_that_has_a_status) {
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  blocking_call([](auto&, auto&) {});
  expect_violation("a request has the response status TLM_OK_RESPONSE");
}

TEST_F(base_protocol_checker_test, a_request_with_the_dmi_hint) {
  first.set_dmi_allowed(true);
  forward(first, tlm::BEGIN_REQ);
  expect_violation("a request has the DMI hint set");
}

TEST_F(base_protocol_checker_test, a_response_without_a_status) {
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::BEGIN_RESP);
  expect_violation("BEGIN_RESP with the response status TLM_INCOMPLETE_RESPONSE");
}

TEST_F(base_protocol_checker_test, an_early_completion_without_a_status) {
  target_returns(tlm::TLM_COMPLETED, tlm::BEGIN_REQ);
  forward(first, tlm::BEGIN_REQ);
  expect_violation("TLM_COMPLETED with the response status TLM_INCOMPLETE_RESPONSE");
}

TEST_F(base_protocol_checker_test, a_blocking_call_without_a_status) {
  blocking_call([](auto&, auto&) {});
  expect_violation("b_transport returned with the response status TLM_INCOMPLETE_RESPONSE");
}

TEST_F(base_protocol_checker_test, a_status_that_is_set_twice) {
  respond(first);
  first.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  forward(first, tlm::END_RESP);
  expect_violation("the response status was changed before END_RESP");
}

// --- time ---

TEST_F(base_protocol_checker_test, a_phase_before_the_one_before) {
  forward(first, tlm::BEGIN_REQ, some);
  backward(first, tlm::END_REQ);
  expect_violation("END_REQ is effective before the phase before it");
}

TEST_F(base_protocol_checker_test, a_response_before_the_end_of_its_request) {
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ, some);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  backward(first, tlm::BEGIN_RESP);
  expect_violation("BEGIN_RESP is effective before the phase before it");
}

TEST_F(base_protocol_checker_test, a_response_before_the_time_that_a_return_value_has_told) {
  target_returns(tlm::TLM_UPDATED, tlm::END_REQ, some);
  forward(first, tlm::BEGIN_REQ);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  backward(first, tlm::BEGIN_RESP);
  expect_violation("BEGIN_RESP is effective before the phase before it");
}

TEST_F(base_protocol_checker_test, the_time_of_a_blocking_call_begins_with_the_delay_that_it_is_given) {
  blocking_call(
      [](auto& p, auto& delay) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        delay = 2 * some;
      },
      some);
  expect_silence();
}

TEST_F(base_protocol_checker_test, a_streaming_width_that_changes) {
  forward(first, tlm::BEGIN_REQ);
  first.set_streaming_width(2);
  backward(first, tlm::END_REQ);
  expect_violation("the request was changed before END_REQ");
}

TEST_F(base_protocol_checker_test, a_target_that_takes_time_away) {
  b.target.forward = [](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = none;
    return tlm::TLM_COMPLETED;
  };
  forward(first, tlm::BEGIN_REQ, some);
  expect_violation("a callee took time from the annotated delay");
}

TEST_F(base_protocol_checker_test, a_blocking_call_that_takes_time_away) {
  blocking_call(
      [](auto& p, auto& delay) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        delay = none;
      },
      some);
  expect_violation("b_transport returned before its own time");
}

TEST_F(base_protocol_checker_test, accepted_with_another_phase) {
  target_returns(tlm::TLM_ACCEPTED, tlm::END_REQ);
  forward(first, tlm::BEGIN_REQ);
  expect_violation("TLM_ACCEPTED, but the phase was changed");
}

TEST_F(base_protocol_checker_test, accepted_with_another_delay) {
  target_returns(tlm::TLM_ACCEPTED, tlm::BEGIN_REQ, some);
  forward(first, tlm::BEGIN_REQ);
  expect_violation("TLM_ACCEPTED, but the delay was changed");
}

TEST_F(base_protocol_checker_test, the_first_hundred_violations_are_written_down) {
  for (unsigned i = 0; i < 99; ++i) backward(first, tlm::END_REQ);
  forward(first, tlm::END_REQ);
  forward(first, tlm::END_REQ);
  ASSERT_EQ(b.checker.violations().size(), 100u);
  EXPECT_THAT(b.checker.violations().back(), HasSubstr("END_REQ by the wrong side"));
}

// --- memory ---

TEST_F(base_protocol_checker_test, a_payload_without_a_memory_manager) {
  managed_payload bare;
  bare.data.resize(4);
  bare.prepare(tlm::TLM_READ_COMMAND, 0x100, 4);
  forward(bare, tlm::BEGIN_REQ);
  expect_violation("a non-blocking transaction without a memory manager");
}

TEST_F(base_protocol_checker_test, a_payload_that_was_released_too_early) {
  respond(first);
  first.release();
  forward(first, tlm::END_RESP);
  EXPECT_THAT(b.checker.violations(),
              testing::Contains(HasSubstr("a non-blocking transaction without a reference")));
}

TEST_F(base_protocol_checker_test, a_payload_used_for_a_blocking_call_while_under_way) {
  forward(first, tlm::BEGIN_REQ);
  blocking_call([](auto& p, auto&) { p.set_response_status(tlm::TLM_OK_RESPONSE); });
  expect_violation("b_transport of a transaction that is under way");
}

TEST_F(base_protocol_checker_test, more_bytes_than_asked_for) {
  b.target.debug = [](auto& p) { return p.get_data_length() + 1; };
  EXPECT_EQ(b.initiator.socket->transport_dbg(first), 5u);
  expect_violation("transport_dbg did more bytes than it was asked for");
}

}  // namespace
}  // namespace toriscope::base_protocol_checker_test

// SPDX-License-Identifier: Apache-2.0
// sv/router.sv against the model's router, alone, under random flits, credits and routing: every output pin
// in every cycle. The two were written from docs/model.md, not from each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <ostream>

#include "base/test_file.h"
#include "hashed_four_stage.h"
#include "odd_router.h"
#include "one_slot_router.h"
#include "rtl_models/lockstep_bench.h"
#include "torus_four_stage.h"
#include "torus_router_2x4.h"
#include "two_local_ports.h"

namespace toriscope::router_lockstep_test {
namespace {

struct variant {
  const char* name;
  make_router make;
};

class router_lockstep : public testing::TestWithParam<variant> {};

/// Each seed is another routing function, another start of the RTL, other traffic.
void run(make_router make, unsigned seeds, unsigned cycles_per_load) {
  struct load {
    unsigned send_percent, take_percent;
  };
  // Nearly idle, balanced, flooded and starved of credits, drained.
  const load loads[] = {{3, 100}, {50, 50}, {100, 100}, {100, 10}, {100, 40}, {0, 100}};
  std::uint64_t flits = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    lockstep_bench bench(make, seed);
    for (const load& l : loads)
      for (unsigned t = 0; t < cycles_per_load; ++t)
        ASSERT_TRUE(bench.cycle(l.send_percent, l.take_percent))
            << "seed " << seed << ", cycle " << t << " of load " << l.send_percent << "/" << l.take_percent;
    flits += bench.flits();
  }
  EXPECT_GT(flits, std::uint64_t{seeds} * cycles_per_load);
}

// 600,000 router-cycles in all, with the other variants.
TEST_P(router_lockstep, every_pin_in_every_cycle) { run(GetParam().make, 20, 1000); }

// 20 million router-cycles in all, with the other variants.
TEST_P(router_lockstep, long_every_pin_in_every_cycle) { run(GetParam().make, 340, 2000); }

TEST_P(router_lockstep, can_fail_late_credits) {
  lockstep_bench b(GetParam().make, 1);
  for (unsigned t = 0; t < 200; ++t) ASSERT_TRUE(b.cycle(100, 10));
  b.delay_credits_of_rtl();
  bool equal = true;
  for (unsigned t = 0; t < 100 && equal; ++t) equal = b.cycle(100, 10);
  EXPECT_FALSE(equal);
}

TEST_P(router_lockstep, can_fail_one_bit_of_one_flit) {
  lockstep_bench b(GetParam().make, 1);
  for (unsigned t = 0; t < 200; ++t) ASSERT_TRUE(b.cycle(50, 50));
  b.flip_bit_for_rtl(63);
  bool equal = true;
  for (unsigned t = 0; t < 200 && equal; ++t) equal = b.cycle(50, 50);
  EXPECT_FALSE(equal);
}

struct misuse {
  const char* name;
  const char* answer;  ///< of the route table, to everything: "08" is VC 0 of output port 0, "00" nothing
  const char* said;
  void (*drive)(rtl_router&);
};
std::ostream& operator<<(std::ostream& out, const misuse& m) { return out << m.name; }

class router_assertion : public testing::TestWithParam<misuse> {};

TEST_P(router_assertion, reports) {
  const std::string file = test_file(GetParam().name + std::string(".hex"));
  {
    std::ofstream table(file);
    for (int key = 0; key < 32; ++key) table << GetParam().answer << '\n';
  }
  const std::unique_ptr<rtl_router> rtl = make_torus_router_2x4({file, 1});
  std::remove(file.c_str());
  for (int t = 0; t < 3; ++t) rtl->clock_edge();
  testing::internal::CaptureStdout();
  EXPECT_THROW(GetParam().drive(*rtl), rtl_assertion);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::HasSubstr(GetParam().said));
}

/// Shows input port 1 such a flit for as many cycles.
void show(rtl_router& rtl, flit_word f, unsigned cycles) {
  rtl.set_flit(1, f);
  for (unsigned t = 0; t < cycles; ++t) rtl.clock_edge();
}
constexpr flit_word head{1 | 2}, body{1};

const misuse misuses[] = {
    {"vc_in_range", "08", "a flit on a VC that does not exist",
     [](rtl_router& rtl) { show(rtl, head.on_vc(2), 1); }},
    {"head_first", "08", "a body flit without its head", [](rtl_router& rtl) { show(rtl, body, 1); }},
    {"route_known", "00", "the route table has no answer", [](rtl_router& rtl) { show(rtl, head, 1); }},
    {"credit_overflow", "08", "more credits than there are slots",
     [](rtl_router& rtl) {
       rtl.set_credit(1, {1});
       rtl.clock_edge();
     }},
    {"buffer_overflow", "08", "a flit came in without a credit",
     [](rtl_router& rtl) {
       EXPECT_NO_THROW(show(rtl, head, 1));
       EXPECT_NO_THROW(show(rtl, body, 7)) << "4 leave, 4 stay";
       show(rtl, body, 1);
     }},
};
INSTANTIATE_TEST_SUITE_P(misuses, router_assertion, testing::ValuesIn(misuses),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// It has two of the three VCs of its network, and downstream there is room for two flits by each.
TEST(router_assertions, of_a_router_that_is_told_what_its_neighbours_have) {
  const auto said = [](void (*drive)(rtl_router&)) {
    const std::unique_ptr<rtl_router> rtl = make_odd_router({"/dev/null", 1, std::vector<unsigned>(12, 2)});
    testing::internal::CaptureStdout();
    EXPECT_THROW(drive(*rtl), rtl_assertion);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_THAT(said([](rtl_router& rtl) { show(rtl, body.on_vc(2), 1); }),
              testing::HasSubstr("a flit on a VC that does not exist"));
  EXPECT_THAT(said([](rtl_router& rtl) {
                rtl.set_credit(1, {1});
                rtl.clock_edge();
              }),
              testing::HasSubstr("more credits than there are slots"));
}

INSTANTIATE_TEST_SUITE_P(
    variants, router_lockstep,
    testing::Values(variant{"ports5_vcs2_depth4", make_torus_router_2x4},
                    variant{"ports3_vcs1_depth1", make_one_slot_router},
                    variant{"four_stage_ports5_local2_vcs9_depth3_narrow", make_two_local_ports},
                    variant{"ports4_vcs2of3_depth5to7_drained_options3_narrow", make_odd_router},
                    variant{"four_stage_ports5_vcs4_depth8", make_torus_four_stage},
                    variant{"four_stage_ports4_vcs2_depth3to5_drained_hashed", make_hashed_four_stage}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace toriscope::router_lockstep_test

// SPDX-License-Identifier: Apache-2.0
// Two ranks without MPI, over a pair of sockets: what is lost between them breaks an invariant on both; and what is on
// both is damaged. Which failure of both is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

#include "base/json.h"
#include "testbenches/reference/child_process.h"
#include "testbenches/simulation/distributed/socket_ranks_test.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope {
namespace {

struct run_of_both {
  std::string link_delay = "1";
  cycle_t drain_cycles = 10000;
  unsigned tampering_rank = 1;
};

/// @returns its failure, or whether it has waited and how often it met the other one
std::string simulate_rank(socket_transport transport, const run_of_both& how) {
  run_config config;
  config.topology.spec = "mesh:4x4";
  config.topology.link_delay_cycles = {how.link_delay};
  config.network.router.vcs = 2;
  config.traffic.rate_flits_per_node_cycle = .3;
  config.measurement.warmup_cycles = 0;
  config.measurement.measure_cycles = 200;
  config.measurement.drain_cycles = how.drain_cycles;
  simulation& s = reference::keep(std::make_unique<simulation>(config));
  s.share(transport);
  s.elaborate();
  s.run();
  if (s.failure()) return s.failure()->message;
  const auto performance = nlohmann::json::parse(as_json(s.results()))["performance"];
  return (performance["working_cpu_s"] == performance["simulate_cpu_s"] ? "no failure" : "it has waited") +
         std::string("; meetings: ") + std::to_string(transport.meetings());
}

/// @param tamper  changes what a rank sends @returns what both ranks say
std::string simulate_both(const std::function<void(words&)>& tamper, const run_of_both& how = {}) {
  return reference::run_in_child([&] {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return std::string("no sockets");
    const auto tamper_of = [&](unsigned rank) { return rank == how.tampering_rank ? tamper : [](words&) {}; };
    const pid_t other = fork();
    if (other == 0) {
      close(ends[0]);
      try {
        (void)simulate_rank({1, ends[1], tamper_of(1)}, how);
      } catch (const std::exception&) {  // rank 0 has gone, and says why
        std::_Exit(1);
      }
      std::_Exit(0);
    }
    close(ends[1]);
    const std::string text = simulate_rank({0, ends[0], tamper_of(0)}, how);
    waitpid(other, nullptr, 0);
    return text;
  });
}

/// The credits in a message of a window. (A message: three words of a header, then label and word, and behind a head
/// four words of its packet: partition_boundary.cpp.)
std::vector<std::uint64_t*> credits_in(words& message) {
  std::vector<std::uint64_t*> credits;
  for (std::size_t i = 3; i + 1 < message.size();) {
    const bool is_credit = message[i] >> 31 & 1;
    if (is_credit) credits.push_back(&message[i + 1]);
    i += is_credit || !flit_word{message[i + 1]}.head() ? 2 : 6;
  }
  return credits;
}

TEST(lost_words, nothing_lost_is_no_failure) {
  EXPECT_THAT(simulate_both([](words&) {}), testing::StartsWith("no failure"));
}

/// Rank 0 of 2; the other one says what this one says.
class echo final : public process_transport {
 public:
  unsigned rank() const override { return 0; }
  unsigned ranks() const override { return 2; }
  void exchange(const rank_words& out, rank_words& in) override {
    ++meetings;
    in = {{}, out[1]};
  }
  double waiting_cpu_seconds() const override { return 0; }
  void finish() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }
  unsigned meetings = 0;
};

TEST(windows, ranks_meet_once_in_as_many_cycles_as_a_link_between_them_takes) {
  const auto meetings = [](const char* link_delay) {
    const std::string text = simulate_both([](words&) {}, {link_delay});
    return std::stoi(text.substr(text.find("meetings: ") + 10));
  };
  EXPECT_NEAR(meetings("8"), 200 / 8, 15) << "and those until the last packet has arrived";
  EXPECT_GT(meetings("1"), 200);
}

TEST(windows, end_in_every_eighth_cycle) {
  run_config config;
  config.topology.spec = "mesh:4x4";
  config.topology.link_delay_cycles = {"8"};
  simulation& part = reference::keep(std::make_unique<simulation>(config));
  part.leave_kernel();
  echo other;
  part.share(other);
  part.elaborate();
  other.meetings = 0;
  for (cycle_t done = 1; done < 50; ++done) {
    part.step_to(done);
    EXPECT_EQ(other.meetings, done / 8) << done;
  }
}

/// A part of a network that has read the state of the whole in cycle 50.
simulation& with_the_state_of_the_whole(const run_config& config, bool with_traffic, echo& other) {
  simulation& whole = reference::keep(std::make_unique<simulation>(config));
  whole.leave_kernel();
  whole.elaborate();
  if (with_traffic) whole.attach_traffic();
  whole.step_to(50);
  state_archive saved;
  whole.net().archive(saved);
  simulation& part = reference::keep(std::make_unique<simulation>(config));
  part.leave_kernel();
  part.share(other);
  part.elaborate();
  state_archive read(saved.bytes());
  part.net().archive(read);
  return part;
}

TEST(windows, begin_anew_with_a_state) {
  run_config config;
  config.topology.spec = "mesh:4x4";
  config.topology.link_delay_cycles = {"8"};
  echo other;
  simulation& part = with_the_state_of_the_whole(config, false, other);
  EXPECT_THAT(part.net().end_archive(true), testing::HasSubstr("16 slots are accounted for, the buffer has 8"))
      << "the other one says again what this one has";
  other.meetings = 0;
  for (cycle_t done = 1; done < 30; ++done) {
    part.step_to(50 + done);
    EXPECT_EQ(other.meetings, done / 8) << done;
  }
}

/// Likewise, but the other one fails `later` cycles later, at another node, and begins its words with a capital.
class fails_as_well final : public process_transport {
 public:
  fails_as_well(std::int64_t later, node_id node) : later_(later), node_(node) {}
  unsigned rank() const override { return 0; }
  unsigned ranks() const override { return 2; }
  void exchange(const rank_words& out, rank_words& in) override {
    in = {{}, out[1]};
    words& message = in[1];
    if (message.size() < 7 || message[2] == 0) return;  // else cycle, node, number of letters, letters
    message[3] += static_cast<std::uint64_t>(later_);
    message[4] = node_;
    message[6] -= 'a' - 'A';
  }
  double waiting_cpu_seconds() const override { return 0; }
  void finish() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }

 private:
  const std::int64_t later_;
  const node_id node_;
};

TEST(failures, of_two_ranks_in_one_window_the_first_is_told) {
  run_config config;
  config.topology.spec = "mesh:4x4";
  for (const auto& [later, node, is_first] :
       {std::tuple(-1, 15u, true), {-1, 0u, true}, {0, 4u, true}, {0, 6u, false}, {1, 0u, false}, {1, 15u, false}}) {
    simulation& part = reference::keep(std::make_unique<simulation>(config));
    part.leave_kernel();
    fails_as_well other(later, node);
    part.share(other);
    part.elaborate();
    part.step_to(20);
    part.net().fail(5, "odd");
    const network_failure* const told = part.net().failure();
    ASSERT_TRUE(told);
    const cycle_t ours = told->cycle - static_cast<cycle_t>(is_first ? later : 0);
    EXPECT_EQ(told->since, told->cycle);
    EXPECT_EQ(told->message, (is_first ? "B" : "b") + ("roken invariant in cycle " + std::to_string(ours)) + ": " +
                                 part.net().name() + ".node_1_1: odd");
    EXPECT_EQ(told->nodes, std::vector<node_id>{is_first ? node : 5}) << later << ' ' << node;
  }
}

TEST(states, in_which_two_ranks_have_the_same_packet_are_damaged) {
  run_config config;
  config.topology.spec = "mesh:4x4";
  config.traffic.rate_flits_per_node_cycle = .3;
  echo other;
  simulation& part = with_the_state_of_the_whole(config, true, other);
  EXPECT_EQ(part.net().end_archive(true), "a packet has two heads or tails");
}

TEST(lost_words, a_credit_lost_between_ranks_breaks_an_invariant_at_the_end_of_the_run) {
  for (const unsigned vc : {0u, 1u}) {
    bool lost = false;
    EXPECT_THAT(simulate_both([&](words& message) {
                  const std::vector<std::uint64_t*> credits = credits_in(message);
                  if (lost || credits.empty() || *credits[0] != 1u << vc) return;
                  *credits[0] = 0;
                  lost = true;
                }),
                testing::ContainsRegex("^broken invariant in cycle [0-9]+, at the end of the run: credits of .*\\.vc" +
                                       std::to_string(vc) +
                                       ": 7 slots are accounted for, the buffer has 8$"));
  }
}

/// Rank 1 has sent words in the window in which it stops; and meets in the midst of the last window.
TEST(lost_words, a_credit_too_many_is_told_by_the_other_rank_too) {
  for (const auto& [meetings, cycle] : {std::pair(5u, "[0-9]+"), {203u / 9, "(19[89]|20[0-2])"}}) {
    unsigned met = 0;
    const auto tamper = [&met, meetings = meetings](words& message) {
      if (met++ < meetings) return;
      for (std::uint64_t* const credits : credits_in(message)) *credits = 3;
    };
    EXPECT_THAT(simulate_both(tamper, {"9", 3, 0}),
                testing::MatchesRegex("broken invariant in cycle " + std::string(cycle) + ": mesh\\.node_2_[0-3]: an "
                                      "output VC got more credits than there are slots downstream"));
  }
}

}  // namespace
}  // namespace toriscope

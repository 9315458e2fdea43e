// SPDX-License-Identifier: Apache-2.0
// What two ranks tell at the end of a run, one after the other.
#include "testbenches/simulation/distributed/distributed_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "topologies/registry.h"

namespace toriscope {
namespace {

struct at_the_end {
  double cpu_s, waited_s;
  std::string error;
};

/// One of two ranks: 1 leaves its words, 0 finds them.
class left_words final : public process_transport {
 public:
  left_words(unsigned rank, std::vector<std::uint64_t>& words) : rank_(rank), words_(words) {}
  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return 2; }
  void exchange(const rank_words& out, rank_words& in) override {
    if (rank_ == 1) words_ = out[0];
    in = {{}, rank_ == 1 ? std::vector<std::uint64_t>() : words_};
  }
  double waiting_cpu_seconds() const override { return waited_s; }
  void finish() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }

  double waited_s = 3600;  ///< before the run

 private:
  const unsigned rank_;
  std::vector<std::uint64_t>& words_;
};

/// @returns what rank 0 knows of both
at_the_end gathered(const at_the_end& rank_0, const at_the_end& rank_1) {
  const topology mesh = make_topology("mesh:2x1");
  std::vector<std::uint64_t> words;
  const auto gather = [&](unsigned rank, at_the_end here) {
    left_words transport(rank, words);
    distributed_run run(transport, *mesh.wiring);
    run.start();
    transport.waited_s += here.waited_s;
    measurement measured({}, 2, nullptr);
    lost_packets lost;
    run_totals totals;
    totals.cpu_us = static_cast<std::uint64_t>(here.cpu_s * 1e6);
    run.gather({measured, nullptr, lost}, totals, here.error);
    const double cpu_s = static_cast<double>(totals.cpu_us) / 1e6;
    return at_the_end{cpu_s, cpu_s - static_cast<double>(totals.working_cpu_us) / 1e6, here.error};
  };
  gather(1, rank_1);
  return gather(0, rank_0);
}

// The CPU time of the busiest rank is not always that of the one that works longest.
TEST(distributed_run, has_the_cpu_times_of_the_busiest_rank) {
  const auto expect = [](const at_the_end& rank_0, const at_the_end& rank_1, double cpu_s, double working_s) {
    const at_the_end both = gathered(rank_0, rank_1);
    EXPECT_DOUBLE_EQ(both.cpu_s, cpu_s);
    EXPECT_DOUBLE_EQ(both.cpu_s - both.waited_s, working_s);
  };
  expect({5, .5, ""}, {9, .25, ""}, 9, 8.75);
  expect({5, .5, ""}, {9, 8, ""}, 9, 4.5);
  expect({5, 4, ""}, {3, .25, ""}, 5, 2.75);
  expect({2, 2.5, ""}, {1, 64, ""}, 2, 0);
}

TEST(distributed_run, has_the_error_of_the_first_rank_with_one) {
  EXPECT_EQ(gathered({1, 0, ""}, {1, 0, ""}).error, "");
  EXPECT_EQ(gathered({1, 0, ""}, {1, 0, "odd there"}).error, "odd there");
  EXPECT_EQ(gathered({1, 0, "odd here"}, {1, 0, "odd there"}).error, "odd here");
  EXPECT_EQ(gathered({1, 0, "odd here"}, {1, 0, ""}).error, "odd here");
}

}  // namespace
}  // namespace toriscope

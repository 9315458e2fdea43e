// SPDX-License-Identifier: Apache-2.0
// What is known about deadlock before a run: proofs that are made and remembered, and what message classes wait for.
#include "testbenches/simulation/deadlock_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "testbenches/simulation/proof_cache.h"

namespace toriscope::deadlock_check_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class deadlock_check_test : public testing::Test {
 protected:
  deadlock_check_test() { setenv("XDG_CACHE_HOME", scratch_.path().c_str(), 1); }
  ~deadlock_check_test() override { unsetenv("XDG_CACHE_HOME"); }

  static topology_options torus_with(const std::string& rule, unsigned message_classes) {
    topology_options options;
    options.spec = "torus:4x4";
    options.vc_rule = rule;
    options.vcs = 4;
    options.message_classes = message_classes;
    return options;
  }
  bool remembers() const { return !std::filesystem::is_empty(scratch_.file("toriscope")); }

  scratch_directory scratch_;
};

TEST_F(deadlock_check_test, a_proof_is_remembered_unless_it_shall_not_be) {
  const topology_options options = torus_with("dateline", 1);
  const topology made = make_topology(options);
  const auto without = known_or_proven(made, options, true);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->outcome, proof_outcome::proven);
  std::filesystem::create_directory(scratch_.file("toriscope"));
  EXPECT_FALSE(remembers());
  ASSERT_TRUE(known_or_proven(made, options, false));
  EXPECT_TRUE(remembers());
}

TEST_F(deadlock_check_test, what_is_remembered_is_not_proven_again) {
  const topology_options options = torus_with("dateline", 1);
  const topology made = make_topology(options);
  deadlock_proof unknown;
  unknown.outcome = proof_outcome::unknown;
  proof_cache(made, options).remember(unknown);
  EXPECT_EQ(known_or_proven(made, options, false)->outcome, proof_outcome::unknown);
  EXPECT_EQ(known_or_proven(made, options, true)->outcome, proof_outcome::proven);
}

/// Which `toriscope prove` keeps on request; it is as large as the network.
TEST_F(deadlock_check_test, a_run_keeps_no_certificate) {
  const topology_options options = torus_with("dateline", 1);
  EXPECT_TRUE(known_or_proven(make_topology(options), options, true)->numbers.empty());
}

/// One pair alone; all pairs wait for each other by this rule.
TEST_F(deadlock_check_test, flows_that_cannot_wait_in_a_cycle_are_told_apart_from_all_pairs) {
  topology_options options = torus_with("paper", 1);
  options.spec = "ttn:2,2,0";
  const topology made = make_topology(options);
  const auto summary = [&](const std::vector<flow>* flows, bool allow = true) {
    return deadlock_summary(made, options, vc_reallocation::non_atomic, {allow, true}, flows);
  };
  EXPECT_THAT(summary(nullptr), testing::StartsWith("cyclic: "));
  EXPECT_THAT(error_of<std::invalid_argument>([&] { summary(nullptr, false); }),
              HasSubstr("VC rule 'paper' of ttn:2,2,0 with 4 VCs is not free of deadlock: "));
  std::vector<flow> flows(1);
  flows[0].from = {0};
  flows[0].to = {1};
  const std::string of_flows = summary(&flows, false);
  EXPECT_THAT(of_flows, testing::StartsWith("routing proven free of deadlock ("));
  EXPECT_THAT(of_flows, testing::EndsWith(", for packets of the flows only; for all pairs it is cyclic"));
  const topology_options safe = torus_with("dateline", 1);
  EXPECT_EQ(deadlock_summary(make_topology(safe), safe, vc_reallocation::non_atomic, {true, false}, &flows),
            deadlock_summary(make_topology(safe), safe, vc_reallocation::non_atomic, {true, false}, nullptr))
      << "where all pairs are free of it, flows say nothing more";
  for (terminal_id t = 1; t < 256; ++t) {
    flows[0].from.push_back(t);
    flows[0].to.push_back(t);
  }
  EXPECT_EQ(summary(&flows), summary(nullptr)) << "they are all pairs";
}

TEST_F(deadlock_check_test, vcs_that_no_packet_may_take_are_told) {
  const topology_options options = torus_with("wrapping", 1);
  EXPECT_EQ(deadlock_summary(make_topology(options), options, vc_reallocation::non_atomic, {false, true}, nullptr),
            "routing proven free of deadlock (exhaustive: 256 channels, 448 dependencies)\n"
            "VCs that no packet may take: 2 3 on 32 of 64 links (00.x+ ...), 0 1 on 16 of 64 links (03.x+ ...)");
}

/// 1296 nodes and 5040 links: more than 2^22 of their product, which is followed in a second or so.
TEST_F(deadlock_check_test, a_run_does_not_prove_what_takes_long) {
  topology_options options;
  options.spec = "mesh:36x36";
  EXPECT_EQ(deadlock_summary(make_topology(options), options, vc_reallocation::non_atomic, {false, true}, nullptr),
            "deadlock freedom not checked (takes long); run `toriscope prove`");
}

/// Of proofs that are remembered: the words do not depend on how they were made.
TEST_F(deadlock_check_test, each_outcome_has_its_words) {
  const topology_options options = torus_with("dateline", 1);
  const topology made = make_topology(options);
  deadlock_proof known;
  known.method = proof_method::sampled;
  known.vcs = 4;
  known.channels = 64 * 4;
  known.dependencies = 999;
  const auto said = [&](vc_reallocation when, bool allow) {
    proof_cache(made, options).remember(known);
    return deadlock_summary(made, options, when, {allow, false});
  };
  const std::string sizes = "sampled: 256 channels, 999 dependencies";
  known.outcome = proof_outcome::proven;
  for (const vc_reallocation when : {vc_reallocation::non_atomic, vc_reallocation::atomic})
    EXPECT_EQ(said(when, false), "routing proven free of deadlock (" + sizes + ")");
  known.needs_atomic_vcs = true;
  EXPECT_EQ(said(vc_reallocation::non_atomic, false),
            "deadlock: routing proven free of it with --vc-reallocation atomic only (" + sizes + ")");
  EXPECT_EQ(said(vc_reallocation::atomic, false), "routing proven free of deadlock (" + sizes + ")");
  known.needs_atomic_vcs = false;
  known.outcome = proof_outcome::unknown;
  known.reason = "it takes too long";
  EXPECT_EQ(said(vc_reallocation::non_atomic, false), "deadlock: not proven (" + sizes + "): it takes too long");
  known.outcome = proof_outcome::cyclic;
  known.cycle = {{0, 0}, {1, 0}, {2, 3}};
  const std::string words =
      "3 channels wait for each other in a cycle, from " + to_string(*made.wiring, known.cycle[0]) + " on";
  EXPECT_EQ(said(vc_reallocation::non_atomic, true), "cyclic: " + words + " (" + sizes + ")");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { said(vc_reallocation::non_atomic, false); }),
            "VC rule 'dateline' of torus:4x4 with 4 VCs is not free of deadlock: " + words +
                "; toriscope prove shows it, --vc-rule safe avoids it, --allow-deadlock runs it");
}

/// The limits are of nodes times links, and times the states that are drawn.
TEST_F(deadlock_check_test, a_run_proves_what_takes_a_second_or_two_at_most) {
  struct limit {
    const char* spec;
    const char* routing;
    bool is_proven;
  };
  const limit all[] = {{"torus:16x16", "adaptive", true}, {"mesh:17x17", "adaptive", false},  // 2^18 with an escape
                       {"torus:32x32", "dor", true},                                          // 2^22, of 2^10 nodes
                       {"mesh:33x33", "o1turn", true}, {"mesh:55x55", "o1turn", false}};      // 2^26
  for (const limit& l : all) {
    topology_options options;
    options.spec = l.spec;
    options.routing = l.routing;
    EXPECT_EQ(known_or_proven(make_topology(options), options, true).has_value(), l.is_proven)
        << l.spec << " " << l.routing;
  }
}

/// By classes of destinations: 2^17 links.
TEST_F(deadlock_check_test, a_run_does_not_prove_a_hierarchy_of_too_many_links) {
  topology_options options;
  options.spec = "tesh:2,4,0";
  const topology made = make_topology(options);
  ASSERT_TRUE(follows_classes(*made.wiring, *made.routing));
  ASSERT_GT(made.wiring->links().size(), 1U << 17);
  ASSERT_LT(made.wiring->links().size(), 1U << 18);
  EXPECT_FALSE(known_or_proven(made, options, true));
}

// Made for one class, the rule leads packets from the lower half of the VCs to the upper one at the dateline.
TEST_F(deadlock_check_test, routing_that_leads_from_one_message_class_to_another_is_found) {
  const topology made = make_topology(torus_with("dateline", 1));
  EXPECT_THAT(error_of<std::logic_error>([&] { known_or_proven(made, torus_with("dateline", 2), true); }),
              HasSubstr("routing leads from message class 0 to 1: "));
  const topology_options two = torus_with("dateline", 2);
  EXPECT_EQ(known_or_proven(make_topology(two), two, true)->outcome, proof_outcome::proven);
}

/// Likewise of flows alone, where it is remembered that all pairs together are not free of deadlock.
TEST_F(deadlock_check_test, routing_that_leads_flows_from_one_message_class_to_another_is_found) {
  const topology made = make_topology(torus_with("dateline", 1));
  const topology_options two = torus_with("dateline", 2);
  deadlock_proof cyclic;
  cyclic.outcome = proof_outcome::cyclic;
  cyclic.vcs = 4;
  cyclic.channels = 64 * 4;
  cyclic.cycle = {{0, 0}, {1, 0}};
  proof_cache(made, two).remember(cyclic);
  std::vector<flow> flows(1);
  for (terminal_id t = 0; t < 16; ++t) {
    flows[0].from.push_back(t);
    flows[0].to.push_back(t);
  }
  EXPECT_THAT(
      error_of<std::logic_error>([&] { deadlock_summary(made, two, vc_reallocation::atomic, {true, false}, &flows); }),
      HasSubstr("routing leads from message class 0 to 1: "));
}

TEST_F(deadlock_check_test, flows_talk_on_the_vcs_of_their_class_where_classes_have_their_own) {
  const topology made = make_topology(torus_with("dateline", 1));
  flow f;
  f.from = {3};
  f.to = {5};
  f.message_class = 1;
  using entry = std::tuple<node_id, unsigned, unsigned>;  // the source, its VCs
  const auto entries = [&](unsigned message_classes) {
    std::vector<entry> found;
    pairs_of({f}, torus_with("dateline", message_classes))
        .for_each_entry(*made.wiring, 5, [&](node_id node, port_id, unsigned first, unsigned end) {
          found.emplace_back(node, first, end);
        });
    return found;
  };
  EXPECT_THAT(entries(2), ElementsAre(entry(3, 2, 4)));
  EXPECT_THAT(entries(1), ElementsAre(entry(3, 0, 4))) << "classes share all VCs";
}

TEST(shared_classes_warning, says_what_classes_wait_for) {
  const auto said = [](unsigned classes, bool shared, unsigned reply_queue) {
    run_config config;
    config.network.message_classes = classes;
    config.network.shared_classes = shared;
    config.traffic.reply_queue = reply_queue;
    return shared_classes_warning(config);
  };
  EXPECT_EQ(said(1, true, 1), "");
  EXPECT_EQ(said(2, false, 0), "2 message classes on disjoint VCs: none waits for VCs of another");
  EXPECT_EQ(said(2, false, 1),
            "2 message classes on disjoint VCs: none waits for VCs of another; replies, which requests wait for "
            "(--reply-queue), wait for no request");
  const std::string possible = "message classes share VCs: a protocol deadlock is possible";
  EXPECT_EQ(said(2, true, 0), possible + " where reception waits for replies (--reply-queue); in this run it does not");
  EXPECT_EQ(said(2, true, 1), possible + " (requests wait for room in reply queues, --reply-queue 1, and replies for "
                                         "VCs that requests hold)");
}

}  // namespace
}  // namespace toriscope::deadlock_check_test

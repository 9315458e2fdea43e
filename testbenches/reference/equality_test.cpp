// SPDX-License-Identifier: Apache-2.0
// The engine does what the reference model does, word by word: packet hash, wire hash and all counts are
// equal. Run a part of it with --gtest_filter='*/42_*', or a share of it with GTEST_TOTAL_SHARDS and
// GTEST_SHARD_INDEX. With TORISCOPE_LONG=1 in the environment the configurations are those of the long tier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "testbenches/reference/child_process.h"
#include "testbenches/reference/side_by_side.h"
#include "testbenches/reference/tier.h"

namespace toriscope::reference::equality_test {
namespace {

struct numbered_config {
  std::size_t number;
  equality_config config;
};

void PrintTo(const numbered_config& c, std::ostream* out) { *out << describe(c.config); }

std::vector<numbered_config> configs_of_this_tier() {
  std::vector<numbered_config> list;
  for (equality_config& c : is_long_tier() ? long_equality_configs() : short_equality_configs())
    list.push_back({list.size(), c});
  return list;
}

std::string test_name(const testing::TestParamInfo<numbered_config>& info) {
  std::string name = std::to_string(info.param.number) + "_" + info.param.config.topology;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

class equality : public testing::TestWithParam<numbered_config> {};

TEST_P(equality, same_hashes_and_counts) {
  const equality_config& config = GetParam().config;
  EXPECT_EQ(compare_in_child(config), "") << "  in: " << describe(config);
}

INSTANTIATE_TEST_SUITE_P(tier, equality, testing::ValuesIn(configs_of_this_tier()), test_name);

// Observation changes nothing: a silent engine, one that is only hashed, and one all of whose wires are read
// in every cycle do the same, and the latter's pins are the reference model's in every cycle.
class observation : public testing::TestWithParam<numbered_config> {};

TEST_P(observation, changes_nothing) {
  const equality_config& config = GetParam().config;
  EXPECT_EQ(run_in_child([&] { return run_side_by_side(config, watching::nothing); }), "")
      << describe(config);
  EXPECT_EQ(run_in_child([&] { return run_side_by_side(config, watching::pins); }), "") << describe(config);
}

std::vector<numbered_config> every_16th(std::size_t first) {
  std::vector<numbered_config> list;
  for (const numbered_config& c : configs_of_this_tier()) {
    if (c.number % 16 == first) list.push_back(c);
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(tier, observation, testing::ValuesIn(every_16th(0)), test_name);

class state : public testing::TestWithParam<numbered_config> {};

TEST_P(state, goes_on_as_the_reference_model_does) {
  const equality_config& config = GetParam().config;
  EXPECT_EQ(run_in_child([&] { return run_side_by_side(config, watching::states); }), "") << describe(config);
}

INSTANTIATE_TEST_SUITE_P(tier, state, testing::ValuesIn(is_long_tier() ? configs_of_this_tier() : every_16th(5)),
                         test_name);

// The same numbers on every machine, in every build type, with sanitizers and without.
TEST(golden_hashes, are_those_of_every_build) {
  struct {
    pipeline stages;
    vc_reallocation when;
    unsigned depth;
    const char* rule;
    const char* hashes;
  } const expected[] = {
      {pipeline::single_cycle, vc_reallocation::non_atomic, 4, "dateline",
       "packets 0x273b88262657a40c wires 0x9b4bed1b7bd6514f"},
      {pipeline::single_cycle, vc_reallocation::non_atomic, 4, "safe",
       "packets 0x2684a6dc106175c7 wires 0xd5eb8f254306d4bc"},
      {pipeline::four_stage, vc_reallocation::non_atomic, 4, "dateline",
       "packets 0xc2315b14956f6e56 wires 0xb7c3e8546bf98ff3"},
      {pipeline::four_stage, vc_reallocation::non_atomic, 4, "safe",
       "packets 0xb9e2c7d3cfa53fd5 wires 0xadf6416b08824ace"},
      {pipeline::four_stage, vc_reallocation::atomic, 8, "dateline",
       "packets 0x6ebbe5f41c74018a wires 0xf2d6b53303297bf2"},
      {pipeline::four_stage, vc_reallocation::atomic, 8, "safe",
       "packets 0xf7599e730e8ac0ac wires 0x129304ec07601698"},
      {pipeline::paper2009, vc_reallocation::non_atomic, 1, "dateline",
       "packets 0xb9908ecc589e38bf wires 0xc32207c354c70dce"},
      {pipeline::paper2009, vc_reallocation::non_atomic, 1, "safe",
       "packets 0xccb85b5a7e8da947 wires 0x4c7ab17c16b6fac2"},
  };
  for (const auto& e : expected) {
    equality_config config;
    config.topology = "torus:4x4";
    config.vc_rule = "dateline";
    config.network.router.pipeline = e.stages;
    config.network.router.vc_reallocation = e.when;
    config.network.router.vcs = 4;
    config.network.router.depth = e.depth;
    config.vc_rule = e.rule;
    config.max_link_delay = 7;
    config.rate = 0.3;
    config.lengths = "1:1,5:1";
    EXPECT_EQ(agreed_hashes(config), e.hashes) << describe(config);
  }
}

// What the list promises.
TEST(equality_list, is_long_and_broad_enough) {
  const std::vector<equality_config> list = short_equality_configs();
  EXPECT_GE(list.size(), 300u);
  std::set<std::string> descriptions;
  std::set<unsigned> vcs, depths, delays;
  std::set<std::string> topologies, patterns;
  std::size_t saturated = 0;
  for (const equality_config& c : list) {
    descriptions.insert(describe(c));
    vcs.insert(c.network.router.vcs);
    depths.insert(c.network.router.depth);
    delays.insert(c.max_link_delay);
    topologies.insert(c.topology + c.links + c.vc_rule);
    patterns.insert(c.pattern);
    if (c.saturated) ++saturated;
    EXPECT_GE(c.packets, 1000u);
  }
  EXPECT_EQ(descriptions.size(), list.size()) << "a configuration is in the list twice";
  EXPECT_GE(saturated, 50u);
  EXPECT_EQ(*vcs.begin(), 1u);
  EXPECT_EQ(*vcs.rbegin(), 16u);
  EXPECT_EQ(*depths.begin(), 1u);
  EXPECT_EQ(*depths.rbegin(), 64u);
  EXPECT_EQ(*delays.rbegin(), 7u);
  // every policy, each with saturated traffic
  std::set<std::tuple<allocator_kind, allocator_kind, arbiter_kind>> policies;
  std::set<std::string> features;
  std::set<std::tuple<unsigned, unsigned, unsigned, unsigned>> stages;
  for (const equality_config& c : list) {
    const router_config& router = c.network.router;
    EXPECT_THAT(c.network.validate(), testing::IsEmpty()) << describe(c);
    const stage_counts& s = router.custom_stages;
    if (router.pipeline == pipeline::custom) stages.emplace(s.rc, s.va, s.sa, s.st);
    if (!c.saturated) continue;
    policies.emplace(router.va_allocator, router.sa_allocator, router.arbiter);
    const std::string in = std::string(" ") + to_string(router.pipeline);
    if (router.lookahead) features.insert("look-ahead");
    if (router.speculative) features.insert("speculative");
    if (router.adaptive_delay_cycles > 0) features.insert("adaptive headers");
    if (c.max_flit_cycles > 1) features.insert("narrow" + in);
    if (c.dead_links > 0) features.insert("dead" + in);
    if (c.network.message_classes > 1)
      features.insert((c.network.shared_classes ? "shared" : "classes") + in);
    if (c.network.limited_reception) features.insert("reception" + in);
  }
  EXPECT_EQ(policies.size(), 27u);
  EXPECT_GE(stages.size(), 30u);
  EXPECT_EQ(features.size(), 3u + 5 * 4) << testing::PrintToString(features);
  EXPECT_GE(topologies.size(), 18u);
  EXPECT_GE(patterns.size(), 8u);
}

}  // namespace
}  // namespace toriscope::reference::equality_test

// SPDX-License-Identifier: Apache-2.0
// What a level of a configuration excludes of those below it.
#include "testbenches/simulation/configuration/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope::levels_test {
namespace {

using settings = std::vector<std::pair<const char*, const char*>>;  ///< path and text
using paths = std::vector<std::string>;

void set(const settings& some, run_config& config, const paths& but = {}) {
  for (const auto& [path, text] : some)
    if (!testing::Matches(testing::Contains(path))(but)) set_from_text(parameter_at(path), config, text);
}

struct levelled {
  run_config config;
  paths dropped;
};

levelled over(const settings& below, const settings& level) {
  levelled made;
  set(below, made.config);
  const run_config before = made.config;
  set(level, made.config);
  paths named;
  for (const auto& setting : level) named.emplace_back(setting.first);
  made.dropped = drop_excluded(before, named, made.config);
  return made;
}

TEST(levels, what_is_dropped_has_its_default) {
  struct {
    settings below, level;
    paths dropped;
  } const cases[] = {
      {{{"router.pipeline", "custom"}, {"router.stages", "st=2"}},
       {{"router.pipeline", "four_stage"}},
       {"router.stages"}},
      {{{"router.pipeline", "four_stage"}}, {{"router.stages", "st=2"}}, {"router.pipeline"}},
      {{{"router.pipeline", "paper2009"}, {"router.depth_flits", "1"}},
       {{"router.stages", "st=2"}},
       {"router.pipeline", "router.depth_flits"}},
      {{{"router.pipeline", "paper2009"}, {"router.depth_flits", "1"}},
       {{"router.pipeline", "four_stage"}},
       {"router.depth_flits"}},
      {{{"router.depth_flits", "4"}}, {{"router.pipeline", "paper2009"}}, {"router.depth_flits"}},
      {{{"topology.link_width_bits", "32"}}, {{"topology.equal", "pins:64"}}, {"topology.link_width_bits"}},
      {{{"topology.equal", "pins:64"}}, {{"topology.link_width_bits", "32"}}, {"topology.equal"}},
      {{{"traffic.mode", "batch"}}, {{"traffic.file", "p.txt"}}, {"traffic.mode"}},
      {{{"traffic.flows", "f.json"}}, {{"traffic.file", "p.txt"}}, {"traffic.flows"}},
      {{{"traffic.mode", "batch"}}, {{"traffic.flows", "f.json"}}, {"traffic.mode"}},
      {{{"traffic.file", "p.txt"}}, {{"traffic.flows", "f.json"}}, {"traffic.file"}},
      {{{"traffic.file", "p.txt"}}, {{"traffic.mode", "batch"}}, {"traffic.file"}},
      {{{"traffic.flows", "f.json"}}, {{"traffic.mode", "request_reply"}}, {"traffic.flows"}},
  };
  for (const auto& [below, level, dropped] : cases) {
    const levelled made = over(below, level);
    const std::string what = std::string(below[0].second) + ", then " + level[0].second;
    EXPECT_THAT(made.dropped, testing::IsSupersetOf(dropped)) << what;
    run_config told;  // as if what was dropped had never been said
    set(below, told, dropped);
    set(level, told);
    EXPECT_EQ(as_tree(made.config), as_tree(told)) << what;
  }
}

TEST(levels, what_goes_together_or_stands_on_one_level_stays) {
  const settings custom{
      {"router.pipeline", "custom"}, {"router.stages", "st=2"}, {"router.depth_flits", "4"}};
  struct {
    settings below, level;
  } const cases[] = {
      {{}, {{"router.pipeline", "four_stage"}, {"router.stages", "st=2"}}},
      {custom, {{"router.pipeline", "custom"}}},
      {custom, {{"router.stages", ""}, {"router.pipeline", "four_stage"}}},
      {custom, {{"router.vcs", "2"}}},
      {{{"router.pipeline", "single_cycle"}}, {{"router.stages", ""}}},
      {{{"router.pipeline", "paper2009"}, {"router.depth_flits", "1"}},
       {{"router.pipeline", "four_stage"}, {"router.depth_flits", "1"}}},
      {{}, {{"topology.link_width_bits", "32"}, {"topology.equal", "pins:64"}}},
      {{{"topology.link_width_bits", "32"}}, {{"topology.equal", ""}}},
      {{{"traffic.file", "p.txt"}}, {{"traffic.mode", "open"}}},
      {{{"traffic.mode", "batch"}}, {{"traffic.file", ""}, {"traffic.flows", ""}}},
      {{}, {{"traffic.file", "p.txt"}, {"traffic.flows", "f.json"}, {"traffic.mode", "batch"}}},
  };
  for (const auto& [below, level] : cases) {
    run_config told;
    set(below, told);
    set(level, told);
    EXPECT_EQ(as_tree(over(below, level).config), as_tree(told)) << level[0].first << " " << level[0].second;
  }
}

}  // namespace
}  // namespace toriscope::levels_test

// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include "base/glob.h"

namespace toriscope::nearest_name_test {
namespace {

TEST(nearest_name, edit_distance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("TTN", "ttn"), 0u);
  EXPECT_EQ(edit_distance("mehs", "mesh"), 2u);
  EXPECT_EQ(edit_distance("abcd", "bd"), 2u);
  EXPECT_EQ(edit_distance("bd", "abcd"), 2u);
}

TEST(nearest_name, only_what_is_near) {
  const std::vector<std::string> known{"mesh", "torus", "cube", "ucube", "ttn"};
  EXPECT_EQ(nearest_name("mehs", known), "mesh");
  EXPECT_EQ(nearest_name("tours", known), "torus");
  EXPECT_EQ(nearest_name("TTN", known), "ttn");
  EXPECT_EQ(nearest_name("cubes", known), "cube");
  EXPECT_EQ(nearest_name("dragonfly", known), "");
  EXPECT_EQ(nearest_name("tab", known), "") << "two letters of three are others";
  EXPECT_EQ(nearest_name("rat", {"rate", "rats"}), "rate") << "the first of two";
  EXPECT_EQ(unknown_name("topology", "tours", known), "unknown topology 'tours'; did you mean 'torus'?");
  EXPECT_EQ(unknown_name("topology", "dragonfly", known),
            "unknown topology 'dragonfly'; known: mesh, torus, cube, ucube, ttn");
  EXPECT_EQ(unknown_name("topology", "dragonfly", known, "see --help"),
            "unknown topology 'dragonfly'; see --help");
  EXPECT_EQ(unknown_name("topology", "a\nb", {}, "see"), "unknown topology 'a\\nb'; see");
}

TEST(nearest_name, the_only_one_that_begins_like_this) {
  const std::vector<std::string> known{"bit_reversal", "bit_rotation", "topology.link_delay_cycles"};
  EXPECT_EQ(nearest_name("bitrev", known), "bit_reversal");
  EXPECT_EQ(nearest_name("link-delay", known), "topology.link_delay_cycles");
  EXPECT_EQ(nearest_name("bit_r", known), "") << "two";
  EXPECT_EQ(nearest_name("bi", known), "") << "too short";
  EXPECT_EQ(nearest_name("bit", {"bit_reversal", "uniform"}), "bit_reversal");
  const std::string twice = "link_delay_by_level.link_delay_cycles";
  EXPECT_EQ(nearest_name("link-delay", {"uniform", twice}), twice) << "one name, of two such parts";
}

TEST(nearest_name, a_part_between_dots_where_no_whole_name_is_near) {
  const std::vector<std::string> known{"offered", "latency.mean", "latency.p99", "router.depth"};
  EXPECT_EQ(nearest_name("latnecy", known), "latency.mean");
  EXPECT_EQ(nearest_name("depht", known), "router.depth");
  EXPECT_EQ(nearest_name("latency.p9", known), "latency.p99") << "a whole name comes first";
  EXPECT_EQ(nearest_name("throughput", known), "");
  EXPECT_EQ(nearest_name("dept", known), "router.depth") << "which begins like this, too";
}

/// The three nearest of four, by distances of 1, 2, 4 and 5.
TEST(nearest_name, three_of_many) {
  const std::vector<std::string> names{"torus", "cube", "mehs", "mess"};
  EXPECT_EQ(nearest_names("mesh", names), (std::vector<std::string>{"mess", "mehs", "cube"}));
  EXPECT_EQ(nearest_names("mesh", {"a"}), std::vector<std::string>{"a"});
}

TEST(glob, selects_what_is_in_a_module) {
  for (const char* glob : {"a", "a.b", "a.?", "a.*", "*.c", "a.b.c", "a.b.c*"})
    EXPECT_TRUE(glob_selects(glob, "a.b.c")) << glob;
  for (const char* glob : {"b", "b.c", "a.b.c.d", "a.", "", "a.bc", "?.c"})
    EXPECT_FALSE(glob_selects(glob, "a.b.c")) << glob;
  EXPECT_TRUE(glob_selects("a.", "a..b")) << "a module without a name";
}

TEST(nearest_name, takes_names_of_256_characters) {
  const std::string name(256, 'x');
  EXPECT_EQ(nearest_name(name, {"y" + name.substr(1)}), "y" + name.substr(1));
  EXPECT_EQ(nearest_name(name, {name + "y"}), name + "y") << "begins like this";
  EXPECT_EQ(nearest_name(name + "x", {name}), "");
}

TEST(nearest_name, gives_up_on_names_of_a_megabyte) {
  const std::string name(1000000, 'x');
  EXPECT_EQ(nearest_name(name, {name + "y"}), "");
  EXPECT_LT(unknown_name("node", name, {name + "y"}, "").size(), 400u);
}

}  // namespace
}  // namespace toriscope::nearest_name_test

// SPDX-License-Identifier: Apache-2.0
// Files of a configuration: keys by section and on the top level, and what is said of those that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/error_of_test.h"
#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope::config_file_test {
namespace {

std::string said_to(const std::string& text) {
  run_config config;
  return error_of<std::invalid_argument>([&] { set_from_file_text(text, "f.json", config); });
}

TEST(config_file, keys_are_paths_options_and_former_names) {
  for (const char* text : {R"({"router": {"depth_flits": 3}})", R"({"router.depth_flits": 3})", R"({"depth": 3})"}) {
    run_config config;
    std::map<std::string, std::string> keys;
    set_from_file_text(text, "f.json", config, &keys);
    EXPECT_EQ(config.network.router.depth, 3u) << text;
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_EQ(keys.begin()->first, "router.depth_flits");
    EXPECT_EQ(keys.begin()->second, std::string(text).find("\"depth\"") == 1 ? "depth" : "router.depth_flits");
  }
  run_config config;
  set_from_file_text(R"({"link_width": 32, "warmup": 7})", "f.json", config);
  EXPECT_THAT(config.topology.link_width_bits, testing::ElementsAre(32));
  EXPECT_EQ(config.measurement.warmup_cycles, 7u);
}

TEST(config_file, an_unknown_key_is_answered_by_the_nearest_one_that_may_stand_there) {
  const auto meant = [](const std::string& key, const std::string& nearest) {
    return "f.json: unknown key '" + key + "'; did you mean '" + nearest + "'?";
  };
  EXPECT_EQ(said_to(R"({"router": {"depth_flit": 3}})"), meant("router.depth_flit", "router.depth_flits"));
  EXPECT_EQ(said_to(R"({"router.depth_flit": 3})"), meant("router.depth_flit", "router.depth_flits"));
  EXPECT_EQ(said_to(R"({"dept": 3})"), meant("dept", "depth"));
  EXPECT_EQ(said_to(R"({"ruoter": {"vcs": 3}})"), meant("ruoter", "router"));
  // In a wrong section, by its key there or by its option.
  EXPECT_EQ(said_to(R"({"network": {"depth_flits": 3}})"), meant("network.depth_flits", "router.depth_flits"));
  EXPECT_EQ(said_to(R"({"network": {"vc-reallocation": 3}})"), meant("network.vc-reallocation", "router.regrant"));
  EXPECT_EQ(said_to(R"({"topology": {"vcs": 3}})"), meant("topology.vcs", "router.vcs")) << "not topology.ties";
  EXPECT_EQ(said_to(R"({"topology": {"watchdog": 3}})"), meant("topology.watchdog", "network.watchdog_cycles"))
      << "not topology.pitch_mm";
  EXPECT_EQ(said_to(R"({"traffic": {"lookahaed": 3}})"), meant("traffic.lookahaed", "router.lookahead"));
  EXPECT_EQ(said_to(R"({"network": {"rexxxnt": 3}})"), meant("network.rexxxnt", "router.regrant"))
      << "three letters of seven may be other ones";
  EXPECT_EQ(said_to(R"({"xyzzy": 3})"),
            "f.json: unknown key 'xyzzy'; 'toriscope list parameters' lists those known");
}

TEST(config_file, values_and_second_keys_are_refused_with_their_key) {
  EXPECT_EQ(said_to("[]"), "f.json: expected an object, {...}");
  EXPECT_THAT(said_to(R"({"config": {"router": {"vcs": 2}}})"),
              testing::StartsWith("f.json: unknown key 'config'"))
      << "a result has results, too";
  EXPECT_EQ(said_to(R"({"router": {"vcs": 99}})"), "f.json: router.vcs: 99 must be a whole number from 1 to 16");
  for (const char* value : {"[]", "3", "null"})
    EXPECT_EQ(said_to(R"({"router": )" + std::string(value) + "}"), "f.json: router: expected an object, {...}");
  EXPECT_EQ(said_to(R"({"vcs": 2, "router": {"vcs": 2}})"),
            "f.json: 'vcs' and 'router.vcs' set the same parameter; keep one of them");
}

}  // namespace
}  // namespace toriscope::config_file_test

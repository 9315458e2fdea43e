// SPDX-License-Identifier: Apache-2.0
// Which parameters have no effect in which configurations, all of them, and what is said of that.
#include "testbenches/simulation/configuration/parameter_effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace toriscope::parameter_effects_test {
namespace {

using testing::ElementsAre;

using change = std::function<void(run_config&)>;

/// The parameters without effect, by path without their section.
std::set<std::string> without_effect(const change& make) {
  run_config config;
  make(config);
  std::set<std::string> found;
  for (const parameter& p : parameters())
    if (!why_idle(p, config).empty()) found.insert(p.path.substr(p.path.find('.') + 1));
  return found;
}

std::string why_of(const std::string& path, const change& make) {
  run_config config;
  make(config);
  return why_idle(parameter_at(path), config);
}

/// Of uniform traffic at a rate.
const std::set<std::string> idle_by_default{
    "flit_bits",    "mean_burst_packets", "hot_probability", "hot_nodes",   "local_square",  "local_probability",
    "outstanding",  "service_cycles",     "reply_flits",     "file_timing", "batch_packets", "max_cycles"};

std::set<std::string> default_but(const std::set<std::string>& left_out, const std::set<std::string>& more = {}) {
  std::set<std::string> all = more;
  for (const std::string& name : idle_by_default)
    if (left_out.count(name) == 0) all.insert(name);
  return all;
}

TEST(parameter_effects_of_all, are_told_for_each_kind_of_traffic) {
  const auto mode = [](const char* name) { return [name](run_config& c) { c.traffic.mode = name; }; };
  EXPECT_EQ(without_effect([](run_config&) {}), idle_by_default);
  EXPECT_EQ(without_effect(mode(traffic_mode::batch)),
            default_but({"batch_packets"}, {"rate_flits_per_node_cycle", "arrivals", "warmup_cycles", "drain_cycles"}));
  EXPECT_EQ(without_effect(mode(traffic_mode::request_reply)),
            default_but({"outstanding", "service_cycles", "reply_flits"}, {"message_classes"}));
  const std::set<std::string> in_the_file{"pattern", "rate_flits_per_node_cycle", "packet_flits", "arrivals", "seed"};
  EXPECT_EQ(without_effect([](run_config& c) { c.traffic.file = "t"; }),
            default_but({"flit_bits", "file_timing"}, in_the_file));
  std::set<std::string> to_the_end = in_the_file;
  to_the_end.insert({"warmup_cycles", "drain_cycles"});
  EXPECT_EQ(without_effect([](run_config& c) {
              c.traffic.file = "t";
              c.traffic.file_timing = file_timing::dependencies;
            }),
            default_but({"flit_bits", "file_timing", "outstanding"}, to_the_end));
  EXPECT_EQ(without_effect([](run_config& c) { c.traffic.flows = "f"; }),
            default_but({"flit_bits", "mean_burst_packets"}, {"pattern", "rate_flits_per_node_cycle"}));
  EXPECT_EQ(without_effect([](run_config& c) { c.traffic.pattern = "hotspot"; }),
            default_but({"hot_probability", "hot_nodes"}));
  EXPECT_EQ(without_effect([](run_config& c) { c.traffic.pattern = "local"; }),
            default_but({"local_square", "local_probability"}));
  EXPECT_EQ(without_effect([](run_config& c) { c.traffic.arrivals = "on_off"; }), default_but({"mean_burst_packets"}));
  EXPECT_EQ(without_effect([](run_config& c) { c.measurement.precision = 0.001; }), default_but({"max_cycles"}));
  EXPECT_EQ(without_effect([](run_config& c) { c.fidelity = fidelity::transaction; }),
            default_but({}, {"va_allocator", "sa_allocator", "arbiter", "islip_iterations", "checks", "threads"}));
}

TEST(parameter_effects_of_all, name_what_there_is_instead) {
  const auto batch = [](run_config& c) { c.traffic.mode = traffic_mode::batch; };
  EXPECT_EQ(why_of("traffic.arrivals", batch),
            "with --traffic-mode batch, where all packets are ready in cycle 0; leave it out");
  EXPECT_EQ(why_of("measurement.drain_cycles", batch),
            "with --traffic-mode batch, which is measured from cycle 0 until all are delivered; leave it out");
  EXPECT_EQ(why_of("traffic.packet_flits", [](run_config& c) { c.traffic.file = "t"; }),
            "with --traffic-file, which names every packet; leave it out");
  EXPECT_EQ(why_of("traffic.pattern", [](run_config& c) { c.traffic.flows = "f"; }),
            "with --flows, whose file names it for each flow; leave it out");
  const auto none = [](run_config&) {};
  EXPECT_EQ(why_of("traffic.outstanding", none),
            "without --traffic-mode request_reply or packets that come by their dependencies; add one of these or "
            "leave it out");
  EXPECT_EQ(why_of("traffic.local_square", none), "with --traffic uniform; use --traffic local or leave it out");
  EXPECT_EQ(why_of("traffic.batch_packets", none), "without --traffic-mode batch; add that or leave it out");
  EXPECT_EQ(why_of("traffic.file_timing", none), "without --traffic-file; add that or leave it out");
  EXPECT_EQ(why_of("measurement.max_cycles", none), "without --precision; add that or leave it out");
  EXPECT_EQ(why_of("router.arbiter", [](run_config& c) { c.fidelity = fidelity::transaction; }),
            "with --fidelity transaction; use --fidelity cycle or leave it out");
}

TEST(parameter_effects_of_all, of_flit_sizes_are_of_narrow_links_files_and_clocks) {
  const std::string no_narrow = "without narrow links; add --link-width or --equal, or leave it out";
  const auto flit_bits = [](const change& make) { return why_of("topology.flit_bits", make); };
  EXPECT_EQ(flit_bits([](run_config&) {}), no_narrow);
  EXPECT_EQ(flit_bits([](run_config& c) { c.topology.link_overrides = {"0.x+:delay=3"}; }), no_narrow);
  const std::vector<change> needed = {[](run_config& c) { c.topology.link_width_bits = {32}; },
                                      [](run_config& c) { c.topology.equal = "pins:256"; },
                                      [](run_config& c) { c.topology.spec = "file:net.json"; },
                                      [](run_config& c) { c.topology.spec = "chiplets:mesh:2x2+mesh:2x2"; },
                                      [](run_config& c) {
                                        c.topology.link_overrides = {"0.x+:delay=3", "1.x+:delay=3:width=8"};
                                      },
                                      [](run_config& c) { c.traffic.file = "t"; },
                                      [](run_config& c) { c.traffic.flows = "f"; },
                                      [](run_config& c) { c.measurement.clock_ghz = 0.5; }};
  for (std::size_t i = 0; i < needed.size(); ++i) EXPECT_EQ(flit_bits(needed[i]), "") << i;
}

TEST(parameter_effects_of_all, of_message_classes_are_of_traffic_that_leaves_their_number_open) {
  const auto classes = [](const char* path, const char* mode, unsigned count, bool shared) {
    return why_of(path, [=](run_config& c) {
      c.traffic.mode = mode;
      c.network.message_classes = count;
      c.network.shared_classes = shared;
    });
  };
  const char* const count = "network.message_classes";
  EXPECT_EQ(classes(count, traffic_mode::open, 1, false), "");
  EXPECT_EQ(classes(count, traffic_mode::open, 2, false), "");
  EXPECT_EQ(classes(count, traffic_mode::request_reply, 2, false), "");
  EXPECT_EQ(classes(count, traffic_mode::request_reply, 1, false),
            "with --traffic-mode request_reply, which has two, requests and replies; leave it out");
  const char* const shared = "network.shared_classes";
  EXPECT_EQ(classes(shared, traffic_mode::open, 1, true),
            "with one message class; use --message-classes 2 or leave it out");
  EXPECT_EQ(classes(shared, traffic_mode::open, 1, false), "") << "it is off";
  EXPECT_EQ(classes(shared, traffic_mode::open, 2, true), "");
  EXPECT_EQ(classes(shared, traffic_mode::request_reply, 1, true), "") << "it has two";
}

TEST(parameter_effects_of_all, of_packets_to_the_own_node_are_of_drawn_destinations) {
  const auto self = [](const char* pattern, bool on, const char* file, const char* flows) {
    return why_of("traffic.include_self", [=](run_config& c) {
      c.traffic.pattern = pattern;
      c.traffic.include_self = on;
      c.traffic.file = file;
      c.traffic.flows = flows;
    });
  };
  for (const char* drawn : {"uniform", "hotspot", "local"}) EXPECT_EQ(self(drawn, true, "", ""), "") << drawn;
  EXPECT_EQ(self("transpose", true, "", ""), "with --traffic transpose, which draws no destinations; leave it out");
  EXPECT_EQ(self("transpose", false, "", ""), "") << "it is off";
  EXPECT_EQ(self("uniform", true, "t", ""), "with --traffic-file, which names every packet; leave it out");
  EXPECT_EQ(self("uniform", true, "", "f"), "with --flows, whose file names it for each flow; leave it out");
}

/// Those of the dies.
TEST(parameter_effects_of_all, of_tie_breaks_of_chiplets_are_of_their_dies) {
  const auto ties = [](const char* spec) {
    return why_of("topology.ties", [spec](run_config& c) { c.topology.spec = spec, c.topology.ties = "positive"; });
  };
  EXPECT_EQ(ties("chiplets:mesh:2x2+torus:4x4"), "");
  EXPECT_EQ(ties("chiplets:mesh:2x2+ttn:2,2,0"), "");
  EXPECT_EQ(ties("chiplets:mesh:2x2+mesh:4x4"),
            "with --topology mesh:4x4, which leaves it no choice between two ways round a ring; leave it out");
}

TEST(is_only_printed, the_pitch_unless_a_delay_is_by_length_in_mm) {
  const auto printed = [](const char* path, const std::vector<std::string>& delays) {
    run_config config;
    config.topology.link_delay_cycles = delays;
    return is_only_printed(parameter_at(path), config);
  };
  EXPECT_TRUE(printed("topology.pitch_mm", {"1"}));
  EXPECT_TRUE(printed("topology.pitch_mm", {"1", "linear:2"}));
  EXPECT_FALSE(printed("topology.pitch_mm", {"mm:2"}));
  EXPECT_FALSE(printed("topology.pitch_mm", {"1", "mm:2"}));
  EXPECT_FALSE(printed("topology.layout", {"1"}));
  EXPECT_FALSE(printed("router.vcs", {"mm:2"}));
}

TEST(idle_keys, are_those_that_a_file_changes_in_vain) {
  run_config config;
  config.topology.spec = "torus:4x4";
  config.traffic.hot_nodes = {"3"};
  config.traffic.hot_probability = 0.5;  // no file names it
  config.traffic.batch_packets = 7;
  config.network.router.vcs = 2;
  const std::map<std::string, std::string> keys{{"traffic.hot_nodes", "hot_node"},
                                                {"traffic.mean_burst_packets", "burst"},  // at its default
                                                {"traffic.batch_packets", "traffic.batch_packets"},
                                                {"router.vcs", "vcs"}};
  EXPECT_THAT(
      idle_keys(keys, config),
      ElementsAre("hot_node has no effect with --traffic uniform; use --traffic hotspot or leave it out",
                  "traffic.batch_packets has no effect without --traffic-mode batch; add that or leave it out"));
  EXPECT_THAT(idle_keys({}, config), ElementsAre());
}

}  // namespace
}  // namespace toriscope::parameter_effects_test

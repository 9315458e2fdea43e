// SPDX-License-Identifier: Apache-2.0
// Values that parameters take and refuse, and configurations in which they have no effect.
#include "testbenches/simulation/configuration/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "base/error_of_test.h"
#include "testbenches/simulation/configuration/parameter_effects.h"

namespace toriscope::parameters_test {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

/// What is said to a value, which is JSON, or else what the parameter then is.
std::string answer(const std::string& path, const std::string& value) {
  const parameter& p = parameter_at(path);
  run_config config;
  try {
    set_from_json(p, config, ordered_json::parse(value));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return p.get(config).dump();
}

TEST(parameters, numbers_are_within_their_ranges) {
  for (const char* right : {"1", "16"}) EXPECT_EQ(answer("router.vcs", right), right);
  for (const std::string wrong : {"0", "17", "-1", "2.0", "\"4\"", "null"})
    EXPECT_EQ(answer("router.vcs", wrong), wrong + " must be a whole number from 1 to 16");
  EXPECT_EQ(answer("traffic.seed", "0"), "0");
  EXPECT_EQ(answer("network.watchdog_cycles", "-1"), "-1 must be a whole number from 0 on");
  for (const char* right : {"0.0", "1.0"}) EXPECT_EQ(answer("traffic.rate_flits_per_node_cycle", right), right);
  for (const std::string wrong : {"-0.01", "1.01", "\"0.5\""})
    EXPECT_EQ(answer("traffic.rate_flits_per_node_cycle", wrong), wrong + " must be a number from 0 to 1");
}

/// As their descriptions and docs/options.md have them.
TEST(parameters, of_numbers_have_a_least_and_a_most_value) {
  const std::tuple<const char*, unsigned, unsigned> ranges[] = {
      {"topology.pitch_mm", 0, 1000},
      {"topology.flit_bits", 1, 65535},
      {"router.vcs", 1, 16},
      {"router.depth_flits", 1, 64},
      {"router.islip_iterations", 1, 8},
      {"router.adaptive_delay_cycles", 0, 15},
      {"network.injection_delay_cycles", 1, 1000},
      {"network.ejection_delay_cycles", 1, 1000},
      {"network.credit_delay_cycles", 0, 1000},
      {"network.message_classes", 1, 16},
      {"network.threads", 1, 256},
      {"traffic.mean_burst_packets", 1, 1000000},
      {"traffic.local_square", 1, 4096},
      {"traffic.local_probability", 0, 1},
      {"traffic.hot_probability", 0, 1},
      {"traffic.outstanding", 1, 1000000},
      {"traffic.service_cycles", 0, 1000000},
      {"traffic.reply_queue", 0, 1000000},
      {"traffic.batch_packets", 1, 1000000000},
      {"measurement.clock_ghz", 0, 1000},
  };
  for (const auto& [path, least, most] : ranges) {
    for (const unsigned right : {least, most})
      EXPECT_THAT(answer(path, std::to_string(right)), Not(HasSubstr("must be"))) << path;
    EXPECT_THAT(answer(path, std::to_string(std::int64_t{least} - 1)), HasSubstr("must be")) << path;
    EXPECT_THAT(answer(path, std::to_string(most + 1)), HasSubstr("must be")) << path;
  }
}

/// What has no most value that anyone would reach says so.
TEST(parameters, of_windows_have_a_least_value) {
  const std::pair<const char*, int> all[] = {{"measurement.warmup_cycles", 0}, {"measurement.measure_cycles", 1},
                                             {"measurement.drain_cycles", 0},  {"measurement.max_cycles", 1},
                                             {"network.watchdog_cycles", 0},   {"traffic.seed", 0}};
  for (const auto& [path, least] : all) {
    EXPECT_EQ(answer(path, std::to_string(least)), std::to_string(least)) << path;
    EXPECT_EQ(answer(path, std::to_string(least - 1)),
              std::to_string(least - 1) + " must be a whole number from " + std::to_string(least) + " on")
        << path;
    if (parameter_at(path).most < 1e19) {
      EXPECT_THAT(answer(path, "18446744073709551615"),
                  testing::StartsWith("18446744073709551615 must be a whole number from " + std::to_string(least) +
                                      " to "))
          << path;
    }
  }
  EXPECT_EQ(answer("traffic.outstanding", "0"), "0 must be a whole number from 1 to 1000000") << "a million is told";
}

TEST(parameters, are_called_by_their_option_and_by_its_former_name) {
  const parameter& p = parameter_at("router.regrant");
  ASSERT_EQ(p.option, "vc-reallocation");
  EXPECT_TRUE(p.is_called("vc-reallocation"));
  EXPECT_TRUE(p.is_called("regrant"));
  EXPECT_EQ(p.table_name(), "regrant");
  EXPECT_FALSE(p.is_called(""));
  const parameter& depth = parameter_at("router.depth_flits");
  EXPECT_TRUE(depth.is_called("depth"));
  for (const char* other : {"", "depth_flits", "vcs"}) EXPECT_FALSE(depth.is_called(other)) << other;
  EXPECT_EQ(depth.table_name(), "depth");
}

TEST(parameters, of_a_tree_stand_in_their_sections_but_for_threads) {
  const ordered_json tree = as_tree({});
  std::size_t leaves = 0;
  for (const auto& [section, members] : tree.items())
    for (const auto& [name, value] : members.items()) {
      EXPECT_EQ(value, parameter_at(section + "." + name).get({})) << name;
      ++leaves;
    }
  EXPECT_EQ(leaves, parameters().size() - 1);
  EXPECT_FALSE(tree["network"].contains("threads")) << "results do not depend on it";
  EXPECT_EQ(tree["router"]["vcs"], 4);
}

TEST(parameters, values_have_their_type) {
  EXPECT_EQ(answer("router.lookahead", "true"), "true");
  EXPECT_EQ(answer("router.lookahead", "1"), "1 must be true or false");
  EXPECT_EQ(answer("topology.spec", "\"mesh:4x4\""), "\"mesh:4x4\"");
  EXPECT_EQ(answer("topology.spec", "4"), "4 must be a text");
  EXPECT_EQ(answer("traffic.packet_flits", "4"), "\"4\"") << "a length alone may be a number";
  EXPECT_EQ(answer("traffic.packet_flits", "-4"), "-4 must be a text");
  EXPECT_EQ(answer("topology.dead_links", R"(["5.x+"])"), R"(["5.x+"])");
  EXPECT_EQ(answer("topology.dead_links", R"("5.x+")"), R"("5.x+" must be a list of texts)");
  EXPECT_EQ(answer("topology.dead_links", R"(["5.x+",3])"), R"(["5.x+",3] must be a list of texts)");
  EXPECT_EQ(answer("topology.layout", "\"folded\""), "\"folded\"");
  EXPECT_EQ(answer("topology.layout", "3"), "3 must be one of planar, folded");
  EXPECT_EQ(answer("topology.layout", "\"round\""), "'round' is unknown; known: planar, folded");
  for (const char* name : {"\"tail\"", "\"non_atomic\"", "\"non-atomic\""})
    EXPECT_EQ(answer("router.regrant", name), "\"tail\"");
}

/// What is said to a text of the command line, or else what the parameter then is.
std::string answer_to_text(const std::string& path, const std::string& text) {
  const parameter& p = parameter_at(path);
  run_config config;
  try {
    set_from_text(p, config, text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return p.get(config).dump();
}

TEST(parameters, of_a_command_line_are_numbers_where_numbers_are_expected) {
  const std::string rate = "traffic.rate_flits_per_node_cycle";
  for (const char* right : {"0.25", "25e-2"}) EXPECT_EQ(answer_to_text(rate, right), "0.25");
  EXPECT_EQ(answer_to_text(rate, "1"), "1.0");
  for (const std::string wrong : {"", "x", "0.5x", "x0.5", "1e999", "inf", "nan", "50%", "0,5"})
    EXPECT_EQ(answer_to_text(rate, wrong), '"' + wrong + "\" must be a number from 0 to 1");
  EXPECT_EQ(answer_to_text(rate, "-0.5"), "-0.5 must be a number from 0 to 1");
  EXPECT_EQ(answer_to_text("router.vcs", "4"), "4");
  EXPECT_EQ(answer_to_text("router.vcs", "17"), "17 must be a whole number from 1 to 16");
  for (const std::string wrong : {"", "4.0", "x", "-1", "4%"})
    EXPECT_EQ(answer_to_text("router.vcs", wrong), '"' + wrong + "\" must be a whole number from 1 to 16");
  EXPECT_EQ(answer_to_text("traffic.packet_flits", "4"), "\"4\"");
}

TEST(parameters, of_a_command_line_may_be_a_share_in_percent) {
  const std::string precision = "measurement.precision";
  EXPECT_EQ(answer_to_text(precision, "2%"), "0.02");
  EXPECT_EQ(answer_to_text(precision, "12.5%"), "0.125");
  EXPECT_EQ(answer_to_text(precision, "50%"), "0.5");
  EXPECT_EQ(answer_to_text(precision, "0.02"), "0.02");
  EXPECT_EQ(answer_to_text(precision, "0.5"), "0.5");
  EXPECT_EQ(answer_to_text(precision, "75%"), "0.75 must be a number from 0 to 0.5");
  for (const std::string wrong : {"", "%", "x%", "2%%", "2% "})
    EXPECT_EQ(answer_to_text(precision, wrong), '"' + wrong + "\" must be a number from 0 to 0.5");
}

TEST(parameters, of_a_command_line_are_lists_with_commas) {
  EXPECT_EQ(answer_to_text("topology.dead_links", "5.x+,9.y-@3"), R"(["5.x+","9.y-@3"])");
  EXPECT_EQ(answer_to_text("topology.link_delay_cycles", "1,linear:0.5"), R"([1,"linear:0.5"])");
  EXPECT_EQ(answer_to_text("topology.link_width_bits", "8,16"), "[8,16]");
  EXPECT_EQ(answer_to_text("topology.link_width_bits", "8,x"),
            "[8,\"x\"] is not a list of link widths; expected whole numbers of bits from 1 on, one for all links or "
            "one per level");
  EXPECT_EQ(answer_to_text("topology.spec", "ttn:2,2,0"), "\"ttn:2,2,0\"") << "one text";
  EXPECT_EQ(answer_to_text("router.lookahead", "true"), "true");
  EXPECT_EQ(answer_to_text("router.lookahead", "false"), "false");
  EXPECT_EQ(answer_to_text("router.pipeline", "single-cycle"), "\"single_cycle\"");
  EXPECT_EQ(answer_to_text("topology.spec", "\xff"),
            "\"\xef\xbf\xbd\" is not UTF-8, as JSON and therefore configurations must be");
}

TEST(parameters, have_a_set_a_description_and_an_argument_unless_they_are_flags) {
  for (const parameter& p : parameters()) {
    EXPECT_NE(p.set_of, 0u) << p.path;
    EXPECT_EQ(p.set_of & (p.set_of - 1), 0u) << p.path << " is in one set";
    EXPECT_FALSE(p.option.empty()) << p.path;
    EXPECT_FALSE(p.description.empty()) << p.path;
    EXPECT_EQ(p.argument.empty(), p.what == parameter::kind::flag) << p.path;
  }
}

TEST(parameters, of_stages_are_shown_where_they_count) {
  const auto stages = [](bool named, pipeline kind) {
    run_config config;
    config.stages_named = named;
    config.network.router.pipeline = kind;
    config.network.router.custom_stages.st = 2;
    return parameter_at("router.stages").get(config).get<std::string>();
  };
  EXPECT_EQ(stages(false, pipeline::four_stage), "");
  EXPECT_EQ(stages(true, pipeline::four_stage), "rc=1,va=1,sa=1,st=2");
  EXPECT_EQ(stages(false, pipeline::custom), "rc=1,va=1,sa=1,st=2");
  run_config config;
  set_from_text(parameter_at("router.stages"), config, "");
  EXPECT_FALSE(config.stages_named);
  set_from_text(parameter_at("router.stages"), config, "st=3");
  EXPECT_TRUE(config.stages_named);
  EXPECT_EQ(config.network.router.custom_stages.st, 3u);
  set_from_text(parameter_at("router.stages"), config, "");
  EXPECT_FALSE(config.stages_named);
  EXPECT_EQ(config.network.router.custom_stages.st, stage_counts().st);
}

TEST(parameters, link_widths_are_whole_numbers_of_bits) {
  EXPECT_EQ(answer("topology.link_width_bits", "1"), "[1]");
  EXPECT_EQ(answer("topology.link_width_bits", "[8,16]"), "[8,16]");
  for (const std::string wrong : {"[8,0]", "[8,-1]"})
    EXPECT_EQ(answer("topology.link_width_bits", wrong),
              wrong + " is not a list of link widths; expected whole numbers of bits from 1 on, one for all links or "
                      "one per level");
}

TEST(parameters, link_delays_are_cycles_or_models) {
  EXPECT_EQ(answer("topology.link_delay_cycles", "1000"), "[1000]");
  EXPECT_EQ(answer("topology.link_delay_cycles", R"([1,"2","linear:0.5"])"), R"([1,2,"linear:0.5"])");
  EXPECT_EQ(answer("topology.link_delay_cycles", R"("010")"), "[10]") << "decimal";
  EXPECT_EQ(answer("topology.link_delay_cycles", "[]"), "the list is empty; expected delays from 1 to 1000 cycles");
  for (const std::string wrong : {"[1,-1]", "[1.5]", "[true]"})
    EXPECT_EQ(answer("topology.link_delay_cycles", wrong),
              wrong + " must be whole numbers from 1 to 1000 or models like linear:0.5, one for all links or one per "
                      "level");
  EXPECT_THAT(answer("topology.link_delay_cycles", "[1001]"), HasSubstr("1001"));
}

TEST(parameters, lists_are_not_endless) {
  const auto widths = [](std::size_t count) {
    return answer("topology.link_width_bits", ordered_json(std::vector<unsigned>(count, 8)).dump());
  };
  EXPECT_EQ(widths(100001), "a list of 100001 items; at most 100000 are taken");
  EXPECT_THAT(widths(100000), testing::StartsWith("[8,8,"));
}

TEST(parameters, are_shown_as_they_are_written_on_a_command_line) {
  run_config config;
  config.topology.spec = "mesh:4x4";
  config.topology.link_width_bits = {8, 16};
  config.topology.dead_links = {"5.x+", "9.y-@3"};
  EXPECT_EQ(parameter_at("topology.spec").shown(config), "mesh:4x4");
  EXPECT_EQ(parameter_at("topology.link_width_bits").shown(config), "8,16");
  EXPECT_EQ(parameter_at("topology.dead_links").shown(config), "5.x+,9.y-@3");
  EXPECT_EQ(parameter_at("router.regrant").shown(config), "non_atomic");
  EXPECT_EQ(parameter_at("router.lookahead").shown(config), "false");
}

TEST(parameters, an_unknown_choice_of_more_than_100_characters_is_shown_without_its_middle) {
  const std::string longest(100, 'n'), too_long(101, 'n');
  EXPECT_THAT(answer("topology.layout", '"' + longest + '"'), HasSubstr("'" + longest + "'"));
  EXPECT_THAT(answer("topology.layout", '"' + too_long + '"'), HasSubstr("nnn ... nnn"));
  const std::string in_quotes(198, 'n');
  EXPECT_EQ(answer("router.lookahead", '"' + in_quotes + '"'), '"' + in_quotes + "\" must be true or false");
  EXPECT_THAT(answer("router.lookahead", "\"n" + in_quotes + '"'), HasSubstr("nnn ... nnn"))
      << "and any other value of more than 200";
}

TEST(parameters, a_choice_of_few_is_answered_by_all_of_them_and_one_of_many_by_the_nearest) {
  for (const parameter& p : parameters()) {
    if (p.what != parameter::kind::choice) continue;
    const auto named = std::count_if(p.choices.begin(), p.choices.end(),
                                     [](const parameter_value& c) { return !c.name.empty(); });
    const std::string nearest = p.choices.back().name;
    if (nearest.size() < 5) continue;
    const std::string said = answer(p.path, '"' + nearest + "x\"");
    EXPECT_THAT(said, testing::StartsWith("'" + nearest + "x' is unknown; ")) << p.path;
    EXPECT_THAT(said, HasSubstr(named > 4 ? "did you mean '" + nearest + "'?" : "; known: ")) << p.path;
  }
}

// A result of a run has both.
TEST(parameters, of_a_result_are_below_config_and_results_alone_are_no_configuration) {
  const auto read = [](const std::string& text) {
    run_config config;
    set_from_file_text(text, "f.json", config);
    return config.network.router.vcs;
  };
  EXPECT_EQ(read(R"({"config": {"router": {"vcs": 2}}, "results": {"router": {"vcs": 3}}})"), 2u);
  EXPECT_EQ(read(R"({"router": {"vcs": 5}})"), 5u);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { read(R"({"results": {}})"); }), HasSubstr("'results'"));
}

/// Why a parameter has no effect when it, or another, was changed.
std::string idle(const std::string& path, const std::function<void(run_config&)>& change) {
  run_config config;
  change(config);
  return why_idle(parameter_at(path), config);
}

TEST(parameter_effects, of_links_between_modules_are_of_networks_with_such) {
  const auto links = [](const std::string& spec, const std::string& kind) {
    return idle("topology.links", [&](run_config& c) { c.topology.spec = spec, c.topology.links = kind; });
  };
  for (const char* kind : {"U", "B"}) EXPECT_EQ(links("tesh:2,2,0", kind), "") << kind;
  EXPECT_EQ(links("torus:4x4", "B"), "");
  EXPECT_EQ(links("torus:4x4", "U"), "with --topology torus:4x4, whose links are duplex; leave it out");
  EXPECT_EQ(links("ucube:4,2", "U"), "");
  EXPECT_EQ(links("ucube:4,2", "B"), "with --topology ucube:4,2, whose links are one_way; leave it out");
  EXPECT_EQ(links("torus:4x", "U"), "") << "the network is refused anyway";
}

TEST(parameter_effects, of_tie_breaks_are_of_even_rings) {
  const auto ties = [](const std::string& spec, const std::string& rule) {
    return idle("topology.ties", [&](run_config& c) { c.topology.spec = spec, c.topology.ties = rule; });
  };
  const auto none = [](const std::string& spec) {
    return "with --topology " + spec + ", which leaves it no choice between two ways round a ring; leave it out";
  };
  for (const char* with : {"ttn:2,2,0", "torus:5x4", "torus:4", "ring:6", "cube:4,2", "ctorus:5x4,2"})
    EXPECT_EQ(ties(with, "positive"), "") << with;
  for (const char* without : {"torus:5x3", "cube:5,4", "cube:2,4", "ring:5", "mesh:4x4", "torus:2x2"})
    EXPECT_EQ(ties(without, "positive"), none(without)) << without;
  EXPECT_EQ(ties("mesh:4x4", ""), "") << "left to the topology";
  EXPECT_EQ(ties("torus:5x", "positive"), "") << "the network is refused anyway";
}

TEST(parameter_effects, of_the_delay_of_adaptive_routing_are_of_heads_with_a_choice) {
  const auto delay = [](const std::string& spec, const std::string& routing) {
    return idle("router.adaptive_delay_cycles", [&](run_config& c) {
      c.topology.spec = spec, c.topology.routing = routing;
      c.network.router.adaptive_delay_cycles = 2;
    });
  };
  EXPECT_EQ(delay("mesh:4x4", "adaptive"), "");
  EXPECT_THAT(delay("mesh:4x4", "dor"), HasSubstr("with --routing dor, which gives a head one route option"));
  EXPECT_EQ(delay("mesh:4x", "dor"), "") << "the network is refused anyway";
  const auto of_a_router = [](unsigned cycles, pipeline kind, fidelity detail) {
    return idle("router.adaptive_delay_cycles", [&](run_config& c) {
      c.topology.spec = "mesh:4x4";
      c.network.router.adaptive_delay_cycles = cycles;
      c.network.router.pipeline = kind;
      c.fidelity = detail;
    });
  };
  EXPECT_THAT(of_a_router(1, pipeline::four_stage, fidelity::cycle), HasSubstr("with --routing dor"));
  EXPECT_THAT(of_a_router(1, pipeline::four_stage, fidelity::transaction), HasSubstr("--fidelity transaction"));
  EXPECT_EQ(of_a_router(0, pipeline::four_stage, fidelity::transaction), "") << "there is none";
  EXPECT_EQ(of_a_router(1, pipeline::paper2009, fidelity::cycle), "") << "the papers' router refuses it";
}

TEST(parameter_effects, of_lookahead_are_where_rc_takes_cycles) {
  const auto lookahead = [](pipeline kind, unsigned adaptive_cycles) {
    return idle("router.lookahead", [&](run_config& c) {
      c.network.router.lookahead = true;
      c.network.router.pipeline = kind;
      c.network.router.adaptive_delay_cycles = adaptive_cycles;
    });
  };
  EXPECT_EQ(lookahead(pipeline::four_stage, 0), "");
  EXPECT_EQ(lookahead(pipeline::single_cycle, 1), "");
  EXPECT_THAT(lookahead(pipeline::single_cycle, 0), HasSubstr("with --pipeline single_cycle, whose RC takes no cycle"));
}

TEST(parameter_effects, of_replies_are_of_requests) {
  const auto queue = [](const std::function<void(run_config&)>& change) {
    return idle("traffic.reply_queue", [&](run_config& c) {
      c.traffic.reply_queue = 1;
      change(c);
    });
  };
  EXPECT_THAT(queue([](run_config&) {}), HasSubstr("without --traffic-mode request_reply"));
  EXPECT_EQ(queue([](run_config& c) { c.traffic.mode = traffic_mode::request_reply; }), "");
  EXPECT_EQ(queue([](run_config& c) { c.traffic.file = "t", c.network.message_classes = 2; }), "");
  EXPECT_THAT(queue([](run_config& c) { c.traffic.file = "t"; }), HasSubstr("without --traffic-mode request_reply"));
  EXPECT_THAT(queue([](run_config& c) { c.network.message_classes = 2; }),
              HasSubstr("without --traffic-mode request_reply"));
}

TEST(parameter_effects, of_bursts_are_of_on_off_sources_and_flows) {
  const auto burst = [](const std::function<void(run_config&)>& change) {
    return idle("traffic.mean_burst_packets", change);
  };
  EXPECT_THAT(burst([](run_config&) {}), HasSubstr("with --arrivals bernoulli; use --arrivals on_off"));
  EXPECT_EQ(burst([](run_config& c) { c.traffic.arrivals = "on_off"; }), "");
  EXPECT_EQ(burst([](run_config& c) { c.traffic.flows = "f"; }), "");
  EXPECT_THAT(burst([](run_config& c) { c.traffic.arrivals = "on_off", c.traffic.mode = traffic_mode::batch; }),
              HasSubstr("with --traffic-mode batch"));
}

TEST(parameter_effects, of_windows_are_of_runs_that_do_not_end_with_their_packets) {
  const auto warm = [](const std::function<void(run_config&)>& change) {
    return idle("measurement.warmup_cycles", [&](run_config& c) {
      c.measurement.warmup_cycles = 10;
      change(c);
    });
  };
  const auto dependent = [](run_config& c) {
    c.traffic.file = "t", c.traffic.file_timing = file_timing::dependencies;
  };
  EXPECT_EQ(warm([](run_config&) {}), "");
  const auto batch = [](run_config& c) { c.traffic.mode = traffic_mode::batch; };
  EXPECT_THAT(warm(batch), HasSubstr("with --traffic-mode batch"));
  EXPECT_THAT(warm(dependent), HasSubstr("with packets that come by their dependencies"));
  EXPECT_EQ(warm([&](run_config& c) { dependent(c), c.traffic.file = ""; }), "");
  EXPECT_EQ(warm([&](run_config& c) { dependent(c), c.measurement.warmup_cycles = 0; }), "") << "there is none";
}

TEST(parameter_effects, a_reset_leaves_what_has_one) {
  run_config config;
  config.topology.spec = "torus:4x4";
  config.traffic.hot_probability = 0.25;  // of hotspot traffic
  config.traffic.rate_flits_per_node_cycle = 0.25;
  reset_idle(config);
  EXPECT_EQ(config.traffic.hot_probability, run_config().traffic.hot_probability);
  EXPECT_EQ(config.traffic.rate_flits_per_node_cycle, 0.25);
}

}  // namespace
}  // namespace toriscope::parameters_test

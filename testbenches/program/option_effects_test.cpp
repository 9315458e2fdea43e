// SPDX-License-Identifier: Apache-2.0
// Every parameter changes what a run gives, in a configuration named here; where it would change nothing, it
// is rejected (bad_input_test.cpp) or, in a file, warned of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"
#include "testbenches/simulation/configuration/parameter_effects.h"
#include "topologies/path.h"

namespace toriscope {
namespace {

using json = nlohmann::json;

/// A run in which the parameter counts, and another value than it has there.
struct use_of_option {
  strings run;
  std::string value;
};

const strings torus{"--topology", "torus:4x4", "--rate", "0.3", "--packet", "4"};
const strings mode_request{"--topology", "torus:4x4", "--rate", "0.3", "--traffic-mode", "request_reply"};
const strings mode_batch{"--topology", "torus:4x4", "--traffic-mode", "batch"};
const strings file{"--topology", "torus:4x4", "--traffic-file", "t.txt"};

strings torus_with(const strings& more) { return with(torus, more); }

/// By path. Parameters that change no result by their nature are not here: `checks_only`.
const std::map<std::string, use_of_option> uses{
    {"topology.spec", {{}, "mesh:4x4"}},
    {"topology.links", {{"--rate", "0.05"}, "B"}},
    {"topology.ties", {torus, "positive"}},
    {"topology.gates", {{"--topology", "htn:4,4,2,1"}, "nearest"}},
    {"topology.routing", {with(torus, {"--topology", "mesh:4x4"}), "adaptive"}},
    {"topology.vc_rule", {torus, "wrapping"}},
    {"topology.layout", {torus_with({"--link-delay", "linear:1"}), "folded"}},
    {"topology.pitch_mm", {torus, "2"}},
    {"topology.equal", {torus, "bisection:512"}},
    {"topology.link_delay_cycles", {torus, "2"}},
    {"topology.link_width_bits", {torus, "32"}},
    {"topology.flit_bits", {torus_with({"--link-width", "32"}), "128"}},
    {"topology.link_overrides", {torus, "5.x+:delay=5"}},
    {"topology.dead_links", {torus, "5.x+"}},
    {"router.pipeline", {torus, "single_cycle"}},
    {"router.stages", {torus, "rc=3"}},
    {"router.regrant", {torus, "drained"}},
    {"router.vcs", {torus, "2"}},
    {"router.depth_flits", {torus, "2"}},
    {"router.va_allocator", {torus_with({"--vcs", "2", "--rate", "0.7"}), "output_first"}},
    {"router.sa_allocator", {torus, "output_first"}},
    {"router.arbiter", {torus, "age"}},
    {"router.islip_iterations", {torus_with({"--va-allocator", "islip", "--sa-allocator", "islip"}), "3"}},
    {"router.lookahead", {torus, ""}},
    {"router.speculative", {torus, ""}},
    {"router.adaptive_delay_cycles", {{"--topology", "mesh:4x4", "--routing", "adaptive"}, "3"}},
    {"network.injection_delay_cycles", {torus, "3"}},
    {"network.ejection_delay_cycles", {torus, "3"}},
    {"network.credit_delay_cycles", {torus_with({"--depth", "2"}), "3"}},
    {"network.watchdog_cycles",
     {{"--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--allow-deadlock", "--rate", "0.5",
       "--failure-wave", "none"},
      "40"}},
    {"network.message_classes", {torus, "2"}},
    {"network.shared_classes", {torus_with({"--message-classes", "2"}), ""}},
    {"network.limited_reception", {torus_with({"--depth", "1"}), ""}},
    {"network.wire_hash", {torus, ""}},
    {"network.fidelity", {torus, "transaction"}},
    {"traffic.mode", {torus, "request_reply"}},
    {"traffic.pattern", {torus, "transpose"}},
    {"traffic.rate_flits_per_node_cycle", {torus, "0.1"}},
    {"traffic.packet_flits", {torus, "2"}},
    {"traffic.arrivals", {torus, "constant"}},
    {"traffic.mean_burst_packets", {torus_with({"--arrivals", "on_off"}), "3"}},
    {"traffic.include_self", {torus, ""}},
    {"traffic.hot_probability", {torus_with({"--traffic", "hotspot", "--hot-node", "3"}), "0.5"}},
    {"traffic.hot_nodes", {torus_with({"--traffic", "hotspot", "--hot-probability", "0.5"}), "3"}},
    {"traffic.local_square", {torus_with({"--traffic", "local"}), "3"}},
    {"traffic.local_probability", {torus_with({"--traffic", "local", "--local-square", "2"}), "0.5"}},
    {"traffic.outstanding", {mode_request, "1"}},
    {"traffic.service_cycles", {mode_request, "3"}},
    {"traffic.reply_flits", {mode_request, "4"}},
    {"traffic.reply_queue", {mode_request, "1"}},
    {"traffic.batch_packets", {mode_batch, "5"}},
    {"traffic.file", {{"--topology", "torus:4x4"}, "t.txt"}},
    {"traffic.file_timing", {file, "dependencies"}},
    {"traffic.flows", {{"--topology", "torus:4x4", "--packet", "4"}, "f.csv"}},
    {"traffic.seed", {torus, "7"}},
    {"measurement.warmup_cycles", {torus, "50"}},
    {"measurement.measure_cycles", {torus, "200"}},
    {"measurement.drain_cycles", {torus, "1"}},
    {"measurement.precision", {torus, "5%"}},
    {"measurement.max_cycles", {torus_with({"--precision", "1%"}), "20000"}},
    {"measurement.clock_ghz", {torus, "2"}},
};
const strings checks_only{"network.checks", "network.threads"};

json results(const program_directory& dir, strings arguments, const strings& window) {
  arguments.insert(arguments.begin(), "run");
  arguments = with(with(arguments, window), {"--json", "-"});
  const process_result r = dir.run(arguments);
  EXPECT_THAT(r.status, testing::AnyOf(0, 1)) << r.err;
  return r.out.empty() ? json() : json::parse(r.out)["results"];
}

TEST(option_effects, every_parameter_has_one_where_it_counts) {
  const program_directory dir;
  dir.write("t.txt", "0 0 1 16\n500 1 2 16\n");
  dir.write("f.csv", ",1\n0,0.3\n");
  for (const parameter& p : parameters()) {
    SCOPED_TRACE(p.path);
    if (testing::Value(p.path, testing::AnyOfArray(checks_only))) continue;
    ASSERT_EQ(uses.count(p.path), 1u) << "name a run in which it counts";
    const use_of_option& use = uses.at(p.path);
    strings window;
    const bool batch = use.run == mode_batch, trace = use.run == file || p.path == "traffic.file";
    if (!batch && !trace && !begins_with(p.path, "measurement."))
      window = {"--warmup", "0", "--cycles", "300", "--drain", "300"};
    strings other = use.run;
    other.push_back("--" + p.option);
    if (!use.value.empty()) other.push_back(use.value);
    EXPECT_NE(results(dir, use.run, window), results(dir, other, window));
  }
}

TEST(option_effects, options_of_run_without_one_are_rejected) {
  const program_directory dir;
  const auto refused = [&](const strings& options) {
    const process_result r = dir.run(with({"run", "--cycles", "50", "--quiet"}, options));
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  for (const char* pipeline : {"single_cycle", "four_stage", "paper2009"})
    EXPECT_EQ(refused({"--pipeline", pipeline, "--stages", "rc=1,va=1,sa=1,st=1"}),
              std::string("toriscope: stages: the ") + pipeline +
                  " pipeline has its own stage counts; use --pipeline custom or leave --stages out\n");
  EXPECT_EQ(refused({"--fidelity", "transaction", "--failure-wave", "f.vcd"}),
            "toriscope: --failure-wave shows flits, which the transaction level does not have; use --fidelity cycle\n");
  EXPECT_THAT(refused({"--failure-wave", "/nonexistent/f.vcd"}), testing::HasSubstr("/nonexistent/f.vcd"));
  EXPECT_THAT(refused({"--traffic-file", "a\nb.txt"}), testing::HasSubstr("a\\nb.txt"));
  EXPECT_EQ(dir.files(), strings());
}

/// `explain` rejected the pitch that its link delays asked for, and `export` did not know it.
TEST(option_effects, delays_by_mm_take_a_pitch) {
  const program_directory dir;
  const auto said = [&](const strings& command, const strings& more) {
    const process_result r =
        dir.run(with(with(command, {"--topology", "mesh:3x3", "--link-delay", "mm:1.5"}), more));
    return more.empty() || r.status == 2 ? r.err : "";
  };
  for (const strings& command : {strings{"run", "--cycles", "50", "--quiet"}, strings{"explain", "--packet", "3"},
                                 strings{"export", "--sv", "sv"}, strings{"analyze", "--zero-load"},
                                 strings{"record", "--output", "t.txt", "--cycles", "50"}}) {
    EXPECT_EQ(said(command, {}), "toriscope: link delay 'mm:1.5' is by length in mm; add --pitch MM\n") << command[0];
    EXPECT_EQ(said(command, {"--pitch", "2"}), "") << command[0];
  }
  EXPECT_EQ(dir.run({"export", "--topology", "mesh:3x3", "--sv", "sv", "--pitch", "2"}).err,
            "toriscope: --pitch has no effect on an export; leave it out\n");
}

TEST(option_effects, places_count_where_delays_follow_from_lengths) {
  const program_directory dir;
  const auto said = [&](const strings& more) {
    return dir
        .run(
            with({"run", "--topology", "torus:4x4", "--layout", "folded", "--cycles", "50", "--quiet"}, more))
        .err;
  };
  for (const strings& more : {strings{}, strings{"--equal", "pins:512"}, strings{"--link-delay", "2"}})
    EXPECT_EQ(said(more),
              "toriscope: --layout has no effect without delays by wire length; add --link-delay linear:1 or "
              "--pitch MM, or leave it out\n");
  for (const strings& more : {strings{"--pitch", "0.5"}, strings{"--equal", "wires:1024"},
                              strings{"--link-delay", "linear:1"}, strings{"--link-delay", "log:2"}})
    EXPECT_EQ(said(more), "") << more[0];
  dir.write("t.txt", "0 0 1 4\n");
  for (const strings& command : {strings{"record", "--output", "u.txt"}, strings{"replay", "t.txt"}}) {
    const process_result r = dir.run(with(command, {"--topology", "torus:4x4", "--layout", "folded"}));
    EXPECT_THAT(r.err, testing::HasSubstr("--layout has no effect without delays by wire length"))
        << command[0];
  }
}

/// It says what is true anyway.
TEST(option_effects, a_flag_that_is_off_is_not_rejected) {
  const program_directory dir;
  const strings run{"run", "--topology", "mesh:2x2", "--traffic", "neighbour", "--cycles", "20", "--quiet"};
  EXPECT_EQ(dir.run(with(run, {"--include-self=false"})).err, "");
  EXPECT_THAT(dir.run(with(run, {"--include-self"})).err, testing::HasSubstr("--include-self has no effect"));
  const strings analyze{"analyze", "--topology", "mesh:2x2"};
  EXPECT_EQ(dir.run(with(analyze, {"--include-self=false"})).err, "");
  EXPECT_THAT(dir.run(with(analyze, {"--include-self"})).err, testing::HasSubstr("--include-self has no effect"));
}

TEST(option_effects, keys_of_a_file_are_warned_of_and_those_of_a_result_are_not) {
  const program_directory dir;
  dir.write("c.json",
            R"({"topology": "torus:4x4", "cycles": 50, "warmup": 0, "hot_node": ["3"], "burst": 8})");
  const process_result warned = dir.run({"run", "--config", "c.json", "--json", "r.json", "--quiet"});
  EXPECT_EQ(warned.status, 0);
  EXPECT_EQ(warned.err,
            "toriscope: warning: c.json: hot_node has no effect with --traffic uniform; use --traffic "
            "hotspot or leave it out\n")
      << "burst is at its default";
  EXPECT_EQ(dir.run({"run", "--config", "c.json", "--wave", "*@0:5", "--wave-only"}).err, "")
      << "said before it";
  for (const strings& run :
       {strings{"--topology", "torus:4x4", "--cycles", "50"}, strings{"--topology", "ttn:2,2,0"}, mode_batch,
        with(mode_request, {"--reply-queue", "2", "--cycles", "50"}),
        strings{"--topology", "mesh:4x4", "--pipeline", "paper2009", "--cycles", "50"},
        strings{"--topology", "ucube:4,2", "--fidelity", "transaction", "--cycles", "50"}}) {
    ASSERT_EQ(dir.run(with(with({"run"}, run), {"--json", "r.json", "--quiet"})).status, 0);
    EXPECT_EQ(dir.run({"run", "--config", "r.json", "--quiet"}).err, "") << run[1];
  }
}

/// With adaptive routing the reallocation is atomic unless the user says something else, wherever that is.
TEST(option_effects, what_a_file_names_wins_over_what_follows_from_its_routing) {
  const program_directory dir;
  const auto reallocation = [&](const std::string& more, const strings& options) {
    dir.write("c.json", R"({"topology": "mesh:2x2", "routing": "adaptive", "cycles": 20)" + more + "}");
    const strings run = with({"run", "--config", "c.json", "--allow-deadlock", "--json", "-"}, options);
    return json_of(dir, run)["config"]["router"]["regrant"];
  };
  EXPECT_EQ(reallocation("", {}), "drained");
  EXPECT_EQ(reallocation(R"(, "vc_reallocation": "non_atomic")", {}), "tail");
  EXPECT_EQ(reallocation("", {"--vc-reallocation", "non_atomic"}), "tail");
}

/// It was taken for a flag that is on.
TEST(option_effects, a_flag_that_is_off_is_off_in_a_sweep) {
  const program_directory dir;
  const strings sweep{"sweep", "--topology", "mesh:2x2", "--rates",  "0.1", "--seeds",
                      "1",     "--warmup",   "0",        "--cycles", "20",  "--quiet"};
  dir.write("p.json", R"({"lookahead": true})");
  for (const auto& [out, more, expected] :
       {std::tuple{"on", strings{"--lookahead"}, true},
        {"off", strings{"--lookahead=false"}, false},
        {"plan", strings{"--plan", "p.json"}, true},
        {"wins", strings{"--plan", "p.json", "--lookahead=false"}, false}}) {
    ASSERT_EQ(dir.run(with(with(sweep, more), {"--out", out})).status, 0) << out;
    const json plan = json::parse(dir.read(out + std::string("/plan.json")));
    EXPECT_EQ(plan["configurations"][0]["router"]["lookahead"], expected) << out;
  }
}

TEST(option_effects, a_sweep_takes_an_option_that_one_of_its_curves_uses) {
  const program_directory dir;
  const process_result r =
      dir.run({"sweep", "--topology", "mesh:4x4,torus:4x4", "--ties", "positive", "--traffic",
               "uniform,hotspot", "--hot-node", "3", "--rates", "0.1", "--seeds", "1", "--list"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "4\n");
  // What a curve has no use for makes no other curve.
  EXPECT_EQ(dir.run({"sweep", "--topology", "torus:4x4", "--traffic", "uniform,hotspot", "--hot-probability",
                     "0.1,0.2", "--rates", "0.1", "--seeds", "1", "--list"})
                .out,
            "3\n");
}

/// What a curve has no use for has its default there: also where that is known only with the network.
TEST(option_effects, a_sweep_runs_each_curve_without_what_it_has_no_use_for) {
  const program_directory dir;
  const strings short_runs{"--packet", "4",       "--warmup", "100",     "--cycles",
                           "300",      "--rates", "0.1",      "--seeds", "1"};
  EXPECT_EQ(
      dir.run(with({"sweep", "--topology", "torus:3x3,torus:4x4", "--tie-break", "positive", "--out", "s"},
                   short_runs))
          .status,
      0);
  EXPECT_THAT(dir.read("s/curves.csv"), testing::ContainsRegex("0,torus:3x3 uniform[^\n]*,balanced,[^\n]*\n"
                                                               "1,torus:4x4 uniform[^\n]*,positive,"));
  const process_result two = dir.run({"sweep", "--topology", "htn:4,2,2,0,torus:4x4", "--gateways", "nearest",
                                      "--rates", "0.1", "--seeds", "1", "--list"});
  EXPECT_EQ(two.out, "2\n") << two.err;
  EXPECT_THAT(
      dir.run({"run", "--topology", "torus:4x4", "--gateways", "nearest"}).err,
      testing::HasSubstr("--gateways has no effect with --topology torus:4x4, which has no choice of gates"));
}

/// Of a file with nodes of other pipelines.
TEST(option_effects, lookahead_has_one_where_nodes_have_their_own_pipelines) {
  const program_directory dir;
  dir.write("own.json", R"({"nodes": [{"name": "a", "pipeline": "four_stage"}, {"name": "b"}],
                            "links": [{"from": "a", "to": "b"}]})");
  const strings run{"--topology", "file:own.json", "--pipeline", "single_cycle",
                    "--rate",     "0.2",           "--packet",   "4"};
  const strings window{"--warmup", "100", "--cycles", "300"};
  EXPECT_NE(results(dir, with(run, {"--lookahead"}), window)["packet_hash"],
            results(dir, run, window)["packet_hash"]);
}

TEST(option_effects, keys_of_a_plan_are_warned_of_and_those_of_its_normal_form_are_not) {
  const program_directory dir;
  dir.write("p.json",
            R"({"topology": ["torus:4x4", "mesh:4x4"], "hot_node": [["3"]], "ties": ["positive", "nowrap"],
                "burst": 8, "rates": [0.1], "seeds": [1], "warmup": 0, "cycles": 50})");
  const process_result warned = dir.run({"sweep", "--plan", "p.json", "--out", "d", "--quiet"});
  EXPECT_EQ(warned.status, 0);
  EXPECT_EQ(warned.err,
            "toriscope: warning: p.json: hot_node has no effect with --traffic uniform; use --traffic "
            "hotspot or leave it out\n")
      << "the torus has ties, and burst is at its default";
  EXPECT_EQ(dir.run({"sweep", "--plan", "d/plan.json", "--out", "again", "--quiet"}).err, "");
  // The option is rejected, whatever the plan says; several values are, too.
  const process_result refused = dir.run({"sweep", "--plan", "p.json", "--topology", "mesh:4x4", "--ties",
                                          "positive,nowrap", "--traffic", "hotspot", "--list"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              testing::StartsWith("toriscope: --tie-break has no effect with --topology mesh:4x4"));
}

/// The whole way of every packet, by link and VC.
std::vector<int> ways(const topology& made, unsigned vcs) {
  std::vector<int> all;
  for (terminal_id a = 0; a < made.wiring->terminal_count(); ++a)
    for (terminal_id b = 0; b < made.wiring->terminal_count(); ++b)
      for (const hop& h : walk(*made.wiring, *made.routing, a, b, vcs))
        all.insert(all.end(), {static_cast<int>(h.link), h.vc});
  return all;
}

TEST(option_effects, ties_are_refused_where_no_ring_is_even) {
  const auto& all = parameters();
  const parameter& p =
      *std::find_if(all.begin(), all.end(), [](const auto& q) { return q.is_called("ties"); });
  for (const char* spec :
       {"torus:3x3", "torus:5x5", "torus:2x3", "torus:2x2", "torus:3x4", "torus:4x3", "torus:10x5",
        "cube:3,2", "cube:4,3", "cube:5,2", "ctorus:3x3,4", "ctorus:4x3,3"}) {
    run_config config;
    config.topology.spec = spec;
    const topology made = make_topology(spec, config.routing_options());
    bool differ = false;
    for (const char* value : {"nowrap", "positive", "balanced"}) {
      config.topology.ties = value;
      const topology other = make_topology(spec, config.routing_options());
      differ = differ || ways(other, config.network.router.vcs) != ways(made, config.network.router.vcs);
    }
    for (const char* value : {"nowrap", "positive", "balanced"}) {
      config.topology.ties = value;
      EXPECT_EQ(why_idle(p, config).empty(), differ || value == made.choice.ties) << spec << " " << value;
    }
  }
}

/// The families that are said to have no choice of links or ties have none.
TEST(option_effects, links_and_ties_are_refused_where_they_change_nothing) {
  for (const char* spec :
       {"mesh:4x4", "torus:4x4", "cube:4,2", "ucube:4,2", "hypercube:3", "ccc:3", "ttn:2,2,0", "tesh:2,2,0",
        "sttn:2,2,0", "htn:4,4,2,1", "mh3dt:4,4,2,0", "h3dt:4,4,2,0", "rdt:alpha,32"}) {
    for (const parameter& p : parameters()) {
      if (!p.is_called("links") && !p.is_called("ties")) continue;
      run_config config;
      config.topology.spec = spec;
      topology_options options = config.routing_options();
      const topology made = make_topology(spec, options);
      if (p.is_called("links")) {
        config.topology.links = options.links = made.choice.links == "U" ? "B" : "U";
        EXPECT_EQ(why_idle(p, config).empty(), make_topology(spec, options).choice.links != made.choice.links)
            << spec;
      } else {
        config.topology.ties = "nowrap";
        EXPECT_EQ(why_idle(p, config).empty(), !made.choice.ties.empty()) << spec;
      }
    }
  }
}

}  // namespace
}  // namespace toriscope

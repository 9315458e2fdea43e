// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "testbenches/experiments/sweep/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <fstream>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "testbenches/experiments/sweep/number_list.h"
#include "testbenches/experiments/sweep/slurm_script.h"

namespace toriscope::sweep_plan_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> labels(const sweep_plan& plan) {
  std::vector<std::string> list;
  for (const curve& c : plan.curves()) list.push_back(c.label);
  return list;
}

sweep_plan from_text(const std::string& text) { return sweep_plan::from({}, text, "plan.json"); }

std::string plan_error(const std::string& text, const sweep_plan::choices& given = {}) {
  return error_of<std::invalid_argument>([&] { sweep_plan::from(given, text, text.empty() ? "" : "plan.json"); });
}

TEST(number_list, reads_ranges_and_lists) {
  EXPECT_THAT(load_list("0.1:0.5:0.1"), ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5));
  EXPECT_THAT(load_list("0.3,0.05,0.1:0.3:0.1"), ElementsAre(0.05, 0.1, 0.2, 0.3));
  EXPECT_EQ(load_list("0.01:0.5:0.01").size(), 50U);
  EXPECT_THAT(seed_list("1:3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(seed_list("7,1:9:4,7"), ElementsAre(7, 1, 5, 9));
  EXPECT_THAT(seed_list("18446744073709551614:18446744073709551615"),
              ElementsAre(18446744073709551614U, 18446744073709551615U));
  EXPECT_EQ(seed_list("1:100000").size(), 100000U);
  EXPECT_THROW(seed_list("1:100001"), std::invalid_argument);
  EXPECT_EQ(load_list("0:0.99999:1e-5").size(), 100000U);
  for (const char* wrong : {"0:0.99999:1e-5,2", "2,0:0.99999:1e-5", "0:0.99999:1e-5,1:1.99999:1e-5"})
    EXPECT_THROW(load_list(wrong), std::invalid_argument) << wrong << ": all items together";
  for (const char* wrong : {"1:100000,200000", "200000,1:100000", "1:60000,200001:260000"})
    EXPECT_THROW(seed_list(wrong), std::invalid_argument) << wrong;
  EXPECT_EQ(seed_list("1:60000,1:100000").size(), 100000U) << "each once";
  for (const char* wrong : {"", "a", "0.1:0.2", "0.1:0.2:0", "0.2:0.1:0.1", "0.3:0.1:-0.1", "0.1,,0.2", "0:1:1e-9",
                            "nan"})
    EXPECT_THROW(load_list(wrong), std::invalid_argument) << wrong;
  for (const char* wrong : {"", "x", "3:1", "1:3:0", "1:2:3:4", "-1", "1:99999999999", "1.5"})
    EXPECT_THROW(seed_list(wrong), std::invalid_argument) << wrong;
}

TEST(sweep_plan, is_the_product_of_its_lists) {
  const sweep_plan plan = from_text(R"({"topology": ["torus:4x4", "mesh:4x4"],
    "traffic": ["uniform", "transpose"], "router": {"vcs": [2, 4]}, "rates": "0.1:0.3:0.1", "seeds": [1, 2]})");
  EXPECT_THAT(labels(plan),
              ElementsAre("torus:4x4 uniform vcs=2", "torus:4x4 uniform vcs=4", "torus:4x4 transpose vcs=2",
                          "torus:4x4 transpose vcs=4", "mesh:4x4 uniform vcs=2", "mesh:4x4 uniform vcs=4",
                          "mesh:4x4 transpose vcs=2", "mesh:4x4 transpose vcs=4"));
  EXPECT_EQ(plan.units(), 8U * 3 * 2);
  EXPECT_EQ(plan.unit_text(6 + 3), "torus:4x4 uniform vcs=4 rate 0.2 seed 2");
  std::set<std::tuple<std::size_t, double, std::uint64_t>> all;
  for (std::size_t k = 0; k < plan.units(); ++k)
    all.emplace(plan.curve_of(k), plan.rate_of(k), plan.seed_of(k));
  EXPECT_EQ(all.size(), plan.units());
}

TEST(sweep_plan, of_requests_and_replies_names_its_loads) {
  EXPECT_THAT(
      error_of([] { from_text(R"({"topology": "torus:4x4", "traffic_mode": "request_reply"})"); }),
      HasSubstr(
          "rates: auto looks for a load that is not stable, and with traffic_mode request_reply there is "
          "none, as its sources hold back; name loads"));
}

TEST(sweep_plan, labels_show_lists_without_marks) {
  EXPECT_THAT(labels(from_text(R"({"topology": "mesh:2x2", "link_delay": [[1], "linear:1"]})")),
              ElementsAre("mesh:2x2 uniform link-delay=1", "mesh:2x2 uniform link-delay=linear:1"));
}

TEST(sweep_plan, has_configurations_with_values_of_their_own) {
  const sweep_plan plan = from_text(R"({"traffic": ["uniform"], "vcs": 4,
    "configurations": [{"topology": "torus:4x4", "vcs": 2}, {"topology": ["ttn:2,2,0", "torus:4x4"]}]})");
  ASSERT_EQ(plan.curves().size(), 3U);
  EXPECT_EQ(plan.curves()[0].config.network.router.vcs, 2U);
  EXPECT_EQ(plan.curves()[1].config.network.router.vcs, 4U);
  EXPECT_EQ(plan.curves()[1].config.topology.spec, "ttn:2,2,0");
  EXPECT_EQ(plan.curves()[2].config.network.router.vcs, 4U);
  EXPECT_EQ(plan.units(), 3U) << "loads are sought: a curve each";
}

/// In time that grows with the number of curves, not with its square.
TEST(sweep_plan, has_thousands_of_curves_each_once) {
  std::string depths;
  for (int depth = 1; depth <= 64; ++depth) depths += "," + std::to_string(depth);
  std::string packets;
  for (int flits = 1; flits <= 39; ++flits) packets += ",\"" + std::to_string(flits) + "\"";
  const std::clock_t start = std::clock();
  const sweep_plan plan = from_text(R"({"topology": "torus:4x4", "vcs": [2, 4, 2], "rates": 0.1, "depth": [)" +
                                    depths.substr(1) + R"(], "packet": [)" + packets.substr(1) + "]}");
  EXPECT_EQ(plan.curves().size(), 2U * 64 * 39);
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 60) << "seconds of this process; some 140 when each is compared";
}

/// In words before any time is spent: a curve takes a millisecond or more.
TEST(sweep_plan, has_no_more_curves_and_points_than_can_be_worked_off) {
  std::string many = "[0";
  for (int i = 1; i < 10000; ++i) many += "," + std::to_string(i);
  many += "]";
  std::string groups = "[{}";
  for (int i = 1; i < 11; ++i) groups += ",{}";
  groups += "]";
  EXPECT_THAT(
      plan_error(R"({"rates": 0.1, "service_cycles": )" + many + R"(, "configurations": )" + groups + "}"),
      HasSubstr("plan.json: the plan has more than 100000 curves, equal ones included"));
  groups = "[{}";
  for (int i = 1; i < 10; ++i) groups += ",{}";
  EXPECT_THAT(plan_error(R"({"rates": "0.001:0.101:0.001", "seeds": 1, "service_cycles": )" + many +
                       R"(, "configurations": )" + groups + "]}"),
              HasSubstr("of the plan are 100000 x 101 x 1; expected"))
      << "as many curves as there may be";
  EXPECT_THAT(
      plan_error("", {{"rates", {"0.00001:1:0.00001"}}, {"seeds", {"1:100000"}}}),
      HasSubstr("curves x loads x seeds of the plan are 1 x 100000 x 100000; expected at most 10000000"));
  EXPECT_EQ(from_text(R"({"topology": "torus:4x4", "rates": "0.001:1:0.001", "seeds": "1:10000"})").units(),
            10000000U);
}

TEST(sweep_plan, has_a_normal_form_that_is_a_plan) {
  for (
      const char* text :
      {R"({"topology": ["torus:4x4", "mesh:4x4"], "rates": [0.1, 0.2], "observe": true})",
       R"({"topology": ["mesh:4x4"], "routing": "adaptive", "tolerance": 0.05, "confidence": 0.9})",
       R"({"topology": "torus:4x4", "link_delay": [[1], ["linear:0.5"]], "stages": "rc=2", "allow_deadlock": true,
            "traffic_mode": "request_reply", "rates": [0.1], "link": ["0.x+:delay=3"]})"}) {
    const sweep_plan plan = from_text(text);
    const std::string normal = plan.text();
    const sweep_plan again = from_text(normal);
    EXPECT_EQ(again.text(), normal);
    EXPECT_EQ(labels(again), labels(plan));
    EXPECT_EQ(plan.command_of(plan.curves()[0]), again.command_of(again.curves()[0]));
  }
}

TEST(sweep_plan, takes_options_that_win) {
  const sweep_plan plan =
      sweep_plan::from({{"topology", {"ttn:2,2,0,torus:4x4", "mesh:4x4"}},
                        {"traffic", {"uniform,transpose"}},
                        {"rates", {"0.1"}},
                        {"seeds", {"4"}},
                        {"allow-deadlock", {}}},
                       R"({"topology": "torus:8x8", "seeds": "1:9", "cycles": 500})", "plan.json");
  EXPECT_EQ(plan.curves().size(), 6U);
  EXPECT_EQ(plan.curves()[0].config.topology.spec, "ttn:2,2,0");
  EXPECT_EQ(plan.curves()[0].config.measurement.measure_cycles, 500U);
  EXPECT_TRUE(plan.curves()[0].allow_deadlock);
  EXPECT_THAT(plan.command_of(plan.curves()[0]), HasSubstr(" --allow-deadlock"));
  EXPECT_THAT(plan.settings().seeds, ElementsAre(4));
}

TEST(sweep_plan, takes_numbers_as_text_or_lists_of_one) {
  const sweep_plan plan = from_text(R"({"topology": "torus:4x4", "rates": [0.5, "0.1:0.3:0.1"], "seeds": ["2:3", 7],
    "tolerance": "0.1", "confidence": ["0.9"], "confirm": [3], "toriscope": "0.1"})");
  EXPECT_THAT(plan.settings().rates, ElementsAre(0.1, 0.2, 0.3, 0.5));
  EXPECT_THAT(plan.settings().seeds, ElementsAre(2, 3, 7));
  EXPECT_EQ(plan.settings().tolerance, 0.1);
  EXPECT_EQ(plan.settings().confidence, 0.9);
  EXPECT_EQ(plan.settings().confirm, 3U);
  EXPECT_THAT(from_text(R"({"rates": "auto"})").settings().rates, ElementsAre());
  for (const char* more_than_one : {R"("1,2")", "[1, 2]"})
    EXPECT_EQ(plan_error(std::string(R"({"tolerance": )") + more_than_one + "}"),
              "plan.json: tolerance: one number is expected");
  for (const char* not_whole : {"1.5", "1e9", R"("-1")"})
    EXPECT_EQ(plan_error(std::string(R"({"confirm": )") + not_whole + "}"),
              "plan.json: confirm: a whole number is expected");
}

TEST(sweep_plan, a_key_may_say_again_what_another_says) {
  const sweep_plan plan = from_text(R"({"rates": 0.1, "seeds": 2, "configurations": [
    {"topology": "mesh:2x2", "traffic": {"rate_flits_per_node_cycle": 0.1, "seed": 2}}]})");
  EXPECT_EQ(plan.units(), 1U) << "as in a result that was pasted";
}

TEST(sweep_plan, allows_deadlock_where_it_is_said) {
  const auto allowed = [](const std::string& text, const sweep_plan::choices& given = {}) {
    const sweep_plan plan = sweep_plan::from(given, text, "plan.json");
    std::vector<bool> list;
    for (const curve& c : plan.curves()) list.push_back(c.allow_deadlock);
    return list;
  };
  const std::string two = R"("configurations": [{"topology": "mesh:2x2"},
                                                 {"topology": "mesh:2x3", "allow_deadlock": true}]})";
  EXPECT_THAT(allowed("{" + two), ElementsAre(false, true));
  EXPECT_THAT(allowed(R"({"allow-deadlock": true, )" + two), ElementsAre(true, true));
  EXPECT_THAT(allowed(R"({"allow_deadlock": false, )" + two), ElementsAre(false, true));
  EXPECT_THAT(
      allowed(
          R"({"allow_deadlock": true, "configurations": [{"topology": "mesh:2x2", "allow_deadlock": false},
                          {"topology": "mesh:2x3"}]})"),
      ElementsAre(false, true));
  EXPECT_THAT(allowed("{" + two, {{"allow-deadlock", {}}}), ElementsAre(true, true));
}

TEST(sweep_plan, has_the_command_of_a_curve) {
  const auto command = [](const std::string& more) {
    const sweep_plan plan = from_text(R"({"topology": "mesh:2x2")" + more + "}");
    const std::string text = plan.command_of(plan.curves()[0]);
    EXPECT_THAT(text, ::testing::StartsWith("toriscope sweep --topology mesh:2x2 "));
    return text.substr(text.find("--rates"));
  };
  EXPECT_EQ(command(""), "--rates auto --seeds 1,2,3 --tolerance 0.02 --out curve");
  EXPECT_EQ(
      command(R"(, "rates": [0.1, 0.25], "seeds": 4, "tolerance": 0.5, "confidence": 0.9, "confirm": 7,
                       "observe": true, "allow_deadlock": true)"),
      "--rates 0.1,0.25 --seeds 4 --tolerance 0.5 --confidence 0.9 --observe --allow-deadlock --out curve")
      << "nothing is confirmed";
  EXPECT_EQ(command(R"(, "confirm": 7)"),
            "--rates auto --seeds 1,2,3 --tolerance 0.02 --confirm 7 --out curve");
}

TEST(sweep_plan, a_unit_is_a_run_where_no_other_run_decides_on_it) {
  const auto units = [](const std::string& more) {
    return from_text(R"({"topology": ["mesh:2x2", "mesh:2x3"], "seeds": "1:5")" + more + "}").units();
  };
  EXPECT_EQ(units(R"(, "rates": [0.1, 0.2, 0.3])"), 2U * 3 * 5);
  EXPECT_EQ(units(""), 2U) << "loads are sought";
  EXPECT_EQ(units(R"(, "rates": [0.1, 0.2, 0.3], "confidence": 0.9)"), 2U) << "seeds are added";
  EXPECT_EQ(units(R"(, "rates": [0.1, 0.2, 0.3], "observe": true)"), 2U) << "the highest stable load is run again";
  EXPECT_EQ(from_text(R"({"topology": "mesh:2x2"})").unit_text(0), "mesh:2x2 uniform");
}

TEST(sweep_plan, confirms_loads_that_it_seeks_by_windows_of_a_given_length) {
  EXPECT_TRUE(from_text(R"({"topology": "mesh:2x2"})").confirms());
  EXPECT_FALSE(from_text(R"({"topology": "mesh:2x2", "rates": 0.1})").confirms());
  EXPECT_FALSE(from_text(R"({"topology": "mesh:2x2", "precision": 0.1})").confirms());
  EXPECT_TRUE(from_text(R"({"topology": "mesh:2x2", "precision": [0.1, 0]})").confirms());
}

TEST(sweep_plan, says_what_is_wrong_in_a_line) {
  EXPECT_EQ(plan_error(R"({"topologie": "torus:4x4"})"),
            "plan.json: unknown key 'topologie'; did you mean 'topology'?");
  EXPECT_THAT(plan_error("{\n\"topology\": \"torus:4x4\",\n]"),
              HasSubstr("plan.json:3: this is not JSON"));
  EXPECT_THAT(plan_error("[1]"), HasSubstr("expected an object"));
  EXPECT_THAT(plan_error(R"({"vcs": [2, 99]})"),
              HasSubstr("plan.json: vcs: 99 must be a whole number from 1 to 16"));
  EXPECT_THAT(plan_error(R"({"vcs": {"two": 2}})"), HasSubstr("must be a whole number from 1 to 16"));
  EXPECT_THAT(plan_error(R"({"vcs": []})"), HasSubstr("vcs: the list is empty"));
  EXPECT_THAT(plan_error(R"({"rates": "0.1:0.5"})"),
              HasSubstr("rates: '0.1:0.5' is not a number or a list of numbers"));
  EXPECT_THAT(plan_error(R"({"rates": [0.1, 1.5]})"), HasSubstr("at most 1 flit"));
  EXPECT_THAT(plan_error(R"({"tolerance": 0})"), HasSubstr("tolerance"));
  EXPECT_THAT(plan_error(R"({"observe": 1})"), HasSubstr("observe: it must be true or false"));
  EXPECT_THAT(plan_error(R"({"observe": "true"})"), HasSubstr("observe: it must be true or false"));
  for (const char* no_objects : {"{}", "[]", "[1]", "[{}, 1]"})
    EXPECT_EQ(plan_error(std::string(R"({"configurations": )") + no_objects + "}"),
              "plan.json: configurations: expected a list of objects, [{...}, ...]");
  EXPECT_EQ(plan_error(R"({"configurations": [{"configurations": []}]})"),
            "plan.json: a configuration has no configurations of its own");
  EXPECT_EQ(plan_error(R"({"configuration": []})"),
            "plan.json: unknown key 'configuration'; did you mean 'configurations'?");
  EXPECT_EQ(plan_error(R"({"alow_deadlock": true})"),
            "plan.json: unknown key 'alow_deadlock'; did you mean 'allow_deadlock'?");
  EXPECT_EQ(plan_error(R"({"allow_deadlock": 1})"), "plan.json: allow_deadlock: it must be true or false");
  EXPECT_THAT(plan_error(R"({"configurations": [{"seeds": 1}]})"), HasSubstr("move it out of configurations"));
  EXPECT_EQ(plan_error(R"({"vcs": 2, "router": {"vcs": 3}})"),
            "plan.json: 'vcs' and 'router.vcs' set the same parameter; keep one of them");
  EXPECT_EQ(plan_error(R"({"configurations": [{"router.vcs": 2, "vcs": [2, 3]}]})"),
            "plan.json: 'router.vcs' and 'vcs' set the same parameter; keep one of them");
  EXPECT_EQ(
      plan_error(R"({"rates": 0.1, "traffic": {"rate_flits_per_node_cycle": 0.2}})"),
      "plan.json: 'rates' and 'traffic.rate_flits_per_node_cycle' set the same parameter; keep one of them");
  EXPECT_EQ(plan_error(R"({"allow_deadlock": true, "allow-deadlock": false})"),
            "plan.json: 'allow_deadlock' and 'allow-deadlock' set the same parameter; keep one of them");
  EXPECT_THAT(plan_error(R"({"topology": "torsu:4x4"})"), HasSubstr("torsu"));
  EXPECT_THAT(plan_error(R"({"topology": "torus:3x3", "traffic": "bit_reversal"})"),
              ::testing::EndsWith(" (torus:3x3, bit_reversal)"));
  EXPECT_THAT(plan_error(R"({"traffic_mode": "batch"})"), HasSubstr("has none"));
  EXPECT_THAT(plan_error(R"({"observe": true, "fidelity": "transaction"})"),
              HasSubstr("observe: it shows flits, which the transaction level does not have"));
  EXPECT_THAT(
      plan_error(R"({"topology": "mesh:4x4", "packet": "1", "arrivals": "on_off", "burst": 2,
                             "rates": [0.1, 0.7]})"),
      HasSubstr(
          "rates: 0.7: bursts of 2 packets with gaps of at least one cycle make at most 0.6666 flits per "
          "node and cycle"));
  EXPECT_THAT(plan_error(R"({"observe": true, "precision": 0.05})"),
              HasSubstr("observe: it needs a window that is known before the run, which precision has not"));
  EXPECT_THAT(plan_error("", {{"vcs", {"2,x"}}}), HasSubstr("--vcs: "));
  EXPECT_THAT(plan_error("", {{"rates", {"fast"}}}), HasSubstr("--rates: "));
  EXPECT_THAT(plan_error("", {{"xyzzy", {"1"}}}), HasSubstr("unknown key 'xyzzy'"));
}

TEST(sweep_plan, a_file_begins_a_topology_of_its_own) {
  const scratch_directory scratch;
  const std::string file = scratch.file("net.json");
  std::ofstream(file) << R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})";
  const sweep_plan plan = sweep_plan::from({{"topology", {"ttn:2,2,0,file:" + file}}}, "", "");
  EXPECT_THAT(labels(plan), ElementsAre("ttn:2,2,0 uniform", "file:" + file + " uniform"));
}

TEST(sweep_plan, a_key_is_idle_only_where_no_curve_needs_it) {
  EXPECT_EQ(from_text(R"({"topology": "torus:4x4", "service_cycles": 7})").idle().size(), 1U);
  EXPECT_EQ(from_text(R"({"topology": "torus:4x4", "service_cycles": 20})").idle().size(), 0U) << "as by default";
  EXPECT_EQ(sweep_plan::from({{"service-cycles", {"20"}}}, "", "").idle().size(), 1U) << "an option is meant";
  for (const char* modes : {R"(["open", "request_reply"])", R"(["request_reply", "open"])"})
    EXPECT_EQ(from_text(R"({"topology": "torus:4x4", "rates": 0.1, "service_cycles": 7, "traffic_mode": )" +
                        std::string(modes) + "}")
                  .idle()
                  .size(),
              0U)
        << modes;
}

TEST(slurm_script, works_off_more_units_than_an_array_has_tasks) {
  const std::string script = slurm_script({"/usr/bin/toriscope", "/data/my sweep", 2500, 2, " --timeout 60"});
  EXPECT_THAT(script, HasSubstr("#SBATCH --job-name=\"my sweep\"\n#SBATCH --array=0-999\n"));
  EXPECT_THAT(script, HasSubstr("unit < 2500; unit += 1000"));
  EXPECT_THAT(script,
              HasSubstr("/usr/bin/toriscope sweep --plan '/data/my sweep.plan.json' --out '/data/my sweep' "
                        "--point $unit --jobs 2 --timeout 60 ||"));
  EXPECT_EQ(slurm_script({"t", "some where/d", 3, 4, ""}),
            "#!/bin/bash\n"
            "# A sweep of 3 units as a job array: sbatch 'some where/d.sbatch'\n"
            "# Whichever task is last writes the tables. Submitted again, it does what is missing.\n"
            "#SBATCH --job-name=\"d\"\n"
            "#SBATCH --array=0-2\n"
            "#SBATCH --cpus-per-task=4\n"
            "#SBATCH --output=\"some where/d.logs/%A_%a.log\"\n"
            "#SBATCH --requeue\n"
            "status=0\n"
            "for ((unit = SLURM_ARRAY_TASK_ID; unit < 3; unit += 3)); do\n"
            "  t sweep --plan 'some where/d.plan.json' --out 'some where/d' --point $unit --jobs 4 || status=$?\n"
            "done\n"
            "exit $status\n");
}

}  // namespace
}  // namespace toriscope::sweep_plan_test

// SPDX-License-Identifier: Apache-2.0
// Names of options and of their values: the former ones mean the same, and every command's help has examples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::option_names_test {
namespace {

using json = nlohmann::json;

/// Configuration and results of a run with `--json -`, without what it cost.
json results_of(const program_directory& dir, const strings& arguments) {
  json all = json_of(dir, arguments);
  all.erase("performance");
  return all;
}

TEST(option_names, former_names_of_options_and_values_work) {
  const program_directory dir;
  const strings window{"--warmup", "0", "--cycles", "300", "--drain", "300", "--json", "-"};
  const json now = results_of(
      dir, with({"run", "--topology", "ttn:2,2,0", "--inter-module-links", "duplex", "--tie-break", "nowrap",
                 "--vc-rule", "level_descending", "--vc-reallocation", "atomic", "--stages", "rc=1",
                 "--pipeline", "custom", "--include-self", "--fail-link", "27.x+@100"},
                window));
  EXPECT_EQ(results_of(dir, with({"run", "--topology", "ttn:2,2,0", "--links=B", "--ties", "nowrap",
                                  "--vc-rule", "K", "--regrant", "drained", "--stages", "rc=1", "--pipeline",
                                  "staged", "--self", "--dead-link", "27.x+@100"},
                                 window)),
            now);
  EXPECT_EQ(now["config"]["topology"]["links"], "B");
  EXPECT_EQ(now["config"]["topology"]["vc_rule"], "K");
  EXPECT_EQ(now["config"]["router"]["regrant"], "drained");
  EXPECT_EQ(now["config"]["router"]["pipeline"], "staged");
  for (const char* file :
       {R"({"topology": "ttn:2,2,0", "links": "B", "ties": "nowrap", "vc_rule": "K", "regrant": "drained",
            "stages": "rc=1", "pipeline": "staged", "self": true, "dead_link": ["27.x+@100"]})",
        R"({"topology": "ttn:2,2,0", "inter_module_links": "duplex", "tie_break": "nowrap",
            "vc_rule": "level_descending", "vc_reallocation": "atomic", "stages": "rc=1", "pipeline": "custom",
            "include_self": true, "fail_link": ["27.x+@100"]})",
        R"({"topology": {"spec": "ttn:2,2,0", "links": "duplex", "ties": "nowrap", "vc_rule": "K",
                         "dead_links": ["27.x+@100"]},
            "router": {"regrant": "atomic", "stages": "rc=1", "pipeline": "staged"},
            "traffic": {"include_self": true}})"}) {
    dir.write("c.json", file);
    EXPECT_EQ(results_of(dir, with({"run", "--config", "c.json"}, window)), now) << file;
  }
  EXPECT_THAT(
      dir.run({"run", "--config", "c.json", "--warmup", "0", "--cycles", "50", "--drain", "50"}).out,
      testing::HasSubstr("links (duplex), tie break nowrap, routing dor, VC rule level_descending (K), 4 x 8 "
                         "flits, custom rc=1,va=1,sa=1,st=1, atomic VC reallocation\n"));
}

TEST(option_names, plans_with_former_names_are_the_same_sweeps) {
  const program_directory dir;
  const strings rest{"--rates", "0.01", "--seeds", "1", "--warmup", "0", "--cycles", "50", "--quiet"};
  ASSERT_EQ(dir.run(with({"sweep", "--topology", "ttn:2,2,0", "--links", "U,B", "--regrant", "tail,drained",
                          "--out", "a"},
                         rest))
                .status,
            0);
  dir.write("p.json",
            R"({"inter_module_links": ["one_way", "duplex"], "vc_reallocation": ["non_atomic", "drained"]})");
  ASSERT_EQ(
      dir.run(with({"sweep", "--plan", "p.json", "--topology", "ttn:2,2,0", "--out", "b"}, rest)).status, 0);
  EXPECT_EQ(dir.read("a/plan.json"), dir.read("b/plan.json"));
  const auto head = [&](const char* file) { return dir.read(file).substr(0, dir.read(file).find('\n')); };
  EXPECT_THAT(head("a/curves.csv"), testing::HasSubstr(",links,regrant,"));
  // The points have the same names, and the former directory takes them as done.
  const process_result again =
      dir.run(with({"sweep", "--topology", "ttn:2,2,0", "--inter-module-links", "one-way,duplex",
                    "--vc-reallocation", "non_atomic,atomic", "--out", "a"},
                   rest));
  EXPECT_EQ(again.status, 0) << again.err;
}

TEST(option_names, link_stats_is_the_table_that_two_options_wrote) {
  const program_directory dir;
  const strings run = {"run", "--topology", "torus:4x4", "--cycles", "500", "--quiet"};
  ASSERT_EQ(dir.run(with(run, {"--link-stats", "a.csv"})).status, 0);
  ASSERT_EQ(dir.run(with(run, {"--link-csv", "b.csv"})).status, 0);
  EXPECT_EQ(dir.read("a.csv"), dir.read("b.csv"));
  ASSERT_EQ(dir.run(with(run, {"--observe", "--link-stats", "a.json"})).status, 0);
  ASSERT_EQ(dir.run(with(run, {"--link-usage", "b.json"})).status, 0);
  EXPECT_EQ(dir.read("a.json"), dir.read("b.json"));
}

TEST(option_names, every_command_has_examples_in_its_help) {
  const program_directory dir;
  const std::string help = dir.run({"--help"}).out;
  for (const char* command : {"run", "record", "replay", "explain", "cosim", "analyze", "draw", "export",
                              "prove", "sweep", "report", "bench", "reproduce", "list", "describe"}) {
    EXPECT_THAT(help, testing::HasSubstr(std::string("\n  ") + command + " "));
    EXPECT_THAT(dir.run({command, "--help"}).out, testing::HasSubstr(std::string("  toriscope ") + command));
  }
}

TEST(option_names, list_and_describe_know_the_same_names) {
  const program_directory dir;
  const std::string list = dir.run({"list"}).out;
  for (const char* name :
       {"ttn", "torus", "safe", "ring_dateline", "hotspot", "poisson", "four_stage", "atomic"})
    EXPECT_THAT(list, testing::HasSubstr(std::string("\n  ") + name + " "));
  // As its last line says, these have lists of their own.
  EXPECT_THAT(list, testing::EndsWith(
                        "\n\nMore: toriscope list figures; toriscope list parameters; toriscope describe "
                        "topology ttn\n"));
  for (const char* title : {"\nfigures\n", "\nparameters\n"})
    EXPECT_THAT(list, testing::Not(testing::HasSubstr(title)));
  for (const auto& [kind, name] :
       std::vector<std::pair<std::string, std::string>>{{"topology", "ttn"},
                                                        {"vc_rule", "level_descending"},
                                                        {"vc-rule", "gate_axis"},
                                                        {"patterns", "hotspot"},
                                                        {"arrival", "poisson"},
                                                        {"pipeline", "paper2009"},
                                                        {"pipeline", "custom"},
                                                        {"vc_reallocation", "non_atomic"},
                                                        {"allocator", "islip"},
                                                        {"arbiters", "matrix"},
                                                        {"figure", "latency.p99"},
                                                        {"figure", "knee"},
                                                        {"figure", "saturation_upper"},
                                                        {"parameter", "router.depth_flits"}}) {
    const process_result r = dir.run({"describe", kind, name});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, testing::StartsWith(name));
  }
  EXPECT_THAT(dir.run({"list", "parameters"}).out, testing::HasSubstr("traffic.seed"));
  const std::string reallocations = dir.run({"list", "vc_reallocations"}).out;
  EXPECT_THAT(reallocations, testing::HasSubstr("non_atomic"));
  for (const char* former : {"regrant", "regrants"}) EXPECT_EQ(dir.run({"list", former}).out, reallocations);
  EXPECT_EQ(dir.run({"describe", "parameter", "router.depth_flits"}).out,
            "router.depth_flits  buffer depth of a VC, 1 to 64 flits; paper2009 has 1\n\nOption: --depth FLITS\n"
            "Default: 8\n");
  EXPECT_EQ(dir.run({"describe", "parameter", "topology.links"}).out,
            "topology.links  links between modules of a TTN, TESH or STTN: one_way, duplex\n\n"
            "Option: --inter-module-links KIND\nDefault: \"U\"\nValues: one_way (U), duplex (B)\n");
  // Letters, former names and options are other names.
  for (const auto& [kind, name, found] :
       std::vector<std::array<const char*, 3>>{{"vc_rule", "K", "level_descending (K)  "},
                                               {"regrant", "drained", "atomic  "},
                                               {"pipeline", "staged", "custom  "},
                                               {"parameter", "vc-reallocation", "router.regrant  "}})
    EXPECT_THAT(dir.run({"describe", kind, name}).out, testing::StartsWith(found));
}

/// Each part of an entry is in its place; the texts are those of cube_family.cpp, graph_family.cpp, htn_family.cpp and
/// pattern_registry.cpp.
TEST(option_names, descriptions_are_complete) {
  const program_directory dir;
  const auto described = [&](const char* kind, const char* name) { return dir.run({"describe", kind, name}).out; };
  EXPECT_EQ(described("topology", "ring"),
            "ring:n  ring of n nodes, full-duplex links\n\n"
            "The same network as torus:n, by its own name. Ports x+ x-. Ties in even rings and VC rules as for a "
            "torus.\n\nRoutings: dor, adaptive, valiant, ugal\nExamples:\n  ring:16\n"
            "Source: Dally and Towles 2004, Ch. 5\n");
  EXPECT_THAT(described("topology", "star"),
              testing::HasSubstr("\n\nRoutings: none; toriscope analyze and draw take it\nExamples:\n  star:5\n"));
  EXPECT_THAT(described("topology", "htn"),
              testing::HasSubstr("\n\nRoutings: dor, cs, ls, ls+cs, adaptive\nGateways: destination, nearest\n"
                                 "Examples:\n  htn:4,4,2,1\n"));
  EXPECT_EQ(described("vc_rule", "gate_axis"),
            "gate_axis (PY)  PXd with any VC between BMs\n\nAcyclic where PXd is. The default (safe) there.\n\n"
            "Topologies: htn\nVCs: 3\nExamples:\n  toriscope run --topology htn:4,4,2,1 --vc-rule gate_axis\n"
            "Source: found and proved with channel-dependency graphs\n");
  EXPECT_EQ(described("routing", "ls"),
            "ls  dor with link selection: either way round a ring where both are equally long (R3)\n\n"
            "The clockwise (+) way is tried first. A safe rule is known with gates nearest only.\n\n"
            "Topologies: htn\nExamples:\n  toriscope run --topology htn:4,4,2,1 --routing ls --gateways nearest\n"
            "Source: Rahman et al. 2012, Sect. III.C\n");
  EXPECT_EQ(described("pattern", "shuffle"),
            "shuffle  the node number rotated left by one bit (perfect shuffle)\n\n"
            "b[n-1] b[n-2] ... b[0] sends to b[n-2] ... b[0] b[n-1]. Needs a power of two nodes.\n\n"
            "Source: Rahman et al. 2009 (TTN), Sect. 5.3 and 5.4\n");
}

/// Those of a histogram are no figures.
strings figures_in(const nlohmann::json& tree, const std::string& path = "") {
  strings names;
  for (const auto& [key, value] : tree.items()) {
    if (key == "histogram") continue;
    const strings below = value.is_object() ? figures_in(value, path + key + ".") : strings{path + key};
    names.insert(names.end(), below.begin(), below.end());
  }
  return names;
}

TEST(figures, of_every_kind_of_run_are_described) {
  const program_directory dir;
  dir.write("flows.json", R"({"flows": [{"name": "a", "from": "00", "to": "01", "rate": 0.1, "latency_bound": 50}]})");
  dir.write("t.txt", "0 0 1 2\n");
  const std::string described = dir.run({"list", "figures"}).out;
  const strings window{"--topology", "torus:4x4", "--warmup", "0", "--cycles", "400", "--json", "-", "--no-cache"};
  for (const strings& options :
       {strings{"--rate", "0.9", "--wire-hash", "--clock", "1", "--pitch", "1", "--equal", "pins:512"},
        strings{"--traffic-mode", "request_reply", "--fail-link", "0.x+@9"}, strings{"--flows", "flows.json"},
        strings{"--traffic-mode", "batch", "--batch", "2"},
        strings{"--traffic-file", "t.txt", "--file-timing", "dependencies"}}) {
    const nlohmann::json results = json_of(dir, with(with({"run"}, window), options))["results"];
    for (const std::string& name : figures_in(results))
      EXPECT_THAT(described, testing::HasSubstr("\n  " + name + " ")) << options[0];
  }
}

TEST(option_values, in_brackets_are_no_lists) {
  const program_directory dir;
  dir.write("c", "");
  dir.write("0.9", "");
  const strings mesh{"run", "--topology", "mesh:2x2", "--warmup", "0", "--cycles", "50", "--drain", "50", "--quiet"};
  const std::vector<std::pair<strings, std::string>> all = {
      {with(mesh, {"--traffic-file", "[c]"}), "[c]"},
      {with(mesh, {"--rate", "[0.1,0.9]"}), "--rate: \"[0.1,0.9]\""},
      {with(mesh, {"--rate", "[]", "0.1"}), "unexpected argument '0.1'"},
      {with(mesh, {"--rate", "[]"}), "--rate: \"[]\""},
      {{"report", "[c]"}, "./[c] cannot be read"},
      {{"report", "[]"}, "./[] cannot be read"},
      {{"sweep", "--topology", "[mesh:2x2]", "--list"}, "[mesh"},
      {{"run", "list"}, "unexpected argument 'list'; see toriscope run --help"},
      {{"cosim", "--rtl", "0", "--inject-fault", "0@3", "x"}, "unexpected argument 'x'"},
      {{"run", "--topology", "torus:4x4", "--rtl", "nod", "--rtl-seed", "2147483647"},
       "--rtl: no node of torus"},
      {{"run", "--topology", "torus:4x4", "--rtl", "nod", "--rtl-seed", "2147483648"},
       "--rtl-seed: '2147483648' must"}};
  for (const auto& [arguments, said] : all) {
    const process_result r = dir.run(arguments);
    EXPECT_EQ(r.status, 2) << said;
    EXPECT_THAT(r.err, testing::HasSubstr(said));
  }
}

TEST(option_values, of_report_name_a_directory_for_figures) {
  const program_directory dir;
  dir.write("run.json", "{}");
  const auto refusal = [&](const strings& more) {
    const process_result r = dir.run(with({"report", "run.json"}, more));
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  for (const char* figures : {"run.json", "run.json/figures", "/dev/null"})
    EXPECT_THAT(refusal({"--figures", figures}),
                testing::MatchesRegex("toriscope: cannot write [^ ]*: [^ ]* is not a directory\n"));
  for (const char* figures : {"page", "./page/"})
    EXPECT_THAT(refusal({"-o", "page", "--figures", figures}), testing::HasSubstr("--output and --figures both write"));
  EXPECT_EQ(dir.files(), strings{"run.json"});
}

}  // namespace
}  // namespace toriscope::option_names_test

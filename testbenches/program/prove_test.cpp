// SPDX-License-Identifier: Apache-2.0
// `toriscope prove` as scripts see it: exit status, JSON, one line for bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::prove_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(prove, proven_is_status_0) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--topology", "ttn:2,2,0", "--method", "exhaustive"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("\nrouting proven free of deadlock\n"));
  EXPECT_THAT(r.out, HasSubstr("exhaustive: 256 nodes, 4224 channels, 22976 dependencies"));
}

TEST(prove, json) {
  const program_directory dir;
  const json found =
      json_of(dir, {"prove", "--topology", "torus:8x8", "--classes", "2", "--vcs", "6", "--json", "-"});
  EXPECT_EQ(found["verdict"], "proven");
  EXPECT_EQ(found["method"], "exhaustive");
  EXPECT_EQ(found["vcs"], 6);
  EXPECT_EQ(found["message_classes"], 2);
  EXPECT_EQ(found["channels"], 64 * 4 * 6);
  EXPECT_EQ(found["cycle"], json::array());
  const json one_class = json_of(dir, {"prove", "--topology", "torus:8x8", "--vcs", "3", "--json", "-"});
  EXPECT_EQ(found["dependencies"], 2 * one_class["dependencies"].get<unsigned>())
      << "each class in its own VCs";
}

TEST(prove, message_classes_that_share_vcs_are_judged) {
  const program_directory dir;
  const std::vector<std::string> classes = {"prove", "--topology", "torus:4x4", "--classes",
                                            "2",     "--json",     "p.json"};
  const process_result own = dir.run(classes);
  EXPECT_EQ(own.status, 0);
  EXPECT_THAT(own.out,
              HasSubstr("\nrouting proven free of deadlock; 2 message classes on disjoint VCs: none waits "
                        "for VCs of another\n"));
  std::vector<std::string> sharing = classes;
  sharing.emplace_back("--shared-classes");
  for (int time = 0; time < 2; ++time) {  // also when the verdict on the routing is remembered
    const process_result shared = dir.run(sharing);
    EXPECT_EQ(shared.status, 1);
    EXPECT_THAT(shared.out,
                HasSubstr(" shared by 2 message classes\ncyclic: message classes share VCs: a protocol "
                          "deadlock is possible (routing proven free of deadlock)\n"));
    EXPECT_THAT(shared.out, HasSubstr("\n  cycle    of 2 channels;"));
    EXPECT_THAT(shared.out,
                HasSubstr("\n  witness  requests and replies froze the simulated network: protocol "
                          "deadlock since cycle "));
    EXPECT_THAT(shared.out, testing::ContainsRegex(": packet [0-9]+, .. -> .., is not admitted\n"));
    const json found = json::parse(dir.read("p.json"));
    EXPECT_EQ(found["verdict"], "cyclic");
    EXPECT_EQ(found["routing_verdict"], "proven");
    EXPECT_EQ(found["message_classes"], 2);
    EXPECT_EQ(found["shared_classes"], true);
    ASSERT_EQ(found["cycle"].size(), 2u);
    EXPECT_EQ(found["cycle"][0]["to"], found["answering_nodes"][0]);
    EXPECT_EQ(found["cycle"][1]["node"], found["answering_nodes"][0]);
    EXPECT_EQ(found["cycle"][1]["to"], found["cycle"][0]["node"]);
    EXPECT_EQ(found["witness"]["frozen"], true);
  }
  // The run that it names freezes as the witness did, in a shell, too.
  dir.write("my net.json", R"({"nodes": 4, "links": [{"from": 0, "to": 1}, {"from": 1, "to": 2},
                               {"from": 2, "to": 3}, {"from": 3, "to": 0}]})");
  for (const char* network : {"torus:4x4", "file:my net.json"}) {
    sharing[2] = network;
    const std::string text = dir.run(sharing).out, named = "\n  packets  of toriscope ";
    ASSERT_NE(text.find(named), std::string::npos) << text;
    std::string command = text.substr(text.find(named) + named.size());
    command.resize(command.find('\n'));
    const process_result again = dir.shell("\"$T\" " + command + " --quiet --failure-wave none");
    const json witness = json::parse(dir.read("p.json"))["witness"];
    EXPECT_EQ(witness["frozen"], true) << network;
    EXPECT_THAT(command, Not(HasSubstr("--message-classes"))) << "requests and replies are two";
    EXPECT_THAT(again.err, HasSubstr(witness["watchdog"][0].get<std::string>()));
  }
  sharing[2] = "cmesh:4x4,2";
  EXPECT_THAT(dir.run(sharing).out, HasSubstr("\n    00 x+ vc0\n    01.t0 receives the request when its reply can be "
                                              "sent\n    01 x- vc0\n    00.t0 receives the request "));
  EXPECT_EQ(json::parse(dir.read("p.json"))["answering_nodes"], json({"01.t0", "00.t0"}));
  sharing.insert(sharing.end(), {"--witness", "w.txt"});
  EXPECT_THAT(dir.run(sharing).err, HasSubstr("--witness has no effect with --shared-classes"));
  EXPECT_EQ(dir.run({"prove", "--topology", "torus:4x4"}).status, 0) << "one class is as before";
}

/// The numbers of their routing hold, which says nothing of classes that share VCs.
/// Where no link lies between the terminals, two of them still answer each other.
TEST(prove, message_classes_share_the_vcs_of_a_crossbar) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--topology", "crossbar:4", "--message-classes", "2",
                                    "--shared-classes", "--no-witness", "--json", "c.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("\n  cycle    through the VCs by which packets enter their router\n"));
  EXPECT_EQ(json::parse(dir.read("c.json"))["answering_nodes"], json({"0.t1", "0.t0"}));
  const json cyclic = json::parse(dir.run({"prove", "--vc-rule", "paper", "--vcs", "2", "--message-classes",
                                           "2", "--shared-classes", "--no-witness", "--json", "-"})
                                      .out);
  EXPECT_EQ(cyclic["message_classes"], 2);
  EXPECT_EQ(cyclic["shared_classes"], true);
}

TEST(prove, message_classes_that_share_vcs_have_no_certificate) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--topology", "torus:4x4", "--classes", "2", "--shared-classes",
                                    "--no-witness", "--certificate", "c.txt", "--json", "p.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, Not(HasSubstr("certificate")));
  EXPECT_FALSE(json::parse(dir.read("p.json")).contains("certificate"));
  EXPECT_EQ(dir.run({"prove", "--check", "c.txt"}).status, 2);
}

TEST(prove, cyclic_is_status_1) {
  const program_directory dir;
  const process_result r =
      dir.run({"prove", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--json", "p.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("\ncyclic"));
  const json found = json::parse(dir.read("p.json"));
  EXPECT_EQ(found["verdict"], "cyclic");
  ASSERT_GE(found["cycle"].size(), 2u);
  EXPECT_EQ(found["cycle"][0]["to"], found["cycle"][1]["node"]);
  EXPECT_THAT(r.out, HasSubstr(found["cycle"][0]["node"].get<std::string>() + " " +
                               found["cycle"][0]["port"].get<std::string>() + " vc"));
}

TEST(prove, unknown_is_status_1) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--method", "sampled"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("\nunknown"));
}

// Published rules that do not hold, each with packets that freeze the network when they run: Rahman
// et al. 2009, Theorem 1 (TTN; with it TESH, whose one BM channel all phases share); Rahman et al. 2012,
// Theorem 1 (HTN); Fan et al. 1999, Sect. 4, floating vector routing (RDT).
TEST(prove_paper, a_witness_freezes_the_network) {
  const std::vector<std::vector<std::string>> rules = {
      {"--topology", "ttn:2,2,0", "--vcs", "2"},
      {"--topology", "ttn:2,2,0", "--vcs", "4"},
      {"--topology", "tesh:2,2,0", "--vcs", "2"},
      {"--topology", "htn:4,4,2,1", "--vcs", "3"},
      {"--topology", "rdt:alpha,32", "--routing", "floating", "--vcs", "3"},
  };
  for (std::vector<std::string> rule : rules) {
    SCOPED_TRACE(rule[1]);
    const program_directory dir;
    rule.insert(rule.end(), {"--vc-rule", "paper"});
    const auto with = [&](const char* command, std::vector<std::string> more) {
      more.insert(more.begin(), rule.begin(), rule.end());
      more.insert(more.begin(), command);
      return dir.run(more);
    };
    const process_result r =
        with("prove", {"--witness", "packets.txt", "--wave", "frozen.vcd", "--json", "p.json"});
    EXPECT_EQ(r.status, 1);
    EXPECT_EQ(r.err, "");
    EXPECT_THAT(r.out, HasSubstr("packets froze the simulated network: deadlock since cycle "));
    EXPECT_THAT(r.out, HasSubstr(": held by packet "));
    EXPECT_THAT(dir.read("frozen.vcd"), HasSubstr("$enddefinitions"));
    const json witness = json::parse(dir.read("p.json"))["witness"];
    EXPECT_EQ(witness["frozen"], true);
    EXPECT_GE(witness["packets"].size(), json::parse(dir.read("p.json"))["cycle"].size());

    const process_result again =
        with("run", {"--allow-deadlock", "--traffic-file", "packets.txt", "--failure-wave", "none"});
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.err, testing::StartsWith("toriscope: deadlock since cycle "));
    EXPECT_THAT(again.out, HasSubstr(" channels wait for each other in a cycle, from "));
  }
}

TEST(prove, the_same_packets_under_a_rule_that_holds_arrive) {
  const program_directory dir;
  dir.run({"prove", "--vc-rule", "paper", "--vcs", "2", "--witness", "packets.txt"});
  EXPECT_EQ(dir.run({"run", "--traffic-file", "packets.txt", "--watchdog", "400"}).status, 0);
}

TEST(prove, says_so_when_the_witness_leaves_no_waveform) {
  const program_directory dir;
  const process_result r =
      dir.shell("ulimit -f 64; $T prove --topology ttn:2,2,0 --vc-rule paper --vcs 2 --wave f.vcd");
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_THAT(r.err, testing::StartsWith("toriscope: the witness: no waveform: cannot write f.vcd: "));
  EXPECT_EQ(dir.files(), std::vector<std::string>{});
}

TEST(prove, says_so_when_the_save_file_of_the_waveform_cannot_be_written) {
  const program_directory dir;
  const process_result r =
      dir.shell("mkdir f.gtkw; $T prove --topology ttn:2,2,0 --vc-rule paper --vcs 2 --wave f.vcd");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: cannot write f.gtkw: Is a directory\n");
}

TEST(prove, no_witness_when_told_so) {
  const program_directory dir;
  const process_result r = dir.run({"prove", "--vc-rule", "paper", "--no-witness", "--json", "-"});
  EXPECT_EQ(json::parse(r.out).count("witness"), 0u);
}

/// A crossbar has no links: its certificate has no numbers.
TEST(prove, a_network_without_links_has_a_certificate) {
  const program_directory dir;
  const process_result made = dir.run({"prove", "--topology", "crossbar:4", "--certificate", "c.txt"});
  EXPECT_EQ(made.status, 0);
  EXPECT_THAT(made.out, HasSubstr("certificate in c.txt"));
  const process_result checked = dir.run({"prove", "--check", "c.txt"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("the certificate holds: every one of 0 steps"));
}

TEST(prove, a_certificate_and_its_check) {
  const program_directory dir;
  EXPECT_EQ(dir.run({"prove", "--topology", "ttn:2,2,1", "--links", "B", "--certificate", "c.txt"}).status,
            0);
  const process_result good = dir.run({"prove", "--check", "c.txt"});
  EXPECT_EQ(good.status, 0);
  EXPECT_THAT(good.out, HasSubstr("ttn:2,2,1 (duplex)"));
  EXPECT_THAT(good.out, HasSubstr("the certificate holds: every one of "));
  const json held = json_of(dir, {"prove", "--check", "c.txt", "--json", "-"});
  EXPECT_EQ(held["holds"], true);
  EXPECT_EQ(held["complete"], true);
  EXPECT_EQ(held["objection"], "");
  EXPECT_EQ(held["regrant"], "any");
  const std::string written = dir.run({"prove", "--check", "c.txt", "--json", "-"}).out;
  EXPECT_EQ(written, nlohmann::ordered_json::parse(written).dump(2) + "\n");

  // All channels of one number: no step leads to a greater one.
  const std::string text = dir.read("c.txt");
  const std::size_t first = text.find('\n', text.find("\nnumbers ") + 1) + 1;
  std::string broken = text.substr(0, first);
  for (const char c : text.substr(first)) broken += c == ' ' || c == '\n' ? c : '1';
  dir.write("broken.txt", broken);
  const process_result bad = dir.run({"prove", "--check", "broken.txt", "--json", "-"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(json::parse(bad.out)["holds"], false);
  EXPECT_EQ(json::parse(bad.out)["complete"], true) << "all destinations could have been walked to";
  EXPECT_THAT(json::parse(bad.out)["objection"].get<std::string>(), HasSubstr(" may ask for "));
}

TEST(prove, a_certificate_is_checked_with_the_choices_that_it_was_made_with) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"prove", "--topology", "torus:4x4", "--ties", "positive", "--classes", "2", "--certificate",
                     "c.txt"})
                .status,
            0);
  const process_result checked = dir.run({"prove", "--check", "c.txt"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_THAT(checked.out, HasSubstr("torus:4x4, tie break positive, routing dor, VC rule balanced, 4 VCs for 2 "
                                     "message classes\nthe certificate holds: "));
}

TEST(deadlock_summary, a_cyclic_rule_is_refused_unless_allowed) {
  const program_directory dir;
  const std::vector<std::string> run = {"run", "--vc-rule", "paper", "--cycles", "50", "--rate", "0.001"};
  const process_result refused = dir.run(run);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err,
              testing::MatchesRegex("toriscope: VC rule 'paper' of ttn:2,2,0 with 4 VCs is not free of "
                                    "deadlock: .*; .*--allow-deadlock runs it\n"));
  std::vector<std::string> allowed = run;
  allowed.emplace_back("--allow-deadlock");
  const process_result r = dir.run(allowed);
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("\ncyclic: "));
}

TEST(deadlock_summary, names_the_vcs_that_no_packet_may_take) {
  const program_directory dir;
  const auto headline = [&](const std::string& rule) {
    const std::string out =
        dir.run({"run", "--topology", "torus:8x8", "--vc-rule", rule, "--cycles", "50"}).out;
    return out.substr(0, out.find("\n\n"));
  };
  // The wrap links have class 1 only; from half way round the ring on there is class 0 only.
  const std::string idle =
      "\nVCs that no packet may take: 2 3 on 160 of 256 links (01.x- ...), 0 1 on 32 of 256 links (07.x+ "
      "...)";
  for (const bool remembered : {false, true})
    EXPECT_THAT(headline("dateline"), HasSubstr(idle)) << remembered;
  EXPECT_THAT(headline("safe"), Not(HasSubstr("VCs that no packet may take")));
  EXPECT_THAT(headline("safe"), HasSubstr("VC rule balanced, 4 x 8 flits"));
  const json analysed = json::parse(
      dir.run({"analyze", "--topology", "torus:8x8", "--vc-rule", "dateline", "--json", "-"}).out);
  EXPECT_EQ(analysed["vc_use"]["vcs"], 4);
  EXPECT_EQ(analysed["vc_use"]["unused"][0],
            (json{{"vcs", {2, 3}}, {"links", 160}, {"first_link", "01.x-"}}));
  // One link alone.
  dir.write("n.json", R"({"nodes": ["a", "b"], "links": [
      {"from": "a", "to": "b"}, {"from": "a", "to": "b", "from_port": "x", "to_port": "y", "duplex": false}]})");
  EXPECT_THAT(dir.run({"prove", "--topology", "file:n.json"}).out,
              HasSubstr("VCs that no packet may take: 0 1 2 3 on 1 of 3 links (a.x)\n"));
}

TEST(deadlock_summary, is_remembered) {
  const program_directory dir;
  const std::vector<std::string> run = {"run",      "--topology", "torus:4x4", "--vc-rule",
                                        "dateline", "--cycles",   "50"};
  const std::string said = "\nrouting proven free of deadlock (exhaustive: 256 channels, ";
  const auto verdict_shown = [&](std::vector<std::string> more = {}) {
    more.insert(more.begin(), run.begin(), run.end());
    const std::string out = dir.run(more).out;
    return out.substr(0, out.find("\n\n"));
  };
  EXPECT_THAT(verdict_shown(), HasSubstr(said + "384 dependencies)"));
  // What is remembered is not worked out again, and so not written again.
  const std::string file = "../cache/toriscope/verdict_*.json";
  const auto written = [&] { return dir.shell("stat -c %i " + file).out; };
  const std::string once = written();
  EXPECT_THAT(verdict_shown(), HasSubstr(said + "384 dependencies)"));
  EXPECT_EQ(written(), once);
  // A file that was changed, cannot be read, or was written for something else, is as good as none.
  const std::string entry = dir.shell("cat " + file).out;
  dir.shell("sed -i 's/\"dependencies\":384/\"dependencies\":385/' " + file);
  EXPECT_THAT(verdict_shown(), HasSubstr(said + "384 dependencies)"));
  EXPECT_EQ(dir.shell("cat " + file).out, entry) << "written anew";
  dir.shell("truncate -s 100 " + file);
  EXPECT_THAT(verdict_shown(), HasSubstr(said + "384 dependencies)"));
  EXPECT_EQ(dir.shell("cat " + file).out, entry) << "written anew";
  dir.shell("sed -i 's/^{/{{/' ../cache/toriscope/verdict_*.json");
  EXPECT_THAT(verdict_shown(), HasSubstr(said + "384 dependencies)"));
  dir.shell(
      "sed -i 's/\"dependencies\":384/\"dependencies\":385/; s/torus:4x4/torus:4x5/' "
      "../cache/toriscope/verdict_*.json");
  EXPECT_THAT(verdict_shown(), HasSubstr(said + "384 dependencies)"));
}

TEST(deadlock_summary, does_not_depend_on_the_method_of_an_earlier_prove) {
  const program_directory dir;
  const std::vector<std::string> run = {"run", "--topology", "ttn:2,2,0", "--cycles", "50", "--rate", "0.001"};
  EXPECT_EQ(dir.run({"prove", "--topology", "ttn:2,2,0", "--method", "exhaustive", "--quiet"}).status, 0);
  EXPECT_THAT(dir.run(run).out, HasSubstr("\nrouting proven free of deadlock (symmetric: 4224 channels, "));
}

TEST(deadlock_summary, a_changed_entry_does_not_let_a_cyclic_rule_run) {
  const program_directory dir;
  const std::vector<std::string> run = {"run", "--vc-rule", "paper", "--cycles", "50", "--rate", "0.001"};
  EXPECT_EQ(dir.run(run).status, 2);
  const std::string flip = "sed -i 's/\"verdict\":1/\"verdict\":0/' ../cache/toriscope/verdict_*.json";
  EXPECT_EQ(dir.shell("grep -c '\"verdict\":1' ../cache/toriscope/verdict_*.json").out, "1\n");
  dir.shell(flip);
  EXPECT_EQ(dir.run(run).status, 2);
}

TEST(deadlock_summary, of_a_large_network_is_known_after_prove) {
  const program_directory dir;
  const std::vector<std::string> run = {"run",      "--topology", "torus:40x40", "--cycles", "1",
                                        "--warmup", "0",          "--rate",      "0"};
  EXPECT_THAT(dir.run(run).out, HasSubstr("\ndeadlock freedom not checked"));
  EXPECT_EQ(dir.run({"prove", "--topology", "torus:40x40", "--quiet"}).status, 0);
  EXPECT_THAT(dir.run(run).out, HasSubstr("\nrouting proven free of deadlock"));
}

// 17^2 nodes, four times as many links and as many routers to be drawn: 2^26.5 ways, and 2^26 are affordable.
TEST(deadlock_summary, of_drawn_ways_is_left_out_where_they_are_too_many) {
  const program_directory dir;
  EXPECT_THAT(dir.run({"run", "--topology", "torus:17x17", "--routing", "valiant", "--cycles", "1", "--warmup", "0",
                       "--rate", "0"})
                  .out,
              HasSubstr("\ndeadlock freedom not checked"));
}

// Behind the tail of another packet a head cannot turn to its escape: with adaptive routing that does freeze.
TEST(deadlock_summary, an_escape_wants_vcs_that_drain) {
  const program_directory dir;
  const std::vector<std::string> run = {
      "run",  "--topology", "torus:8x8", "--routing",      "adaptive", "--rate",
      "0.9",  "--traffic",  "tornado",   "--warmup",       "0",        "--cycles",
      "8000", "--drain",    "0",         "--failure-wave", "none"};
  const process_result by_default = dir.run(run);
  EXPECT_EQ(by_default.status, 0) << by_default.err;
  EXPECT_THAT(by_default.out, HasSubstr(", atomic VC reallocation\n"));
  EXPECT_THAT(by_default.out, HasSubstr("\nrouting proven free of deadlock (exhaustive"));
  std::vector<std::string> tail = run;
  tail.insert(tail.end(), {"--regrant", "tail"});
  const process_result frozen = dir.run(tail);
  EXPECT_EQ(frozen.status, 1);
  EXPECT_THAT(frozen.out,
              HasSubstr("\ndeadlock: routing proven free of it with --vc-reallocation atomic only"));
  EXPECT_THAT(frozen.err, testing::StartsWith("toriscope: deadlock since cycle "));
}

TEST(prove, duato_condition) {
  const program_directory dir;
  const json found = json_of(dir, {"prove", "--topology", "torus:8x8", "--routing", "adaptive",
                                   "--certificate", "c.txt", "--json", "-"});
  EXPECT_EQ(found["verdict"], "proven");
  EXPECT_EQ(found["regrant"], "drained");
  EXPECT_EQ(found["escape"]["vcs"], (json{0, 1}));
  const process_result checked = dir.run({"prove", "--check", "c.txt", "--json", "c.json"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_THAT(checked.out, HasSubstr("\nthe certificate holds with --vc-reallocation atomic: every one of "));
  EXPECT_EQ(json::parse(dir.read("c.json"))["regrant"], "drained");
}

TEST(deadlock_summary, works_where_nothing_can_be_remembered) {
  const program_directory dir;
  const process_result r = dir.shell("XDG_CACHE_HOME=/dev/null \"$T\" run --cycles 50");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out, HasSubstr("\nrouting proven free of deadlock (symmetric: "));
}

void expect_refusal(const process_result& r, const std::string& said) {
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "toriscope: " + said + "\n");
}

TEST(prove, a_certificate_has_a_line_for_each_link_of_its_network) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"prove", "--topology", "mesh:2x2", "--certificate", "c.txt"}).status, 0);
  std::string text = dir.read("c.txt");
  text.replace(text.find("mesh:2x2"), 8, "hypercube:24");
  dir.write("c.txt", text);
  expect_refusal(dir.run({"prove", "--check", "c.txt"}),
                 "topology 'hypercube:24' has 16777216 nodes; certificate c.txt has numbers for 8 links only; expected "
                 "a line of numbers for each link");
  // 8 links connect 9 nodes at most.
  text.replace(text.find("hypercube:24"), 12, "ring:10");
  dir.write("c.txt", text);
  expect_refusal(
      dir.run({"prove", "--check", "c.txt"}),
      "topology 'ring:10' has 10 nodes; certificate c.txt has numbers for 8 links only; expected a line of "
      "numbers for each link");
}

TEST(prove, a_network_with_as_few_links_as_nodes_has_a_certificate) {
  const program_directory dir;
  ASSERT_EQ(dir.run({"prove", "--topology", "ucube:8,1", "--certificate", "c.txt"}).status, 0);
  EXPECT_EQ(dir.run({"prove", "--check", "c.txt"}).status, 0);
}

/// A key of a file that says nothing is warned of, and changes nothing.
TEST(prove, one_message_class_shares_its_vcs_with_no_other) {
  const program_directory dir;
  dir.write("c.json", R"({"topology": "torus:4x4", "shared_classes": true})");
  const process_result r = dir.run({"prove", "--config", "c.json"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("\nrouting proven free of deadlock\n"));
}

TEST(prove, none_is_no_name_of_a_waveform) {
  const program_directory dir;
  expect_refusal(dir.run({"prove", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--wave", "none"}),
                 "--wave: none; expected a file, or leave it out");
}

TEST(prove, check_takes_no_output_of_a_proof) {
  const program_directory dir;
  for (const strings& more : std::vector<strings>{
           {"--certificate", "d"}, {"--witness", "d"}, {"--wave", "d"}, {"--no-witness"}, {"--method", "sampled"}})
    expect_refusal(dir.run(with({"prove", "--check", "c.txt"}, more)),
                   more[0] + " has no effect with --check, which proves nothing; leave one of them out");
}

}  // namespace
}  // namespace toriscope::prove_test

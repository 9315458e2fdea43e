// SPDX-License-Identifier: Apache-2.0
// `toriscope cosim` and `run --rtl` as a user runs them: model and RTL equal in every cycle over the networks
// that they are made for, both pipelines, up to saturation and with back-pressure from the interfaces; that a
// flipped bit is told; that a network with RTL has the hashes of one without. Tests with long_ in their names
// are the long tier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/json.h"
#include "base/words.h"
#include "testbenches/program/program_process.h"
#include "traces/vcd_reader.h"

namespace toriscope::cosim_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using words = strings;

words split(const std::string& text) {
  words result;
  std::istringstream in(text);
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

/// Builds are shared by all tests, and by the next run of them. Nothing stays among the temporary files.
class cosim_test : public testing::Test {
 protected:
  cosim_test() {
    setenv("TORISCOPE_RTL_CACHE", TORISCOPE_TEST_RTL_CACHE, 1);
    setenv("TORISCOPE_RTL_CXXFLAGS", is_long() ? "-O2" : TORISCOPE_TEST_RTL_CXXFLAGS, 1);  // what is cheapest
    std::filesystem::create_directory(temporary_);
    setenv("TMPDIR", temporary_.c_str(), 1);
  }
  ~cosim_test() override {
    unsetenv("TMPDIR");
    EXPECT_TRUE(std::filesystem::is_empty(temporary_));
  }

  static bool is_long() {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    return std::string(info->name()).find("long_") != std::string::npos;
  }

  /// Runs `toriscope COMMAND`, and reads what it leaves as JSON.
  json run(const std::string& command, int status = 0) {
    words arguments = split(command);
    arguments.insert(arguments.end(), {"--quiet", "--json", "out.json"});
    last_ = dir_.run(arguments);
    EXPECT_EQ(last_.status, status) << command << "\n" << last_.err;
    return json::parse(dir_.read("out.json"), nullptr, false);
  }

  /// Model and RTL are equal, and there was something to compare.
  void expect_equal(const std::string& arguments, std::uint64_t router_cycles) {
    SCOPED_TRACE(arguments);
    const json got = run("cosim " + arguments);
    ASSERT_TRUE(got.is_object());
    EXPECT_EQ(got["mismatches"], 0);
    EXPECT_TRUE(got["first_mismatch"].is_null()) << got["first_mismatch"];
    EXPECT_GE(got["rtl_router_cycles"], router_cycles);
    EXPECT_EQ(got["rtl_router_cycles"],
              got["cycles"].get<std::uint64_t>() * got["rtl_nodes"].get<std::uint64_t>());
    EXPECT_GT(got["pins_compared"], got["rtl_router_cycles"].get<std::uint64_t>() * 64 * 3);
    EXPECT_GT(got["results"]["accepted"], 0.0);
  }

  vcd_contents difference_wave() const {
    const std::string directory = dir_.shell("pwd").out;
    return vcd_reader::read(directory.substr(0, directory.find('\n')) + "/toriscope-difference.vcd", true);
  }

  const program_directory dir_;
  const std::string temporary_ = dir_.file("../tmp");
  process_result last_;
};

/// Warm-up and drain would not be compared with anything else than the rest is.
std::string cycles(unsigned count) { return " --warmup 0 --drain 0 --cycles " + std::to_string(count); }

const std::string torus = "--topology torus:8x8 --vcs 2 --depth 4 --rtl * ";
const std::string ttn = "--topology ttn:2,2,0 --depth 4 ";
const std::string htn = "--topology htn:4,4,2,1 --depth 4 --rtl htn.bm_1_2 ";
const std::string rdt = "--topology rdt:alpha,32 --depth 4 --rtl 0,1,33,514,1023 ";
const std::string small = "cosim --topology torus:4x4 --vcs 2 --depth 2 --rtl 5,6 ";
const std::string full = " --rate 1 --packet-flits 4";  // every source always has something to send
const std::string answered =
    " --traffic-mode request_reply --message-classes 2 --limited-reception --rate 0.5 --outstanding 8";

TEST_F(cosim_test, torus_at_saturation) {
  expect_equal(torus + "--pipeline single_cycle" + full + cycles(1500), 96000);
}

TEST_F(cosim_test, basic_module_of_ttn) {
  expect_equal(ttn + "--rtl ttn.bm_1_2.* --pipeline four_stage --rate 0.05" + cycles(250), 4000);
}

TEST_F(cosim_test, torus_with_full_interfaces) {
  expect_equal(torus + "--vcs 4 --pipeline four_stage" + answered + cycles(600), 38400);
}

TEST_F(cosim_test, basic_module_of_htn) {
  expect_equal(htn + "--pipeline four_stage --rate 0.1" + cycles(300), 19200);
}

/// Routers with two local ports, three, none; terminals that send into one router and receive from another.
TEST_F(cosim_test, routers_with_several_terminals_and_without) {
  const std::string mixed = "file:" TORISCOPE_ROOT "/testbenches/reference/mixed_terminals.json";
  for (const std::string& network :
       {std::string("cmesh:2x2,2 --vcs 2 --depth 4 --pipeline four_stage"),
        std::string("cmesh:2x2,3 --vcs 2 --depth 3 --pipeline single_cycle --limited-reception"),
        std::string("butterfly:2,3 --vcs 2 --depth 4 --pipeline four_stage --vc-reallocation atomic"),
        mixed + " --routing random --depth 2 --link-delay 2"})
    expect_equal("--rtl * --rate 0.7 --topology " + network + cycles(1000), 4000);
}

/// Links of 2 to 8 cycles per flit, some of them slow: every pin, and the hash of a network whose routers are RTL.
TEST_F(cosim_test, narrow_links) {
  const std::string network =
      "--topology torus:4x4 --vcs 2 --depth 4 --link-width 32 --link 5.x+:width=8:delay=3 --link 9.y-:width=20 ";
  for (const std::string pipeline : {"single_cycle", "four_stage"})
    expect_equal(network + "--rtl * --rate 1 --pipeline " + pipeline + cycles(600), 9600);
  const json with = run("run " + network + "--rtl * --rate 0.2" + cycles(600));
  const json without = run("run " + network + "--rate 0.2" + cycles(600));
  EXPECT_GT(with["results"]["packets_arrived"], 90);
  EXPECT_EQ(with["results"]["packet_hash"], without["results"]["packet_hash"]);
  EXPECT_TRUE(with["results"].contains("rtl"));
  EXPECT_FALSE(without["results"].contains("rtl"));
  const process_result saved = dir_.run(split("run " + network + "--rtl * --rate 0.2 --save-state 9:s" + cycles(20)));
  EXPECT_EQ(saved.status, 2);
  EXPECT_THAT(saved.err, HasSubstr("the state of routers in RTL cannot be saved"));
}

/// Routers with VCs, depths and pipelines of their own: two kinds are built, the hash is that of the model.
TEST_F(cosim_test, routers_of_their_own) {
  dir_.write("n.json", R"({"nodes": ["a", {"name": "b", "vcs": 1, "depth": 2, "pipeline": "single_cycle"},
      {"name": "c", "terminals": 2}, {"name": "hub", "terminals": 0, "vcs": 1, "depth": 2, "pipeline": "single_cycle"}],
      "links": [{"from": "a", "to": "hub"}, {"from": "hub", "to": "b", "width": 32}, {"from": "hub", "to": "c"}]})");
  const std::string network = "--topology file:n.json --vcs 2 --depth 3 --pipeline four_stage --rate 0.7 ";
  expect_equal(network + "--rtl *" + cycles(1000), 4000);
  const std::string run_it = "run " + network + "--wire-hash --check full" + cycles(500);
  const json model = run(run_it), rtl = run(run_it + " --rtl *");
  EXPECT_EQ(rtl["results"]["packet_hash"], model["results"]["packet_hash"]);
  EXPECT_EQ(rtl["results"]["wire_hash"], model["results"]["wire_hash"]);
  const process_result r = dir_.run(split("run " + network + "--rtl *" + cycles(20)));
  EXPECT_THAT(r.out, HasSubstr("OUT_DEPTH 3, NARROW 1, WEIGHT_BITS 0; DEPTH 2, FOUR_STAGE 0, IN_VCS 1\n")) << r.err;
}

TEST_F(cosim_test, rtl_of_a_network_is_clocked_by_several_threads_with_the_same_bytes) {
  const std::string run_it = "run --topology torus:4x4 --vcs 2 --depth 4 --pipeline four_stage --rate 0.5 --wire-hash "
                             "--wave *@100:300 --wave-file w.vcd --rtl *" + cycles(400);
  const json one = run(run_it);
  const std::string wave = dir_.read("w.vcd");
  for (const char* threads : {"2", "3"}) {
    const json several = run(run_it + " --threads " + threads);
    EXPECT_EQ(several["results"], one["results"]) << threads;
    EXPECT_TRUE(dir_.read("w.vcd") == wave) << threads;
  }
}

/// The probes of the other nodes are one for all: what steps alone has no threads to share RTL among.
TEST_F(cosim_test, rtl_of_a_part_beside_observed_nodes_is_clocked_with_several_threads) {
  const std::string run_it = "run --topology torus:4x4 --vcs 2 --depth 4 --rate 0.5 --wire-hash --observe "
                             "--rtl torus.node_0_*" + cycles(400);
  const json one = run(run_it), two = run(run_it + " --threads 2");
  EXPECT_EQ(two["results"], one["results"]);
  EXPECT_EQ(two["observation"], one["observation"]);
}

/// Heads that choose between two ways by the queues before them.
TEST_F(cosim_test, queues_are_compared) {
  const std::string ring =
      "--topology ring:5 --routing ugal --vcs 4 --depth 3 --traffic tornado --rate 0.8 --rtl * ";
  expect_equal(ring + "--pipeline four_stage" + cycles(3000), 15000);
}

TEST_F(cosim_test, nodes_of_rdt) {
  expect_equal(rdt + "--pipeline single_cycle --rate 0.1" + cycles(1000), 5000);
}

TEST_F(cosim_test, a_flipped_bit_is_told) {
  const std::string two_nodes =
      "cosim --topology torus:4x4 --vcs 2 --depth 2 --pipeline four_stage --rtl 5,6 ";
  const json got = run(two_nodes + "--rate 0.6 --inject-fault 6@300" + cycles(2000), 1);
  ASSERT_TRUE(got.is_object()) << last_.err;
  EXPECT_GT(got["mismatches"], 0);
  EXPECT_EQ(got["first_mismatch"]["node"], "torus.node_1_2");
  EXPECT_GE(got["first_mismatch"]["cycle"], 300);
  EXPECT_LE(got["first_mismatch"]["cycle"], 500);
  EXPECT_THAT(got["fault"], AllOf(HasSubstr("torus.node_1_2.router"), HasSubstr("slots_q")));
  EXPECT_THAT(last_.err, AllOf(HasSubstr("first difference: cycle "), HasSubstr("torus.node_1_2, port "),
                               HasSubstr("the model sends "), HasSubstr("; the RTL ")));
  EXPECT_THAT(dir_.read("toriscope-difference.vcd"), HasSubstr("$enddefinitions"));
  EXPECT_THAT(dir_.read("toriscope-difference.vcd"),
              AllOf(HasSubstr("$scope module torus"), HasSubstr("$scope module rtl"), HasSubstr(" slots_q")));
  EXPECT_THAT(dir_.read("toriscope-difference.gtkw"), HasSubstr("rtl.node_1_2.flit_o[319:0]"));
  // On top of the save file the pairs, which differ from the marker on, and nowhere before.
  const std::string save_file = dir_.read("toriscope-difference.gtkw");
  const std::uint64_t cycle = got["first_mismatch"]["cycle"], ps = cycle * 1000;
  const std::string port = got["first_mismatch"]["port"], pin = got["first_mismatch"]["pin"];
  EXPECT_THAT(save_file, HasSubstr(" " + std::to_string(ps) + " -1"));
  EXPECT_THAT(save_file, HasSubstr("[timestart] " + std::to_string(ps - 24000) + "\n"));
  const std::string compared = "compared.node_1_2." + port + '.' + pin;
  const std::string rows[] = {"first difference: cycle " + std::to_string(cycle),
                              "+{model and RTL differ} compared.node_1_2.differs\n",
                              "@800200\n-compared: port " + port,
                              "+{" + port + ' ' + pin + " model} " + compared + "_model",
                              "+{" + port + ' ' + pin + " RTL} " + compared + "_RTL",
                              "+{" + port + ' ' + pin + " differs} " + compared + "_differs\n",
                              "torus.node_1_2."};
  std::size_t at = 0;
  for (const std::string& row : rows) {
    EXPECT_NE(save_file.find(row, at), std::string::npos) << row << "\n" << save_file.substr(0, 2000);
    at = std::min(save_file.find(row, at), save_file.size());
  }
  const vcd_contents wave = difference_wave();
  EXPECT_EQ(wave.at("compared.node_1_2.differs", ps - 1), "0");
  EXPECT_EQ(wave.at("compared.node_1_2.differs", ps), "1");
  EXPECT_EQ(wave.at(compared + "_differs", ps), "1");
  const auto value = [&](const char* side) {
    return std::stoull(wave.at(compared + side, ps).substr(1), nullptr, 2);
  };
  EXPECT_EQ(value("_model"), got["first_mismatch"]["model"]);
  EXPECT_EQ(value("_RTL"), got["first_mismatch"]["rtl"]);
  // Bits 6 to 3 of a flit are its VC; here it is VC 1 on both sides.
  ASSERT_EQ(pin, "flit_o");
  EXPECT_EQ(got["first_mismatch"]["model"].get<std::uint64_t>() >> 3 & 15, 1);
  for (const char* side : {"_vc_model", "_vc_RTL"}) EXPECT_EQ(value(side), 1) << side;
  // The whole node differs where a pair does: not in the cycles behind the flit.
  unsigned equal = 0;
  for (std::uint64_t at_ps = ps - 2000; at_ps <= ps + 8000; at_ps += 1000) {
    bool any = false;
    for (const auto& [name, variable] : wave.variables)
      if (begins_with(name, "compared.") && name.find("_differs") != std::string::npos)
        any = any || wave.at(name, at_ps) == "1";
    EXPECT_EQ(wave.at("compared.node_1_2.differs", at_ps), any ? "1" : "0") << at_ps;
    equal += at_ps > ps && !any;
  }
  EXPECT_GT(equal, 0u);
  for (const auto& [name, variable] : wave.variables)
    if (begins_with(name, "compared.") && name.find("differs") != std::string::npos) {
      for (const auto& [time, changed] : variable.changes) EXPECT_TRUE(changed == "0" || time >= ps) << name;
    }
  EXPECT_EQ(got["cycles"], cycle + 11) << "cycle 0 to ten cycles after the difference";
  EXPECT_THAT(last_.err, HasSubstr("waveform of cycles " + std::to_string(cycle - 50) + ':' +
                                   std::to_string(cycle + 10) + " of this node"));
}

/// After 100 cycles without a flit the count of a queue says 1 instead of 0: the RTL sends what was never injected.
TEST_F(cosim_test, a_bit_is_flipped_where_no_flit_waits) {
  const json got = run("cosim --topology torus:4x4 --vcs 2 --depth 2 --pipeline four_stage --rtl 5,6 --rate 0 "
                       "--difference-wave none --inject-fault 6@20" + cycles(200), 1);
  ASSERT_TRUE(got.is_object()) << last_.err;
  EXPECT_THAT(got["fault"], testing::MatchesRegex(
                                "bit 0 of torus\\.node_1_2\\.router\\..*\\.buffer\\.count_q in cycle 120"));
  EXPECT_EQ(got["first_mismatch"]["node"], "torus.node_1_2");
}

TEST_F(cosim_test, the_text_counts_what_the_json_counts) {
  for (const bool fault : {false, true}) {
    const std::string more = fault ? " --difference-wave none --inject-fault 6@20" : " --limited-reception";
    const process_result r = dir_.run(split(small + "--json out.json" + cycles(200) + more));
    const json got = json::parse(dir_.read("out.json"));
    const auto count = [&](const char* key) { return std::to_string(got[key].get<std::uint64_t>()); };
    const std::string found = fault ? count("mismatches") + " mismatches" : "no difference";
    EXPECT_EQ(r.status, fault ? 1 : 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("\n" + count("cycles") + " cycles, " + count("rtl_router_cycles") +
                                 " RTL router-cycles, " + count("pins_compared") + " pins compared: " + found + "\n"));
  }
  const process_result r = dir_.run(split(small + "--limited-reception --json -" + cycles(20)));
  EXPECT_EQ(r.out, nlohmann::ordered_json::parse(r.out, nullptr, false).dump(2) + "\n");
}

/// Requests wait for room in reply queues, replies for VCs that requests hold, and the RTL with the model.
TEST_F(cosim_test, a_deadlock_without_a_difference_is_a_failure) {
  const json got = run(small + "--traffic-mode request_reply --shared-classes --reply-queue 1 --rate 0.9 "
                               "--outstanding 64 --watchdog 200" + cycles(20000), 1);
  ASSERT_TRUE(got.is_object()) << last_.err;
  EXPECT_EQ(got["mismatches"], 0);
  EXPECT_THAT(last_.err, AllOf(HasSubstr("deadlock since cycle "), HasSubstr(" packets cannot be sent\n")));
}

TEST_F(cosim_test, a_fault_is_injected_into_a_node_that_there_is) {
  const auto said = [&](const std::string& fault) {
    const process_result r = dir_.run(split(small + "--inject-fault " + fault + cycles(50)));
    EXPECT_EQ(r.status, 2) << fault;
    return r.err;
  };
  EXPECT_EQ(said("6@x"), "toriscope: --inject-fault: '6@x' must be NODE@CYCLE, the cycle a whole number\n");
  EXPECT_EQ(said("7@30"), "toriscope: --inject-fault: '7' is none of the nodes that --rtl chooses\n");
  EXPECT_EQ(said("torus.node_0_*@30"),
            "toriscope: --inject-fault: 'torus.node_0_*' is none of the nodes that --rtl chooses\n");
  EXPECT_EQ(said("6@4000"), "toriscope: --inject-fault: the run ends after 50 cycles, before the bit flips; it flips "
                            "from cycle 4000 on\n");
}

/// A server's node takes no request for longer than the watchdog waits, and goes on.
TEST_F(cosim_test, servers_that_take_their_time_are_no_deadlock) {
  const std::string servers =
      "run --topology mesh:2x2 --vcs 2 --depth 4 --pipeline single_cycle --traffic-mode request_reply --rate 0.5 "
      "--packet 1 --reply-queue 1 --outstanding 4 --service-cycles 200 --watchdog 50 --warmup 0 --cycles 1500";
  const json model = run(servers), rtl = run(servers + " --rtl *");
  EXPECT_EQ(rtl["results"]["packet_hash"], model["results"]["packet_hash"]);
}

/// A router by its description, which does what the model does, and one with a bug: the wave shows it.
TEST_F(cosim_test, a_users_router_beside_the_model) {
  const std::string network = "--topology torus:4x4 --routing dor --vcs 2 ";
  ASSERT_EQ(dir_.run(split("export " + network + "--routes routes")).status, 0) << last_.err;
  dir_.write("r.json",
             R"({"top": "router", "sources": ["sv/*.sv"],
    "parameters": {"PORTS": 5, "VCS": 2, "DEPTH": 4, "DST_BITS": 4, "STATE_BITS": 1, "FOUR_STAGE": 1, "CLASS_BITS": 1},
    "clock": {"pin": "clk_i"}, "reset": {"pin": "rst_i"}, "interface": "credit", "vcs": 2, "depth": 4,
    "registered_outputs": true, "ties": {"slots_i": "'0", "flit_cycles_i": "'0", "node_i": "'0"},
    "plus_arguments": ["+route_table=routes/node_{y}_{x}.hex"],
    "pins": {"in_flit": "flit_i", "out_flit": "flit_o", "in_credit": "credit_o", "out_credit": "credit_i"},
    "flit": {"valid_bit": "0", "head_bit": "1", "tail_bit": "2", "vc": "6:3",
      "head": {"10:7": "dest", "11": "state", "23:12": "tag"}, "body": {"43:12": "payload"}}})");
  ASSERT_EQ(dir_.shell("cp -r " TORISCOPE_SV_DIRECTORY " sv").status, 0);
  const std::string with_router =
      network + "--depth 4 --pipeline four_stage --rate 0.6 --rtl-router r.json --rtl ";
  expect_equal(with_router + "*" + cycles(500), 8000);
  const process_result fault = dir_.run(split("cosim " + with_router + "5 --inject-fault"));
  EXPECT_EQ(fault.status, 2);
  EXPECT_THAT(fault.err, HasSubstr("knows the registers of toriscope's own router only"));

  ASSERT_EQ(
      dir_.shell("sed -i \"s/if (sa_won_i) sa_pointer_q/if (pick != '0) sa_pointer_q/\" sv/input_unit.sv")
          .status,
      0);
  const json got = run("cosim " + with_router + "5" + cycles(3000), 1);
  ASSERT_TRUE(got["first_mismatch"].is_object()) << last_.err;
  EXPECT_EQ(got["first_mismatch"]["node"], "torus.node_1_1");
  EXPECT_THAT(last_.err, HasSubstr("model and RTL: toriscope-difference.vcd"));
  const std::uint64_t ps = got["first_mismatch"]["cycle"].get<std::uint64_t>() * 1000;
  const vcd_contents wave = difference_wave();
  EXPECT_EQ(wave.at("compared.node_1_1.differs", ps - 1), "0");
  EXPECT_EQ(wave.at("compared.node_1_1.differs", ps), "1");
  for (std::string f : {"dest", "credit"}) EXPECT_EQ(wave.variables.count("pins.node_1_1.in_x+." + f), 1u);
  EXPECT_EQ(wave.variables.count("rtl.node_1_1.toriscope_pins.rtl.gen_input[0].unit.sa_pointer_q"), 1u);
  const std::string save_file = dir_.read("toriscope-difference.gtkw");
  EXPECT_LT(save_file.find("-first difference"), save_file.find("-node_1_1 RTL\n"));
  EXPECT_LT(save_file.find("-node_1_1 RTL\n"), save_file.find("-node_1_1\n"));
  // The port that differs first is the first of the groups.
  EXPECT_LT(save_file.find("-compared: port " + got["first_mismatch"]["port"].get<std::string>() + '\n'),
            save_file.find("-compared: port ") + 1);
}

TEST_F(cosim_test, hashes_with_rtl_in_place) {
  const std::string runs[] = {
      "run --topology torus:8x8 --vcs 2 --depth 4 --pipeline single_cycle --rate 0.3 --warmup 100 --cycles 500 --rtl *",
      "run --topology ttn:2,2,0 --depth 4 --pipeline four_stage --rate 0.05 --warmup 100 --cycles 500 "
      "--drain 0 --rtl "
      "ttn.bm_0_0",
      "run --topology cmesh:2x2,2 --vcs 2 --depth 4 --pipeline four_stage --rate 0.3 --cycles 500 --rtl *"};
  for (const std::string& with_rtl : runs) {
    SCOPED_TRACE(with_rtl);
    const std::string settings = " --wire-hash";
    const json model = run(with_rtl.substr(0, with_rtl.find("--rtl")) + settings);
    const json rtl = run(with_rtl + settings);
    const json random = run(with_rtl + settings + " --rtl-seed 4711");
    for (const char* hash : {"packet_hash", "wire_hash"}) {
      EXPECT_EQ(rtl["results"][hash], model["results"][hash]) << hash;
      EXPECT_EQ(random["results"][hash], model["results"][hash]) << hash << " from a random initial state";
    }
  }
}

TEST_F(cosim_test, the_headline_counts_rtl) {
  const process_result r =
      dir_.run(split("run --topology torus:8x8 --vcs 2 --depth 4 --pipeline single_cycle "
                     "--cycles 100 --rtl 9,10 --wave torus.node_1_1@0:20 --wave-file w.vcd"));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("RTL in 2 of 64 nodes: PORTS 5, VCS 2, DEPTH 4"));
  EXPECT_THAT(r.out,
              HasSubstr("\nthe proof is for the network's routing; the RTL in 2 nodes is not part of it\n"));
  // Node 9, and what is inside: pins, and registers, which are named *_q.
  const std::string save_file = dir_.read("w.gtkw");
  const std::string pins = "-node_1_1 RTL pins\n", registers = "-node_1_1 RTL registers\n";
  ASSERT_THAT(save_file, AllOf(HasSubstr(pins), HasSubstr(registers)));
  EXPECT_EQ(unended_groups(save_file), "");
  EXPECT_THAT(save_file.substr(save_file.find(pins)), HasSubstr("\nrtl.node_1_1.flit_i[319:0]\n"));
  EXPECT_THAT(save_file.substr(save_file.find(registers)),
              HasSubstr("\nrtl.node_1_1.router.gen_input[0].unit.sa_pointer_q["));
}

struct refusal {
  std::string command;  ///< of a shell in which $T is the program
  words said;           ///< all of this, in one line
};

/// One line, status 2; a file that it names is there.
TEST_F(cosim_test, errors_in_one_line) {
  // A router of the user's: the project's, with something else in it.
  const std::string own = "cp -r " TORISCOPE_SV_DIRECTORY " sv; export TORISCOPE_RTL=$PWD/sv; ";
  const std::string other_ports =
      "echo router.sv > sv/router.f; sed -n '/^module router/,/^);/p' sv/router.sv | sed 's/ flit_o/ "
      "flits_o/' > "
      "sv/head; { cat sv/head; echo \"assign flits_o = '0; assign credit_o = '0; endmodule\"; } > "
      "sv/router.sv; ";
  const std::string one = " run --topology torus:4x4 --vcs 2 --depth 4 --pipeline single_cycle --rtl 5";
  const refusal refusals[] = {
      {"TORISCOPE_VERILATOR=no_verilator $T" + one, {"'no_verilator' cannot be run", "TORISCOPE_VERILATOR"}},
      {"TORISCOPE_CXX=no_compiler $T" + one, {"'no_compiler' cannot be run", "TORISCOPE_CXX"}},
      {"TORISCOPE_CXX=./cxx; export TORISCOPE_CXX; printf '#!/bin/sh\\n[ $1 = --version ] || { echo error: "
       "no idea; exit 1; }\\n' > cxx; chmod +x cxx; $T" + one,
       {"cannot be compiled", "error: no idea", "all of the message is in "}},
      {own + "echo nonsense >> sv/router.sv; $T" + one,
       {"Verilator does not take the RTL router", "syntax error", "all of the message is in "}},
      {own + other_ports + "$T" + one,
       {"the RTL router, module router, has no port 'flit_o' (an output of 320 bits)", "flits_o"}},
      {own + "sed -i 's/PORTS\\*VCS-1:0\\] credit_i/PORTS*VCS:0] credit_i/' sv/router.sv; $T" + one,
       {"port 'credit_i' has 11 bits", "it must have 10 bits"}},
      {own + "sed -i 's/parameter int DEPTH/parameter int DEEP/' sv/router.sv; $T" + one, {"DEPTH"}},
      {"rm -rf sv; mkdir sv; TORISCOPE_RTL=$PWD/sv $T" + one, {"no router.sv in ", "TORISCOPE_RTL"}},
      {"TORISCOPE_RTL_CACHE=/proc/none $T" + one, {"the cache /proc/none cannot be written"}},
      {"$T cosim --topology mesh:2x2 --rtl '*' --difference-wave -", {"a waveform cannot go to standard output"}},
  };
  for (const refusal& r : refusals) {
    SCOPED_TRACE(r.command);
    const process_result got = dir_.shell("rm -rf sv; " + r.command + " --quiet");
    EXPECT_EQ(got.status, 2);
    EXPECT_EQ(std::count(got.err.begin(), got.err.end(), '\n'), 1) << got.err;
    for (const std::string& said : r.said) EXPECT_THAT(got.err, HasSubstr(said));
    const std::size_t log = got.err.find("all of the message is in ");
    if (log != std::string::npos) {
      const std::string file = got.err.substr(log + 25, got.err.find('\n') - log - 25);
      EXPECT_EQ(dir_.shell("grep -q rror " + file).status, 0) << file;
    }
  }
}

// --- the long tier: all of them in both pipelines, with zero and random initial state ---

TEST_F(cosim_test, long_torus) {
  for (const char* pipeline : {"single_cycle", "four_stage"}) {
    const std::string base = torus + "--pipeline " + pipeline;
    expect_equal(base + full + cycles(40000), 2560000);
    expect_equal(base + " --vcs 4 --rtl-seed 3" + answered + cycles(40000), 2560000);
    expect_equal(
        base + " --rate 0.2 --packet-flits 1:0.5,9:0.5 --regrant drained --rtl-seed 1" + cycles(20000),
        1280000);
  }
}

TEST_F(cosim_test, long_ttn) {
  for (const char* pipeline : {"single_cycle", "four_stage"}) {
    const std::string base = ttn + "--rtl * --pipeline " + pipeline;
    expect_equal(base + " --rtl-seed 5" + full + cycles(10000), 2560000);
    expect_equal(base + " --vcs 8 --rtl-seed 6" + answered + cycles(5000), 1280000);
  }
}

/// Several depths and numbers of VCs in a ring, with and without limited reception.
TEST_F(cosim_test, long_routers_of_their_own) {
  dir_.write("n.json", R"({"nodes": ["a", {"name": "b", "vcs": 2, "depth": 3},
      {"name": "c", "depth": 7, "pipeline": "single_cycle", "terminals": 2}, {"name": "d", "vcs": 2, "depth": 3},
      {"name": "e", "vcs": 3, "depth": 1, "pipeline": "single_cycle"}, {"name": "hub", "terminals": 0}],
      "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "d", "delay": 2},
                {"from": "d", "to": "e"}, {"from": "e", "to": "a"}, {"from": "hub", "to": "a"},
                {"from": "hub", "to": "c"}]})");
  for (const char* more :
       {"four_stage", "single_cycle --limited-reception --regrant drained --routing adaptive"}) {
    const std::string base =
        std::string("--topology file:n.json --vcs 4 --depth 5 --rtl * --pipeline ") + more;
    expect_equal(base + full + cycles(40000), 240000);
    expect_equal(base + " --rate 0.3 --packet-flits 1:0.5,9:0.5 --rtl-seed 2" + cycles(20000), 120000);
  }
}

TEST_F(cosim_test, long_queues_are_compared) {
  for (const char* network :
       {"dragonfly:2,2,1 --pipeline single_cycle", "torus:4x4 --pipeline four_stage --depth 2",
        "cmesh:2x2,2 --pipeline single_cycle --limited-reception --regrant drained"}) {
    const std::string base = std::string("--rtl * --vcs 4 --routing ugal --topology ") + network;
    expect_equal(base + full + cycles(20000), 80000);
    expect_equal(base + " --rate 0.2 --rtl-seed 3" + cycles(10000), 40000);
  }
}

TEST_F(cosim_test, long_htn_and_rdt) {
  for (const char* pipeline : {"single_cycle", "four_stage"}) {
    const std::string one_bm = htn + "--pipeline " + pipeline;
    expect_equal(one_bm + " --rtl-seed 7" + full + cycles(60000), 960000);
    expect_equal(one_bm + " --vcs 8 --rtl-seed 8" + answered + cycles(40000), 640000);
    expect_equal(rdt + "--rtl-seed 9 --pipeline " + pipeline + full + cycles(10000), 50000);
  }
}

}  // namespace
}  // namespace toriscope::cosim_test

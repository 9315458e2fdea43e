// SPDX-License-Identifier: Apache-2.0
// toriscope export: what it writes, what it rejects, and that an exported network, verilated on its own,
// delivers the same packets in the same cycles as the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::export_test {
namespace {

using testing::HasSubstr;

struct refusal {
  std::string options, said;
};
std::ostream& operator<<(std::ostream& out, const refusal& r) { return out << r.options; }

class export_refuses : public testing::TestWithParam<refusal> {};

TEST_P(export_refuses, in_one_line) {
  const program_directory dir;
  const process_result r = dir.shell("$T export --topology mesh:3x3 " + GetParam().options);
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_THAT(r.err, HasSubstr(GetParam().said));
  EXPECT_TRUE(dir.files().empty());
}

const refusal refusals[] = {
    {"", "export needs --routes DIR or --sv DIR"},
    {"--sv net --pipeline paper2009", "paper2009"},
    {"--sv net --stages rc=1,va=1,sa=1,st=2", "staged"},
    {"--sv net --sa-allocator islip", "other policies"},
    {"--sv net --dead-link 0.x+", "links do not die"},
    {"--routes routes --scoreboard", "--scoreboard has no effect without --sv"},
    {"--sv net --rate 0.1", "unknown option '--rate'"},
    {"--sv net --module-prefix 3d_", "'3d_' does not begin an identifier"},
    {"--sv net --module-prefix " + std::string(100'000, 'a'), "expected at most 100 letters, digits and underscores"},
    {"--sv net --route-unit rom", "expected table or arithmetic"},
    {"--routes net --route-unit arithmetic", "--route-unit has no effect on route tables"},
    {"--sv net --route-unit arithmetic --routing o1turn --vcs 2", "cannot be computed by arithmetic"},
    {"--sv net --names short", "expected hierarchical or plain"},
    {"--routes net --names plain", "--names has no effect on route tables"},
    {"--routes net --module-prefix noc_", "--module-prefix has no effect on route tables"},
    {"--routes net --sv ./net", "--routes: net is in the directory of --sv, ./net"},
    {"--routes net/routes --sv net/", "--routes: net/routes is in the directory of --sv, net/"},
    {"--routes net --sv /dev/null", "cannot write /dev/null: /dev/null is not a directory"},
};
INSTANTIATE_TEST_SUITE_P(export_test, export_refuses, testing::ValuesIn(refusals));

TEST(export_test, a_route_table_for_each_node_by_its_path) {
  const program_directory dir;
  const process_result r = dir.shell("$T export --topology ttn:2,2,0 --routes routes");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(dir.shell("ls routes | wc -l").out, "256\n");
  EXPECT_FALSE(dir.read("routes/bm_1_2.node_0_3.hex").empty());
  EXPECT_EQ(dir.shell("grep -vcx '[0-9a-f]*' routes/bm_1_2.node_0_3.hex").out, "0\n");
}

/// Packets of 1 to 9 flits between random nodes, as many flits per node and cycle; with classes also what the model
/// ignores, before and behind the class.
std::string random_packets(unsigned nodes, unsigned cycles, double load, unsigned classes = 1) {
  std::mt19937_64 random(5);
  std::string text;
  for (unsigned t = 0; t < cycles; ++t)
    for (unsigned n = 0; n < nodes; ++n)
      if (static_cast<double>(random() % 1000) < load * 200) {
        const std::uint64_t to = random() % nodes;
        text += std::to_string(t) + ' ' + std::to_string(n) + ' ' + std::to_string(to) + ' ' +
                std::to_string(1 + random() % 9) +
                (classes == 1 ? "" : " delay=7 class=" + std::to_string(random() % classes)) +
                (classes == 1 || text.empty() ? "" : " after=0,0") + '\n';
      }
  return text;
}

/// Exports the network, simulates it and compares the hash over `packets` with the model's.
/// @param network_file  what n.json holds
/// @param export_options, make_options  that change no result
/// @param targets  of make: run (verilated alone), run_sv (verilated with its testbench), run_icarus (run_sv where
///                 there is no Icarus Verilog)
void expect_same_hash(const std::string& options, const std::string& packets,
                      const std::string& network_file = "", const std::string& export_options = "",
                      const std::string& make_options = "",
                      const std::vector<std::string>& targets = {"run", "run_icarus"}) {
  const program_directory dir;
  dir.write("n.json", network_file);
  dir.write("packets.txt", packets);
  const process_result made = dir.shell("$T export " + options + " --sv net " + export_options);
  ASSERT_EQ(made.status, 0) << made.err;
  const process_result model =
      dir.shell("$T run " + options + " --traffic-file packets.txt --quiet --json -");
  ASSERT_EQ(model.status, 0) << model.err;
  const nlohmann::json results = nlohmann::json::parse(model.out)["results"];
  EXPECT_EQ(results["packets_arrived"], std::count(packets.begin(), packets.end(), '\n'));
  const bool has_icarus = dir.shell("command -v iverilog").status == 0;
  std::string told = "packet_hash " + results["packet_hash"].get<std::string>() + "\n";
  for (std::string target : targets) {
    if (target == "run_icarus" && !has_icarus) target = "run_sv";
    // What the compilers say goes before what the testbench says.
    const process_result rtl =
        dir.shell("make -s -C net " + target + " PACKETS=../packets.txt " + make_options + " 2>&1");
    EXPECT_EQ(rtl.status, 0) << target << "\n" << rtl.out;
    ASSERT_THAT(rtl.out, HasSubstr(told)) << target;
    told = rtl.out.substr(rtl.out.rfind("packets "));  // the cycles, too, are those of the first
  }
}

TEST(export_test, delays_of_1_and_2_two_terminals_at_each_router_and_drawn_routes_verilated_alone) {
  expect_same_hash(
      "--topology cmesh:3x3,2 --routing o1turn --pipeline four_stage --vcs 2 --depth 3 --link 0.x+:delay=2 "
      "--link 4.y-:delay=2 --injection-delay 2 --credit-delay 1",
      random_packets(18, 300, 0.2), "", "--names plain --module-prefix noc_", "FLIT_BITS=150");
}

// In Icarus, which takes less time than Verilator and its compiler; the long tier verilates them, too.
const std::vector<std::string> icarus = {"run_icarus"}, verilated = {"run"};

void routes_by_arithmetic(const std::vector<std::string>& targets) {
  expect_same_hash("--topology torus:3x4 --pipeline four_stage --vcs 2", random_packets(12, 300, 0.3), "",
                   "--route-unit arithmetic --module-prefix noc_", "", targets);
}
TEST(export_test, routes_by_arithmetic_simulated) { routes_by_arithmetic(icarus); }
TEST(export_test, long_routes_by_arithmetic_verilated) { routes_by_arithmetic(verilated); }

void narrow_links(const std::vector<std::string>& targets) {
  expect_same_hash("--topology mesh:3x2 --pipeline four_stage --vcs 2 --depth 3 "
                   "--link 0.x+:delay=3:width=16 --link 4.y-:width=9 --link 1.y+:width=32",
                   random_packets(6, 300, 0.15), "", "--names plain --module-prefix noc_", "FLIT_BITS=61", targets);
}
TEST(export_test, narrow_links_simulated) { narrow_links(icarus); }
TEST(export_test, long_narrow_links_verilated) { narrow_links(verilated); }

void message_classes_and_limited_reception(const std::vector<std::string>& targets) {
  expect_same_hash("--topology mesh:2x2 --pipeline single_cycle --vcs 4 --depth 2 --message-classes 2 "
                   "--limited-reception --ejection-delay 2",
                   random_packets(4, 300, 0.5, 2), "", "", "", targets);
}
TEST(export_test, message_classes_and_limited_reception_simulated) { message_classes_and_limited_reception(icarus); }
TEST(export_test, long_message_classes_and_limited_reception_verilated) {
  message_classes_and_limited_reception(verilated);
}

/// No warning; of the butterfly, with 12 routers for 8 terminals, too.
TEST(export_test, linted_by_verilator_and_icarus) {
  for (const std::string options : {"torus:2x2 --route-unit arithmetic", "mesh:2x2 --link-width 16",
                                    "cmesh:2x1,2 --message-classes 2 --limited-reception", "butterfly:2,3 --vcs 1"}) {
    const program_directory dir;
    const process_result r =
        dir.shell("$T export --topology " + options + " --sv net > made.txt && make -s -C net lint 2>&1");
    EXPECT_EQ(r.status, 0) << options << r.out << r.err;
  }
}

/// The testbenches, with routers as Verilator's blocks.
TEST(export_test, long_smallest_network_verilated_with_its_testbench) {
  expect_same_hash("--topology mesh:2x1 --vcs 1 --depth 1", random_packets(2, 100, 0.5), "", "", "", {"run", "run_sv"});
}

/// Streams that wait: all packets arrive whole (the testbench looks at each flit), another hash than the model's. The
/// next run is built again, without WHOLE_PACKETS.
TEST(export_test, streams_that_wait_in_icarus) {
  const program_directory dir;
  const std::string packets = random_packets(3, 300, 0.6, 3);
  dir.write("packets.txt", packets);
  const std::string network = "--topology mesh:3x1 --vcs 3 --depth 3 --message-classes 3 --limited-reception ";
  const std::string run = "make -s -C net run_icarus PACKETS=../packets.txt ";
  const process_result r = dir.shell("$T export " + network + "--sv net && " + run + "WHOLE_PACKETS=1 STALL=40");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  const auto sent = std::count(packets.begin(), packets.end(), '\n');
  EXPECT_THAT(r.out, HasSubstr("packets " + std::to_string(sent) + "\n"));
  const nlohmann::json model =
      nlohmann::json::parse(dir.shell("$T run " + network + "--traffic-file packets.txt --quiet --json -").out);
  const auto hash = model["results"]["packet_hash"].get<std::string>();
  EXPECT_THAT(dir.shell(run).out, HasSubstr("packet_hash " + hash + "\n"));
}

struct refused_input {
  std::string given, options, said;
};

/// Verilator writes makefiles with whole paths.
TEST(export_test, a_directory_with_a_space) {
  const program_directory dir;
  ASSERT_EQ(dir.shell("mkdir 'my nets' && $T export --topology mesh:2x1 --sv 'my nets/a' --scoreboard").status, 0);
  for (const std::string target : {"run", "run_sv", "files", "scoreboard"}) {
    const process_result r = dir.shell("make -s -C 'my nets/a' " + target);
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("my nets/a: Verilator and make files need a path without blanks; expected"));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

/// No latch, no loop, nothing without a driver; from another directory than that of the network.
TEST(export_test, streams_are_read_by_yosys) {
  const program_directory dir;
  const process_result r = dir.shell(
      "$T export --topology mesh:2x2 --message-classes 2 --vcs 2 --limited-reception --sv net > export.txt && "
      "yosys -q -D SYNTHESIS -D 'MESH_ROUTES=\"net/routes\"' $(make -s -C net files) "
      "$(sed s,^,net/streams/, net/streams/files.f | tr '\\n' ' ') -p 'hierarchy -check -top mesh_streams; proc; "
      "select -assert-none t:$dlatch t:$adff t:$dffsr; check -assert' 2>&1");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(dir.shell("yosys -q -D SYNTHESIS $(make -s -C net files) -p 'chparam -set FLIT_BITS 9 router; "
                        "hierarchy -top router' 2>&1")
                  .out,
              HasSubstr("ERROR: FLIT_BITS is less than 8 + DST_BITS + STATE_BITS"));
}

/// The library reads it in the directory of the export.
TEST(export_test, a_network_file_stands_beside_its_scoreboard) {
  const program_directory dir;
  const std::string file = R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})";
  ASSERT_EQ(dir.shell("mkdir d").status, 0);
  dir.write("d/n.json", file);
  const process_result made = dir.shell("$T export --topology file:d/n.json --sv net --scoreboard");
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string written = dir.read("net/scoreboard.json");
  const auto config = nlohmann::ordered_json::parse(written);
  EXPECT_EQ(config["topology"]["spec"], "file:n.json");
  EXPECT_EQ(config["traffic"]["rate_flits_per_node_cycle"], 0.5);
  EXPECT_EQ(config["traffic"]["packet_flits"], "1:0.5,9:0.5");
  EXPECT_EQ(written, config.dump(2) + "\n");
  EXPECT_THAT(dir.read("net/rtl/custom.sv"), testing::StartsWith("// file:d/n.json: 2 nodes"));
  EXPECT_EQ(dir.read("net/n.json"), file);
  dir.write("d/Makefile", file);
  const process_result over = dir.shell("$T export --topology file:d/Makefile --sv other --scoreboard; ls other");
  EXPECT_THAT(over.err, HasSubstr("file d/Makefile would be copied over Makefile, another file of the export"));
  EXPECT_EQ(over.out, "");
}

/// Also those of dies and assignments; another program finds them there.
TEST(export_test, files_within_a_spec_stand_beside_the_scoreboard) {
  const program_directory dir;
  ASSERT_EQ(dir.shell("mkdir d e").status, 0);
  dir.write("d/n.json", R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})");
  dir.write("e/n.json", dir.read("d/n.json"));
  dir.write("d/rdt.json", R"({"class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3,
                                             "0,1": 1, "1,1": 2, "2,1": 1, "3,1": 2}})");
  const refused_input specs[] = {
      {"chiplets:mesh:1x2+file:d/n.json+delay=3", "", "chiplets:mesh:1x2+file:n.json+delay=3"},
      {"chiplets:file:d/n.json+file:d/n.json", "", "chiplets:file:n.json+file:n.json"},
      {"rdt:d/rdt.json,16", "", "rdt:rdt.json,16"},
      {"rdt:alpha,16", "", "rdt:alpha,16"},
  };
  for (const refused_input& s : specs) {
    const process_result made = dir.shell("rm -rf net; $T export --topology " + s.given + " --sv net --scoreboard");
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(nlohmann::json::parse(dir.read("net/scoreboard.json"))["topology"]["spec"], s.said);
    const process_result read = dir.shell("cd net && $T analyze --topology " + s.said);
    EXPECT_EQ(read.status, 0) << read.err;
  }
  const process_result both =
      dir.shell("$T export --topology chiplets:file:d/n.json+file:e/n.json --sv other --scoreboard; ls other");
  EXPECT_THAT(both.err, HasSubstr("file e/n.json would be copied over n.json, another file of the export"));
  EXPECT_EQ(both.out, "");
}

/// An export replaces what an earlier one wrote, and nothing else.
TEST(export_test, what_stands_in_the_directory) {
  const program_directory dir;
  ASSERT_EQ(dir.shell("$T export --topology mesh:3x2 --sv net --scoreboard && touch net/mine.sv").status, 0);
  const std::string files = "find net -type f | sort | tr '\\n' ' '";
  const std::string again = "$T export --topology torus:2x2 --sv net";
  const auto refuses = [&](const std::string& command, const std::string& said) {
    const process_result r = dir.shell(command);
    EXPECT_EQ(r.status, 2) << command;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_THAT(r.err, HasSubstr(said));
  };
  dir.write("net/scoreboard.json", "{}");
  const std::string before = dir.shell(files).out;
  refuses(again, "net/scoreboard.json is not as an export wrote it");
  dir.write("net/rtl/torus.sv", "");
  refuses("mv net/scoreboard.json . && " + again, "net/rtl/torus.sv is not as an export wrote it");
  EXPECT_EQ(dir.shell("mv scoreboard.json net && rm net/rtl/torus.sv && " + files).out, before);
  ASSERT_EQ(dir.shell("rm net/scoreboard.json && " + again + " && " + again).status, 0);
  EXPECT_EQ(dir.shell("find net/routes -type f | wc -l; ls net/rtl/mesh.sv net/scoreboard*; ls net/mine.sv").out,
            "4\nnet/mine.sv\n");
  ASSERT_EQ(dir.shell(again + " --route-unit arithmetic").status, 0);
  EXPECT_NE(dir.shell("ls net/routes").status, 0);
  refuses("mkdir other && touch other/Makefile && $T export --topology mesh:2x2 --sv other",
          "other holds files, and toriscope export has not written them");
  EXPECT_EQ(dir.shell("ls -A other").out, "Makefile\n");
}

/// What others may have put there: an export neither follows it nor waits for it, and changes nothing.
TEST(export_test, what_others_have_put_into_the_directory) {
  // victim.sv is as the list says that an export wrote it.
  const std::string listed = "$T export --topology mesh:2x1 --sv e > told && mkdir out && cp e/packets.txt "
                             "out/victim.sv && hash=$(sed -n 's/ packets.txt//p' e/export.txt) && ";
  const std::string hidden = "ln -s ../out e/link && echo $hash link/victim.sv >> e/export.txt";
  const refused_input traps[] = {
      {listed + "echo $hash rtl/../../out/victim.sv >> e/export.txt", "--sv e", "names 'rtl/../../out/victim.sv'"},
      {listed + "echo $hash $PWD/out/victim.sv >> e/export.txt", "--sv e", "/out/victim.sv', which is not a file of a"},
      {listed + hidden, "--sv e", "e/link is a symbolic link where a directory is expected; move it away"},
      {listed + "mv e/rtl out && ln -s ../out/rtl e/rtl", "--sv e", "e/rtl is a symbolic link where a directory is"},
      {"mkdir e && mkfifo e/export.txt", "--sv e", "e holds files, and toriscope export has not written them"},
      {"mkdir e && touch e/export.txt && mkfifo e/Makefile", "--sv e", "e/Makefile is not as an export wrote it"},
      {"mkdir e && touch e/export.txt e/rtl", "--sv e", "--sv: e/rtl is not a directory; move it away, or give"},
      {"mkdir -p r/node_1_1.hex", "--routes r", "--routes: r/node_1_1.hex is a directory where a file is expected"},
      {"mkdir -p e/mine", "--routes r --sv e", "e holds files"},
      {"touch r", "--sv e --routes r", "is not a directory"},
  };
  for (const refused_input& t : traps) {
    const program_directory dir;
    const std::string all = "find * ! -name told ! -name made -printf '%p%y%l\\n' -type f -printf '%p%s %T@\\n' | sort";
    ASSERT_EQ(dir.shell(t.given + "; " + all + " > made").status, 0) << t.given;
    const process_result r = dir.shell("timeout 60 $T export --topology mesh:2x2 " + t.options);
    EXPECT_EQ(r.status, 2) << t.given;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_THAT(r.err, HasSubstr(t.said)) << t.given;
    EXPECT_EQ(dir.shell(all + " | diff made -").out, "") << t.given;
  }
}

/// A pipe is replaced by a route table, and not opened; the directory is a word of the command that is shown.
TEST(export_test, route_tables_replace_pipes_and_the_command_shown_is_quoted) {
  const program_directory dir;
  const process_result r = dir.shell(
      "mkdir r && mkfifo r/node_1_1.hex && timeout 60 $T export --topology mesh:2x2 --routes r --sv 'my net' && "
      "cmp r/node_1_1.hex 'my net/routes/node_1_1.hex'");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "r: 4 route tables\nmy net: 4 routers in rtl/mesh.sv; make -C 'my net' run PACKETS=FILE\n");
}

/// Killed while it put files in their places: the list names those of both exports, and some are there.
TEST(export_test, goes_on_where_another_was_killed) {
  const program_directory dir;
  const process_result r = dir.shell(
      "$T export --topology mesh:3x2 --sv net && $T export --topology torus:2x2 --sv whole && "
      "cat whole/export.txt >> net/export.txt && cp whole/rtl/torus.sv net/rtl && cp whole/network.h net && "
      "$T export --topology torus:2x2 --sv net && diff -r net whole");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

/// Each by its own number; and the prefix is in the file for verilator --hierarchical, too.
TEST(export_test, routers_that_compute_their_routes_know_their_numbers) {
  const program_directory dir;
  const process_result made =
      dir.shell("$T export --topology torus:4x4 --route-unit arithmetic --module-prefix noc_ --sv net");
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string top = dir.read("net/rtl/noc_torus.sv");
  for (unsigned n = 0; n < 16; ++n) EXPECT_THAT(top, HasSubstr(", .node_i(4'd" + std::to_string(n) + ")"));
  EXPECT_EQ(dir.shell("grep '^`define' net/rtl/noc_torus.sv | grep -vcF ', .ROUTE_UNIT(1), .ROUTE_NETWORK('").out,
            "0\n");
  EXPECT_THAT(dir.read("net/router.vlt"), HasSubstr("\nhier_block -module \"noc_router\"\n"));
}

TEST(export_test, lists_of_files_serve_from_anywhere_verilated) {
  const program_directory dir;
  const process_result r = dir.shell(
      "$T export --topology mesh:2x2 --sv net --module-prefix noc_ && here=$PWD && cd / && "
      "lint='verilator --lint-only -Wall --no-timing --top-module noc_mesh' && $lint -F "
      "$here/net/rtl/files.f && "
      "NOC_MESH_RTL=$here/net/rtl $lint -GFLIT_BITS=80 -f $here/net/rtl/files_env.f && $lint $(make -s -C "
      "$here/net files)");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(dir.shell("verilator --lint-only --top-module noc_mesh -GFLIT_BITS=9 -F net/rtl/files.f").err,
              HasSubstr("FLIT_BITS is less than 8 + DST_BITS + STATE_BITS"));
}

TEST(export_test, a_scoreboard_has_the_files_with_their_prefix) {
  const program_directory dir;
  const process_result r = dir.shell("$T export --topology mesh:2x2 --sv net --module-prefix noc_ --scoreboard");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(dir.shell("cd net && for f in $(grep -oE 'rtl/[a-z_]+[.]sv' scoreboard.mk); do ls $f; done").status, 0);
  EXPECT_THAT(dir.read("net/scoreboard.mk"), HasSubstr("rtl/noc_router.sv"));
}

TEST(export_test, long_ttn_by_arithmetic) {
  expect_same_hash("--topology ttn:2,2,0 --pipeline four_stage --vcs 4", random_packets(256, 300, 0.02), "",
                   "--route-unit arithmetic", "", {"run", "run_sv"});
}
TEST(export_test, shared_classes_simulated) {
  expect_same_hash("--topology mesh:2x1 --pipeline single_cycle --vcs 2 --depth 2 --message-classes 2 --shared-classes",
                   random_packets(2, 200, 0.9, 2), "", "", "", icarus);
}

TEST(export_test, long_shared_classes) {
  expect_same_hash("--topology torus:3x3 --pipeline four_stage --vcs 3 --depth 2 --message-classes 2 --shared-classes",
                   random_packets(9, 500, 0.4, 2), "", "", "", {"run", "run_sv"});
}
TEST(export_test, long_fat_tree_with_ways_up_drawn) {
  expect_same_hash("--topology fattree:3,2 --routing random --pipeline single_cycle --vcs 2",
                   random_packets(9, 500, 0.3), "", "", "FLIT_BITS=24");
}
TEST(export_test, long_two_spines_in_turn) {
  expect_same_hash("--topology file:n.json --routing in_turn --pipeline four_stage --vcs 2",
                   random_packets(4, 800, 0.4),
                   R"({"nodes": [{"name": "left", "terminals": 2}, {"name": "right", "terminals": 2},
                                 {"name": "s0", "terminals": 0}, {"name": "s1", "terminals": 0}],
                       "links": [{"from": "left", "to": "s0"}, {"from": "left", "to": "s1"},
                                 {"from": "right", "to": "s0", "delay": 2}, {"from": "right", "to": "s1"}]})");
}
TEST(export_test, long_butterfly_whose_terminals_span_two_routers) {
  expect_same_hash("--topology butterfly:2,3 --pipeline four_stage --vcs 2", random_packets(8, 500, 0.3));
}
TEST(export_test, long_file_with_a_switch_and_names_that_are_no_identifiers) {
  expect_same_hash("--topology file:n.json --pipeline four_stage --vcs 2", random_packets(5, 500, 0.3),
                   R"({"nodes": ["cpu-0", "cpu 1", {"name": "hub.0", "terminals": 0},
                                 {"name": "7", "terminals": 3}],
                       "links": [{"from": "cpu-0", "to": "hub.0"}, {"from": "cpu 1", "to": "hub.0"},
                                 {"from": "7", "to": "hub.0", "delay": 3}]})");
}
TEST(export_test, long_routers_of_their_own) {
  expect_same_hash(
      "--topology file:n.json --pipeline four_stage --vcs 3 --depth 4", random_packets(5, 500, 0.3),
      R"({"nodes": ["a", {"name": "b", "vcs": 1, "depth": 2, "pipeline": "single_cycle"}, {"name": "c", "terminals": 2},
                    {"name": "hub", "terminals": 0, "vcs": 2, "depth": 7}, {"name": "d", "depth": 1}],
          "links": [{"from": "a", "to": "hub"}, {"from": "hub", "to": "b", "delay": 2},
                    {"from": "hub", "to": "c"}, {"from": "c", "to": "d"}]})");
}
TEST(export_test, long_queues_compared) {
  expect_same_hash("--topology ring:6 --routing ugal --pipeline four_stage --vcs 4 --depth 3",
                   random_packets(6, 500, 0.4));
}
TEST(export_test, long_chiplets_with_wide_links) {
  expect_same_hash("--topology chiplets:mesh:1x2+mesh:2x2+width=64 --pipeline four_stage --vcs 2",
                   random_packets(8, 500, 0.2));
}

TEST(export_test, long_ttn_of_256_routers_single_cycle) {
  expect_same_hash("--topology ttn:2,2,0 --pipeline single_cycle", random_packets(256, 500, 0.02), "", "", "",
                   {"run", "run_sv"});
}
TEST(export_test, long_ttn_of_256_routers_four_stage) {
  expect_same_hash("--topology ttn:2,2,0 --pipeline four_stage", random_packets(256, 500, 0.02), "", "", "",
                   {"run", "run_sv"});
}

}  // namespace
}  // namespace toriscope::export_test

// SPDX-License-Identifier: Apache-2.0
// toriscope export: names and notes of the user's in what it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "testbenches/program/program_process.h"

namespace toriscope::export_test {
namespace {

using testing::HasSubstr;

/// Names in a network file that an export cannot have.
struct refused_name {
  std::string network, node, options, said;
};
TEST(export_test, names_that_meet_others) {
  const std::string c(300, 'c');
  const refused_name names[] = {
      {"3d", "a", "--sv net", "the name of a module begins with a letter; expected another 'name' in its file\n"},
      {"router", "a", "--sv net", "each export has a module router of its own; expected another 'name' in its file\n"},
      {"route_table", "a", "--sv net --module-prefix noc_", "each export has a module noc_route_table of its own"},
      {"narrow_sender", "a", "--sv net", "each export has a module narrow_sender of its own"},
      {"testbench", "a", "--sv net", "expected a --module-prefix, such as noc_, or another 'name' in its file\n"},
      {"bench", "a", "--sv net --module-prefix test", "expected another --module-prefix, such as noc_, or another 'na"},
      {"n", "FLIT_BITS", "--sv net", "'FLIT_BITS' is the name of something else in the module of the network; expect"},
      {"n", "model", "--sv net --scoreboard", "'model' is the name of something else in scoreboard.sv; expected"},
      {"n", c, "--routes net", "the name of its route table, NODE.hex, would have 304 bytes; expected a name in the"},
      {c, "a", "--sv net", "the name of its file NAME_streams.sv would have 311 bytes; expected a 'name' in its file"},
  };
  for (const refused_name& n : names) {
    const program_directory dir;
    dir.write("n.json", R"({"name": ")" + n.network + R"(", "nodes": [")" + n.node +
                            R"(", "b"], "links": [{"from": 0, "to": 1}]})");
    const process_result r = dir.shell("$T export --topology file:n.json " + n.options);
    EXPECT_EQ(r.status, 2) << n.network << ' ' << n.node;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_THAT(r.err, HasSubstr(n.said));
    EXPECT_EQ(dir.files(), strings{"n.json"}) << n.network << ' ' << n.node;
  }
}

/// Of wires, delays and what has no link; the tools would find an instance or a driver too many.
TEST(export_test, names_that_are_taken_get_a_number) {
  const program_directory dir;
  dir.write("n.json", R"({"nodes": ["delay_0", "unused_flit_2_1", "c", "a__in_b", "a"],
      "links": [{"from": 0, "to": 1, "from_port": "local", "delay": 2}, {"from": 1, "to": 2, "from_port": "ni"},
                {"from": 1, "to": 4, "to_port": "b"}, {"from": 4, "to": 3}]})");
  const std::string top = "net/rtl/custom.sv", with_a_number = " delay_0_2 (.clk_i";
  for (const std::string style : {"hierarchical", "plain"}) {
    const process_result r = dir.shell(
        "$T export --topology file:n.json --sv net --names " + style + " > told && grep -E '^ *(wire|delay_line|`R)' " +
        top + " | sed -E 's/ *(;$|\\((\\.clk.*)?$)//; s/.* //' | sort | uniq -d");
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, "") << style;
    for (const std::string& name : {with_a_number, std::string(" unused_flit_2_1_2;")})
      EXPECT_THAT(dir.read(top), HasSubstr(name));
    EXPECT_THAT(dir.read(top), HasSubstr(style == "plain" ? " a__in_b_2;" : " \\delay_0.credit_local_2  = credit_i["));
  }
}

/// Names of modules, files and wires; the lists of files from another directory.
TEST(export_test, plain_names_and_a_prefix) {
  const program_directory dir;
  dir.write("n.json", R"({"nodes": ["cpu-0", "cpu 1", {"name": "hub.0", "terminals": 0}, {"name": "7"}],
      "links": [{"from": "cpu-0", "to": "hub.0", "from_port": "a*b"}, {"from": "cpu-0", "to": "7", "from_port": "a=b"},
                {"from": "cpu-0", "to": "cpu 1", "from_port": "a_b"}, {"from": "7", "to": "hub.0", "delay": 3}]})");
  const process_result made = dir.shell(
      "$T export --topology file:n.json --sv net --names plain --module-prefix noc_ && ls net/rtl | tr '\\n' "
      "' '");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("rtl/noc_custom.sv"));
  EXPECT_THAT(made.out, HasSubstr("files.f files_env.f noc_custom.sv noc_delay_line.sv noc_input_unit.sv "
                                  "noc_output_unit.sv noc_round_robin.sv noc_route_cube.sv noc_route_table.sv "
                                  "noc_route_ttn.sv noc_router.sv noc_vc_buffer.sv"));
  const std::string top = dir.read("net/rtl/noc_custom.sv");
  EXPECT_EQ(top.find('\\'), std::string::npos);
  EXPECT_THAT(top, HasSubstr("\nmodule noc_custom #("));
  for (const char* wire : {" cpu_0__in_a_b;", " cpu_0__in_a_b_2;", " cpu_0__in_a_b_3;"})
    EXPECT_THAT(top, HasSubstr(wire));
  EXPECT_THAT(top, HasSubstr("`define NOC_ROUTER(FILE) noc_router #("));
  // No module without the prefix, in any file.
  EXPECT_EQ(
      dir.shell("grep -hE '^ *(module +)?(router|input_unit|output_unit|round_robin|route_table|route_cube|"
                "route_ttn|vc_buffer|delay_line)\\b' net/rtl/*.sv")
          .out,
      "");
  EXPECT_EQ(dir.shell("grep -hoE '^ *wire \\[[^ ]+ [^;]+;' net/rtl/noc_custom.sv | sort | uniq -d").out, "");
  EXPECT_EQ(dir.shell("make -s -C net files | xargs ls | wc -l").out, "10\n");
  EXPECT_THAT(dir.read("net/rtl/files_env.f"), HasSubstr("${NOC_CUSTOM_RTL}/noc_custom.sv\n"));
  EXPECT_THAT(dir.read("net/Makefile"), HasSubstr("TOP = noc_custom\n"));
}

/// Tools read `// verilator ...` and `// synopsys ...` as directives.
TEST(export_test, notes_are_no_directives) {
  const program_directory dir;
  dir.write("n.json", R"({"comment": "verilator no_such_directive", "links": [{"from": 0, "to": 1}],
      "nodes": [{"name": "a", "comment": "synopsys translate_off"}, "b"]})");
  ASSERT_EQ(dir.shell("$T export --topology file:n.json --sv net").status, 0);
  EXPECT_EQ(dir.shell("grep -hE '^ *// *(verilator|synopsys)' net/rtl/custom.sv").out, "");
  EXPECT_EQ(dir.shell("grep -c '// Note: ' net/rtl/custom.sv").out, "2\n");
}

/// To Icarus Verilog the first two ports would be one.
TEST(export_test, ports_with_a_backtick_icarus) {
  const program_directory dir;
  dir.write("n.json", R"({"nodes": ["a", "b", "c", "d"], "links": [{"from": 0, "to": 1, "from_port": "x`y"},
      {"from": 0, "to": 2, "from_port": "x`z"}, {"from": 0, "to": 3, "from_port": "x_z"}]})");
  const process_result r = dir.shell("$T export --topology file:n.json --sv net > told && make -s -C net run_icarus");
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out, HasSubstr("packets 4\n"));
  EXPECT_THAT(dir.read("net/rtl/custom.sv"), HasSubstr(" \\a.in_x_z_2 ;"));
}

/// The whole address counts, not its last characters.
TEST(export_test, addresses_of_any_length_icarus) {
  const program_directory dir;
  const std::string a(100, '1'), b(99, '1');  // the simulator, too, tries a number first
  dir.write("n.json", R"({"nodes": [")" + a + R"(", ")" + b + R"("], "links": [{"from": 0, "to": 1}]})");
  dir.write("packets.txt", "0 " + a + ' ' + b + " 3\n2 " + b + ' ' + a + " 4\n");
  const std::string run = "make -s -C net run_icarus PACKETS=../packets.txt";
  const process_result r = dir.shell("$T export --topology file:n.json --sv net > told && " + run);
  const process_result model = dir.shell("$T run --topology file:n.json --traffic-file packets.txt --quiet --json -");
  ASSERT_EQ(model.status, 0) << model.err;
  const nlohmann::json results = nlohmann::json::parse(model.out)["results"];
  EXPECT_THAT(r.out, HasSubstr("packets 2\n"));
  EXPECT_THAT(r.out, HasSubstr("packet_hash " + results["packet_hash"].get<std::string>() + "\n"));
  dir.write("packets.txt", "0 c" + a + ' ' + b + " 3\n");
  EXPECT_THAT(dir.shell(run).out, HasSubstr("packet 0 of the file: expected 'cycle source"));
}

TEST(export_test, route_tables_are_those_of_the_routers) {
  const program_directory dir;
  EXPECT_EQ(dir.run({"export", "--topology", "cmesh:2x2,2", "--routes", "r"}).out, "r: 4 route tables\n");
}

}  // namespace
}  // namespace toriscope::export_test

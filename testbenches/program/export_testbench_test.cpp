// SPDX-License-Identifier: Apache-2.0
// The two testbenches of an export: what they reject of a file of packets, by the rules of the simulator's own reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::export_test {
namespace {

using testing::HasSubstr;

struct refused_packets {
  std::string given, options, said;
};

TEST(export_test, the_testbench_in_systemverilog_rejects_what_is_wrong_in_one_line_icarus) {
  const program_directory dir;
  ASSERT_EQ(dir.shell("$T export --topology cmesh:2x1,2 --sv net").status, 0);
  const std::string behind_the_length = "packet 0 of the file: expected class=N, after=N,... or delay=N behind the len";
  const std::string no_packet = "packet 0 of the file: expected 'cycle source destination length' with terminals of th";
  const refused_packets refused[] = {
      {"0 0 1\n", "", no_packet},
      {"0 0 4 4\n", "", no_packet},
      {"18446744073709551617 0 1 4\n", "", no_packet},
      {"281474976710657 0 1 4\n", "", no_packet},
      {"0 18446744073709551616 1 4\n", "", no_packet},
      {"0 0 1 0\n", "", no_packet},
      {"0 0 1 65536\n", "", no_packet},
      {"0 0 1 4294967300\n", "", no_packet},
      {"0 0 1 x" + std::string(64, '0') + "4\n", "", no_packet},
      {"0 0 1 4 class=1\n", "", "packet 0 of the file: the network has 1 message classes"},
      {"0 0 1 4 delay=3 class=1\n", "", "packet 0 of the file: the network has 1 message classes"},
      {"0 0 1 4 class=18446744073709551616\n", "", behind_the_length},
      {"0 0 1 4 class=x" + std::string(64, '0') + "\n", "", behind_the_length},
      {"0 0 1 4 class=0 delay=3 4\n", "", behind_the_length},
      {"0 0 1 4 klass=0\n", "", behind_the_length},
      {"0 0 1 4 delay=3,4\n", "", behind_the_length},
      {"0 0 1 4 class=0x # late\n", "", behind_the_length},
      {"0 0 1 4 after=0\n", "", behind_the_length},
      {"0 0 1 4\n1 0 1 4 after=0,\n", "", "packet 1 of the file: expected class=N, after=N,... or delay=N behind"},
      {"0 0 1 4\n0 0 1 1", "", "the last line does not end with a newline: is the file cut off?"},
      {"# toriscope packets 1\n0 0 1 4\n", "", "the file does not end with '# end packets=N' of its N packets"},
      {"# toriscope packets 1\n0 0 1 4\n# end packets=2 \n", "", "the file does not end with '# end packets=N'"},
      {"# toriscope packets 1\n0 0 1 4\n# end packets=1 ", "", "the file does not end with '# end packets=N'"},
      {"# none\n", "", "packets.txt has no packets"},
      {"0 0 1 4\n", "STALL=10", "+stall: export the network with --limited-reception"},
      {"0 0 1 4\n", "STALL=1e1", "+stall=1e1: expected a percentage of 0 to 99"},
      {"0 0 1 4\n", "ROUTES=nope", "no route table for testbench.dut.network.node_0_0.gen_table.routes in nope"},
      {"0 0 1 4\n", "WHOLE_PACKETS=1", "WHOLE_PACKETS_needs_limited_reception"},
      {"0 0 1 4\n", "FLIT_BITS=9", "FLIT_BITS_is_less_than_8_plus_DST_BITS_plus_STATE_BITS"},
      {"0 0 1 4\n0 0 1 4\n0 0 1 4\n", "FLIT_BITS=10", "a payload of 1 bits does not number 3 packets"},
  };
  for (const refused_packets& p : refused) {
    dir.write("packets.txt", p.given);
    const process_result r = dir.shell("make -s -C net run_icarus PACKETS=../packets.txt " + p.options + " 2>&1");
    EXPECT_NE(r.status, 0) << p.given;
    EXPECT_THAT(r.out, HasSubstr(p.said)) << p.given;
  }
  dir.write("packets.txt", "# toriscope packets 1\n\n2 1 0 3 # late\n1 10.t1 00.t0 1\n# end packets=2 cycles=3\n\n");
  EXPECT_THAT(dir.shell("make -s -C net run_icarus PACKETS=../packets.txt").out, HasSubstr("packets 2\n"));
  const process_result r = dir.shell("vvp -n net/build/testbench.vvp +packets=packets.txt");
  EXPECT_NE(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("gen_table.routes: give +route_tables=DIR"));
}

/// Of a network interface that does its work wrong: each flit is looked at.
TEST(export_test, the_testbench_in_systemverilog_tells_what_arrives_wrong_icarus) {
  const program_directory dir;
  dir.write("packets.txt", "0 0 1 4\n");
  const process_result made =
      dir.shell("$T export --topology mesh:2x1 --sv net && cp net/streams/network_interface.sv right.sv");
  ASSERT_EQ(made.status, 0) << made.err;
  const struct {
    std::string right, wrong, said;
  } errors[] = {
      {"flit\\[DataShift+:DATA_BITS\\]", "& ^ 1", "a flit of a packet that was not sent"},
      {"flit\\[DataShift+:DATA_BITS\\]", "& ^ (1 << 31)", "a flit of a packet that was not sent"},
      {"flit\\[DataShift+:DATA_BITS\\]", "& ^ (1 << 40)", "packet 0: flit 0 has another payload"},
      {"= flit\\[Tail\\]", "= 1'b1", "packet 0 has another length than 4 flits"},
      {"= send_destination_i\\[m\\*DST_BITS+:DST_BITS\\]", "= 1'b0", "packet 0 is at the wrong terminal, 0"},
      {"receive_valid_o\\[s\\] = vc != '0", "receive_valid_o[s] = 1'bx",
       "an unknown bit in send_ready_o or rec"},
  };
  for (const auto& e : errors) {
    dir.write("edit.sed", "s/" + e.right + "/" + e.wrong + "/\n");
    const process_result r = dir.shell(
        "sed -f edit.sed right.sv > net/streams/network_interface.sv && ! cmp -s right.sv "
        "net/streams/network_interface.sv && make -s -C net run_icarus PACKETS=../packets.txt 2>&1");
    EXPECT_NE(r.status, 0) << e.said;
    EXPECT_THAT(r.out, HasSubstr(e.said));
  }
}

/// With classes, and addresses that are like numbers, it computes the hash of the model.
TEST(export_test, the_testbench_in_cpp_rejects_what_is_wrong_in_one_line_verilated) {
  const program_directory dir;
  const std::string network = "--topology file:n.json --vcs 2 --depth 1 --message-classes 2 --limited-reception ";
  const std::string run = "make -s -C net run PACKETS=../packets.txt ";
  dir.write("n.json", R"({"nodes": ["10", "+0"], "links": [{"from": 0, "to": 1}]})");
  std::string packets;
  for (int i = 0; i < 100; ++i)
    packets += std::to_string(i * 37 % 90) + (i % 2 ? " 10 " : " 1 ") + (i % 3 ? "+0 " : "0 ") +
               std::to_string(1 + i % 5) + " class=" + std::to_string(i / 3 % 2) + "\n";
  dir.write("packets.txt", packets);
  const process_result built = dir.shell("$T export " + network + "--sv net && " + run);
  const process_result model = dir.shell("$T run " + network + "--traffic-file packets.txt --quiet --json -");
  ASSERT_EQ(model.status, 0) << model.err;
  const auto hash = nlohmann::json::parse(model.out)["results"]["packet_hash"].get<std::string>();
  EXPECT_THAT(built.out, HasSubstr("packet_hash " + hash + "\n")) << built.err;
  const auto refused = [&](const std::string& given) {
    dir.write("packets.txt", given);
    const process_result r = dir.shell("net/build/testbench packets.txt +route_tables=net/routes");
    EXPECT_EQ(r.status, 1) << given;
    return r.err;
  };
  for (const std::string wrong :
       {"4", "klass=0", "class=0 4", "delay=3,4", "after=0", "after=0,", "class=0x", "class=", "class=281474976710657"})
    EXPECT_EQ(refused("0 0 1 4 " + wrong + "\n"),
              "testbench: expected class=N, after=N,... or delay=N behind the length: 0 0 1 4 " + wrong + "\n");
  for (const std::string wrong : {"-5 0 1 4", "281474976710657 0 1 4", "18446744073709551617 0 1 4", "0 0 1 -1",
                                  "0 0 1 0", "0 0 1 65536", "0 0 1 4294967300", "0 0 1 16class=0", "0 0 1"})
    EXPECT_EQ(refused(wrong + "\n"), "testbench: not 'cycle source destination length': " + wrong + "\n");
  for (const std::string wrong : {"-1", "+1", "2", "4294967296", "18446744073709551616"})
    EXPECT_EQ(refused("0 " + wrong + " 1 4\n"), "testbench: there is no terminal " + wrong + "\n");
  EXPECT_EQ(refused("0 0 1 1"), "testbench: the last line does not end with a newline: is the file cut off?\n");
  EXPECT_EQ(refused("# none\n"), "testbench: packets.txt has no packets\n");
  for (const std::string end : {"", "# end packets=2 \n", "# end packets=1 "})
    EXPECT_EQ(refused("# toriscope packets 1\n0 0 1 4\n" + end),
              "testbench: the file does not end with '# end packets=N' of its N packets: is it cut off?\n");
  for (const std::string of_streams : {"STALL=40", "WHOLE_PACKETS=1"})
    EXPECT_THAT(dir.shell(run + of_streams).err, HasSubstr("no WHOLE_PACKETS and no STALL; expected make run_sv or"));
  EXPECT_THAT(dir.shell("net/build/testbench packets.txt +route_tables=net/routes +stall=40").err,
              HasSubstr("testbench: +stall=40: streams wait in testbench.sv only"));
}

/// In place of what Verilator makes of a network: a wire from terminal 0 to terminal 1. A bit of the flit whose number
/// is AT is turned over: valid, head, tail, the lowest of a field or the highest.
constexpr const char* wire_with_an_error = R"(#include <cstdlib>
#include <string>
#include "network.h"
struct Vnetwork {
  Vnetwork(VerilatedContext*, const char*) {}
  void eval() {
    if (clk_i == 0 || rst_i == 1) return;
    for (int i = 0; i < words; ++i) flit_o[words + i] = flit_i[i];
    credit_o = flit_i[0] & 1;
    if (credit_o == 0 || flits++ != std::atoi(std::getenv("AT"))) return;
    const std::string wrong = std::getenv("WRONG");
    const int tag = 7 + exported::destination_bits + exported::state_bits;
    const int bit = wrong == "valid" ? 0 : wrong == "head" ? 1 : wrong == "tail" ? 2 : wrong == "field" ? 7 : tag;
    if (wrong == "last")
      flit_o[2 * words - 1] ^= 1ul << 63;
    else
      flit_o[words] ^= 1ul << bit;
  }
  void final() {}
  static constexpr int words = FLIT_BITS / 64;
  int clk_i = 0, rst_i = 0, flits = 0;
  unsigned long flit_i[2 * words] = {}, flit_o[2 * words] = {}, credit_i = 0, credit_o = 0;
};
)";

TEST(export_test, the_testbench_in_cpp_tells_what_arrives_wrong) {
  const program_directory dir;
  dir.write("packets.txt", "0 0 1 4\n0 0 1 3\n");
  dir.write("Vnetwork.h", wire_with_an_error);
  dir.write("verilated.h",
            "struct VerilatedContext { void commandArgs(int, char**) {} void timeInc(int) {} };\n");
  const process_result made = dir.shell(
      "$T export --topology mesh:2x1 --vcs 1 --sv net && for bits in 64 128; do "
      "c++ -std=c++17 -w -I. -Inet -DFLIT_BITS=$bits net/testbench.cpp -o bench$bits || exit 1; done");
  ASSERT_EQ(made.status, 0) << made.err;
  const struct {
    std::string bits, at, wrong, said;
  } errors[] = {
      {"64", "0", "head", "packet 0: a flit is out of order"},
      {"64", "1", "valid", "packet 0: a flit is out of order"},
      {"64", "2", "field", "packet 0: a flit is out of order"},
      {"64", "2", "tag", "packet 1: a flit is out of order"},
      {"64", "3", "valid", "packet 1 begins within another of its VC"},
      {"64", "4", "field", "packet 1 is at the wrong terminal, 1"},
      {"64", "2", "tail", "packet 0 has another length than 4 flits"},
      {"64", "3", "tail", "packet 0 has another length than 4 flits"},
      {"64", "6", "tail", "packet 1 has another length than 3 flits"},
      {"128", "5", "last", "packet 1: a flit has another payload"},
      {"128", "5", "tail", "packet 1: a flit has another payload"},
  };
  for (const auto& e : errors) {
    const process_result r =
        dir.shell("AT=" + e.at + " WRONG=" + e.wrong + " ./bench" + e.bits + " packets.txt");
    EXPECT_EQ(r.status, 1);
    EXPECT_EQ(r.err, "testbench: " + e.said + "\n") << e.at << ' ' << e.wrong;
  }
  const process_result r = dir.shell("AT=1 WRONG=last ./bench64 packets.txt");
  EXPECT_THAT(r.err, testing::ContainsRegex("^testbench: a flit of packet [0-9]+, which was not sent\n$"));
  EXPECT_THAT(dir.shell("AT=-1 ./bench128 packets.txt").out, HasSubstr("packets 2\n"));
}

}  // namespace
}  // namespace toriscope::export_test

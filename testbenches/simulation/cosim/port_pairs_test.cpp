// SPDX-License-Identifier: Apache-2.0
// The waveform of what model and RTL send by the ports of a node, and the rows of its save file.
#include "testbenches/simulation/cosim/port_pairs.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "testbenches/simulation/cosim/scripted_rtl_test.h"
#include "traces/vcd_reader.h"

namespace toriscope {
namespace {

/// The RTL of node 1 sends the head on VC 1 and the tail as the model does; its credits are right in cycle 2, and in 3
/// there is one too many.
void write_two_differences(scripted_row& row) {
  row.write_as_the_model();
  row.scripts[1].flits[{2, row.local()}] = row.head().on_vc(1);
  row.scripts[1].credits[{3, row.incoming()}] = {3};
}

class port_pairs_test : public testing::Test {
 protected:
  port_pairs_test() : here_(context_) {}
  std::string file() const { return scratch_.file("pairs.vcd"); }

  const scratch_directory scratch_;
  const simulation_context context_;
  const simulation_context::entry here_;
  scripted_row row_;
};

TEST_F(port_pairs_test, shows_both_sides_of_every_port_in_a_window) {
  write_two_differences(row_);
  port_pairs shown(file(), row_.wiring(), row_.net->layout(), 1, 1, 5, row_.probe);
  row_.run_ten_cycles();
  EXPECT_TRUE(shown.close());
  const vcd_contents wave = vcd_reader::read(file());
  EXPECT_EQ(wave.timescale, "1 ps");
  EXPECT_EQ(wave.times.front(), 1000u);
  EXPECT_EQ(wave.times.back(), 6000u) << "the end of cycle 5";
  EXPECT_EQ(wave.variables.size(), 1 + 12u * row_.ports());

  const std::string local = "node_0_1.local.", in = "node_0_1." + row_.wiring().port_name(1, row_.incoming()) + '.';
  const std::string tied = "node_0_1.tied_off_" + std::to_string(row_.tied_off()) + '.';
  for (const auto& [name, width] : {std::pair("flit_o", 64u), {"flit_o_vc", 4u}, {"flit_o_tag", 63u}, {"credit_o", 2u}})
    for (const std::string& port : {local, in, tied}) {
      EXPECT_EQ(wave.variables.at(port + name + "_model").width, width) << port << name;
      EXPECT_EQ(wave.variables.at(port + name + "_RTL").width, width) << port << name;
      EXPECT_EQ(wave.variables.at(port + name + "_differs").width, 1u) << port << name;
    }
  EXPECT_EQ(wave.variables.at("node_0_1.differs").width, 1u);

  const auto number = [&](const std::string& name, cycle_t cycle) {
    return std::stoull(wave.at(name, 1000 * cycle).substr(1), nullptr, 2);
  };
  for (const cycle_t cycle : {2, 3}) {
    const flit_word sent = cycle == 2 ? row_.head() : row_.tail();
    EXPECT_EQ(number(local + "flit_o_model", cycle), sent.bits);
    EXPECT_EQ(number(local + "flit_o_RTL", cycle), sent.on_vc(cycle == 2 ? 1 : 0).bits);
    EXPECT_EQ(number(local + "flit_o_vc_model", cycle), 0u);
    EXPECT_EQ(number(local + "flit_o_vc_RTL", cycle), cycle == 2 ? 1u : 0u);
    EXPECT_EQ(number(local + "flit_o_tag_model", cycle), 0u);
    EXPECT_EQ(number(local + "flit_o_tag_RTL", cycle), 0u);
    EXPECT_EQ(number(in + "credit_o_model", cycle), 1u);
    EXPECT_EQ(number(in + "credit_o_RTL", cycle), cycle == 2 ? 1u : 3u);
  }
  for (cycle_t cycle = 1; cycle <= 5; ++cycle) {
    const auto differs = [&](const std::string& name) { return wave.at(name + "differs", 1000 * cycle); };
    EXPECT_EQ(differs("node_0_1."), cycle == 2 || cycle == 3 ? "1" : "0") << cycle;
    EXPECT_EQ(differs(local + "flit_o_"), cycle == 2 ? "1" : "0") << cycle;
    EXPECT_EQ(differs(local + "flit_o_vc_"), cycle == 2 ? "1" : "0") << cycle;
    EXPECT_EQ(differs(local + "flit_o_tag_"), "0") << cycle;
    EXPECT_EQ(differs(in + "credit_o_"), cycle == 3 ? "1" : "0") << cycle;
    EXPECT_EQ(differs(tied + "flit_o_"), "0") << cycle;
  }
}

TEST_F(port_pairs_test, leaves_no_file_of_a_window_without_cycles) {
  port_pairs shown(file(), row_.wiring(), row_.net->layout(), 1, 50, 60, row_.probe);
  row_.run_ten_cycles();
  EXPECT_FALSE(shown.close());
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(port_pairs_test, has_a_window_of_one_cycle) {
  port_pairs shown(file(), row_.wiring(), row_.net->layout(), 1, 4, 4, row_.probe);
  row_.run_ten_cycles();
  EXPECT_TRUE(shown.close());
  EXPECT_THAT(vcd_reader::read(file()).times, testing::ElementsAre(4000u, 5000u));
}

/// GTKWave's flags: 28 a bit, 24 decimal, 22 hexadecimal; groups begin open with 800200, closed with c00200. Colours: 1
/// red, 2 orange, 4 green.
TEST_F(port_pairs_test, has_rows_with_the_first_port_that_differs_on_top) {
  write_two_differences(row_);
  row_.scripts[1].flits[{5, row_.local()}] = row_.tail();  // the port that has the first has the last, too
  port_pairs shown(file(), row_.wiring(), row_.net->layout(), 1, 0, 9, row_.probe);
  row_.run_ten_cycles();
  std::vector<std::string> names(row_.ports());
  for (unsigned q = 0; q < row_.tied_off(); ++q) names[q] = row_.wiring().port_name(1, static_cast<port_id>(q));
  names[row_.tied_off()] = "tied_off_" + std::to_string(row_.tied_off());
  names[row_.local()] = "local";

  std::vector<vcd_variable> variables = {{"top.node_0_1.differs", 1}};
  std::vector<std::string> rows;  // of each port
  for (const std::string& port : names) {
    std::string text;
    for (const auto& [name, width, flag] : {std::tuple("flit_o", 64u, "22"), {"flit_o_vc", 4u, "24"},
                                            {"flit_o_tag", 63u, "24"}, {"credit_o", 2u, "22"}})
      for (const auto& [side, colour] : {std::pair("model", 4), {"RTL", 2}, {"differs", 1}}) {
        const bool is_bit = colour == 1;
        const std::string full = "top.node_0_1." + port + '.' + name + '_' + side;
        const std::string range = is_bit ? "" : "[" + std::to_string(width - 1) + ":0]";
        variables.push_back({full, is_bit ? 1 : width, range});
        const std::string vc_or_tag = std::string(name) == "flit_o_vc"    ? "flit_o vc"
                                      : std::string(name) == "flit_o_tag" ? "flit_o tag"
                                                                          : name;
        text += '@' + std::string(is_bit ? "28" : flag) + "\n[color] " + std::to_string(colour) + "\n+{" + port + ' ' +
                vc_or_tag + ' ' + side + "} " + full + range + '\n';
      }
    rows.push_back(text);
  }
  std::string expected =
      "begun\n@200\n-what differs\n@28\n[color] 1\n+{model and RTL differ} top.node_0_1.differs\n";
  const auto group = [&](unsigned q, const char* begins, const char* ends) {
    expected += begins + ("-compared: port " + names[q]) + '\n' + rows[q] + ends + "-compared: port " + names[q] + '\n';
  };
  group(row_.local(), "@800200\n", "@1000200\n");
  group(row_.incoming(), "@800200\n", "@1000200\n");
  for (unsigned q = 0; q < row_.local(); ++q)
    if (q != row_.incoming()) group(q, "@c00200\n", "@1401200\n");

  const std::string save_file = scratch_.file("pairs.gtkw");
  std::ofstream(save_file) << "begun\n";
  shown.rows(variables, "what differs").append_to(save_file);
  EXPECT_EQ(text_of_file(save_file, "save file"), expected);
}

}  // namespace
}  // namespace toriscope

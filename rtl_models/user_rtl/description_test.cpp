// SPDX-License-Identifier: Apache-2.0
// A wrong description is reported with a one-line message: the file, the key or the pin, and what would be
// right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>

#include "base/checked_json.h"
#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/test_file.h"
#include "rtl_models/on_demand/rtl_ports.h"
#include "rtl_models/user_rtl/expression.h"
#include "rtl_models/user_rtl/module_header.h"
#include "rtl_models/user_rtl/packet_scoreboard.h"
#include "rtl_models/user_rtl/route_texts.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "topologies/registry.h"

namespace toriscope::description_test {
namespace {

namespace fs = std::filesystem;

const std::string wormhole_directory = RTL_MODELS_DIRECTORY "/sv_wormhole/";

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The description of the wormhole router, or of one in test_rtl, with one thing changed.
class changed_description {
 public:
  changed_description(const std::string& what, const std::string& into, const std::string& base = "") {
    const std::string test_rtl = RTL_MODELS_DIRECTORY "/user_rtl/test_rtl/";
    std::string text =
        text_of(base.empty() ? wormhole_directory + "wormhole.json" : test_rtl + base + ".json");
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) text.replace(at, what.size(), into);
    path_ = test_file("changed_description.json");
    for (std::size_t source; (source = text.find("\"wormhole_")) != std::string::npos;)
      text.replace(
          source, 1,
          text.compare(source, 17, "\"wormhole_router\"") == 0 ? "\x01" : "\x01" + wormhole_directory);
    for (const char* const directory : {"\"styles/", "\"../../sv_wormhole/", "\"on_off_wormhole.sv"})
      for (std::size_t found; (found = text.find(directory)) != std::string::npos;)
        text.replace(found, 1, "\x01" + test_rtl);
    for (char& c : text)
      if (c == '\x01') c = '"';
    std::ofstream(path_) << text;
  }
  ~changed_description() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Stands for a tool.
class script_as {
 public:
  script_as(const char* variable, const std::string& commands) : variable_(variable) {
    write_script(scratch_.file("tool"), commands);
    setenv(variable, scratch_.file("tool").c_str(), 1);
  }
  ~script_as() { unsetenv(variable_); }

 private:
  const scratch_directory scratch_;
  const char* const variable_;
};

/// What is said of it when it is to stand in node 5 of a mesh.
std::string complaint(const std::string& path,
                      const std::function<void(const user_rtl_made&)>& traced = nullptr) {
  try {
    topology_options options;
    options.routing = "xy";
    const topology mesh = make_topology("mesh:4x4", options);
    const network_config config;
    const user_rtl_routers user_routers(router_description::read(path), *mesh.wiring, *mesh.routing, config,
                                        {5}, traced);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

struct bad_description {
  std::string what, into, said;
};
std::ostream& operator<<(std::ostream& out, const bad_description& b) { return out << b.into; }

class bad_description_test : public testing::TestWithParam<bad_description> {};

TEST_P(bad_description_test, one_line) {
  const changed_description file(GetParam().what, GetParam().into);
  const std::string said = complaint(file.path());
  EXPECT_THAT(said, testing::StartsWith(file.path() + ":"));
  EXPECT_THAT(said, testing::HasSubstr(GetParam().said));
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    all, bad_description_test,
    testing::Values(
        bad_description{"\"pins\"", "\"pinns\"", "pins.in_flit: is missing: the pins that flits come in by"},
        bad_description{"\"active\"", "\"activ\"", "reset: unknown key 'activ'; did you mean 'active'?"},
        bad_description{"\"low\"", "\"lo\"", "unknown value 'lo'; did you mean 'low'?"},
        bad_description{"{\"DEPTH\"", "[\"DEPTH\"", ":4: this is not JSON"},
        bad_description{"ready_valid", "ready-valid", "did you mean 'ready_valid'?"},
        bad_description{"wormhole_fifo.sv", "wormhole_fifo.v", "there is no file"},
        bad_description{"dest_x", "dst_x",
                        "expression 'dst_x': unknown name 'dst_x'; did you mean 'dest_x'?"},
        bad_description{"31:28", "31-28", "bits are written as"},
        bad_description{"31:28", "31:28:0", "bits are written as"},
        bad_description{"\"top\": \"wormhole_router\"", "\"top\": \"../../x\"",
                        "top: expected the name of a module: '../../x'"},
        bad_description{"31:28", "35:32", "bit 32 belongs to two fields"},
        bad_description{"\"y+\"", "\"y\"", "ports.north: unknown port of the network 'y'"},
        bad_description{"\"local\": \"local\", ", "", "none of them is 'local'"},
        bad_description{"31:28", "31", "'dest_x' is up to 3 in this network, which bits 31 do not hold"},
        bad_description{"31:28\": \"dest_x", "30:28\": \"dest",
                        "'dest' is up to 15 in this network, which bits 30:28 do not hold"},
        bad_description{"31:28\": \"dest_x", "30:28\": \"dest_node",
                        "'dest_node' is up to 15 in this network, which bits 30:28 do not hold"},
        bad_description{"in_valid_i", "in_vald_i", "unknown pin 'in_vald_i'; did you mean 'in_valid_i'?"},
        bad_description{"\"in_ready_o\"", "\"out_ready_i\"",
                        "of wormhole_router is an input, and an output is"},
        bad_description{"\"in_valid_i\"", "\"x_i\"",
                        "pins.in_valid: pin 'x_i' of wormhole_router is 4 bits wide; 5 ports need 5"},
        bad_description{"\"flit\": {", "\"flit\": {\"width\": 32,", "a flit is 34 bits wide at the pins"},
        bad_description{"\"x_i\": \"x\", ", "", "input 'x_i' of wormhole_router is in none of pins"},
        bad_description{"\"DEPTH\"", "\"DETPH\"", "Verilator does not take wormhole_router: %Error"},
        bad_description{"\"top\": \"wormhole_router\"", "\"top\": \"womhole_router\"", "womhole_router"}));

struct bad_part {
  std::string base, what, into, said;
};
std::ostream& operator<<(std::ostream& out, const bad_part& b) { return out << b.into; }

class bad_part_test : public testing::TestWithParam<bad_part> {};

TEST_P(bad_part_test, one_line) {
  const changed_description file(GetParam().what, GetParam().into, GetParam().base);
  const std::string said = complaint(file.path());
  EXPECT_THAT(said, testing::StartsWith(file.path() + ":"));
  EXPECT_THAT(said, testing::HasSubstr(GetParam().said));
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    all, bad_part_test,
    testing::Values(
        bad_part{"styled_planes", "link_i.valid", "link_i.vald",
                 "pins.in_valid: unknown member 'vald'; did you mean 'valid'?"},
        bad_part{"styled_planes", "link_i.valid", "link_i.",
                 "expected PIN, PIN.MEMBER, PIN[7:4] or PIN[7]: 'link_i.'"},
        bad_part{"styled_planes", "link_i.valid", "link_i.valid[2]",
                 "pins.in_valid: pin 'link_i' of styled_planes, valid, has 2 bits for each port, 1:0"},
        bad_part{
            "styled_planes", "link_i.valid", "link_i.valid[0]",
            "has 1 bit for each port; 2 are expected, a valid bit for each of its VCs: flit.vc is not given"},
        bad_part{"styled_planes", "dst.x", "dst.z", "flit: unknown member 'dst.z'; did you mean 'dst.x'?"},
        bad_part{"styled_planes", "7:0", "31:24", "belongs to two fields"},
        bad_part{"styled_planes", "link_i.back", "link_i.valid",
                 "pins.out_ready: bit 37 of input 'link_i' of styled_planes, of those of each port, has a "
                 "value already"},
        bad_part{"styled_planes", "\"vcs\": 2", "\"vcs\": 2, \"ready\": \"of_offer\"",
                 "has 2 bits for each port; 1 is expected, one for the VC on offer (ready: of_offer)"},
        bad_part{"styled_planes", "\"wake\": 1}, \"idle\"", "\"wake\": 1}, \"valid_bit\": \"33\", \"idle\"",
                 "flit.vc: is missing: valid is a bit of the flit"},
        bad_part{"flat_planes", "\"ties\": {\"{p}_in[40:39]\": 2},", "",
                 "bit 39 of input 'l_in' of flat_planes is in none of pins: give it a value in \"ties\": "
                 "{\"{p}_in[39]\": 0}"},
        bad_part{"flat_planes", "{p}_in[40:39]", "{p}_in[41:39]",
                 "ties.{p}_in[41:39]: pin 'l_in' of flat_planes has 41 bits, 40:0"},
        bad_part{"flat_planes", "{p}_in[40:39]", "{p}_in[40:38]",
                 "bit 38 of input 'l_in' of flat_planes has a value"},
        bad_part{"flat_planes", "{p}_in[40:39]", "{p}_in.mode",
                 "not a packed structure with members; choose bits"},
        bad_part{"flat_planes", "\"34\": 1}, \"idle\"", "\"wake\": 1}, \"idle\"",
                 "flit: 'wake': the pins of pins.in_flit are not packed structures with members; give bits"},
        bad_part{"flat_planes", "one_hot:reversed", "onehot",
                 "'{routes:onehot}': expected {routes:BITS}, 32 bits at most, {routes:one_hot} or"},
        bad_part{"", "in_valid_i", "in_valid_i[1]", "of wormhole_router has 1 bit for each port, 0:0"},
        bad_part{"", "in_valid_i", "in_valid_i[-1]",
                 "pins.in_valid: bits are written as \"7:4\" or \"7\", 512 at most"},
        bad_part{"", "\"ties\"", "\"verilator_options\": [\"--exe\"], \"ties\"",
                 "verilator_options: '--exe' is not one of -Wno-NAME"},
        bad_part{"", "\"ties\"", "\"verilator_options\": [\"-Wno-WIDTH -CFLAGS\"], \"ties\"",
                 "is not one of"},
        bad_part{"", "\"ties\"", "\"verilator_options\": [\"--x-assign\", \"none\"], \"ties\"",
                 "--x-assign takes 0, 1, fast, unique as the next item, not 'none'"},
        bad_part{"", "\"ties\"", "\"verilator_options\": [\"--converge-limit\"], \"ties\"",
                 "--converge-limit takes a number as the next item, not ''"},
        bad_part{"", "\"DEPTH\": 4", "\"DEPTH\": \"4; x\"",
                 "parameters: '4; x': expected one expression or type"},
        bad_part{"", "\"DEPTH\": 4", "\"DEPTH\": \"4), .X(1\"", "its brackets are not balanced"},
        bad_part{"", "\"DEPTH\": 4", "\"DEPTH\": \"$system(1)\"",
                 "parameters: '$system(1)': of system functions, $clog2 and $bits are possible"},
        bad_part{"", "\"x_i\": \"x\"", "\"x_i\": \"4'($system(1))\"",
                 "ties: '4'($system(1))': of system functions"},
        bad_part{"", "\"ties\"", "\"defines\": \"A=$system\", \"ties\"",
                 "defines: 'A=$system': of system functions"},
        bad_part{"", "\"DEPTH\": 4", "\"DEPTH\": \"'{4\"", "its brackets or quotes are not balanced"},
        bad_part{"", "\"DEPTH\": 4", "\"DEPTH(4), .X\": 4",
                 "expected the name of a parameter: 'DEPTH(4), .X'"},
        bad_part{"", "ready_valid", "on_off",
                 "depth: is missing: flits per VC buffer behind the router's outputs"},
        bad_part{"", "\"ready_valid\"", "\"on_off\", \"depth\": 4",
                 "pins.in_on: is missing: interface is on_off"},
        bad_part{"", "\"ready_valid\"", "\"on_off\", \"depth\": 4, \"slack\": 4", "slack: "},
        bad_part{"", "\"ready_valid\"", "\"ready_valid\", \"slack\": 1",
                 "slack: is for \"interface\": \"on_off\""},
        bad_part{"", "\"ready_valid\"", "\"ready_valid\", \"ready\": \"of_offer\"",
                 "ready: of_offer is for ready_valid with VCs"},
        bad_part{"", "\"body\": {", "\"idle\": {\"0\": \"dest\"}, \"body\": {",
                 "flit.idle: expression 'dest': unknown name 'dest'"},
        bad_part{"", "\"body\": {", "\"idle\": {\"34\": 1}, \"body\": {", "flit bits 34: a flit has 34 bits"},
        bad_part{"", "\"pin\": \"clk_i\"", "\"pin\": \"clk_i\", \"per_cycl\": 2", "clock: unknown key 'per_cycl'"},
        bad_part{"", "\"single\": 3", "\"single\": 3, \"sngle\": 3", "flit.type: unknown key 'sngle'"},
        bad_part{"", "\"body\": {", "\"idel\": {}, \"body\": {", "flit: unknown key 'idel'"},
        bad_part{"", "\"in_valid\":", "\"in_vald\": \"a\", \"in_valid\":", "pins: unknown key 'in_vald'"},
        bad_part{"", "\"ports\":", "\"patience\": 99, \"ports\":", ": unknown key 'patience'"},
        bad_part{"", "\"out_valid\": \"out_valid_o\", ", "",
                 "pins.out_valid: is missing, or flit.valid_bit if valid is a bit of the flit"},
        bad_part{"on_off_wormhole", "\"on_off\", \"vcs\": 1, \"depth\": 4, \"slack\": 0", "\"credit\"",
                 "depth: is missing: flits per VC buffer, which is how many credits there are"},
        bad_part{"on_off_wormhole", "\"on_off\", \"vcs\": 1, \"depth\": 4, \"slack\": 0",
                 "\"credit\", \"depth\": 4",
                 "pins.in_credit: is missing, or in_credit_valid and in_credit_vc: interface is credit"},
        bad_part{"", "\"x_i\": \"x\"", "\"!x_i\": \"x\"", "ties: '!x_i': write the value that the pin has"},
        bad_part{"", "\"x+\"", "\"y+\"", "ports.east: 'y+' is given twice"},
        bad_part{"", "\"15:0\": \"payload\"", "\"64:0\": \"payload\"",
                 "flit.body: bits are written as \"7:4\" or \"7\", 64 at most: '64:0'"},
        bad_part{"", "\"wormhole_fifo.sv\"", "\"wormhole_q*.sv\"", "sources: no file matches "},
        bad_part{"", "\"ties\"", "\"file_list\": \"none.f\", \"ties\"", "file_list: there is no file "}));

TEST(description, gives_verilator_files_and_no_options) {
  const scratch_directory scratch;
  const fs::path before = fs::current_path();
  fs::create_directory(scratch.file("-w"));
  for (const auto& entry : fs::directory_iterator(wormhole_directory))
    if (entry.is_regular_file())
      fs::copy_file(entry.path(), scratch.file("-w/") + entry.path().filename().string());
  fs::current_path(scratch.path());
  const router_description d = router_description::read("-w/wormhole.json");
  fs::current_path(before);
  EXPECT_THAT(d.sources, testing::Each(testing::StartsWith("./-w/")));
}

/// docs/other_routers.md; the sources are other people's, so files of their names stand for them.
TEST(description, of_routers_that_others_wrote_can_be_read) {
  const std::string page = text_of(RTL_MODELS_DIRECTORY "/../docs/other_routers.md");
  const std::string fence = "```json ";
  const scratch_directory scratch;
  unsigned descriptions = 0;
  for (std::size_t at = 0; (at = page.find(fence, at)) != std::string::npos; ++descriptions) {
    const std::size_t begin = page.find('\n', at) + 1, end = page.find("```", begin);
    const std::string file =
        scratch.file("router/" + page.substr(at + fence.size(), begin - 1 - at - fence.size()));
    at = end + 3;
    fs::create_directories(fs::path(file).parent_path());
    std::ofstream(file) << page.substr(begin, end - begin);
    const auto tree = read_json(file, "description");
    for (const auto& source : checked_json(tree, file).texts("sources")) {
      std::string name = source;
      std::replace(name.begin(), name.end(), '*', 'a');
      const fs::path path = fs::path(file).parent_path() / name;
      fs::create_directories(path.parent_path());
      std::ofstream(path.string()) << "\n";
    }
    EXPECT_NO_THROW(router_description::read(file));
  }
  EXPECT_GE(descriptions, 7u);
}

TEST(description, of_the_wormhole_router_has_nothing_wrong) {
  const changed_description file("31:28", "31:27");
  EXPECT_THAT(complaint(file.path()), testing::HasSubstr("bit 27 belongs to two fields"));
  EXPECT_EQ(router_description::read(wormhole_directory + "wormhole.json").flit.tag().count, 12u);
}

TEST(description, says_how_the_router_works) {
  const changed_description file(
      R"("clock": {"pin": "clk_i"},
  "reset": {"pin": "rst_ni", "active": "low"},
  "interface": "ready_valid",
  "ports": {"local": "local", "north": "y+", "east": "x+", "south": "y-", "west": "x-"},)",
      R"("clock": {"pin": "clk_i", "per_cycle": 3}, "reset": {"pin": "rst_ni", "active": "low", "clocks": 7},
         "interface": "ready_valid", "vcs": 2, "depth": 9, "ready": "of_offer", "atomic_vcs": true,
         "registered_outputs": true, "routes": "own", "patience_cycles": 77, "ports": "local_first",)");
  const router_description d = router_description::read(file.path());
  EXPECT_EQ(d.clocks_per_cycle, 3u);
  EXPECT_EQ(d.reset_clocks, 7u);
  EXPECT_EQ(d.vcs, 2u);
  EXPECT_EQ(d.depth, 9u);
  EXPECT_TRUE(d.ready_of_offer);
  EXPECT_TRUE(d.atomic_vcs);
  EXPECT_TRUE(d.registered_outputs);
  EXPECT_TRUE(d.own_routes);
  EXPECT_EQ(d.patience_cycles, 77u);
  EXPECT_TRUE(d.local_port_first);
}

TEST(description, takes_the_least_of_each_number) {
  const changed_description file(
      R"("clock": {"pin": "clk_i"},
  "reset": {"pin": "rst_ni", "active": "low"},)",
      R"("clock": {"pin": "clk_i", "per_cycle": 1}, "reset": {"pin": "rst_ni", "active": "low", "clocks": 1},
         "depth": 1, "patience_cycles": 10,)");
  const router_description d = router_description::read(file.path());
  EXPECT_EQ(d.clocks_per_cycle, 1u);
  EXPECT_EQ(d.reset_clocks, 1u);
  EXPECT_EQ(d.depth, 1u);
  EXPECT_EQ(d.patience_cycles, 10u);
  const changed_description zero("\"single\": 3", "\"single\": 0");
  EXPECT_EQ(router_description::read(zero.path()).flit.type->single, 0u);
}

TEST(flit_format, words_are_apart_in_hexadecimal) {
  flit_format f;
  f.width = 40;
  EXPECT_EQ(f.text({0x12345678, 0x9a}), "0x9a_12345678");
  f.width = 33;
  EXPECT_EQ(f.text({0x12345678, 1}), "0x1_12345678");
}

/// The compiler, which comes last, fails at once; its log is named by all that is built from.
TEST(description, included_files_count_among_its_sources) {
  const scratch_directory scratch;
  for (const auto& entry : fs::directory_iterator(wormhole_directory))
    if (entry.is_regular_file()) fs::copy_file(entry.path(), scratch.file(entry.path().filename().string()));
  std::string top = text_of(scratch.file("wormhole_router.sv")), text = text_of(scratch.file("wormhole.json"));
  top.insert(top.find(");\n") + 3, "`include \"x.svh\"\n");
  text.insert(text.find("\"parameters\""), "\"include_directories\": [\".\"], ");
  std::ofstream(scratch.file("wormhole_router.sv")) << top;
  std::ofstream(scratch.file("wormhole.json")) << text;
  const script_as compiler("TORISCOPE_CXX", "[ $1 = --version ] || { echo error: no; exit 1; }");
  std::string logs[2];
  for (const int version : {0, 1}) {
    std::ofstream(scratch.file("x.svh")) << "// version " << version << "\n";
    const std::string said = complaint(scratch.file("wormhole.json"));
    EXPECT_THAT(said, testing::HasSubstr("cannot be compiled: error: no"));
    logs[version] = said.substr(said.rfind(' ') + 1);
  }
  EXPECT_NE(logs[0], logs[1]);
}

/// Verilator, unless told, leaves out pins wider than 256 bits.
TEST(description, waves_have_wide_pins) {
  const changed_description file("\"ties\"", "\"defines\": \"FOR_WIDE_PINS\", \"ties\"");  // a key of its own
  const script_as verilator("TORISCOPE_VERILATOR",
                            "case \"$*\" in *--cc*) echo '%Error: no'; exit 1;; esac\nexec verilator \"$@\"");
  const std::string said = complaint(file.path(), [](const user_rtl_made&) {});
  ASSERT_THAT(said, testing::HasSubstr("Verilator does not take wormhole_router: %Error: no; all of"));
  EXPECT_THAT(text_of(said.substr(said.rfind(' ') + 1)),
              testing::HasSubstr("--trace-max-width 16384 --trace-max-array 256"));
}

/// As docs/your_own_rtl.md says.
TEST(description, has_defaults) {
  EXPECT_EQ(router_description::read(wormhole_directory + "wormhole.json").reset_clocks, 4u);
  const changed_description file(", \"slack\": 0", "", "on_off_wormhole");
  EXPECT_EQ(router_description::read(file.path()).slack, 1u);
}

/// Of the middle of a row of three; to nodes 0, 1 and 2 lead the router's ports 2, 3 and 1.
TEST(route_texts, of_every_form) {
  topology_options options;
  options.routing = "xy";
  const topology row = make_topology("mesh:1x3", options);
  std::vector<adapter_config::port> ports = {{"none", -1},
                                             {"e", row.wiring->port_named(1, "x+")},
                                             {"w", row.wiring->port_named(1, "x-")},
                                             {"l", row.wiring->local_port(1)}};
  const route_texts texts(*row.wiring, *row.routing, 1, ports);
  EXPECT_EQ(texts.fill(".A({routes}), .B({routes:4})"), ".A(6'b011110), .B(12'b000100110010)");
  EXPECT_EQ(texts.fill("{routes:one_hot}"), "12'b001010000100");
  EXPECT_EQ(texts.fill("{routes:reversed}"), "6'b101101");
  EXPECT_EQ(texts.fill("{routes:one_hot:reversed}"), "12'b010010000010");
  ports.push_back({"fifth", -1});
  EXPECT_EQ(texts.fill("{routes}"), "9'b001011010") << "the number of five ports has three bits";
}

/// Sources are read from anywhere: no length of a name, of blanks or of an attribute ends the program.
TEST(module_header, of_any_length) {
  const std::string blanks(1'000'000, ' '), name(1'000'000, 'x');
  const module_header header =
      header_of("module" + blanks + "m" + blanks + "#(parameter int W = (1" + blanks + "+ 1)) ((* doc = \"" + name +
                    "\" *) input" + blanks + "logic clk_i, " + name + blanks + "." + blanks + "to_router" + blanks +
                    "link" + blanks + "[" + name + "], output logic " + name +
                    ", output logic of_each[N[0]] [2], input logic " + name + ".);",
                "m");
  ASSERT_EQ(header.parameters.size(), 1u);
  EXPECT_EQ(header.parameters[0].name, "W");
  ASSERT_EQ(header.ports.size(), 5u);
  EXPECT_EQ(header.ports[0].name, "clk_i") << "not what the attribute says";
  EXPECT_TRUE(header.ports[0].is_input);
  EXPECT_EQ(header.ports[0].text, "input logic clk_i");
  EXPECT_EQ(header.ports[1].interface, name);
  EXPECT_EQ(header.ports[1].modport, "to_router");
  EXPECT_EQ(header.ports[1].name, "link");
  EXPECT_EQ(header.ports[1].dimensions, "[" + name + "]");
  EXPECT_EQ(header.ports[2].name, name);
  EXPECT_TRUE(header.ports[2].is_output);
  EXPECT_EQ(header.ports[3].name, "of_each");
  EXPECT_EQ(header.ports[4].name, "input logic " + name + ".") << "a word that ends in none is searched once";

  EXPECT_EQ(header_of("module " + name + "(input a);", name).ports.size(), 1u);

  const std::vector<rtl_port> ports = ports_of_header("VL_IN8(&" + name + ",0,0);\nVL_OUTW(&flit_o,319,0,10);\n");
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].name, name);
  EXPECT_EQ(ports[1].bits, 320u);
  EXPECT_TRUE(ports[1].is_output);
}

/// A module is found by its whole name, among bytes of any kind.
TEST(module_header, of_the_whole_name) {
  const std::string text =
      "submodule a(input x); module ab(input x); module a$(input dollar); // \xff\n"
      "macromodule automatic a((* n = \"\xff\" *) input y, i_f.to z[\xff]); module a_(input x); module last";
  const module_header header = header_of(text, "a");
  ASSERT_EQ(header.ports.size(), 2u);
  EXPECT_EQ(header.ports[0].text, "input y");
  EXPECT_EQ(header.ports[1].interface, "i_f");
  EXPECT_EQ(header.ports[1].dimensions, "[\xff]");
  EXPECT_EQ(header_of(text, "a$").ports.at(0).name, "dollar");
  EXPECT_EQ(header_of("\"a module\n module a(input z);", "a").ports.at(0).name, "z") << "behind the word itself";
  EXPECT_EQ(error_of([&] { header_of(text, "last"); }), "module last has no list of ports");
  EXPECT_EQ(error_of([&] { header_of(text, "b"); }), "module b is not in the sources");
}

TEST(expression, arithmetic_and_names) {
  quantity_values values;
  values[quantity::x] = 3;
  values[quantity::dest_x] = 1;
  values[quantity::size_x] = 8;
  EXPECT_EQ(expression("dest_x - x").evaluate(values), -2);
  EXPECT_EQ(expression("1 + 2 * (x - 1) % 3").evaluate(values), 2);
  EXPECT_EQ(expression("-x + 0x10").evaluate(values), 13);
  EXPECT_EQ(fill_in("8'd{x}, {x * size_x}", values), "8'd3, 24");
  EXPECT_EQ(fill_in("'{{x}, '{1, {x + 1}}}", values), "'{3, '{1, 4}}") << "'{ is SystemVerilog's";
  EXPECT_EQ(expression("010").evaluate(values), 10) << "decimal";
  EXPECT_THROW(expression("9223372036854775808"), std::invalid_argument);
  EXPECT_THROW(expression("1" + std::string(10000, ' ')), std::invalid_argument)
      << "longer than any expression";
  for (const char* const opened : {"(", "-"}) {
    std::string deep;
    for (unsigned i = 0; i < 101; ++i) deep += opened;
    EXPECT_THAT(error_of([&] { expression deeper(deep + "1"); }), testing::HasSubstr("nest")) << opened;
  }
  EXPECT_THROW(expression("x +"), std::invalid_argument);
  EXPECT_THROW(expression("(x"), std::invalid_argument);
  EXPECT_THROW(expression("x y"), std::invalid_argument);
  EXPECT_THROW(expression("dest", true), std::invalid_argument);
  EXPECT_THROW(expression("x / 0").evaluate(values), std::domain_error);
  for (const char* const too_large :
       {"9223372036854775807 + 1", "0 - 9223372036854775807 - 2", "9223372036854775807 * 2",
        "(0 - 9223372036854775807 - 1) / (0 - 1)", "(0 - 9223372036854775807 - 1) % (0 - 1)"})
    EXPECT_THROW(expression(too_large).evaluate(values), std::domain_error) << too_large;
  EXPECT_EQ(expression("(0 - 9223372036854775807 - 1) / 1").evaluate(values), std::numeric_limits<std::int64_t>::min());
}

TEST(expression, knows_each_name) {
  using q = quantity;
  const std::pair<const char*, q> names[] = {
      {"id", q::id}, {"x", q::x}, {"y", q::y}, {"z", q::z}, {"nodes", q::nodes}, {"terminals", q::terminals},
      {"size_x", q::size_x}, {"size_y", q::size_y}, {"size_z", q::size_z}, {"ports", q::ports},
      {"local_ports", q::local_ports}, {"vcs", q::vcs}, {"depth", q::depth}, {"dest", q::dest},
      {"dest_node", q::dest_node}, {"dest_local", q::dest_local}, {"dest_x", q::dest_x}, {"dest_y", q::dest_y},
      {"dest_z", q::dest_z}, {"source", q::source}, {"source_node", q::source_node}, {"source_local", q::source_local},
      {"source_x", q::source_x}, {"source_y", q::source_y}, {"source_z", q::source_z}, {"length", q::length},
      {"port", q::port}, {"state", q::state}, {"tag", q::tag}, {"index", q::index}, {"head", q::head},
      {"tail", q::tail}, {"vc", q::vc}, {"payload", q::payload}};
  quantity_values values;
  for (unsigned i = 0; i < quantities; ++i) values[static_cast<q>(i)] = i;
  for (const auto& [name, number] : names)
    EXPECT_EQ(expression(name).evaluate(values), static_cast<int>(number)) << name;
  EXPECT_EQ(fill_in("{depth}", values), std::to_string(static_cast<int>(q::depth))) << "the last one of the node";
}

}  // namespace
}  // namespace toriscope::description_test

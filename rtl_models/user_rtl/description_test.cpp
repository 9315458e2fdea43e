// SPDX-License-Identifier: Apache-2.0
// A wrong description is reported with a one-line message: the file, the key or the pin, and what would be
// right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <ostream>

#include "base/scratch_directory.h"
#include "base/test_file.h"
#include "rtl_models/user_rtl/expression.h"
#include "rtl_models/user_rtl/packet_scoreboard.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

const std::string wormhole_directory = RTL_MODELS_DIRECTORY "/sv_wormhole/";

std::string wormhole_text() {
  std::ifstream in(wormhole_directory + "wormhole.json");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The description of the wormhole router with one thing changed.
class changed_description {
 public:
  changed_description(const std::string& what, const std::string& into) {
    std::string text = wormhole_text();
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) text.replace(at, what.size(), into);
    path_ = test_file("changed_description.json");
    for (std::size_t source; (source = text.find("\"wormhole_")) != std::string::npos;)
      text.replace(
          source, 1,
          text.compare(source, 17, "\"wormhole_router\"") == 0 ? "\x01" : "\x01" + wormhole_directory);
    for (char& c : text)
      if (c == '\x01') c = '"';
    std::ofstream(path_) << text;
  }
  ~changed_description() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What is said of it when it is to stand in node 5 of a mesh.
std::string complaint(const std::string& path) {
  try {
    topology_options options;
    options.routing = "xy";
    const topology mesh = make_topology("mesh:4x4", options);
    const network_config config;
    const user_rtl_routers user_routers(router_description::read(path), *mesh.wiring, *mesh.routing, config,
                                        {5});
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
        bad_description{"\"pins\"", "\"pinns\"", "pins.in_flit: is missing"},
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
        bad_description{"in_valid_i", "in_vald_i", "unknown pin 'in_vald_i'; did you mean 'in_valid_i'?"},
        bad_description{"\"in_ready_o\"", "\"out_ready_i\"",
                        "of wormhole_router is an input, and an output is"},
        bad_description{"\"in_valid_i\"", "\"x_i\"",
                        "pins.in_valid: pin 'x_i' of wormhole_router is 4 bits wide; 5 ports need 5"},
        bad_description{"\"flit\": {", "\"flit\": {\"width\": 32,", "a flit is 34 bits wide at the pins"},
        bad_description{"\"x_i\": \"x\", ", "", "input 'x_i' of wormhole_router is in none of pins"},
        bad_description{"\"DEPTH\"", "\"DETPH\"", "Verilator does not take wormhole_router: %Error"},
        bad_description{"\"top\": \"wormhole_router\"", "\"top\": \"womhole_router\"", "womhole_router"}));

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

TEST(description, of_the_wormhole_router_has_nothing_wrong) {
  const changed_description file("31:28", "31:27");
  EXPECT_THAT(complaint(file.path()), testing::HasSubstr("bit 27 belongs to two fields"));
  EXPECT_EQ(router_description::read(wormhole_directory + "wormhole.json").flit.tag().count, 12u);
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
  EXPECT_EQ(expression("010").evaluate(values), 10) << "decimal";
  EXPECT_THROW(expression("9223372036854775808"), std::invalid_argument);
  EXPECT_THROW(expression("1" + std::string(10000, ' ')), std::invalid_argument)
      << "longer than any expression";
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

}  // namespace
}  // namespace toriscope

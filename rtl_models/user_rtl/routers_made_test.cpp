// SPDX-License-Identifier: Apache-2.0
// What is looked at before Verilator runs, and what is left when it fails: a script stands for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/test_file.h"
#include "base/text_file.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "topologies/registry.h"

namespace toriscope::routers_made_test {
namespace {

using testing::HasSubstr;

/// Fails, and says so.
class failing_verilator {
 public:
  failing_verilator() {
    write_script(scratch_.file("tool"), "echo '%Error: no'\necho more\nexit 1");
    setenv("TORISCOPE_VERILATOR", scratch_.file("tool").c_str(), 1);
  }
  ~failing_verilator() { unsetenv("TORISCOPE_VERILATOR"); }

 private:
  const scratch_directory scratch_;
};

router_description wormhole() {
  return router_description::read(RTL_MODELS_DIRECTORY "/sv_wormhole/wormhole.json");
}

std::string said(const router_description& d, const std::string& spec = "mesh:4x4") {
  topology_options options;
  options.routing = "xy";
  const topology made = make_topology(spec, options);
  const network_config config;
  const failing_verilator fails;
  return error_of([&] { user_rtl_routers(d, *made.wiring, *made.routing, config, {0}); });
}

TEST(user_rtl_routers_made, the_message_of_verilator_is_kept) {
  router_description d = wormhole();
  d.top = "a_router_of_no_other_test";
  const std::string text = said(d);
  EXPECT_THAT(text, HasSubstr("Verilator does not take a_router_of_no_other_test: %Error: no"));
  const std::string log = text.substr(text.rfind(' ') + 1);
  EXPECT_EQ(text_of_file(log, log), "%Error: no\nmore\n");
}

TEST(user_rtl_routers_made, fields_are_looked_at_first) {
  const auto with_head = [](bit_field bits, const char* value, const std::string& spec) {
    router_description d = wormhole();
    d.ports.clear();
    d.flit.head = {{bits, expression(value)}};
    return said(d, spec);
  };
  EXPECT_THAT(with_head({32, 1}, "dest", "mesh:4x4"), HasSubstr("bit 32 belongs to two fields"));
  EXPECT_THAT(with_head({0, 3}, "dest", "mesh:4x4"),
              HasSubstr("flit.head.2:0: 'dest' is up to 15 in this network, which bits 2:0 do not hold"));
  router_description in_all = wormhole();
  in_all.ports.clear();
  in_all.flit.head = in_all.flit.body = {};
  in_all.flit.all = {{{0, 3}, expression("dest")}};
  EXPECT_THAT(said(in_all, "mesh:4x4"), HasSubstr("flit.all.2:0: 'dest' is up to 15 in this network"));
  EXPECT_THAT(with_head({0, 4}, "dest", "mesh:4x4"), HasSubstr("%Error: no"));
  EXPECT_THAT(with_head({0, 1}, "dest_local", "cmesh:3x2,3"),
              HasSubstr("'dest_local' is up to 2 in this network, which bits 0 do not hold"));
  EXPECT_THAT(with_head({0, 2}, "dest_y", "mesh:2x8"), HasSubstr("%Error: no"));
  EXPECT_THAT(with_head({0, 2}, "dest_x", "mesh:2x8"), HasSubstr("'dest_x' is up to 7 in this network"));
}

/// Node 0 alone has x+, as its first port.
TEST(user_rtl_routers_made, ports_of_any_node_are_known) {
  router_description d = wormhole();
  d.ports = {{"e", "x+"}, {"w", "x-"}};
  EXPECT_THAT(said(d, "mesh:1x2"), HasSubstr("ports: none of them is 'local', to and from the node itself"));
  d.ports = {{"e", "y+"}};
  EXPECT_THAT(said(d, "mesh:1x2"), HasSubstr("ports.e: unknown port of the network 'y+'"));
}

/// An expression, or the text that the pin is assigned.
TEST(user_rtl_routers_made, ties_are_expressions_or_texts) {
  for (const char* const good : {"x + 1", "4'd1", "{x}", "4'd{y + 1}"}) {
    router_description d = wormhole();
    d.ties.at(0).value = good;
    EXPECT_THAT(said(d), HasSubstr("%Error: no")) << good;
  }
  router_description d = wormhole();
  d.ties.at(0).value = "{q}";
  EXPECT_THAT(said(d), HasSubstr("ties." + d.ties.at(0).pin.name + ": expression 'q': unknown name 'q'"));
}

}  // namespace
}  // namespace toriscope::routers_made_test

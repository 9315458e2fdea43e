// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/route_table.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "topologies/registry.h"

namespace toriscope {
namespace {

struct torus {
  topology made;
  flit_layout layout;
  unsigned vcs;

  torus(const std::string& spec, unsigned v) : vcs(v) {
    topology_options options;
    options.vcs = v;
    made = make_topology(spec, options);
    layout = flit_layout(made.wiring->node_count(), made.routing->state_bits());
  }
  route_table table(node_id n) const { return {*made.wiring, *made.routing, layout, vcs, n}; }
};

/// Reads a file as $readmemh does.
std::vector<std::uint64_t> parse(std::istream& in) {
  std::vector<std::uint64_t> words;
  for (std::string word; in >> word;) words.push_back(std::stoull(word, nullptr, 16));
  return words;
}

// Random packets that follow the files of all nodes arrive, and go by the routing function's way.
TEST(route_table, leads_every_packet_as_the_routing_function_does) {
  for (const char* spec : {"torus:4x4", "torus:3x5", "mesh:3x3"}) {
    SCOPED_TRACE(spec);
    const torus t(spec, 4);
    const netlist& wiring = *t.made.wiring;
    std::vector<route_table> tables;
    std::vector<std::vector<std::uint64_t>> files;
    for (node_id n = 0; n < wiring.node_count(); ++n) {
      tables.push_back(t.table(n));
      std::stringstream file;
      tables.back().write(file);
      files.push_back(parse(file));
      ASSERT_EQ(files.back(), tables.back().words());
    }

    std::mt19937 random(1);
    for (unsigned packet = 0; packet < 2000; ++packet) {
      const node_id source = random() % wiring.node_count();
      const node_id destination = random() % wiring.node_count();
      const auto in_vc = static_cast<std::uint8_t>(random() % t.vcs);
      route_request r{source, wiring.local_port(source), in_vc, destination, 0};
      for (unsigned hops = 0;; ++hops) {
        ASSERT_LE(hops, wiring.node_count());
        const route_table& table = tables[r.node];
        const route_option option = table.option(table.address(r.in_port, r.in_vc, r.state, destination));
        route_option options[routing_function::max_options];
        ASSERT_EQ(t.made.routing->route(r, options), 1u);
        const route_option& expected = options[0];
        ASSERT_EQ(option.out_port, expected.out_port);
        ASSERT_EQ(option.vcs, expected.vcs);
        ASSERT_EQ(option.state, expected.state);
        if (option.out_port == wiring.local_port(r.node)) break;
        const netlist_link& next = wiring.link(wiring.ports(r.node)[option.out_port].out);
        unsigned v = random() % t.vcs;
        while (!(option.vcs >> v & 1u)) v = (v + 1) % t.vcs;
        r = {next.to, next.to_port, static_cast<std::uint8_t>(v), destination, option.state};
      }
      ASSERT_EQ(r.node, destination);
    }
  }
}

TEST(route_table, has_a_word_for_each_input_vc_state_and_destination) {
  const torus t("torus:4x4", 2);
  const route_table table = t.table(5);
  ASSERT_EQ(t.layout.destination_bits(), 4u);
  EXPECT_EQ(table.words().size(), 5u * 2u << (t.layout.destination_bits() + t.layout.state_bits()));
  EXPECT_EQ(table.entry_bits(), t.layout.state_bits() + 2 + 3);
  const unsigned input_vc = 3 * 2 + 1;
  EXPECT_EQ(table.address(3, 1, 0, 9),
            input_vc << (t.layout.destination_bits() + t.layout.state_bits()) | 9u);
}

TEST(route_table, leaves_out_what_no_packet_can_ask) {
  const torus t("mesh:3x3", 2);
  const node_id centre = 4;
  const route_table table = t.table(centre);
  const port_id east = t.made.wiring->port_named(centre, "x+");
  // Packets that come in from the east go west or across, never back.
  const node_id east_of_centre = 5;
  EXPECT_EQ(table.words()[table.address(east, 0, 0, east_of_centre)], 0u);
  EXPECT_NE(table.words()[table.address(east, 0, 0, 3)], 0u);
}

class two_ways final : public routing_function {
 public:
  unsigned route(const route_request&, route_option* options) const override {
    options[0] = options[1] = {0, 1, 0};
    return 2;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }
};

TEST(route_table, refuses_adaptive_routing) {
  const torus t("mesh:3x3", 1);
  EXPECT_THROW(route_table(*t.made.wiring, two_ways(), flit_layout(9, 0), 1, 4), std::invalid_argument);
}

TEST(route_table, refuses_a_file_that_cannot_be_written) {
  const torus t("mesh:3x3", 1);
  EXPECT_THROW(t.table(0).write_file("/dev/full"), std::runtime_error);
  EXPECT_THROW(t.table(0).write_file("/nowhere/table.hex"), std::runtime_error);
}

}  // namespace
}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Where nodes are drawn, by hand, and whole pictures of small networks.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "topologies/analysis/folded_layout.h"
#include "topologies/analysis/network_canvas.h"
#include "topologies/analysis/network_picture.h"
#include "topologies/analysis/wiring_formula.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Nodes are 30 apart. Modules have gaps of 14 between them, modules of modules of 28; a third dimension within a
/// module one of 10. A step over modules steps over the gaps within them, too.
TEST(canvas, leaves_gaps_between_modules) {
  const auto expect_places = [](const char* spec, auto x_of, auto y_of) {
    const topology t = make_topology(spec);
    const network_canvas c(t);
    double width = 0, height = 0;
    for (node_id node = 0; node < t.wiring->node_count(); ++node) {
      const std::vector<unsigned> d = t.wiring->digits(node);
      ASSERT_DOUBLE_EQ(c.at(node).x, x_of(d)) << spec << " " << node;
      ASSERT_DOUBLE_EQ(c.at(node).y, y_of(d)) << spec << " " << node;
      width = std::max(width, x_of(d));
      height = std::max(height, y_of(d));
    }
    EXPECT_DOUBLE_EQ(c.width(), width) << spec;
    EXPECT_DOUBLE_EQ(c.height(), height) << spec;
  };
  using digits = const std::vector<unsigned>&;
  expect_places(
      "ttn:2,2,0", [](digits d) { return 30. * (4 * d[1] + d[3]) + 14. * d[1]; },
      [](digits d) { return 30. * (4 * d[0] + d[2]) + 14. * d[0]; });
  expect_places(
      "ttn:2,3,0", [](digits d) { return 30. * (16 * d[1] + 4 * d[3] + d[5]) + 14. * d[3] + (28. + 3 * 14) * d[1]; },
      [](digits d) { return 30. * (16 * d[0] + 4 * d[2] + d[4]) + 14. * d[2] + (28. + 3 * 14) * d[0]; });
  // The planes of a module, digit 2, stand in a row.
  expect_places(
      "htn:4,4,2,1",
      [](digits d) { return 30. * (16 * d[1] + 4 * d[2] + d[4]) + 10. * d[2] + (14. + 3 * 10) * d[1]; },
      [](digits d) { return 30. * (4 * d[0] + d[3]) + 14. * d[0]; });
  expect_places(
      "mesh:3x5", [](digits d) { return 30. * d[1]; }, [](digits d) { return 30. * d[0]; });
}

TEST(canvas, frames_have_more_room_round_modules_of_modules) {
  const topology t = make_topology("ttn:2,3,0");
  const network_canvas c(t);
  const auto frames = c.frames();
  ASSERT_EQ(frames.size(), 2u);
  ASSERT_EQ(frames[0].size(), 16u);
  ASSERT_EQ(frames[1].size(), 256u);
  for (const std::size_t level : {0u, 1u}) {
    const double pad = level == 0 ? 7 + 14 / 2.6 : 7;
    const node_id nodes = level == 0 ? 256 : 16;
    for (node_id module = 0; module < frames[level].size(); ++module) {
      const canvas_frame& f = frames[level][module];
      const canvas_point &first = c.at(nodes * module), &last = c.at(nodes * (module + 1) - 1);
      ASSERT_DOUBLE_EQ(f.x, first.x - pad);
      ASSERT_DOUBLE_EQ(f.y, first.y - pad);
      ASSERT_DOUBLE_EQ(f.width, last.x - first.x + 2 * pad);
      ASSERT_DOUBLE_EQ(f.height, last.y - first.y + 2 * pad);
    }
  }
}

/// Clockwise from the top; 18 of the circle for each node, but no less than a radius of 120.
TEST(canvas, graphs_without_routing_stand_on_a_circle) {
  for (const char* spec : {"midimew:12", "midimew:64"}) {
    const topology t = make_topology(spec);
    const network_canvas c(t);
    const node_id n = t.wiring->node_count();
    const double r = n == 12 ? 120 : 64 * 18 / (2 * M_PI);
    const canvas_point quarters[] = {{r, 0}, {2 * r, r}, {r, 2 * r}, {0, r}};
    for (node_id q = 0; q < 4; ++q) {
      EXPECT_NEAR(c.at(q * n / 4).x, quarters[q].x, 1e-9) << spec;
      EXPECT_NEAR(c.at(q * n / 4).y, quarters[q].y, 1e-9) << spec;
    }
    for (const netlist_link& link : t.wiring->links()) EXPECT_FALSE(c.wire(link).bend);
  }
}

/// The closest are 45 apart, those in one place left out; the picture begins at the leftmost and at the uppermost node.
TEST(canvas, begins_where_the_first_nodes_are_from_left_and_from_above) {
  const auto net =
      std::make_shared<netlist>("drawn", std::vector<unsigned>{4}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id n = 0; n < 4; ++n) net->add_node({"a"});
  net->set_positions({{6, 9}, {5, 9}, {8, 7}, {8, 7}});
  topology t;
  t.wiring = net;
  const network_canvas c(t);
  const double expected[4][2] = {{45, 90}, {0, 90}, {3 * 45, 0}, {3 * 45, 0}};
  for (node_id n = 0; n < 4; ++n) {
    EXPECT_DOUBLE_EQ(c.at(n).x, expected[n][0]) << n;
    EXPECT_DOUBLE_EQ(c.at(n).y, expected[n][1]) << n;
  }
  net->set_positions({{3, 3}, {3, 3}, {3, 3}, {3, 3}});
  const network_canvas in_one_place(t);
  EXPECT_EQ(in_one_place.width(), 0);
  EXPECT_EQ(in_one_place.height(), 0);
}

/// Wires along a row bend upward, of all levels; both ways of a wire have one line.
TEST(canvas, wires_along_a_row_bend_upward) {
  unsigned bent = 0, outer = 0;
  for (const char* spec : {"torus:1x6", "ttn:2,2,0"}) {
    topology_options options;
    options.links = "B";
    const topology t = make_topology(spec, options);
    const network_canvas c(t);
    for (const netlist_link& link : t.wiring->links()) {
      const canvas_wire wire = c.wire(link);
      if (!wire.bend || wire.from.y != wire.to.y) continue;
      EXPECT_LT(wire.bend->y, wire.from.y) << spec << ": " << link.from << " to " << link.to;
      ++(link.level == 1 ? bent : outer);
    }
  }
  EXPECT_GT(bent, 0u);
  EXPECT_GT(outer, 0u);
}

/// Of three groups "a" is one node, "b" ten pitches long, "d" three pitches long and high.
TEST(canvas, frames_of_large_groups_come_first) {
  const std::string path = test_file("picture_test_groups.json");
  std::ofstream(path) << R"({"nodes": [{"name": "0", "group": "a", "position": [0, 0]},
      {"name": "1", "group": "b", "position": [0, 2]}, {"name": "2", "group": "b", "position": [10, 2]},
      {"name": "3", "group": "d", "position": [20, 0]}, {"name": "4", "group": "d", "position": [23, 3]}],
      "links": [{"from": 0, "to": 1}, {"from": 1, "to": 2}, {"from": 2, "to": 3}, {"from": 3, "to": 4}]})";
  const topology t = make_topology("file:" + path);
  const std::vector<std::vector<canvas_frame>> frames = network_canvas(t).frames();
  std::vector<std::string> names;
  for (const canvas_frame& f : frames.at(0)) names.push_back(f.name);
  EXPECT_THAT(names, testing::ElementsAre("d", "b", "a"));
}

/// The head of a picture, up to the legend.
std::string head(unsigned width, unsigned height) {
  const std::string size = std::to_string(width) + "\" height=\"" + std::to_string(height);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size +
         "\" viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
         "\" font-family=\"Helvetica, Arial, sans-serif\">\n"
         "<defs><marker id=\"one-way\" viewBox=\"0 0 6 6\" refX=\"11\" refY=\"3\" markerWidth=\"3.4\" "
         "markerHeight=\"3.4\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#24303c\"/></marker></defs>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
         "<g transform=\"translate(60.0 30.0)\">\n"
         "<g font-size=\"13.0\" fill=\"#24303c\" transform=\"scale(1.00)\">\n"
         "<text x=\"0\" y=\"0\" font-size=\"16\" font-weight=\"bold\">";
}
const char* const labels =
    "<g font-size=\"5.5\" text-anchor=\"middle\" fill=\"#24303c\" stroke=\"#ffffff\" stroke-width=\"1.5\" "
    "paint-order=\"stroke\">\n<text x=\"0.0\" y=\"2.0\">00</text>\n<text x=\"30.0\" y=\"2.0\">01</text>\n</g>\n"
    "</g>\n</svg>\n";

/// Two nodes, 30 apart: 60 on either side, 60 more above for the legend, and 310 for what that says.
TEST(network_picture, of_two_nodes_as_a_whole) {
  const topology t = make_topology("mesh:1x2");
  t.wiring->set_comments("a draft", {"hard macro", ""}, {"", ""});
  EXPECT_EQ(network_picture(t),
            head(430, 180) +
                "mesh:1x2: a draft</text>\n<text x=\"0\" y=\"19\">2 nodes</text>\n"
                "<path d=\"M120 15h34\" stroke=\"#5f6b7a\" stroke-width=\"1.2\" stroke-dasharray=\"\"/>"
                "<text x=\"160\" y=\"19\">Level 1: 1 links</text>\n</g>\n</g>\n"
                "<g transform=\"translate(200.0 120.0)\">\n"
                "<g fill=\"none\" stroke=\"#5f6b7a\" stroke-width=\"1.20\" stroke-dasharray=\"\" "
                "stroke-opacity=\"0.75\">\n<path d=\"M0.0 0.0L30.0 0.0\"/>\n</g>\n"
                "<g fill=\"#ffffff\" stroke=\"#24303c\" stroke-width=\"1\">\n"
                "<circle cx=\"0.0\" cy=\"0.0\" r=\"7.5\"><title>node_0_0\nhard macro</title></circle>\n"
                "<circle cx=\"30.0\" cy=\"0.0\" r=\"7.5\"><title>node_0_1</title></circle>\n</g>\n" +
                labels);
}

/// Of 0.5, the busiest, 0.25 is the half and 0.0625 an eighth: half way between the first two of five colours.
TEST(network_picture, of_two_nodes_and_their_use_as_a_whole) {
  const topology t = make_topology("mesh:1x2");
  for (const link_id l : {0u, 1u}) t.wiring->link(l).level = 2;
  t.wiring->set_comments("", {}, {"over the edge", "over the edge"});
  const busy_shares busy{{0.125, 0.5}, {0, 0.25}, {0.0625, 0}};
  EXPECT_EQ(network_picture(t, &busy),
            head(1020, 180) +
                "mesh:1x2</text>\n<text x=\"0\" y=\"19\">2 nodes</text>\n"
                "<path d=\"M120 15h34\" stroke=\"#5f6b7a\" stroke-width=\"1.8\" stroke-dasharray=\"\"/>"
                "<text x=\"160\" y=\"19\">Level 2: 1 links</text>\n"
                "<defs><linearGradient id=\"busy\"><stop offset=\"0.00\" stop-color=\"#bcc7d3\"/>"
                "<stop offset=\"0.25\" stop-color=\"#f0b765\"/><stop offset=\"0.50\" stop-color=\"#e8743b\"/>"
                "<stop offset=\"0.75\" stop-color=\"#b3242e\"/><stop offset=\"1.00\" stop-color=\"#4a0d2c\"/>"
                "</linearGradient></defs>\n<text x=\"0\" y=\"38\">busy (share of cycles in use)  0</text>"
                "<rect x=\"200\" y=\"29\" width=\"120\" height=\"10\" fill=\"url(#busy)\"/>"
                "<text x=\"326\" y=\"38\">0.5; lines: the busier way; rims of nodes: the busier of the injection and "
                "the ejection port</text>\n</g>\n</g>\n"
                "<g transform=\"translate(495.0 120.0)\">\n"
                "<g fill=\"none\" stroke=\"#d1495b\" stroke-width=\"2.80\" stroke-dasharray=\"\" "
                "stroke-opacity=\"1.00\">\n<path d=\"M0.0 0.0L30.0 0.0\" stroke=\"#4a0d2c\"><title>00 x+ -&gt; 01: "
                "busy 0.125\n01 x- -&gt; 00: busy 0.5\nover the edge</title></path>\n</g>\n"
                "<g fill=\"#ffffff\" stroke=\"#24303c\" stroke-width=\"1\">\n"
                "<circle cx=\"0.0\" cy=\"0.0\" r=\"7.5\" stroke-width=\"2.5\" stroke=\"#d6bf9c\"><title>node_0_0\n"
                "injection port: busy 0\nejection port: busy 0.0625</title></circle>\n"
                "<circle cx=\"30.0\" cy=\"0.0\" r=\"7.5\" stroke-width=\"2.5\" stroke=\"#e8743b\"><title>node_0_1\n"
                "injection port: busy 0.25\nejection port: busy 0</title></circle>\n</g>\n" +
                labels);
}

/// Packets of a butterfly enter at its first stage and leave at its last.
TEST(network_picture, tells_nothing_of_ports_that_a_switch_has_not) {
  const topology t = make_topology("butterfly:2,2");
  const busy_shares busy{std::vector<double>(t.wiring->links().size(), 0.5), std::vector<double>(4, 0.25),
                         std::vector<double>(4, 0.125)};
  const std::string used = network_picture(t, &busy);
  EXPECT_THAT(used, Not(HasSubstr("busy 0\n")));
  EXPECT_THAT(used, Not(HasSubstr("busy 0<")));
  EXPECT_THAT(used, HasSubstr("\ninjection port: busy 0.25</title>"));
  EXPECT_THAT(used, HasSubstr("\nejection port: busy 0.125</title>"));
}

TEST(network_picture, has_the_busiest_terminal_of_a_node_and_what_was_noted_of_a_link) {
  const topology t = make_topology("cmesh:1x2,2");
  const busy_shares busy{{0.5, 0.5}, {0.125, 0.375, 0, 0}, {0, 0, 0.25, 0.125}};
  const std::string used = network_picture(t, &busy);
  EXPECT_THAT(used, HasSubstr("<title>node_0_0\ninjection port: busy 0.375\nejection port: busy 0</title>"));
  EXPECT_THAT(used, HasSubstr("<title>node_0_1\ninjection port: busy 0\nejection port: busy 0.25</title>"));
  EXPECT_THAT(used, HasSubstr("<text x=\"0\" y=\"19\">2 nodes, 4 terminals</text>\n<path d=\"M220 15h34\""));
  t.wiring->set_comments("", {}, {"short", "short"});
  EXPECT_THAT(network_picture(t), HasSubstr("0.0L30.0 0.0\"><title>00 x+ -&gt; 01\n01 x- -&gt; 00\nshort</title>"));
}

/// Titles as the file has them, not as modules are named; nodes have the last part of their address.
TEST(network_picture, names_nodes_as_their_file_does) {
  const std::string path = test_file("picture_test_titles.json");
  std::ofstream(path) << R"({"nodes": [{"name": "a-0", "group": "die"}, {"name": "b-1", "group": "die"}],
      "links": [{"from": 0, "to": 1}]})";
  const std::string named = network_picture(make_topology("file:" + path));
  EXPECT_THAT(named, HasSubstr("<title>die.a-0</title>"));
  EXPECT_THAT(named, HasSubstr(">a-0</text>"));
  const std::string ttn = network_picture(make_topology("ttn:2,2,0"));
  EXPECT_THAT(ttn, HasSubstr("<title>bm_1_2.node_0_3</title>"));
  EXPECT_THAT(ttn, HasSubstr(">03</text>"));
  EXPECT_THAT(ttn, Not(HasSubstr(">12.03</text>")));
}

TEST(network_picture, lists_levels_side_by_side_and_marks_links_of_one_way) {
  const std::string ttn = network_picture(make_topology("ttn:2,2,0"));
  EXPECT_THAT(ttn, HasSubstr("<path d=\"M120 15h34\""));
  EXPECT_THAT(ttn, HasSubstr("<text x=\"160\" y=\"19\">Level 1: 512 links</text>\n<path d=\"M310 15h34\""));
  EXPECT_THAT(ttn, HasSubstr("<text x=\"350\" y=\"19\">Level 2: 32 links</text>\n</g>"));
  const auto marks = [](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find("marker-end=\"url(#one-way)\"", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(marks(ttn), 32u) << "links of level 2";
  EXPECT_EQ(marks(network_picture(make_topology("ucube:3,1"))), 3u);
  EXPECT_EQ(marks(network_picture(make_topology("mesh:2x2"))), 0u);
}

/// Up to 256 nodes have labels; beyond 300 lines are thinner and whole, beyond 1024 thinner still, and nodes smaller.
TEST(network_picture, is_finer_where_there_are_more_nodes) {
  struct looks {
    const char *spec, *width, *radius;
    bool dashes, labelled;
  };
  for (const looks& l : {looks{"mesh:16x16", "2.00", "7.5", true, true},
                         looks{"mesh:1x257", "2.00", "4.0", true, false},
                         looks{"mesh:15x20", "2.00", "4.0", true, false},
                         looks{"mesh:7x43", "1.40", "4.0", false, false},
                         looks{"mesh:32x32", "1.40", "4.0", false, false},
                         looks{"mesh:25x41", "0.90", "3.0", false, false}}) {
    const topology t = make_topology(l.spec);
    for (link_id link = 0; link < t.wiring->links().size(); ++link) t.wiring->link(link).level = 3;
    const std::string picture = network_picture(t), dashes = l.dashes ? "7 3" : "";
    EXPECT_THAT(picture, HasSubstr("<g fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"" + std::string(l.width) +
                                   "\" stroke-dasharray=\"" + dashes + "\" stroke-opacity=\"0.80\">"))
        << l.spec;
    EXPECT_THAT(picture, HasSubstr("stroke-width=\"2.0\" stroke-dasharray=\"" + dashes + "\"/>")) << "in the legend";
    EXPECT_THAT(picture, HasSubstr(" r=\"" + std::string(l.radius) + "\">")) << l.spec;
    EXPECT_EQ(picture.find("font-size=\"5.5\"") != std::string::npos, l.labelled) << l.spec;
  }
}

/// 111 nodes in a row or in a column are 3300 long: three times 1100, and so is the legend.
TEST(network_picture, has_a_larger_legend_where_it_is_larger) {
  const std::string wide = network_picture(make_topology("mesh:1x111"));
  EXPECT_THAT(wide, HasSubstr("width=\"3420\" height=\"300\" viewBox=\"0 0 3420 300\""));
  EXPECT_THAT(wide, HasSubstr("<g transform=\"translate(60.0 90.0)\">\n<g font-size=\"13.0\" fill=\"#24303c\" "
                              "transform=\"scale(3.00)\">"));
  EXPECT_THAT(wide, HasSubstr("<g transform=\"translate(60.0 240.0)\">"));
  const std::string high = network_picture(make_topology("mesh:111x1"));
  EXPECT_THAT(high, HasSubstr("width=\"1050\" height=\"3600\""));
  EXPECT_THAT(high, HasSubstr("<g transform=\"translate(525.0 240.0)\">"));
}

TEST(folded_layout, says_why_a_network_cannot_be_folded) {
  const auto why_not = [](const topology& t) { return error_of([&] { fold_layout(*t.wiring); }); };
  for (const char* spec : {"mesh:4x4", "torus:2x2", "hypercube:4"}) {
    const std::string name = std::string(spec).substr(0, std::string(spec).find(':'));
    EXPECT_EQ(why_not(make_topology(spec)), "--layout folded: " + name + " has no ring to fold; leave it out");
  }
  EXPECT_EQ(why_not(make_topology("htn:4,2,2,0")),
            "--layout folded: htn has wires of other lengths than its places are apart; leave it out");
  const topology placed = make_topology("torus:4x4");
  placed.wiring->set_positions(std::vector<node_position>(16));
  EXPECT_EQ(why_not(placed), "--layout folded: torus has places of its own; leave it out");
  const std::string path = test_file("picture_test_names.json");
  std::ofstream(path) << R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})";
  EXPECT_EQ(why_not(make_topology("file:" + path)), "--layout folded: custom has places of its own; leave it out");
}

TEST(folded_layout, of_a_ring_with_a_long_wrap_link) {
  const topology ring = make_topology("ring:65540");
  const auto longest = [&] {
    unsigned most = 0;
    for (const netlist_link& l : ring.wiring->links()) most = std::max<unsigned>(most, l.length);
    return most;
  };
  EXPECT_EQ(longest(), 65539u);
  EXPECT_EQ(error_of([&] { fold_layout(*ring.wiring); }), "none");
  EXPECT_EQ(longest(), 2u);
}

TEST(wiring_formula, of_more_levels_and_of_networks_whose_papers_have_none) {
  EXPECT_EQ(wiring_by_formula("tesh:2,4,0")->links, 4096u * (24 + 4 * 3));
  EXPECT_EQ(wiring_by_formula("mh3dt:4,2,2,1")->links, 8u * 192 + 2 * 3 * 4);
  EXPECT_EQ(wiring_by_formula("ttn:2,3,0")->words, "k^(2(L-1)) (2k^2 + 4 2^q (L-1)): Rahman et al. 2009, Eq. 6");
  EXPECT_THAT(wiring_by_formula("tesh:2,3,0")->words, HasSubstr("2k(k-1)"));
  EXPECT_THAT(wiring_by_formula("mesh:2x2")->words, Not(HasSubstr("torus")));
  for (const char* spec : {"mh3dt:4,4,3,0", "htn:4,4,2,1", "h3dt:4,2,2,2", "mesh"})
    EXPECT_FALSE(wiring_by_formula(spec)) << spec;
}

}  // namespace
}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Places in the plane, pins and wire density against the numbers of Dally 1990, wiring formulas against
// Rahman et al. 2009, Table 1.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <tuple>

#include "base/test_file.h"
#include "base/words.h"
#include "topologies/analysis/folded_layout.h"
#include "topologies/analysis/network_canvas.h"
#include "topologies/analysis/network_picture.h"
#include "topologies/analysis/planar_layout.h"
#include "topologies/analysis/wire_density.h"
#include "topologies/analysis/wiring_counts.h"
#include "topologies/analysis/wiring_formula.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

TEST(planar_layout, every_node_has_a_place_of_its_own) {
  for (const char* spec : {"torus:4x6", "torus:2x3x5", "cube:2,7", "ttn:2,3,0"}) {
    const auto net_wiring = make_topology(spec).wiring;
    const netlist& net = *net_wiring;
    const planar_layout layout(net);
    std::set<std::pair<unsigned, unsigned>> taken;
    for (node_id node = 0; node < net.node_count(); ++node) {
      const planar_layout::place p = layout.at(node);
      EXPECT_LT(p.x, layout.width()) << spec;
      EXPECT_LT(p.y, layout.height()) << spec;
      taken.emplace(p.x, p.y);
    }
    EXPECT_EQ(taken.size(), net.node_count()) << spec;
  }
}

TEST(planar_layout, wires_are_as_long_as_the_netlist_says) {
  for (const char* spec : {"torus:8x8", "cube:2,8", "torus:4x4x4", "ttn:2,2,0", "rdt:alpha,16",
                           "flatfly:4,3,1", "dragonfly:4,2,2", "ccc:4"}) {
    const auto net_wiring = make_topology(spec).wiring;
    const netlist& net = *net_wiring;
    const planar_layout layout(net);
    for (const netlist_link& wire : net.links()) {
      const auto a = layout.at(wire.from);
      const auto b = layout.at(wire.to);
      const auto apart = [](unsigned x, unsigned y) { return x > y ? x - y : y - x; };
      EXPECT_EQ(apart(a.x, b.x) + apart(a.y, b.y), wire.length) << spec;
    }
  }
}

/// The longest wire of a folded ring is two pitches, and all of them together are as long as before.
TEST(folded_layout, has_no_long_wrap_links) {
  for (const auto& [spec, rings_of_x, rings_of_y] :
       {std::tuple("torus:8x8", 8u, 8u), std::tuple("torus:5x7", 7u, 5u),
        std::tuple("ctorus:6x3,2", 3u, 6u), std::tuple("torus:3x3", 3u, 3u)}) {
    const auto wiring = make_topology(spec).wiring;
    std::uint64_t before = 0, after = 0;
    for (const netlist_link& l : wiring->links()) before += l.length;
    fold_layout(*wiring);
    const planar_layout layout(*wiring);
    std::set<std::pair<unsigned, unsigned>> taken;
    for (node_id n = 0; n < wiring->node_count(); ++n) taken.emplace(layout.at(n).x, layout.at(n).y);
    EXPECT_EQ(taken.size(), wiring->node_count()) << "a place each";
    EXPECT_EQ(taken.rbegin()->first, rings_of_x - 1);
    unsigned of_one = 0;
    for (const netlist_link& l : wiring->links()) {
      const auto a = layout.at(l.from), b = layout.at(l.to);
      EXPECT_EQ(std::abs(int(a.x) - int(b.x)) + std::abs(int(a.y) - int(b.y)), l.length);
      EXPECT_LE(l.length, 2u);
      of_one += l.length == 1;
      after += l.length;
    }
    EXPECT_EQ(after, before) << spec;
    EXPECT_EQ(of_one, 2 * 2 * (rings_of_x + rings_of_y)) << "two wires of each ring, in both directions";
  }
}

TEST(folded_layout, is_drawn_with_each_module_in_a_frame_of_its_own) {
  const topology made = make_topology("ttn:2,2,0");
  fold_layout(*made.wiring);
  const network_canvas canvas(made);
  const std::vector<canvas_frame> modules = canvas.frames().at(0);
  ASSERT_EQ(modules.size(), 16u);
  for (node_id node = 0; node < 256; ++node)
    for (std::size_t m = 0; m < modules.size(); ++m) {
      const canvas_point& p = canvas.at(node);
      const canvas_frame& f = modules[m];
      EXPECT_EQ(p.x >= f.x && p.x <= f.x + f.width && p.y >= f.y && p.y <= f.y + f.height, m == node / 16)
          << node;
    }
}

TEST(folded_layout, keeps_what_is_not_a_ring) {
  for (const char* spec :
       {"mesh:4x4", "torus:2x2", "hypercube:4", "htn:4,2,2,0", "chiplets:mesh:1x2+torus:4x4"})
    EXPECT_THROW(fold_layout(*make_topology(spec).wiring), std::invalid_argument) << spec;
  const topology cycles = make_topology("ccc:5");
  fold_layout(*cycles.wiring);
  for (const netlist_link& l : cycles.wiring->links())
    EXPECT_TRUE(l.level == 2 || l.length <= 2) << "a cycle is a ring";
}

TEST(planar_layout, modules_side_by_side) {
  const netlist net("htn", {4, 4, 4, 4, 4}, {{"bm", 2}, {"node", 3}});
  const planar_layout layout(net);
  EXPECT_EQ(layout.width(), 64u);
  EXPECT_EQ(layout.height(), 16u);
  const auto p = layout.at(net.node_at({1, 2, 3, 1, 2}));  // four planes in a row in a module
  EXPECT_EQ(p.x, 2u * 16 + 3 * 4 + 2);
  EXPECT_EQ(p.y, 1u * 4 + 1);
}

TEST(network_picture, a_node_with_a_long_path_keeps_its_element_whole) {
  const std::string name(1000, 'n');
  auto net =
      std::make_shared<netlist>("net", std::vector<unsigned>{2}, std::vector<hierarchy_level>{{name, 1}});
  const std::vector<std::string_view> ports{"a"};
  net->add_node(ports);
  net->add_node(ports);
  topology network;
  network.wiring = net;
  const std::string picture = network_picture(network);
  EXPECT_NE(picture.find("<title>" + name + "_1</title></circle>\n"), std::string::npos);
}

TEST(network_picture, names_are_escaped) {
  auto net =
      std::make_shared<netlist>("net", std::vector<unsigned>{2}, std::vector<hierarchy_level>{{"a<b&c", 1}});
  const std::vector<std::string_view> ports{"<&>"};
  net->add_node(ports);
  net->add_node(ports);
  net->connect(0, 0, 1, 0, /*level*/ 1, /*length*/ 1);
  net->connect(1, 0, 0, 0, /*level*/ 1, /*length*/ 1);
  topology network;
  network.wiring = net;
  network.choice.spec = "file:a&b<c>.json";
  const busy_shares busy{{0.5, 0.25}, {0, 0}, {0, 0}};
  const std::string picture = network_picture(network, &busy);
  EXPECT_NE(picture.find(">file:a&amp;b&lt;c&gt;.json</text>"), std::string::npos);
  EXPECT_NE(picture.find("<title>a&lt;b&amp;c_0\n"), std::string::npos);
  EXPECT_NE(picture.find("<title>0 &lt;&amp;&gt; -&gt; 1: busy 0.5\n"), std::string::npos);
}

/// By hand: the scale has five colours, from 0 to the busiest, 0.5; 0.25 has the third.
TEST(network_picture, colours_one_way_links_by_their_own_share) {
  auto net = std::make_shared<netlist>("ring", std::vector<unsigned>{3}, std::vector<hierarchy_level>{{"node", 1}});
  const std::vector<std::string_view> ports{"next", "last"};
  for (node_id n = 0; n < 3; ++n) net->add_node(ports);
  for (node_id n = 0; n < 3; ++n) net->connect(n, 0, (n + 1) % 3, 1, /*level*/ 1, /*length*/ 1);
  topology network;
  network.wiring = net;
  const busy_shares busy{{0.5, 0.25, 0}, {0, 0, 0}, {0, 0, 0}};
  const std::string picture = network_picture(network, &busy);
  for (const char* link :
       {"\"#4a0d2c\"><title>0 next -&gt; 1: busy 0.5<", "\"#e8743b\"><title>1 next -&gt; 2: busy 0.25<",
        "\"#bcc7d3\"><title>2 next -&gt; 0: busy 0<", "<stop offset=\"0.00\" stop-color=\"#bcc7d3\"/>",
        "<stop offset=\"0.50\" stop-color=\"#e8743b\"/>", "<stop offset=\"1.00\" stop-color=\"#4a0d2c\"/>"})
    EXPECT_NE(picture.find(link), std::string::npos) << link;
}

/// Of the links that have this colour: the levels have colours of their own.
double opacity_of(const std::string& picture, const std::string& colour) {
  const std::string name = "stroke-opacity=\"";
  const std::size_t group = picture.find("<g fill=\"none\" stroke=\"" + colour);
  return std::stod(picture.substr(picture.find(name, group) + name.size()));
}

TEST(network_picture, links_of_level_1_are_fainter_and_links_with_shares_are_opaque) {
  const topology t = make_topology("ttn:2,2,0");
  const std::size_t links = t.wiring->links().size(), nodes = t.wiring->node_count();
  const char* const level_1 = "#5f6b7a";
  const char* const level_2 = "#d1495b";
  const std::string plain = network_picture(t);
  EXPECT_LT(opacity_of(plain, level_1), opacity_of(plain, level_2));
  const busy_shares busy{std::vector<double>(links), std::vector<double>(nodes), std::vector<double>(nodes)};
  const std::string coloured = network_picture(t, &busy);
  EXPECT_EQ(opacity_of(coloured, level_1), 1);
  EXPECT_EQ(opacity_of(coloured, level_2), 1);
}

TEST(network_picture, levels_have_colours_of_their_own_and_those_from_the_fifth_on_one) {
  auto net = std::make_shared<netlist>("line", std::vector<unsigned>{8}, std::vector<hierarchy_level>{{"node", 1}});
  const std::vector<std::string_view> ports{"next", "last"};
  for (node_id n = 0; n < 8; ++n) net->add_node(ports);
  for (node_id n = 0; n < 7; ++n) {
    net->connect(n, 0, n + 1, 1, /*level*/ static_cast<std::uint8_t>(n + 1), /*length*/ 1);
    net->connect(n + 1, 1, n, 0, /*level*/ static_cast<std::uint8_t>(n + 1), /*length*/ 1);
  }
  topology network;
  network.wiring = net;
  network.choice.spec = "file:" + std::string(95, 'a');
  EXPECT_NE(network_picture(network).find(">" + network.choice.spec + "</text>"), std::string::npos) << "100 letters";
  network.choice.spec += 'a';
  const std::string picture = network_picture(network);
  std::string strokes;
  const std::string begin = "<g fill=\"none\" stroke=\"";
  for (std::size_t at = 0; (at = picture.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    strokes += picture.substr(at, picture.find(" stroke-opacity", at) - at) + "\n";
  }
  const std::string fifth = "#8e44ad\" stroke-width=\"2.40\" stroke-dasharray=\"2 4\"\n";
  EXPECT_EQ(strokes, "#5f6b7a\" stroke-width=\"1.20\" stroke-dasharray=\"\"\n"
                     "#d1495b\" stroke-width=\"1.80\" stroke-dasharray=\"\"\n"
                     "#1f77b4\" stroke-width=\"2.00\" stroke-dasharray=\"7 3\"\n"
                     "#2a9d5c\" stroke-width=\"2.20\" stroke-dasharray=\"10 4 2 4\"\n" +
                         fifth + fifth + fifth);
  EXPECT_EQ(picture.find(">" + network.choice.spec + "</text>"), std::string::npos);
  EXPECT_NE(picture.find(">" + one_line(network.choice.spec, 100) + "</text>"), std::string::npos)
      << "the middle of a longer one is left out";
}

/// The number behind `what` in the last element before `text`.
double number_before(const std::string& picture, const std::string& text, const std::string& what) {
  const std::size_t at = picture.rfind(what, picture.find(text));
  return std::stod(picture.substr(at + what.size()));
}

TEST(network_picture, long_names_stand_below_their_nodes_and_short_ones_in_them) {
  const std::string path = test_file("layout_test_labels.json");
  std::ofstream(path) << R"({"nodes": ["a", "memory"], "links": [{"from": "a", "to": "memory"}]})";
  const std::string picture = network_picture(make_topology("file:" + path));
  const auto below = [&](const std::string& name) {
    return number_before(picture, ">" + name + "</text>", " y=\"") -
           number_before(picture, "<title>" + name + "</title></circle>", " cy=\"");
  };
  const double radius = number_before(picture, "<title>a</title></circle>", " r=\"");
  EXPECT_GT(below("memory"), radius);
  EXPECT_GT(below("a"), 0) << "y is that of a letter's foot";
  EXPECT_LT(below("a"), radius);
}

wire_density density_of(const char* spec) {
  const auto net_wiring = make_topology(spec).wiring;
  const netlist& net = *net_wiring;
  return measure_density(net, count_natural_cut(net));
}

TEST(wire_density, widths_and_pins_of_dally) {
  // W = k/2 (Eq. 7), nk pins (Eq. 9), whether links go one way or both.
  for (const auto& [spec, k, n] :
       {std::tuple{"ucube:16,2", 16, 2}, {"ucube:4,4", 4, 4}, {"ucube:8,3", 8, 3}, {"cube:2,8", 2, 8}}) {
    const wire_density d = density_of(spec);
    EXPECT_DOUBLE_EQ(d.width_bits, k / 2.0) << spec;
    EXPECT_DOUBLE_EQ(d.pins_per_node, n * k) << spec;
  }
  EXPECT_DOUBLE_EQ(density_of("torus:16x16").width_bits, 4);
  EXPECT_DOUBLE_EQ(density_of("torus:16x16").pins_per_node, 32);
  EXPECT_FALSE(density_of("torus:16x16").along_y) << "as dense in both directions";
  EXPECT_NE(density_of("torus:8x16").along_y, density_of("torus:16x8").along_y);
}

/// A mesh by the positions of its nodes, in any order.
TEST(wire_density, counts_over_given_positions) {
  const auto net = make_topology("mesh:4x5").wiring;
  const wire_density expected = measure_density(*net, count_natural_cut(*net));
  std::vector<node_position> at;
  for (node_id n = 0; n < 20; ++n) at.push_back({-30. + 2.5 * (n % 5), 7. - n / 5});
  net->set_positions(std::move(at));
  const wire_density found = measure_density(*net, count_natural_cut(*net));
  EXPECT_EQ(found.channels, expected.channels);
  EXPECT_DOUBLE_EQ(found.peak_per_row, expected.peak_per_row);
  EXPECT_EQ(found.position, expected.position);
  net->set_positions(std::vector<node_position>(20));
  EXPECT_EQ(measure_density(*net, count_natural_cut(*net)).channels, 0u) << "all in one place";
}

TEST(wire_density, of_few_links_across) {
  const auto net = make_topology("mesh:4x1").wiring;
  counted_cut cut;
  for (const auto& [across, width] : {std::pair(0u, 0.0), {1u, 4.0}, {2u, 2.0}}) {
    cut.directed_links = across;
    const wire_density d = measure_density(*net, cut);
    EXPECT_DOUBLE_EQ(d.width_bits, width) << across;
    EXPECT_DOUBLE_EQ(d.pins_per_node, 4 * width) << across;
    EXPECT_DOUBLE_EQ(d.peak_wires, 2 * width) << across;
  }
}

/// A network and the same one turned by a right angle.
TEST(wire_density, is_the_same_by_rows_as_by_columns) {
  const wire_density wide = density_of("torus:8x16"), high = density_of("torus:16x8");
  EXPECT_EQ(wide.channels, high.channels);
  EXPECT_DOUBLE_EQ(wide.peak_wires, high.peak_wires);
  EXPECT_DOUBLE_EQ(wide.peak_per_row, high.peak_per_row);
}

TEST(wire_density, peaks_of_dally) {
  // Fig. 6 in small: a row of a binary 8-cube has 16 nodes, its bisection 16; at 0101 (and at 0100) lie 16
  // + 4.
  const wire_density cube = density_of("cube:2,8");
  EXPECT_DOUBLE_EQ(cube.peak_per_row, 20);
  EXPECT_EQ(cube.position, 4u);
  EXPECT_LE(cube.peak_wires, density_bound(2, 8, 1, true));
  // A two-dimensional torus: as dense everywhere as at the bisection, k wires per row.
  const wire_density torus = density_of("ucube:16,2");
  EXPECT_DOUBLE_EQ(torus.peak_per_row, 16);
  EXPECT_DOUBLE_EQ(torus.peak_wires, density_bound(16, 2, 8, false)) << "Eq. 8 is exact for n = 2";
  EXPECT_DOUBLE_EQ(density_bound(4, 4, 2, false), 4 * 16 * (1 + 4)) << "k sqrt(N) (1 + k)";
  EXPECT_LE(density_of("ucube:4,4").peak_wires, density_bound(4, 4, 2, false));
}

TEST(wiring_formula, as_printed) {
  for (const auto& [spec, links] : {std::pair{"mesh:16x16", 480u},
                                    {"torus:16x16", 512u},
                                    {"tesh:2,2,0", 448u},
                                    {"tesh:2,2,1", 512u},
                                    {"tesh:2,2,2", 640u},
                                    {"ttn:2,2,0", 576u},
                                    {"ttn:2,2,1", 640u},
                                    {"mesh:64x64", 8064u},
                                    {"torus:64x64", 8192u},
                                    {"mh3dt:4,4,2,2", 12864u},
                                    {"tesh:2,3,0", 8192u},
                                    {"tesh:2,3,1", 10240u},
                                    {"ttn:2,3,0", 10240u},
                                    {"ttn:2,3,1", 12288u},
                                    {"ccc:9", 6912u}})
    EXPECT_EQ(wiring_by_formula(spec)->links, links) << spec;
  EXPECT_FALSE(wiring_by_formula("rdt:alpha,32"));
  EXPECT_FALSE(wiring_by_formula("file:a:b"));
}

TEST(wiring_formula, counts_the_links_of_cubes) {
  for (const char* spec : {"mesh:5x7", "torus:4x2x3", "cube:2,6", "ucube:5,2", "hypercube:5"}) {
    const topology t = make_topology(spec);
    EXPECT_EQ(wiring_by_formula(t.choice.spec)->links, count_wiring(*t.wiring).links) << spec;
  }
}

TEST(canvas, puts_nodes_where_a_file_says_and_frames_its_groups) {
  const std::string path = test_file("layout_test.json");
  std::ofstream(path) << R"({"nodes": [
      {"name": "a", "group": "die_0", "position": [10, 5]}, {"name": "b", "group": "die_0", "position": [12, 5]},
      {"name": "c", "group": "die_1", "position": [10, 9]}, {"name": "d", "position": [18, 9]}],
      "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "d"}]})";
  const topology t = make_topology("file:" + path);
  const network_canvas c(t);
  const double unit = c.at(1).x / 2;
  EXPECT_GE(unit, 15) << "a and b, the closest, are a pitch apart";
  const double expected[4][2] = {{0, 0}, {2, 0}, {0, 4}, {8, 4}};
  for (node_id n = 0; n < 4; ++n) {
    EXPECT_DOUBLE_EQ(c.at(n).x, expected[n][0] * unit) << n;
    EXPECT_DOUBLE_EQ(c.at(n).y, expected[n][1] * unit) << n;
  }
  EXPECT_DOUBLE_EQ(c.width(), 8 * unit);
  EXPECT_DOUBLE_EQ(c.height(), 4 * unit);
  const auto frames = c.frames();
  ASSERT_EQ(frames.size(), 1u);
  ASSERT_EQ(frames[0].size(), 2u) << "die_0 and die_1";
  const canvas_frame& die_0 = frames[0][0];
  EXPECT_EQ(die_0.name, "die_0");
  EXPECT_DOUBLE_EQ(die_0.x, -12) << "12 round its nodes";
  EXPECT_DOUBLE_EQ(die_0.y, -12);
  EXPECT_DOUBLE_EQ(die_0.width, 2 * unit + 2 * 12);
  EXPECT_DOUBLE_EQ(die_0.height, 2 * 12);
  EXPECT_LT(die_0.y + die_0.height, 4 * unit) << "c is in another";
  EXPECT_FALSE(c.wire(t.wiring->link(0)).bend) << "wires are straight";
}

TEST(canvas, is_4000_wide_or_high_at_most) {
  const std::string path = test_file("layout_test_vast.json");
  for (const bool high : {false, true}) {
    const std::string far = high ? "[100, 11000]" : "[10100, 1000]";
    std::ofstream(path) << R"({"nodes": [
        {"name": "a", "position": [100, 1000]}, {"name": "b", "position": [101, 1000]}, {"name": "c", "position": )"
                        << far << R"(}], "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]})";
    const topology t = make_topology("file:" + path);
    const network_canvas c(t);
    EXPECT_DOUBLE_EQ(c.at(2).x, high ? 0 : 4000);
    EXPECT_DOUBLE_EQ(c.at(2).y, high ? 4000 : 0);
  }
}

void expect_frames_inside(const network_canvas& c) {
  const auto frames = c.frames();
  ASSERT_EQ(frames.size(), 2u);
  for (const canvas_frame& inner : frames[1]) {
    bool inside = false;
    for (const canvas_frame& outer : frames[0])
      inside = inside || (outer.x < inner.x && outer.y < inner.y && outer.x + outer.width > inner.x + inner.width &&
                          outer.y + outer.height > inner.y + inner.height);
    EXPECT_TRUE(inside) << inner.name;
  }
}

TEST(canvas, frames_of_modules_lie_inside_those_around_them) {
  expect_frames_inside(network_canvas(make_topology("ttn:2,3,0")));
  const std::string path = test_file("layout_test_groups.json");
  std::ofstream(path) << R"({"nodes": [
      {"name": "a", "group": "die_0.left", "position": [0, 0]}, {"name": "b", "group": "die_0.right", "position": [4, 0]},
      {"name": "c", "group": "die_1.left", "position": [8, 0]}],
      "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]})";
  const topology t = make_topology("file:" + path);
  const network_canvas c(t);
  expect_frames_inside(c);
  const auto frames = c.frames();
  EXPECT_DOUBLE_EQ(frames[0][0].x, -16) << "12, and 4 more for the groups in it";
  EXPECT_DOUBLE_EQ(frames[0][0].width, c.at(1).x + 2 * 16);
  EXPECT_DOUBLE_EQ(frames[1][0].width, 2 * 12);
  // The names: on the left of the outer frames, on the right of the inner ones, two above their upper edges.
  const std::string picture = network_picture(t);
  const auto expect_name = [&](double x, double y, const char* anchor_and_name) {
    char text[100];
    std::snprintf(text, sizeof text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=%s</text>\n", x, y, anchor_and_name);
    EXPECT_NE(picture.find(text), std::string::npos) << text;
  };
  expect_name(-16 + 4, -16 - 2, R"("start">die_0)");
  expect_name(c.at(2).x - 16 + 4, -16 - 2, R"("start">die_1)");
  expect_name(12 - 4, -12 - 2, R"("end">left)");
  expect_name(c.at(1).x + 12 - 4, -12 - 2, R"("end">right)");
}

TEST(canvas, frames_of_modules_are_as_large_as_their_nodes_and_7) {
  const topology t = make_topology("ttn:2,2,0");
  const network_canvas c(t);
  const auto frames = c.frames();
  ASSERT_EQ(frames.size(), 1u);
  ASSERT_EQ(frames[0].size(), 16u);
  for (node_id module = 0; module < 16; ++module) {
    const canvas_frame& f = frames[0][module];
    const canvas_point &first = c.at(16 * module), &last = c.at(16 * module + 15);
    EXPECT_DOUBLE_EQ(f.x, first.x - 7);
    EXPECT_DOUBLE_EQ(f.y, first.y - 7);
    EXPECT_DOUBLE_EQ(f.width, last.x - first.x + 2 * 7);
    EXPECT_DOUBLE_EQ(f.height, last.y - first.y + 2 * 7);
  }
}

/// By as much as a wire is long, .22 of it, but not much more than 16.
TEST(canvas, long_wires_bend_in_their_middle) {
  unsigned bent = 0, short_ones = 0;
  for (const char* spec : {"torus:4x12", "hypercube:6", "ttn:2,2,0"}) {
    const topology t = make_topology(spec);
    const network_canvas c(t);
    for (const netlist_link& link : t.wiring->links()) {
      const canvas_wire wire = c.wire(link);
      if (!wire.bend) continue;
      const double x = (wire.from.x + wire.to.x) / 2, y = (wire.from.y + wire.to.y) / 2;
      const double length = std::hypot(wire.to.x - wire.from.x, wire.to.y - wire.from.y);
      const double bow = std::min(.22 * length, 16 + .05 * length);
      EXPECT_NEAR(std::hypot(wire.bend->x - x, wire.bend->y - y), bow, 1e-9) << spec;
      const double straight =
          (wire.bend->x - x) * (wire.to.x - wire.from.x) + (wire.bend->y - y) * (wire.to.y - wire.from.y);
      EXPECT_NEAR(straight, 0, 1e-6) << spec << ": at a right angle to the wire";
      ++bent;
      short_ones += bow < 16;
    }
  }
  EXPECT_GT(short_ones, 0u);
  EXPECT_GT(bent, short_ones);
}

TEST(canvas, frames_of_one_level_lie_side_by_side) {
  for (const char* const spec : {"ttn:2,3,0", "ttn:2,2,0", "htn:4,2,3,0"}) {
    const topology t = make_topology(spec);
    const network_canvas c(t);
    for (const auto& level : c.frames())
      for (std::size_t i = 0; i < level.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const canvas_frame &a = level[i], &b = level[j];
          EXPECT_TRUE(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y)
              << spec << ", " << i << " and " << j;
        }
  }
}

TEST(canvas, long_wires_of_outer_levels_bend_to_the_left_of_those_of_modules) {
  const topology t = make_topology("ttn:2,2,0");
  const network_canvas c(t);
  unsigned inner = 0, outer = 0;
  for (const netlist_link& link : t.wiring->links()) {
    const canvas_wire wire = c.wire(link);
    if (!wire.bend || wire.from.x != wire.to.x) continue;
    ++(link.level > 1 ? outer : inner);
    EXPECT_EQ(wire.bend->x < wire.from.x, link.level > 1) << link.from << " to " << link.to;
  }
  EXPECT_GT(inner, 0u);
  EXPECT_GT(outer, 0u);
}

TEST(canvas, names_without_positions_have_no_frames) {
  const std::string path = test_file("layout_test_names.json");
  std::ofstream(path) << R"({"nodes": [{"name": "a", "group": "die_0"}, {"name": "b", "group": "die_1"}],
      "links": [{"from": "a", "to": "b"}]})";
  const topology t = make_topology("file:" + path);
  EXPECT_TRUE(network_canvas(t).frames().empty());
}

}  // namespace
}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "base/scratch_directory.h"
#include "base/words.h"
#include "traces/gtkw.h"
#include "traces/wave_bench.h"
#include "traces/wave_selection.h"
#include "traces/wave_size.h"
#include "traces/wave_writer.h"

namespace toriscope::wave_signals_test {
namespace {

TEST(wave_signals, share_a_scope_where_its_name_is_the_same) {
  wave_options all;
  parse_wave_spec("*", all);
  std::size_t ahead = 0;
  for (const auto& [spec, stages] : {std::pair{"ttn:2,2,0", pipeline::paper2009},
                                     {"cmesh:2x2,3", pipeline::four_stage},
                                     {"mesh:3x3", pipeline::custom}}) {
    const traced_network traced(to_string(stages), spec, stages, 0);
    network& net = *traced.net;
    std::vector<wave_signal> signals = signals_of(net, 0, all);
    for (const wave_signal& s : signals_of(net, 1, all)) signals.push_back(s);
    for (const wave_signal& a : signals)
      for (const wave_signal& b : signals)
        ASSERT_EQ(share_scope(a, b), a.node == b.node && scope_of(net, a) == scope_of(net, b))
            << spec << ": " << scope_of(net, a) << " " << scope_of(net, b);
    for (const wave_signal& s : signals) EXPECT_EQ(s.outgoing, begins_with(scope_of(net, s), "out_")) << spec;
    for (const wave_signal& s : signals) ahead += scope_of(net, s).find(".ahead") != std::string::npos;
  }
  EXPECT_GT(ahead, 0u);
}

TEST(wave_signals, of_a_node_are_those_of_its_links_vcs_and_interface) {
  const traced_network traced("listed", "mesh:2x2", pipeline::four_stage, 0);
  const network& net = *traced.net;
  const std::string tag = std::to_string(net.layout().tag_bits());
  std::vector<std::string> expected;
  const auto add_link = [&](const std::string& scope) {
    for (const std::string& signal : {std::string("flit 64"), std::string("kind 2"), std::string("vc 4"), "tag " + tag})
      expected.push_back(scope + '.' + signal);
  };
  // Four VCs of three flits; four nodes; three ports in a corner, so that a VC is one of 12.
  for (const char* port : {"in_x+", "in_y+", "in_local"}) {
    add_link(port);
    for (const char* vc : {".vc0.", ".vc1.", ".vc2.", ".vc3."})
      for (const std::string& signal : {std::string("state 2"), std::string("occupancy 2"), std::string("assigned 4"),
                                        std::string("front_kind 2"), "front_tag " + tag,
                                        std::string("front_destination 2")})
        expected.push_back(port + (vc + signal));
  }
  for (const std::string port : {"out_x+", "out_y+", "out_local"}) {
    if (port == "out_local") add_link(port);
    expected.push_back(port + ".staged 64");
    expected.push_back(port + ".staged_tag " + tag);
    for (const char* vc : {".vc0.", ".vc1.", ".vc2.", ".vc3."}) {
      expected.push_back(port + vc + "owner 4");
      if (port != "out_local") expected.push_back(port + vc + "credits 2");
    }
  }
  for (const std::string& signal : {std::string("queue 32"), "sending " + tag, std::string("sending_vc 4")})
    expected.push_back("ni." + signal);
  std::vector<std::string> found;
  for (const wave_signal& s : signals_of(*traced.net, 0, {})) {
    found.push_back(scope_of(net, s) + '.' + name_of(s.kind) + ' ' + std::to_string(s.width));
    EXPECT_EQ(s.node, 0u);
    const bool of_vc = !s.on_link() && s.kind < signal_kind::queue;
    EXPECT_TRUE(of_vc || s.vc == 0) << found.back() << ": of no VC";
  }
  EXPECT_EQ(found, expected);
}

/// Node 1 has two VCs of 20 flits; the others have four of three. Credits are those of the router behind the link.
TEST(wave_signals, of_vcs_are_those_of_the_router_that_has_the_buffers) {
  const topology line = make_topology("mesh:1x3");
  line.wiring->set_node_values({{}, {2, 20, ""}, {}});
  network_config config;
  config.router.depth = 3;
  network net("own", line.wiring, line.routing, config);
  std::vector<std::string> expected;
  const auto add = [&](const std::string& port, unsigned vcs, const std::string& signal) {
    for (unsigned v = 0; v < vcs; ++v) expected.push_back(port + ".vc" + std::to_string(v) + '.' + signal);
  };
  const auto expect_node = [&](node_id node) {
    std::vector<std::string> found;
    for (const wave_signal& s : signals_of(net, node, {}))
      if (s.kind == signal_kind::occupancy || s.kind == signal_kind::credits)
        found.push_back(scope_of(net, s) + '.' + name_of(s.kind) + ' ' + std::to_string(s.width));
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected)) << node;
    expected.clear();
  };
  for (const char* port : {"in_x+", "in_local"}) add(port, 4, "occupancy 2");
  add("out_x+", 2, "credits 5");
  expect_node(0);
  for (const char* port : {"in_x+", "in_x-", "in_local"}) add(port, 2, "occupancy 5");
  for (const char* port : {"out_x+", "out_x-"}) add(port, 4, "credits 2");
  expect_node(1);
}

/// In each cycle 36 characters of a time and the cycle; of a signal 'b', its digits, a blank, a letter, a line end.
TEST(wave_size, is_that_of_signals_that_change_in_each_cycle) {
  const traced_network traced("sized", "mesh:2x2", pipeline::single_cycle, 0);
  wave_options interface_of_0;
  parse_wave_spec("sized.node_0_0", interface_of_0);
  parse_wave_groups("ni", interface_of_0);
  const std::vector<wave_signal> signals = select_signals(*traced.net, interface_of_0);
  ASSERT_EQ(signals.size(), 3u);  // a queue, whose length has two digits; a tag; a VC of four bits
  wave_activity busy;
  busy.packet_flits = 1;
  busy.flits_per_cycle = [](node_id, port_id, bool) { return 100.; };
  const double tag = 0.7 * signals[1].width, vc = 0.7 * 4;
  const auto bytes = [&](double cycles) { return expected_wave_bytes(*traced.net, signals, busy, cycles); };
  EXPECT_NEAR(bytes(1000) - bytes(0), 1000 * (36 + (4 + 2) + (4 + tag) + (4 + vc)), 1e-6);
  EXPECT_NEAR(bytes(0), 3 * 60, 1e-6) << "of the header";
}

/// Bytes that a signal of node 0 adds to a cycle. A flit in a hundred cycles comes in from another node, two leave for
/// it, four are sent by the interface; packets have four flits.
double bytes_per_cycle(const traced_network& traced, const std::string& name) {
  const network& net = *traced.net;
  wave_activity activity;
  activity.packet_flits = 4;
  activity.flits_per_cycle = [&](node_id node, port_id port, bool outgoing) {
    if (node != 0) return 0.;
    if (port == net.wiring().local_port(0)) return outgoing ? 0. : 0.04;
    return port == 0 ? outgoing ? 0.02 : 0.01 : 0.;
  };
  wave_options one;
  parse_wave_spec(std::string(net.name()) + ".node_0_0." + name, one);
  const std::vector<wave_signal> signals = select_signals(*traced.net, one);
  EXPECT_EQ(signals.size(), 1u);
  return expected_wave_bytes(net, signals, activity, 1) - expected_wave_bytes(net, signals, activity, 0) - 36;
}

/// Of the four VCs of a port each gets a quarter. What one packet alone sets comes and goes: two changes.
TEST(wave_size, of_signals_that_change_at_times_is_smaller) {
  const traced_network traced("sparse", "mesh:2x2", pipeline::four_stage, 0);
  const auto bytes = [&](const char* name) { return bytes_per_cycle(traced, name); };
  const double tag = 4 + .7 * traced.net->layout().tag_bits();
  EXPECT_NEAR(bytes("in_x+.flit"), .01 * (1 + 1. / 4) * (4 + 38), 1e-9) << "digits of a word";
  EXPECT_NEAR(bytes("in_x+.kind"), .01 * (.15 + 3. / 4) * (4 + .7 * 2), 1e-9);
  EXPECT_NEAR(bytes("in_x+.vc"), .01 * (.15 + 1.5 / 4) * (4 + .7 * 4), 1e-9);
  EXPECT_NEAR(bytes("in_x+.tag"), .01 * (.15 + 1.5 / 4) * tag, 1e-9);
  EXPECT_NEAR(bytes("in_x+.vc0.state"), .01 / 4 * (3. / 4) * (4 + .7 * 2), 1e-9);
  EXPECT_NEAR(bytes("in_x+.vc0.occupancy"), .01 / 4 * (.5 + 2. / 4) * (4 + .7 * 2), 1e-9) << "as credits";
  EXPECT_NEAR(bytes("in_x+.vc0.assigned"), .01 / 4 * (2. / 4) * (4 + .7 * 4), 1e-9);
  EXPECT_NEAR(bytes("in_x+.vc0.front_kind"), .01 / 4 * (.15 + 3. / 4) * (4 + .7 * 2), 1e-9) << "as the link's";
  EXPECT_NEAR(bytes("in_x+.vc0.front_tag"), .01 / 4 * (.15 + 1.5 / 4) * tag, 1e-9);
  EXPECT_NEAR(bytes("in_x+.vc0.front_destination"), .01 / 4 * (2. / 4) * (4 + .7 * 2), 1e-9) << "one of four nodes";
  EXPECT_NEAR(bytes("out_x+.vc0.owner"), .02 / 4 * (2. / 4) * (4 + .7 * 4), 1e-9);
  EXPECT_NEAR(bytes("out_x+.vc0.credits"), .02 / 4 * (.5 + 2. / 4) * (4 + .7 * 2), 1e-9);
  EXPECT_NEAR(bytes("out_x+.staged"), .02 * (1 + 1. / 4) * (4 + 38), 1e-9);
  EXPECT_NEAR(bytes("out_x+.staged_tag"), .02 * (.15 + 1.5 / 4) * tag, 1e-9);
  EXPECT_NEAR(bytes("ni.queue"), .04 * (2. / 4) * (4 + 2), 1e-9);
  EXPECT_NEAR(bytes("ni.sending"), .04 * (2. / 4) * tag, 1e-9);
  EXPECT_NEAR(bytes("ni.sending_vc"), .04 * (2. / 4) * (4 + .7 * 4), 1e-9);
  EXPECT_NEAR(bytes("in_y+.flit"), 0, 1e-9);
}

/// A buffer behind the switch shows words and tags as the register before a link does, but those of its VC.
TEST(wave_size, of_output_buffers_is_that_of_a_link_divided_among_its_vcs) {
  const traced_network traced("behind", "mesh:2x2", pipeline::paper2009, 0);
  EXPECT_NEAR(bytes_per_cycle(traced, "out_x+.vc0.buffer"), .02 / 4 * (1 + 1. / 4) * (4 + 38), 1e-9);
  EXPECT_NEAR(bytes_per_cycle(traced, "out_x+.vc0.buffer_tag"),
              .02 / 4 * (.15 + 1.5 / 4) * (4 + .7 * traced.net->layout().tag_bits()), 1e-9);
}

/// 94 identifiers have one letter; one of them is that of the cycle.
TEST(wave_size, knows_how_long_identifiers_are) {
  const traced_network traced("named", "mesh:2x2", pipeline::single_cycle, 0);
  wave_options queue;
  parse_wave_spec("named.node_0_0.ni.queue", queue);
  const wave_signal one = select_signals(*traced.net, queue).at(0);
  wave_activity busy;
  busy.packet_flits = 1;
  busy.flits_per_cycle = [](node_id, port_id, bool) { return 100.; };
  for (const std::size_t count : {1, 93, 94, 8000, 9000}) {
    const std::vector<wave_signal> signals(count, one);
    const double letters = count < 94 ? 1 : count < 94 * 94 ? 2 : 3;
    EXPECT_NEAR(expected_wave_bytes(*traced.net, signals, busy, 1) - expected_wave_bytes(*traced.net, signals, busy, 0),
                36 + static_cast<double>(count) * (3 + letters + 2), 1e-6)
        << count;
  }
}

TEST(wave_signals, of_no_group_or_a_window_without_cycles_are_refused) {
  const traced_network traced("refused", "mesh:2x2", pipeline::single_cycle, 0);
  wave_options none;
  none.links = none.vcs = none.alloc = none.ni = false;
  EXPECT_THAT([&] { select_signals(*traced.net, none); },
              testing::ThrowsMessage<std::invalid_argument>("no wave group is chosen; there are links, vcs, alloc and "
                                                            "ni"));
  using o = wave_options;
  for (bool o::*group : {&o::links, &o::vcs, &o::alloc, &o::ni}) {
    wave_options one = none;
    one.*group = true;
    EXPECT_FALSE(select_signals(*traced.net, one).empty());
  }
  wave_options window;
  window.from = 9;
  window.to = 8;
  EXPECT_THAT([&] { wave_writer(*traced.net, window); },
              testing::ThrowsMessage<std::invalid_argument>("the wave window 9:8 ends before it begins"));
  const scratch_directory directory;
  window.file = directory.file("w.vcd");
  window.from = 8;
  EXPECT_NO_THROW(wave_writer(*traced.net, window)) << "a window of one cycle";
  for (const cycle_t from : {0u, 1u}) {
    window.from = from;
    EXPECT_EQ(wave_writer(*traced.net, window).begun(), from == 0) << "no cycle is done so far";
  }
}

/// The error goes down the hierarchy as far as something matches, and names what is there.
TEST(wave_signals, that_do_not_exist_are_refused_with_the_nearest_names) {
  const traced_network traced("near", "mesh:2x2", pipeline::four_stage, 0);
  const auto refused = [&](const char* spec, const char* groups) {
    wave_options wanted;
    parse_wave_spec(spec, wanted);
    parse_wave_groups(groups, wanted);
    try {
      select_signals(*traced.net, wanted);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto said = [](const std::string& groups, const std::string& glob, const std::string& near) {
    return "no signal of the groups " + groups + " matches '" + glob + "'; the nearest names are " + near;
  };
  const std::string all = "links, vcs, alloc, ni", of_ni = "near.node_0_0.ni.";
  EXPECT_EQ(refused("naer.node_0_0", "all"), said(all, "naer.node_0_0", "near"));
  EXPECT_EQ(refused("*nix", "all"), said(all, "*nix", "near"));
  EXPECT_EQ(refused("near.node_0_7.in_x+", "all"),
            said(all, "near.node_0_7.in_x+", "near.node_0_0, near.node_0_1, near.node_1_0"));
  EXPECT_EQ(refused("near.node_9*", "links,vcs"),
            said("links, vcs", "near.node_9*", "near.node_0_0, near.node_0_1, near.node_1_0"));
  EXPECT_EQ(refused("near.node_1_1.nix", "ni"), said("ni", "near.node_1_1.nix", "near.node_1_1.ni"));
  EXPECT_EQ(refused("near.node_?_1.nix", "ni"), said("ni", "near.node_?_1.nix", "near.node_0_1.ni"))
      << "of one node, the first";
  EXPECT_EQ(refused("near.node_0_0.ni.queues", "ni"),
            said("ni", "near.node_0_0.ni.queues", of_ni + "queue, " + of_ni + "sending, " + of_ni + "sending_vc"));
  EXPECT_EQ(refused("near.node_0_0.ni.queue.x", "ni"),
            said("ni", "near.node_0_0.ni.queue.x", of_ni + "queue, " + of_ni + "sending, " + of_ni + "sending_vc"));
  EXPECT_EQ(refused("*.nu.queue", "ni"), said("ni", "*.nu.queue", "*.ni.queue, *.ni.sending, *.ni.sending_vc"));
  EXPECT_EQ(refused("*.in_x+.vc9.state", "vcs"),
            said("vcs", "*.in_x+.vc9.state", "*.in_x+.vc0.state, *.in_x+.vc1.state, *.in_x+.vc2.state"));
  EXPECT_EQ(refused("near.node_0_0,near.node_0_0.in_x+.vc0.state", "ni"),
            said("ni", "near.node_0_0.in_x+.vc0.state", "near.node_0_0.ni"))
      << "within another pattern, but of no use";
}

/// Names and texts of the files beside "w.vcd" for those signals of mesh:2x2.
class gtkw : public testing::Test {
 protected:
  using texts = std::vector<std::pair<std::string, std::string>>;

  texts files(const std::vector<std::string>& names, const std::vector<std::string>& at_rest, bool with_cycle = true) {
    wave_options wanted;
    wanted.globs.clear();
    for (const std::string& name : names) wanted.globs.push_back("saved." + name);
    const std::vector<wave_signal> signals = select_signals(*traced_->net, wanted);
    std::vector<bool> active;
    for (const wave_signal& s : signals) {
      const std::string name = full_name(*traced_->net, s).substr(6);
      active.push_back(std::find(at_rest.begin(), at_rest.end(), name) == at_rest.end());
    }
    return gtkw_files(*traced_->net, signals, active, with_cycle, times_, "/somewhere/w.vcd");
  }
  /// A cycle of the save file's own settings takes `period`.
  void set(std::uint64_t begin, std::uint64_t first_change, std::uint64_t end, std::uint64_t period) {
    times_.begin = begin;
    times_.first_change = first_change;
    times_.end = end;
    for (unsigned edge = 0; edge < 3; ++edge) times_.note_edge(begin + edge * period);
  }
  /// What the save file says of the time that is shown, and the markers.
  std::string shown() {
    const std::string text = files({"node_0_0.ni.queue"}, {}).front().second;
    const std::size_t begin = text.find("[timestart] ") + 12, marks = text.find("\n*") + 2;
    return text.substr(begin, text.find('\n', begin) - begin) + ": " +
           text.substr(marks, text.find('\n', marks) - marks);
  }
  static std::string no_marks(unsigned count) {
    std::string text;
    for (; count > 0; --count) text += " -1";
    return text;
  }

  static void SetUpTestSuite() {
    traced_ = std::make_unique<traced_network>("saved", "mesh:2x2", pipeline::four_stage, 0);
  }
  static void TearDownTestSuite() { traced_.reset(); }

  gtkw_times times_;
  static inline std::unique_ptr<traced_network> traced_;
};

/// GTKWave shows 200 pixels for 2^-zoom units of time: 5.5 * 2^n on 1100 pixels are a zoom of -n.
TEST_F(gtkw, shows_36_cycles_from_two_before_the_first_change_or_24_before_the_mark) {
  set(1000, 50000, 48000 + 5632, 1000);
  EXPECT_EQ(shown(), "48000: -10.000000" + no_marks(27)) << "up to the end";
  times_ = {};
  set(1000, 50000, 1000000, 1000);
  EXPECT_EQ(shown(), "48000: -12.676278" + no_marks(27)) << "36000 units";
  times_ = {};
  set(60000, 60100, 60000 + 1408, 100);
  EXPECT_EQ(shown(), "60000: -8.000000" + no_marks(27)) << "not before the begin";
  times_ = {};
  set(100, 100, 150, 704);
  EXPECT_EQ(shown(), "100: -7.000000" + no_marks(27)) << "a cycle at least";
  times_ = {};
  set(1000, 2000, 57600 + 2816, 100);
  times_.marks = {60000};
  EXPECT_EQ(shown(), "57600: -9.000000 60000" + no_marks(26)) << "one is the primary marker alone";
  times_.marks = {60000, 60200};
  EXPECT_EQ(shown(), "57600: -9.000000 60000 60000 60200" + no_marks(24)) << "several are A, B, ... as well";
}

TEST_F(gtkw, groups_signals_by_node_and_port_with_details_folded_away) {
  set(0, 0, 704, 704);
  const std::string tag = "tag[" + std::to_string(traced_->net->layout().tag_bits() - 1) + ":0]\n";
  const std::string head =
      "[*] written by toriscope\n[dumpfile] \"/somewhere/w.vcd\"\n[savefile] \"/somewhere/w.gtkw\"\n[timestart] 0\n"
      "[size] 1600 960\n[pos] -1 -1\n*-7.000000" +
      no_marks(27) +
      "\n[treeopen] saved.\n[sst_width] 240\n[signals_width] 260\n[sst_expanded] 1\n";
  const std::string of_node_0 =
      "@800200\n-node_0_0\n@24\n[color] 4\n+{in_x+ packet} saved.node_0_0.in_x+." + tag +
      "@800200\n-in_x+\n@24\n[color] 4\n+{tag} saved.node_0_0.in_x+." + tag +
      "@2024\n^1 w.vc_state.txt\n+{vc0 state} saved.node_0_0.in_x+.vc0.state[1:0]\n"
      "@c00200\n-in_x+ details\n@22\n[color] 4\n+{flit} saved.node_0_0.in_x+.flit[63:0]\n"
      "@2024\n^1 w.flit_kind.txt\n+{vc0 front_kind} saved.node_0_0.in_x+.vc0.front_kind[1:0]\n"
      "@24\n[color] 3\n+{vc1 occupancy} saved.node_0_0.in_x+.vc1.occupancy[1:0]\n@1401200\n-in_x+ details\n"
      "@1000200\n-in_x+\n@800200\n-out_x+\n@2024\n[color] 2\n^1 w.vcs_1.txt\n"
      "+{vc0 owner} saved.node_0_0.out_x+.vc0.owner[3:0]\n@1000200\n-out_x+\n@800200\n-ni\n@24\n[color] 7\n"
      "+{queue} saved.node_0_0.ni.queue[31:0]\n@1000200\n-ni\n@1000200\n-node_0_0\n";
  const std::string of_node_1 =
      "@c00200\n-node_0_1\n@24\n[color] 4\n+{in_x- packet} saved.node_0_1.in_x-." + tag +
      "@c00200\n-in_x-\n@c00200\n-in_x- details\n@24\n[color] 4\n+{tag} saved.node_0_1.in_x-." + tag +
      "@1401200\n-in_x- details\n@1401200\n-in_x-\n@1401200\n-node_0_1\n";
  const texts found = files({"node_0_0.in_x+.flit", "node_0_0.in_x+.tag", "node_0_0.in_x+.vc0.state",
                             "node_0_0.in_x+.vc0.front_kind", "node_0_0.in_x+.vc1.occupancy",
                             "node_0_0.out_x+.vc0.owner", "node_0_0.ni.queue", "node_0_1.in_x-.tag"},
                            {"node_0_0.in_x+.vc1.occupancy", "node_0_1.in_x-.tag"});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].first, "/somewhere/w.gtkw");
  EXPECT_EQ(found[0].second, head + "@24\n+{cycle} saved.cycle[63:0]\n" + of_node_0 + of_node_1);
  std::string vcs;
  for (unsigned number = 0; number < 12; ++number)
    vcs += std::to_string(number) + ' ' + std::array{"x+", "y+", "local"}[number / 4] + " vc" +
           std::to_string(number % 4) + '\n';
  const texts words(found.begin() + 1, found.end());
  EXPECT_THAT(words, testing::UnorderedElementsAre(
                         std::pair{"/somewhere/w.vc_state.txt",
                                   "0 idle\n1 ?yellow4?RC\n2 ?red4?VA\n3 ?DarkGreen?active\n"},
                         std::pair{"/somewhere/w.flit_kind.txt",
                                   "0 ?RoyalBlue4?head\n1 body\n2 ?gray30?tail\n3 ?RoyalBlue4?single\n"},
                         std::pair{std::string("/somewhere/w.vcs_1.txt"), vcs}));
}

/// Nodes in which something changed at the mark come first, in the order given; an order that is asked for wins. The
/// first two in which anything happens are open, all of them where the order was asked for.
TEST_F(gtkw, orders_nodes_by_what_is_asked_for_then_by_the_mark) {
  set(0, 0, 704, 704);
  const auto nodes = [this](const std::vector<std::string>& at_rest) {
    const std::string text = files({"*.ni.queue"}, at_rest, false).front().second;
    std::vector<std::string> list;
    for (std::size_t at = 0; (at = text.find("00200\n-node_", at)) != std::string::npos; ++at)
      if (text[at - 1] == '8' || text[at - 1] == 'c') list.push_back(text.substr(at - 1, 1) + text.substr(at + 12, 3));
    EXPECT_EQ(text.find("{cycle}"), std::string::npos);
    return list;
  };
  using testing::ElementsAre;
  EXPECT_THAT(nodes({}), ElementsAre("80_0", "80_1", "c1_0", "c1_1"));
  EXPECT_THAT(nodes({"node_0_0.ni.queue"}), ElementsAre("c0_0", "80_1", "81_0", "c1_1"));
  times_.changed_at_mark = {3, 2};
  EXPECT_THAT(nodes({}), ElementsAre("81_0", "81_1", "c0_0", "c0_1"));
  times_.in_order = {1, 3, 0};
  EXPECT_THAT(nodes({"node_1_1.ni.queue"}), ElementsAre("80_1", "c1_1", "80_0", "81_0"));
}

/// No more than 8000 signals, but one node at least.
TEST_F(gtkw, leaves_nodes_out_where_there_are_too_many_signals) {
  wave_options queues;
  parse_wave_spec("saved.node_0_?.ni.queue", queues);
  const std::vector<wave_signal> of_nodes = select_signals(*traced_->net, queues);
  ASSERT_EQ(of_nodes.size(), 2u);
  const struct {
    unsigned first, second, shown, left_out;
  } all[] = {{7999, 1, 8000, 0}, {8000, 1, 8000, 1}, {8001, 1, 8001, 1}, {1, 8000, 1, 8000}, {8001, 0, 8001, 0}};
  for (const auto& a : all) {
    std::vector<wave_signal> signals(a.first, of_nodes[0]);
    signals.insert(signals.end(), a.second, of_nodes[1]);
    const std::string text = gtkw_files(*traced_->net, signals, std::vector<bool>(signals.size()), false, times_,
                                        "/somewhere/w.vcd").front().second;
    unsigned shown = 0;
    for (std::size_t at = 0; (at = text.find("\n+{queue} ", at)) != std::string::npos; ++at) ++shown;
    EXPECT_EQ(shown, a.shown);
    const std::string more = "@200\n-" + std::to_string(a.left_out) + " more signals: in the tree (SST) on the left\n";
    EXPECT_EQ(text.find(" more signals") != std::string::npos, a.left_out > 0);
    if (a.left_out > 0) {
      EXPECT_THAT(text, testing::EndsWith(more));
    }
  }
}

TEST(gtkw_words, nodes_with_the_same_ports_share_the_names_of_their_vcs) {
  const traced_network traced("tree", "fattree:2,2", pipeline::four_stage, 0);
  wave_options owners;
  parse_wave_spec("*.owner", owners);
  const std::vector<wave_signal> signals = select_signals(*traced.net, owners);
  const auto files = gtkw_files(*traced.net, signals, std::vector<bool>(signals.size()), false, {}, "/somewhere/w.fst");
  std::vector<std::string> names;
  for (const auto& [name, text] : files) names.push_back(name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("/somewhere/w.gtkw", "/somewhere/w.vcs_1.txt",
                                                   "/somewhere/w.vcs_2.txt"))
      << "of the two switches with terminals, and of the two above";
  // Without times: from 0 on, a unit on 1100 pixels.
  EXPECT_THAT(files.front().second, testing::HasSubstr("\n[timestart] 0\n[size] 1600 960\n[pos] -1 -1\n*2.459432 -1"));
}

TEST(gtkw_words, are_known_by_the_names_of_their_files) {
  const traced_network traced("tree", "fattree:2,2", pipeline::four_stage, 0);
  wave_options all;
  parse_wave_spec("*", all);
  const std::vector<wave_signal> signals = select_signals(*traced.net, all);
  const auto files =
      gtkw_files(*traced.net, signals, std::vector<bool>(signals.size()), false, {}, "/somewhere/w.vcd");
  ASSERT_EQ(files.size(), 5u) << "states, kinds of flits and two lists of VCs";
  const std::string save_file = files.front().first;
  for (std::size_t i = 1; i < files.size(); ++i)
    EXPECT_TRUE(is_file_of_words(files[i].first, save_file)) << i;
  for (const std::string other :
       {"/somewhere/w.gtkw", "/somewhere/w.vcs_1.csv", "/somewhere/w.vcs_.txt", "/somewhere/v.vc_state.txt",
        "/w.vc_state.txt", "/somewhere/w.vc_state.txt.gz"})
    EXPECT_FALSE(is_file_of_words(other, save_file)) << other;
  EXPECT_FALSE(is_file_of_words("/somewhere/w.vc_state.txt", "/somewhere/w")) << "no save file";
}

/// The values of `owner` and `assigned` count with what vc_count() says, in nodes with fewer VCs as in the others.
TEST(gtkw_words, number_vcs_as_the_values_do_where_a_node_has_fewer) {
  const topology line = make_topology("mesh:1x3");
  line.wiring->set_node_values({{}, {2, 20, ""}, {}});
  network net("fewer", line.wiring, line.routing, network_config());
  ASSERT_EQ(net.at(1).core()->vc_count(), 4u);
  std::vector<wave_signal> owners;
  for (const wave_signal& s : signals_of(net, 1, {}))
    if (s.kind == signal_kind::owner) owners.push_back(s);
  const auto files = gtkw_files(net, owners, std::vector<bool>(owners.size()), false, {}, "/somewhere/w.vcd");
  std::string words;
  for (unsigned number = 0; number < 12; ++number)
    words += std::to_string(number) + ' ' + net.wiring().port_name(1, static_cast<port_id>(number / 4)) + " vc" +
             std::to_string(number % 4) + '\n';
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].first, "/somewhere/w.vcs_1.txt");
  EXPECT_EQ(files[1].second, words);
}

}  // namespace
}  // namespace toriscope::wave_signals_test

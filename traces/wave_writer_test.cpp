// SPDX-License-Identifier: Apache-2.0
// Oracles: sc_trace for links, the observers of routers and interfaces sampled by a process of its own for
// the rest.
#include "traces/wave_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "base/scratch_directory.h"
#include "base/words.h"
#include "traces/gtkw.h"
#include "traces/read_fst_test.h"
#include "traces/wave_bench.h"
#include "traces/wave_selection.h"
#include "traces/wave_size.h"

namespace toriscope::wave_writer_test {
namespace {

using sc_core::SC_NS;

constexpr std::uint64_t cycle_time = 2000;  // of the clock below, in ps
constexpr unsigned cycles = 450;

class wave_writer_test : public testing::Test {
 protected:
  static std::string file(const std::string& name) { return directory->file(name); }

  static wave_options options(const std::string& name, const std::string& spec = "*") {
    wave_options w;
    parse_wave_spec(spec, w);
    w.file = file(name + ".vcd");
    return w;
  }

  /// One elaboration and one simulation for all tests of this program.
  static void SetUpTestSuite() {
    directory = std::make_unique<scratch_directory>();
    static sc_core::sc_clock clock("clock", 2, SC_NS);
    torus = new traced_network("torus", "torus:4x4", pipeline::four_stage, 12);
    plain = new traced_network("plain", "torus:4x4", pipeline::four_stage, 12);
    windowed = new traced_network("windowed", "torus:4x4", pipeline::four_stage, 12);
    chain = new traced_network("ttn", "ttn:2,2,0", pipeline::paper2009, 2);
    quick = new traced_network("quick", "mesh:3x3", pipeline::single_cycle, 15);
    deep = new traced_network("deep", "mesh:3x3", pipeline::custom, 15);
    driven = new traced_network(
        "driven", "torus:3x3", pipeline::single_cycle, 0, [](const char* name, const node_context& context) {
          return context.id == 0 ? std::make_unique<mute_node>(name, context) : nullptr;
        });
    static driver drive("driver", *driven->net);
    shared = new traced_network("shared", "cmesh:2x2,3", pipeline::four_stage, 20);
    staged = new traced_network("staged", "butterfly:2,3", pipeline::single_cycle, 15);
    for (traced_network* n : {torus, plain, windowed, chain, quick, deep, driven, shared, staged})
      n->net->clk(clock);
    std::vector<node_id> chosen;  // of the TTN: the basic modules 0,0 .. 0,3 and 3,3
    for (node_id n = 0; n < 256; ++n)
      if (n < 64 || n >= 240) chosen.push_back(n);
    static sampler see_torus("see_torus", *torus->net), see_windowed("see_windowed", *windowed->net),
        see_chain("see_chain", *chain->net, chosen), see_quick("see_quick", *quick->net),
        see_deep("see_deep", *deep->net), see_shared("see_shared", *shared->net),
        see_staged("see_staged", *staged->net);
    for (sampler* s :
         {&see_torus, &see_windowed, &see_chain, &see_quick, &see_deep, &see_shared, &see_staged})
      s->clk(clock);
    seen = {{"torus", &see_torus}, {"windowed", &see_windowed}, {"chain", &see_chain},  {"quick", &see_quick},
            {"deep", &see_deep},   {"shared", &see_shared},     {"staged", &see_staged}};
    for (const char* name : {"shared", "staged"})
      writers[name] = std::make_unique<wave_writer>(
          name == std::string("shared") ? *shared->net : *staged->net, options(name));

    writers["torus"] = std::make_unique<wave_writer>(*torus->net, options("torus"));
    wave_options packed = options("packed");
    packed.file = file("packed.fst");
    writers["packed"] = std::make_unique<wave_writer>(*torus->net, packed);
    writers["part"] = std::make_unique<wave_writer>(*torus->net, options("part", "torus.node_1_*@100:250"));
    wave_options marked = options("windowed", "*@200:333");
    marked.marks = {300};
    writers["windowed"] = std::make_unique<wave_writer>(*windowed->net, marked);
    writers["chain"] = std::make_unique<wave_writer>(*chain->net, options("chain", "*.bm_0_?.*,ttn.bm_3_3"));
    writers["quick"] = std::make_unique<wave_writer>(*quick->net, options("quick"));
    writers["deep"] = std::make_unique<wave_writer>(*deep->net, options("deep"));
    writers["driven"] = std::make_unique<wave_writer>(*driven->net, options("driven"));
    writers["late"] = std::make_unique<wave_writer>(*quick->net, options("late", "*@100000:200000"));
    wave_options few = options("few", "quick.node_1_1");
    parse_wave_groups("links,ni", few);
    few.cycle = false;
    writers["few"] = std::make_unique<wave_writer>(*quick->net, few);

    sc_core::sc_trace_file* trace = sc_core::sc_create_vcd_trace_file(file("sc_trace").c_str());
    for (traced_network* n : {torus, quick, driven, shared, staged}) trace_links(trace, *n->net);
    sc_core::sc_start(2.0 * cycles - 0.5, SC_NS);  // ends between two edges
    sc_core::sc_close_vcd_trace_file(trace);
    end_of_window_left_a_file = std::filesystem::exists(file("windowed.vcd"));
    end_of_run_is_to_come = !std::filesystem::exists(file("torus.vcd"));
    for (auto& [name, writer] : writers) writer->close();
  }

  static void TearDownTestSuite() { directory.reset(); }

  static void trace_links(sc_core::sc_trace_file* trace, network& net) {
    for (link_id l = 0; l < net.wiring().links().size(); ++l)
      sc_trace(trace, net.link_at(l), net.link_at(l).name() + ".flit");
    for (terminal_id t = 0; t < net.wiring().terminal_count(); ++t) {
      sc_trace(trace, net.injection_link(t), net.injection_link(t).name() + ".flit");
      sc_trace(trace, net.ejection_link(t), net.ejection_link(t).name() + ".flit");
    }
  }

  static vcd_contents read(const std::string& name) { return vcd_reader::read(file(name + ".vcd")); }

  /// Compares all signals of a VCD that are not on links with what the sampler saw, change by change.
  static void compare_states(const std::string& name, std::uint64_t begin, std::uint64_t end);

  static inline std::unique_ptr<scratch_directory> directory;
  static inline traced_network *torus, *plain, *windowed, *chain, *quick, *deep, *driven, *shared, *staged;
  static inline std::map<std::string, sampler*> seen;
  static inline std::map<std::string, std::unique_ptr<wave_writer>> writers;
  static inline bool end_of_window_left_a_file, end_of_run_is_to_come;
};

void wave_writer_test::compare_states(const std::string& name, std::uint64_t begin, std::uint64_t end) {
  const vcd_contents vcd = read(name);
  std::size_t changes = 0;
  std::size_t signals = 0;
  const std::set<std::string> elsewhere{"cycle", "flit", "kind", "vc", "tag"};  // compared by other tests
  for (const auto& [signal, variable] : vcd.variables) {
    if (elsewhere.count(signal.substr(signal.rfind('.') + 1)) > 0) continue;
    ++signals;
    ASSERT_EQ(seen[name]->history.count(signal), 1u) << signal;
    std::vector<vcd_contents::change> expected;
    for (const sampler::value& v : seen[name]->history[signal]) {
      const std::uint64_t edge =
          v.time / cycle_time * cycle_time;  // the change came with the edge before the sample
      if (edge >= end) break;
      const std::string text = v.none ? nothing(variable.width) : printed(v.bits, variable.width);
      if (edge > begin)
        expected.emplace_back(edge, text);
      else
        expected.assign(1, {begin, text});
    }
    ASSERT_EQ(variable.changes, expected) << signal;
    changes += expected.size() - 1;
  }
  EXPECT_EQ(signals, seen[name]->history.size());
  EXPECT_GT(changes, 1000u) << "there must have been something to compare";
}

TEST_F(wave_writer_test, shows_on_links_what_sc_trace_shows) {
  const vcd_contents reference = vcd_reader::read(file("sc_trace.vcd"));
  std::map<std::string, vcd_contents::variable> ours;
  std::string timescale;
  for (const char* name : {"torus", "quick", "driven", "shared", "staged"}) {
    const vcd_contents vcd = read(name);
    EXPECT_EQ(vcd.timescale, reference.timescale);
    for (const auto& [signal, variable] : vcd.variables)
      if (signal.size() > 5 && signal.substr(signal.size() - 5) == ".flit") ours[signal] = variable;
  }
  // Links, and two for each terminal: the last two networks have 12 terminals at 4 routers, 8 that use 12.
  ASSERT_EQ(ours.size(), 16u * 6 + 24 + 9 * 2 + 9 * 6 + 8 + 2 * 12 + 16 + 2 * 8);
  ASSERT_EQ(reference.variables.size(), ours.size());
  std::size_t changes = 0;
  for (const auto& [signal, variable] : reference.variables) {
    ASSERT_EQ(ours.count(signal), 1u) << signal;
    EXPECT_EQ(ours[signal].width, variable.width);
    ASSERT_EQ(ours[signal].changes, variable.changes) << signal;
    changes += variable.changes.size();
  }
  EXPECT_GT(changes, 10000u);
}

TEST_F(wave_writer_test, decodes_the_flits_on_links) {
  const vcd_contents vcd = read("torus");
  const flit_layout& layout = torus->net->layout();
  std::set<std::string> kinds;
  for (const auto& [signal, variable] : vcd.variables) {
    if (signal.size() < 5 || signal.substr(signal.size() - 5) != ".flit") continue;
    const std::string port = signal.substr(0, signal.size() - 4);
    std::map<std::string, std::vector<vcd_contents::change>> expected;
    const auto note = [&](const char* name, std::uint64_t time, const std::string& text) {
      std::vector<vcd_contents::change>& all = expected[name];
      if (all.empty() || all.back().second != text) all.emplace_back(time, text);
    };
    for (const auto& [time, text] : variable.changes) {
      const flit_word f{std::stoull(text.substr(1), nullptr, 2)};
      const unsigned kind = f.head() ? (f.tail() ? 3 : 0) : (f.tail() ? 2 : 1);
      note("kind", time, f.valid() ? printed(kind, 2) : "bz");
      note("vc", time, f.valid() ? printed(f.vc(), 4) : "bz");
      note("tag", time, f.valid() ? printed(layout.tag(f), 48) : "bz");
      kinds.insert(expected["kind"].back().second);
    }
    for (const char* name : {"kind", "vc", "tag"})
      ASSERT_EQ(vcd.variables.at(port + name).changes, expected[name]) << port << name;
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"bz", "b0", "b1", "b10", "b11"}));
}

TEST_F(wave_writer_test, shows_the_state_that_the_observers_report) {
  const std::uint64_t end = cycles * cycle_time;
  compare_states("torus", 0, end);
  compare_states("chain", 0, end);
  compare_states("quick", 0, end);
  compare_states("deep", 0, end);
  compare_states("shared", 0, end);
  compare_states("staged", 0, end);
  compare_states("windowed", 199 * cycle_time, 333 * cycle_time);
}

TEST_F(wave_writer_test, leaves_hashes_alone) {
  EXPECT_GT(plain->net->counters().packets_received, 500u);
  for (const traced_network* n : {torus, windowed}) {
    EXPECT_EQ(n->net->packet_hash(), plain->net->packet_hash());
    EXPECT_EQ(n->net->wire_hash(), plain->net->wire_hash());
  }
  for (const traced_network* n : {torus, plain, windowed, chain, quick})
    EXPECT_EQ(n->net->failure(), nullptr);
}

TEST_F(wave_writer_test, cuts_the_window_out_exactly) {
  const vcd_contents whole = read("torus");
  const vcd_contents part = read("part");
  // Cycle 100 finds what stands between edges 99 and 100, cycle 250 what stands between 249 and 250.
  const std::uint64_t begin = 99 * cycle_time;
  const std::uint64_t end = 250 * cycle_time;
  EXPECT_EQ(part.times.front(), begin);
  EXPECT_EQ(part.times.back(), end);
  EXPECT_EQ(part.at("torus.cycle", begin), printed(100, 64));
  EXPECT_EQ(part.at("torus.cycle", end), printed(250, 64));
  std::size_t nodes = 0;
  for (const auto& [signal, variable] : part.variables) {
    nodes += signal.find(".ni.queue") != std::string::npos;
    std::vector<vcd_contents::change> expected{{begin, whole.at(signal, begin)}};
    for (const auto& change : whole.variables.at(signal).changes)
      if (change.first > begin && change.first < end) expected.push_back(change);
    ASSERT_EQ(variable.changes, expected) << signal;
  }
  EXPECT_EQ(nodes, 4u);
}

TEST_F(wave_writer_test, opens_at_its_mark_with_a_marker) {
  std::ifstream in(file("windowed.gtkw"));
  const std::string save{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_THAT(save, testing::HasSubstr("\n[timestart] " + std::to_string((300 - 24) * cycle_time) + "\n"));
  EXPECT_THAT(save,
              testing::ContainsRegex("\n[*]-[0-9.]+ " + std::to_string(300 * cycle_time) + "( -1){26}\n"));
}

TEST_F(wave_writer_test, opens_shortly_before_the_first_change_with_two_nodes_open) {
  for (const char* name : {"torus", "deep", "few"}) {
    std::uint64_t first = ~std::uint64_t{0};
    for (const auto& [signal, variable] : read(name).variables)
      if (signal.substr(signal.rfind('.') + 1) != "cycle" && variable.changes.size() > 1)
        first = std::min(first, variable.changes[1].first);
    std::ifstream in(file(std::string(name) + ".gtkw"));
    const std::string save{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    // Two cycles before; the run begins at 0.
    const std::uint64_t start = first > 2 * cycle_time ? first - 2 * cycle_time : 0;
    EXPECT_THAT(save, testing::HasSubstr("\n[timestart] " + std::to_string(start) + "\n")) << name;
    std::size_t open = 0;
    for (std::size_t at = 0; (at = save.find("\n@800200\n-node_", at)) != std::string::npos; ++at) ++open;
    const bool few = name == std::string("few");  // has one node, in which nothing happens at first
    EXPECT_EQ(open, few ? 1U : 2U);
    EXPECT_EQ(start > 0, few);
  }
}

TEST_F(wave_writer_test, takes_patterns_of_which_one_lies_within_another) {
  const auto chosen = [](const char* spec) { return select_signals(*torus->net, options("x", spec)).size(); };
  EXPECT_EQ(chosen("torus.node_0_0,torus.node_0_0.in_x+.*"), chosen("torus.node_0_0"));
}

TEST_F(wave_writer_test, its_size_is_known_before_within_a_factor_of_two) {
  for (const auto& [name, network_of] : std::map<std::string, traced_network*>{
           {"torus", torus}, {"chain", chain}, {"quick", quick}, {"deep", deep}}) {
    network& net = *network_of->net;
    wave_activity activity;
    activity.packet_flits = 3.5;
    activity.flits_per_cycle = [&net](node_id n, port_id p, bool outgoing) {
      const netlist& wiring = net.wiring();
      const auto nodes = static_cast<double>(wiring.node_count());
      if (p == wiring.local_port(n))
        return static_cast<double>(net.counters().flits_ejected) / nodes / cycles;
      return static_cast<double>(net.flits_sent(outgoing ? wiring.ports(n)[p].out : wiring.ports(n)[p].in)) /
             cycles;
    };
    const double expected = expected_wave_bytes(net, writers[name]->signals(), activity, cycles);
    const auto found = static_cast<double>(std::filesystem::file_size(file(name + ".vcd")));
    EXPECT_LT(expected, 2 * found) << name;
    EXPECT_GT(expected, found / 2) << name;
  }
}

TEST_F(wave_writer_test, looks_at_nothing_outside_the_window) {
  // wire_hash looks at wires, not at links.
  ASSERT_FALSE(seen["windowed"]->observed.empty());
  EXPECT_EQ(seen["windowed"]->observed.front(), 199 * cycle_time + cycle_time / 2);
  EXPECT_EQ(seen["windowed"]->observed.back(), 332 * cycle_time + cycle_time / 2);
}

TEST_F(wave_writer_test, leaves_whole_files_only) {
  EXPECT_TRUE(end_of_window_left_a_file);
  EXPECT_TRUE(end_of_run_is_to_come);
  for (const auto& [name, writer] : writers) {
    EXPECT_FALSE(std::filesystem::exists(file(name + ".vcd.part"))) << name;
    EXPECT_EQ(writer->begun(), name != "late");
    EXPECT_EQ(writer->error(), "");
    for (const std::string& path : writer->files()) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  }
  EXPECT_FALSE(std::filesystem::exists(file("late.vcd")));
  EXPECT_TRUE(writers["late"]->files().empty());
  EXPECT_EQ(read("torus").times.back(), cycles * cycle_time - 500) << "the end of the run";
}

TEST_F(wave_writer_test, shows_the_chosen_groups_and_nodes) {
  std::set<std::string> names;
  for (const auto& [signal, variable] : read("few").variables) names.insert(signal);
  std::set<std::string> expected;
  const std::string node = "quick.node_1_1.";
  for (const char* port : {"in_x+", "in_x-", "in_y+", "in_y-", "in_local", "out_local"})
    for (const char* signal : {"flit", "kind", "vc", "tag"}) expected.insert(node + port + '.' + signal);
  for (const char* signal : {"queue", "sending", "sending_vc"}) expected.insert(node + "ni." + signal);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(writers["few"]->signals().size(), expected.size());

  std::set<std::string> modules;
  for (const auto& [signal, variable] : read("chain").variables)
    if (signal != "ttn.cycle") modules.insert(signal.substr(0, signal.find('.', 4)));
  EXPECT_EQ(modules,
            (std::set<std::string>{"ttn.bm_0_0", "ttn.bm_0_1", "ttn.bm_0_2", "ttn.bm_0_3", "ttn.bm_3_3"}));
}

TEST_F(wave_writer_test, shows_the_owner_of_each_output_vc) {
  const netlist& wiring = torus->net->wiring();
  std::set<std::tuple<node_id, unsigned, unsigned>> owners, expected;
  for (const wave_signal& s : writers["torus"]->signals())
    if (s.kind == signal_kind::owner) owners.emplace(s.node, s.port, s.vc);
  for (node_id n = 0; n < wiring.node_count(); ++n)
    for (unsigned p = 0; p < wiring.port_count(n); ++p)
      for (unsigned v = 0; v < torus->net->config().router.vcs; ++v) expected.emplace(n, p, v);
  EXPECT_EQ(owners, expected);
}

TEST_F(wave_writer_test, names_what_is_near_a_pattern_that_matches_nothing) {
  const auto refused = [&](traced_network* n, const char* spec) -> std::string {
    try {
      wave_writer(*n->net, options("refused", spec));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refused(chain, "ttn.bm_0_0.*,ttn.bm_0_7.*"),
            "no signal of the groups links, vcs, alloc, ni matches 'ttn.bm_0_7.*'; the nearest names are "
            "ttn.bm_0_0, "
            "ttn.bm_0_1, ttn.bm_0_2");
  EXPECT_THAT(refused(torus, "torus.node_0_0.in_z+.*"),
              testing::EndsWith("torus.node_0_0.in_x+, "
                                "torus.node_0_0.in_y+, torus.node_0_0.in_x-"));
  EXPECT_THAT(refused(torus, "*.in_x+.vc1.stat"),
              testing::HasSubstr("the nearest names are *.in_x+.vc1.state,"));
  EXPECT_FALSE(std::filesystem::exists(file("refused.vcd.part")));
}

TEST_F(wave_writer_test, save_file_names_signals_that_exist) {
  for (const char* name : {"torus", "part", "chain", "quick", "deep", "few", "driven"}) {
    const vcd_contents vcd = read(name);
    std::ifstream save(file(std::string(name) + ".gtkw"));
    ASSERT_TRUE(save) << name;
    std::set<std::string> shown;
    std::set<std::string> translations;
    std::vector<std::string> groups;
    unsigned long flags = 0;
    unsigned long left_out = 0;
    bool translated = false;
    for (std::string line; std::getline(save, line);) {
      if (line[0] == '@') {
        flags = std::stoul(line.substr(1), nullptr, 16);
        translated = false;
      } else if (begins_with(line, "^1 ")) {
        translated = true;
        translations.insert(line.substr(3));
      } else if (line[0] == '+') {
        const std::string reference = line.substr(line.rfind(' ') + 1);
        const std::string signal = reference.substr(0, reference.find('['));
        const auto variable = vcd.variables.find(signal);
        ASSERT_NE(variable, vcd.variables.end()) << name << ": " << line;
        const unsigned width = variable->second.width;
        EXPECT_EQ(reference, signal + (width > 1 ? "[" + std::to_string(width - 1) + ":0]" : ""));
        EXPECT_EQ(translated, (flags & 0x2000) != 0) << line;
        const std::string last = signal.substr(signal.rfind('.') + 1);
        EXPECT_EQ(translated, last == "state" || last == "kind" || last == "front_kind" || last == "owner" ||
                                  last == "assigned")
            << line;
        shown.insert(signal);
      } else if (line[0] == '-') {
        if (flags == 0x200) left_out = std::stoul(line.substr(1));
        if (flags & 0x800000) groups.push_back(line);
        if (flags & 0x1000000) {
          ASSERT_FALSE(groups.empty());
          EXPECT_EQ(groups.back(), line);
          groups.pop_back();
        }
      }
    }
    EXPECT_TRUE(groups.empty()) << name;
    if (vcd.variables.size() < 8000)
      EXPECT_EQ(shown.size(), vcd.variables.size()) << name << ": every signal has its place";
    else
      EXPECT_EQ(shown.size() + left_out, vcd.variables.size()) << name << ": the rest is counted";
    EXPECT_LE(shown.size(), 8001U) << "what GTKWave opens at once, and the cycle";

    EXPECT_FALSE(translations.empty());
    for (const std::string& translation : translations) {
      std::ifstream words(file(translation));  // beside the save file
      ASSERT_TRUE(words) << translation;
      for (std::string word; std::getline(words, word);) {
        // "3 ?DarkGreen?active": a number, perhaps a colour, a word
        std::istringstream parts(word);
        unsigned value = 0;
        std::string text;
        EXPECT_TRUE(parts >> value >> text) << word;
        EXPECT_THAT(std::count(text.begin(), text.end(), '?'), testing::AnyOf(0, 2)) << word;
        EXPECT_NE(text.back(), '?') << word;
      }
    }
  }
}

TEST_F(wave_writer_test, gtkwaves_own_converter_reads_the_file) {
  if (std::system("command -v vcd2fst >/dev/null 2>&1") != 0) GTEST_SKIP() << "vcd2fst is not installed";
  for (const char* name : {"torus", "part"}) {
    const std::string fst = file(std::string(name) + ".fst");
    const std::string command = "vcd2fst " + file(std::string(name) + ".vcd") + ' ' + fst + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_GT(std::filesystem::file_size(fst), 1000u);
  }
}

TEST_F(wave_writer_test, fst_holds_what_the_vcd_holds) {
  if (!fst2vcd_is_there()) GTEST_SKIP() << "fst2vcd is not installed";
  vcd_contents vcd = read("torus");
  vcd.timescale.erase(vcd.timescale.find(' '), 1);
  const vcd_contents fst = read_fst(file("packed.fst"));
  EXPECT_EQ(fst.timescale, vcd.timescale);
  expect_equal(vcd, fst);
  EXPECT_LT(3 * std::filesystem::file_size(file("packed.fst")), std::filesystem::file_size(file("torus.vcd")));
}

TEST_F(wave_writer_test, save_files_of_vcd_and_fst_are_the_same) {
  std::ifstream vcd(file("torus.gtkw")), fst(file("packed.gtkw"));
  unsigned lines = 0;
  for (std::string of_vcd, of_fst; std::getline(vcd, of_vcd); ++lines) {
    ASSERT_TRUE(std::getline(fst, of_fst));
    for (const auto& [from, to] : {std::pair{"packed.fst", "torus.vcd"}, {"packed.", "torus."}})
      if (const std::size_t at = of_fst.find(from); at != std::string::npos)
        of_fst.replace(at, std::string(from).size(), to);
    EXPECT_EQ(of_fst, of_vcd);
  }
  EXPECT_GT(lines, 100u);
}

TEST_F(wave_writer_test, save_file_folds_details_away_and_numbers_vcs) {
  std::ifstream save(file("torus.gtkw"));
  ASSERT_TRUE(save);
  std::string group, list;
  unsigned states_open = 0, flits = 0;
  for (std::string line, before; std::getline(save, line); before = line) {
    if (line[0] == '-' && (before == "@c00200" || before == "@800200")) group = line;
    if (begins_with(line, "^1 ") && line.find(".vcs_") != std::string::npos) list = line.substr(3);
    const bool folded = group.size() > 8 && group.compare(group.size() - 8, 8, " details") == 0;
    states_open += line.find(" state} ") != std::string::npos && !folded;
    if (!begins_with(line, "+{flit} ")) continue;
    ++flits;
    EXPECT_TRUE(folded) << group << ": " << line;
  }
  EXPECT_GT(states_open, 0u);
  EXPECT_GT(flits, 0u);
  std::ifstream vcs(file(list));
  ASSERT_TRUE(vcs) << list;
  unsigned number = 0, expected = 0, per_port = 0;
  std::string port, vc;
  std::set<std::string> named;
  for (; vcs >> number >> port >> vc; ++expected) {
    EXPECT_EQ(number, expected);
    EXPECT_TRUE(named.insert(port + vc).second) << port << " " << vc;
    per_port = vc == "vc0" ? 0 : per_port + 1;
    EXPECT_EQ(vc, "vc" + std::to_string(per_port));
  }
  EXPECT_GT(expected, 5u);
}

}  // namespace
}  // namespace toriscope::wave_writer_test

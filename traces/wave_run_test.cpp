// SPDX-License-Identifier: Apache-2.0
// Waves of small networks that run: single values beside an account of their own, and what is left when a writer
// closes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "base/words.h"
#include "traces/open_files_test.h"
#include "traces/signal_value.h"
#include "traces/wave_bench.h"
#include "traces/wave_selection.h"

namespace toriscope::wave_run_test {
namespace {

constexpr std::uint64_t cycle_time = 2000, end_of_run = 60 * cycle_time;  // in ps

/// Compares each signal that is not on a link with what the sampler has noted, whenever it has.
class value_check {
 public:
  value_check(traced_network& traced, sampler& noted) : net_(*traced.net), noted_(noted) {
    for (node_id n = 0; n < net_.wiring().node_count(); ++n)
      for (const wave_signal& s : signals_of(net_, n, {}))
        if (!s.on_link()) signals_.emplace_back(s, full_name(net_, s));
    noted_.sampled = [this] { compare(); };
  }

  std::set<std::string> wrong;
  std::set<signal_kind> not_at_rest;

 private:
  void compare() {
    for (const auto& [signal, name] : signals_) {
      const sampler::value& last = noted_.history.at(name).back();
      if (value_of(net_, signal) != (last.none ? wave_values::none : last.bits)) wrong.insert(name);
      if (!last.none && last.bits != 0) not_at_rest.insert(signal.kind);
    }
  }

  network& net_;
  sampler& noted_;
  std::vector<std::pair<wave_signal, std::string>> signals_;
};

class wave_run : public testing::Test {
 protected:
  static std::string file(const std::string& name) { return directory->file(name); }

  static void write(const std::string& name, const std::string& spec, const std::string& groups,
                    const std::string& ending = ".vcd") {
    wave_options w;
    parse_wave_spec(spec, w);
    parse_wave_groups(groups, w);
    w.file = file(name + ending);
    writers[name] = std::make_unique<wave_writer>(*plain->net, w);
  }

  /// One elaboration and one simulation of 60 cycles for all tests of this program.
  static void SetUpTestSuite() {
    directory = std::make_unique<scratch_directory>();
    static sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
    plain = new traced_network("plain", "mesh:3x3", pipeline::four_stage, 10);
    auto* const buffered = new traced_network("buffered", "mesh:3x3", pipeline::paper2009, 3);
    auto* const deep = new traced_network("deep", "cmesh:2x2,2", pipeline::custom, 10);
    auto* const wide = new traced_network("wide", "cmesh:2x2,6", pipeline::four_stage, 25, {}, 11);
    for (traced_network* n : {plain, buffered, deep, wide}) {
      n->net->clk(clock);
      auto* const noted = new sampler(("see_" + std::string(n->net->name())).c_str(), *n->net);
      noted->clk(clock);
      seen[n->net->name()] = noted;
      checks.push_back(std::make_unique<value_check>(*n, *noted));
    }
    write("states", "plain.node_2_2.in_x-", "vcs");
    write("window", "*@20:50", "links");
    write("late", "*@1000:2000", "all");
    write("packed", "plain.node_1_1", "all", ".fst");
    write("some", "*.in_x+.vc1,plain.node_1_1.out_y+.vc2,*.in_local.vc0.state,plain.node_0_0.out_x+", "vcs,alloc");
    write("alloc", "*", "alloc");
    wave_options whole;
    whole.file = file("wide.vcd");
    writers["wide"] = std::make_unique<wave_writer>(*wide->net, whole);
    sc_core::sc_start(120, sc_core::SC_NS);
    for (auto& [name, writer] : writers) writer->close();
  }
  static void TearDownTestSuite() {
    writers.clear();
    directory.reset();
  }

  /// Compares the signals of a waveform that are not on links with what the sampler of that network has noted.
  static void expect_noted(const std::string& name, const std::string& network) {
    std::size_t changes = 0;
    const std::set<std::string> elsewhere{"cycle", "flit", "kind", "vc", "tag"};
    for (const auto& [signal, variable] : vcd_reader::read(file(name + ".vcd")).variables) {
      if (elsewhere.count(signal.substr(signal.rfind('.') + 1)) > 0) continue;
      std::vector<vcd_contents::change> expected, found;
      for (const sampler::value& v : seen.at(network)->history.at(signal)) {
        const std::uint64_t edge = v.time / cycle_time * cycle_time;  // half a cycle before
        expected.emplace_back(edge, v.none ? nothing(variable.width) : printed(v.bits, variable.width));
      }
      for (const auto& change : variable.changes)
        if (change.first < end_of_run) found.push_back(change);
      ASSERT_EQ(found, expected) << signal;
      changes += found.size() - 1;
    }
    EXPECT_GT(changes, 40u) << name;
  }

  static std::string time_start(const std::string& name) {
    std::ifstream in(file(name + ".gtkw"));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = text.find("[timestart] ") + 12;
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  /// Of a signal other than the cycle.
  static std::uint64_t first_change(const std::string& name) {
    std::uint64_t first = ~std::uint64_t{0};
    for (const auto& [signal, variable] : vcd_reader::read(file(name + ".vcd")).variables)
      if (signal != "plain.cycle" && variable.changes.size() > 1)
        first = std::min(first, variable.changes[1].first);
    return first;
  }

  static inline std::unique_ptr<scratch_directory> directory;
  static inline traced_network* plain;
  static inline std::vector<std::unique_ptr<value_check>> checks;
  static inline std::map<std::string, std::unique_ptr<wave_writer>> writers;
  static inline std::map<std::string, sampler*> seen;
};

TEST_F(wave_run, single_values_are_those_that_the_observers_report) {
  std::set<signal_kind> seen;
  for (const auto& check : checks) {
    EXPECT_THAT(check->wrong, testing::IsEmpty());
    seen.insert(check->not_at_rest.begin(), check->not_at_rest.end());
  }
  for (auto kind = static_cast<unsigned>(signal_kind::state); kind <= static_cast<unsigned>(signal_kind::sending_vc);
       ++kind)
    EXPECT_EQ(seen.count(static_cast<signal_kind>(kind)), 1u)
        << name_of(static_cast<signal_kind>(kind)) << " was never seen";
}

/// Routers with 8 ports and 11 VCs keep their VCs in several words.
TEST_F(wave_run, values_of_many_vcs_are_those_that_the_observers_report) { expect_noted("wide", "wide"); }

TEST_F(wave_run, a_choice_of_signals_shows_what_all_show) {
  expect_noted("some", "plain");
  expect_noted("alloc", "plain");
  std::set<std::string> names;
  for (const auto& [signal, variable] : vcd_reader::read(file("some.vcd")).variables)
    if (begins_with(signal, "plain.node_1_1.")) names.insert(signal.substr(15));
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "in_x+.vc1.state", "in_x+.vc1.occupancy", "in_x+.vc1.assigned", "in_x+.vc1.front_kind",
                         "in_x+.vc1.front_tag", "in_x+.vc1.front_destination", "in_local.vc0.state",
                         "out_y+.vc2.owner", "out_y+.vc2.credits"));
}

TEST_F(wave_run, save_file_opens_two_cycles_before_the_first_change_of_a_state) {
  const std::uint64_t first = first_change("states");
  ASSERT_GT(first, 2 * cycle_time);
  EXPECT_EQ(time_start("states"), std::to_string(first - 2 * cycle_time));
}

TEST_F(wave_run, save_file_of_a_window_opens_where_it_begins) {
  EXPECT_LT(first_change("window"), (19 + 2) * cycle_time) << "what two cycles before would be outside";
  EXPECT_EQ(time_start("window"), std::to_string(19 * cycle_time));
}

TEST_F(wave_run, names_the_files_that_it_has_written) {
  using testing::ElementsAre;
  using testing::UnorderedElementsAre;
  EXPECT_THAT(writers["window"]->files(),
              ElementsAre(file("window.vcd"), file("window.gtkw"), file("window.flit_kind.txt")));
  const std::vector<std::string> packed = writers["packed"]->files();
  ASSERT_GT(packed.size(), 2u);
  EXPECT_EQ(packed[0], file("packed.fst"));
  EXPECT_EQ(packed[1], file("packed.gtkw"));
  EXPECT_THAT(std::vector<std::string>(packed.begin() + 2, packed.end()),
              UnorderedElementsAre(file("packed.vc_state.txt"), file("packed.flit_kind.txt"),
                                   file("packed.vcs_1.txt")));
  EXPECT_THAT(writers["late"]->files(), ElementsAre()) << "its window has not begun";
}

TEST_F(wave_run, nothing_is_open_after_the_close) {
  if (!open_files_are_shown()) GTEST_SKIP() << "open files are not shown here";
  EXPECT_EQ(open_files_in(directory->path()), 0u);
}

/// SystemC takes one resolution in each of its contexts.
TEST(wave_time_scale, is_the_resolution_of_time) {
  const scratch_directory directory;
  wave_options wave;
  wave.file = directory.file("w.vcd");
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_DEFAULT_TIME_UNIT_CHANGED_, sc_core::SC_DO_NOTHING);
  const struct {
    double number;
    sc_core::sc_time_unit unit;
    const char* scale;
  } all[] = {{1, sc_core::SC_FS, "1 fs"},   {100, sc_core::SC_FS, "100 fs"}, {10, sc_core::SC_PS, "10 ps"},
             {1, sc_core::SC_NS, "1 ns"},   {100, sc_core::SC_NS, "100 ns"}, {1, sc_core::SC_US, "1 us"},
             {10, sc_core::SC_MS, "10 ms"}, {1, sc_core::SC_SEC, "1 s"}};
  for (const auto& resolution : all) {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
    sc_core::sc_set_time_resolution(resolution.number, resolution.unit);
    const traced_network traced("scaled", "mesh:2x2", pipeline::single_cycle, 0);
    wave_writer(*traced.net, wave).close();
    EXPECT_EQ(vcd_reader::read(wave.file).timescale, resolution.scale);
  }
}

TEST(wave_errors, are_thrown_by_close_and_told_by_the_destructor) {
  const traced_network traced("full", "mesh:2x2", pipeline::single_cycle, 0);
  wave_options wave;
  wave.file = "/dev/full";
  const std::string error = "cannot write /dev/full: No space left on device";
  wave_writer closed(*traced.net, wave);
  EXPECT_EQ(error_of<std::runtime_error>([&] { closed.close(); }), error);
  testing::internal::CaptureStdout();
  { const wave_writer left(*traced.net, wave); }
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::HasSubstr("/toriscope/traces/write: " + error));
}

}  // namespace
}  // namespace toriscope::wave_run_test

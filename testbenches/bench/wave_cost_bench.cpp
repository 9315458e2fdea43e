// SPDX-License-Identifier: Apache-2.0
// What a waveform costs: the event-driven writer beside sc_trace, which asks every signal at every point of
// time whether it has changed. The same 20,184 signals of the same torus with the same traffic - word, kind,
// VC and tag of 5,046 links -, of which 1 % change in a cycle; CPU time, user and system, over that of the
// same run without a waveform.
//
//   wave_cost_bench [REPEATS]   leaves with 1 when the writer is not 15 times cheaper
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "network/network.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "topologies/registry.h"
#include "traces/wave_writer.h"

namespace toriscope {
namespace {

constexpr double target = 15;
constexpr cycle_t warmup = 500;
constexpr cycle_t cycles = 3000;

enum class way { none, wave, sc_trace };

/// In a process of its own: SystemC elaborates once per process.
struct costs {
  double cpu_s = 0;  ///< of the cycles after the warm-up
  double signals = 0;
  double changes = 0;  ///< of a signal in a cycle, mean
};

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// What sc_trace can look at besides the word: a reader that decodes it, as a user's bench would.
struct decoded_link final : link_listener<flit_word> {
  explicit decoded_link(const flit_layout& of) : layout(of) {}
  void word_shown(cycle_t, flit_word word) override {
    kind = word.valid() ? 1 + word.head() + 2 * word.tail() : 0;
    vc = word.valid() ? word.vc() : 0;
    tag = word.valid() ? layout.tag(word) : 0;
  }
  const flit_layout& layout;
  std::uint64_t kind = 0;
  std::uint64_t vc = 0;
  std::uint64_t tag = 0;
};

void trace_link(sc_core::sc_trace_file* trace, flit_link& l, const std::string& name, const flit_layout& layout) {
  auto* const decoded = new decoded_link(layout);  // until the process ends
  l.listen(*decoded);
  sc_trace(trace, l, name + ".flit");
  sc_core::sc_trace(trace, decoded->kind, name + ".kind");
  sc_core::sc_trace(trace, decoded->vc, name + ".vc");
  sc_core::sc_trace(trace, decoded->tag, name + ".tag");
}

void trace_links(sc_core::sc_trace_file* trace, network& net) {
  for (link_id l = 0; l < net.wiring().links().size(); ++l)
    trace_link(trace, net.link_at(l), net.link_at(l).name(), net.layout());
  for (node_id n = 0; n < net.wiring().node_count(); ++n) {
    trace_link(trace, net.injection_link(n), std::string(net.at(n).name()) + ".in_local", net.layout());
    trace_link(trace, net.ejection_link(n), std::string(net.at(n).name()) + ".out_local", net.layout());
  }
}

costs run(way w, const std::string& file) {
  // sc_trace announces its time scale on standard output, where the figures stand.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  const topology torus = make_topology("torus:29x29");
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  network_config config;
  config.router.depth = 8;
  network& net = *new network("torus", torus.wiring, torus.routing, config);
  net.clk(clock);
  synthetic_source::config traffic;
  traffic.rate_flits_per_node_cycle = 0.0093;
  traffic.lengths = packet_lengths("16");
  synthetic_source source(torus.wiring->node_count(), make_pattern("uniform", torus.wiring, {}), traffic);
  net.set_source(&source);

  std::unique_ptr<wave_writer> wave;
  sc_core::sc_trace_file* trace = nullptr;
  if (w == way::wave) {
    wave_options options;
    parse_wave_spec(fmt::format("*@{}:{}", warmup, warmup + cycles), options);
    parse_wave_groups("links", options);
    options.file = file + ".vcd";
    wave = std::make_unique<wave_writer>(net, options);
  }
  sc_core::sc_start(static_cast<double>(warmup), sc_core::SC_NS);
  if (w == way::sc_trace) {
    // From here on, as the window of the writer.
    trace = sc_core::sc_create_vcd_trace_file(file.c_str());
    trace->set_time_unit(100, sc_core::SC_PS);
    trace_links(trace, net);
  }
  sc_core::sc_start(2, sc_core::SC_NS);  // whatever the first look costs
  const auto flits = [&] {
    double sum = static_cast<double>(net.counters().flits_injected + net.counters().flits_ejected);
    for (link_id l = 0; l < net.wiring().links().size(); ++l) sum += static_cast<double>(net.flits_sent(l));
    return sum;
  };
  costs result;
  const double before = flits();
  const double start = cpu_seconds();
  sc_core::sc_start(static_cast<double>(cycles) - 4, sc_core::SC_NS);
  if (wave) wave->close();
  if (trace) sc_core::sc_close_vcd_trace_file(trace);
  result.cpu_s = cpu_seconds() - start;
  const double links = static_cast<double>(net.wiring().links().size()) + 2.0 * net.wiring().node_count();
  result.signals = 4 * links;
  // A packet of 16 flits changes the word 17 times, the kind 4 times, VC and tag twice each.
  result.changes = (flits() - before) / 16 * 25 / result.signals / static_cast<double>(cycles - 4);
  return result;
}

costs run_in_child(way w, const std::string& file) {
  const measured_process done =
      run_measured({own_program(), "--one", std::to_string(static_cast<int>(w)), file});
  costs c;
  if (done.status != 0 || !(std::istringstream(done.out) >> c.cpu_s >> c.signals >> c.changes))
    throw std::runtime_error("a run failed: " + done.last_words());
  return c;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

int compare(unsigned repeats) {
  const scratch_directory place;
  std::vector<double> none, wave, traced, ratios;
  costs last;
  for (unsigned i = 0; i < repeats; ++i) {
    none.push_back(run_in_child(way::none, "").cpu_s);
    wave.push_back(run_in_child(way::wave, place.file("wave")).cpu_s);
    last = run_in_child(way::sc_trace, place.file("sc_trace"));
    traced.push_back(last.cpu_s);
  }
  // The cost of the writer is small beside the simulation: least of the repeats, which noise only adds to.
  const auto least = [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); };
  const double writer = std::max(least(wave) - least(none), 1e-6);
  const double ratio = (least(traced) - least(none)) / writer;
  fmt::print(
      "{:.0f} signals, {:.2f} % of them change in a cycle, {} cycles; CPU seconds, least and median of {}\n",
      last.signals, 100 * last.changes, cycles - 4, repeats);
  fmt::print(
      "  no waveform   {:.3f}  {:.3f}\n  wave_writer   {:.3f}  {:.3f}\n  sc_trace      {:.3f}  {:.3f}\n",
      least(none), median(none), least(wave), median(wave), least(traced), median(traced));
  fmt::print("sc_trace costs {:.1f} times what the writer costs; target {}\n", ratio, target);
  return ratio >= target ? 0 : 1;
}

}  // namespace
}  // namespace toriscope

int sc_main(int argc, char* argv[]) {
  try {
    if (argc == 4 && argv[1] == std::string("--one")) {
      const toriscope::costs c = toriscope::run(static_cast<toriscope::way>(std::atoi(argv[2])), argv[3]);
      fmt::print("{} {} {}\n", c.cpu_s, c.signals, c.changes);
      std::fflush(stdout);
      std::_Exit(0);  // without destructors: those of a big netlist take long
    }
    return toriscope::compare(argc > 1 ? static_cast<unsigned>(std::max(1, std::atoi(argv[1]))) : 5);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wave_cost_bench: %s\n", error.what());
    return 2;
  }
}

// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope bench`.
#include <CLI/CLI.hpp>

#include "testbenches/program/bench_command.h"
#include "testbenches/program/text_options.h"

namespace toriscope {

void add_bench_options(CLI::App& bench, bench_request& b) {
  bench.add_option("--json", b.json, "all figures as JSON; - is standard output, without the table")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  bench.add_option("--sizes", b.sizes, "nodes in a dimension, 2 to 1024 [8,16,32,64]")
      ->type_name("K,...")
      ->delimiter(',')
      ->check(whole_between(2, 1024));
  // CLI11 would say of each alternative why it does not hold.
  const auto is_load = [](std::string& text) {
    if (text == "saturated" || CLI::Range(0.0, 1.0)(text).empty()) return std::string();
    return "'" + text + "' is not a load; expected 0 to 1 flits/node/cycle, or saturated";
  };
  bench.add_option("--loads", b.loads, "flits/node/cycle offered, or saturated (1) [0.02,0.1,0.2,saturated]")
      ->type_name("LOAD,...")
      ->delimiter(',')
      ->check(CLI::Validator(is_load, ""));
  bench.add_option("--repeats", b.repeats, "runs of each network and load [3, or 1 with --quick]")
      ->type_name("N")
      ->check(whole_between(1, 1000));
  bench.add_flag("--quick", b.quick, "runs of a twentieth of the length, once each");
  bench.add_flag("--large", b.large, "also TTN(2,5,0): 1,048,576 nodes, about 5 GB and two minutes");
  bench.add_flag_callback(
      "--no-observation", [&b] { b.observation = false; },
      "do not measure the cost of observed links and waveforms");
  bench.footer(
      "bench simulates tori by size and load: 4 VCs of 8 flits, four_stage, uniform traffic in packets of 16\n"
      "flits. Each run is a process of its own.\n"
      "  router-cycles  nodes times simulated cycles, busy or not, per second of CPU time\n"
      "  flit-hops      flits over links and flits ejected, per second of CPU time\n"
      "  CPU time       user and system, of the simulation without elaboration and report; median of the "
      "repeats\n"
      "  memory         peak resident memory beyond that of a torus:2x2, per node; packets under way are in "
      "it;\n                 -: too small to measure, or saturated sources\n\n"
      "Examples:\n  toriscope bench --quick\n  toriscope bench --json bench.json\n"
      "  toriscope bench --sizes 8,64 --loads 0.05,saturated --repeats 7 --no-observation");
}

}  // namespace toriscope

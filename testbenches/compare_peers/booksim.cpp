// SPDX-License-Identifier: Apache-2.0
#include "testbenches/compare_peers/booksim.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "testbenches/bench/measured_process.h"

namespace toriscope {
namespace {
const char* const who = "BookSim2";
}

booksim::booksim(std::string program, std::string directory)
    : program_(std::move(program)), directory_(std::move(directory)) {}

std::string booksim::configuration(const workload& w) {
  const std::uint64_t period = std::max<std::uint64_t>(w.warmup_cycles, 1);
  const std::uint64_t periods = (w.measured_cycles + period - 1) / period;
  std::string text = fmt::format("topology = {};\nrouting_function = {};\nk = {};\nn = 2;\n",
                                 w.wraps ? "torus" : "mesh", w.wraps ? "dim_order" : "dor", w.k);
  // The chip. use_noc_latency = 1, the default, would make the links of a torus two cycles long.
  text +=
      "num_vcs = 4;\nvc_buf_size = 8;\npacket_size = 16;\nrouting_delay = 1;\nvc_alloc_delay = 1;\n"
      "sw_alloc_delay = 1;\nst_final_delay = 1;\ncredit_delay = 1;\nspeculative = 0;\ninput_speedup = 1;\n"
      "output_speedup = 1;\ninternal_speedup = 1.0;\nvc_allocator = separable_input_first;\n"
      "sw_allocator = separable_input_first;\nuse_noc_latency = 0;\n";
  // A rate without a point would be read as another kind of field.
  text += fmt::format(
      "traffic = {};\ninjection_process = bernoulli;\ninjection_rate_uses_flits = 1;\ninjection_rate = "
      "{:.9f};\n"
      "seed = {};\n",
      w.neighbour ? "neighbor" : "uniform", w.rate_flits_per_node_cycle, w.seed);
  // A run of exactly so many periods: nothing ever converges, and no latency is too high.
  text += fmt::format(
      "sim_type = throughput;\nwarmup_periods = 1;\nsample_period = {};\nmax_samples = {};\n"
      "acc_stopping_thres = 1e-12;\nlatency_thres = 1e12;\n",
      period, 1 + periods);
  return text;
}

outcome booksim::parse(const std::string& text) {
  outcome result;
  result.cycles = number_after(text, "Time taken is ", who);
  result.accepted = number_after(text, "Accepted flit rate average = ", who);
  result.visits_per_flit = number_after(text, "Hops average = ", who);
  const std::string packets = text.substr(std::min(text.rfind("Packet latency average = "), text.size()));
  result.latency_mean = number_after(packets, "Packet latency average = ", who);
  const std::size_t minimum = packets.find("minimum = ");
  result.latency_min =
      number_after(packets.substr(0, minimum == std::string::npos ? 0 : minimum + 40), "minimum = ", who);
  return result;
}

outcome booksim::run(const workload& w) {
  const std::string file = directory_ + "/booksim.cfg";
  std::ofstream(file) << configuration(w);
  const measured_process p = run_measured({program_, file});
  // It leaves with 255 when all went well.
  if (p.out.find("Time taken is ") == std::string::npos)
    throw std::runtime_error(fmt::format("{}: '{}' left with status {} and no result; it said: {}", who,
                                         program_, p.status, p.last_words()));
  outcome result = parse(p.out);
  result.cpu_seconds = p.cpu_seconds;
  return result;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/booksim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace toriscope {
namespace {
const char* const who = "BookSim2";

/// Its name of a traffic pattern; the definitions are the same (docs/booksim_cross_check.md).
std::string pattern_name(const std::string& ours) {
  static const std::map<std::string, std::string> other = {
      {"bit_reversal", "bitrev"}, {"complement", "bitcomp"}, {"neighbour", "neighbor"}};
  const auto found = other.find(ours);
  return found == other.end() ? ours : found->second;
}

/// The numbers of "name(1,:) = [ 1 2 nan ];", the last time it stands there.
std::vector<double> row(const std::string& text, const std::string& name) {
  const std::string label = name + "(1,:) = [";
  const std::size_t place = text.rfind(label);
  if (place == std::string::npos)
    throw std::runtime_error(
        fmt::format("{}: its output has no line with '{}'; is it the right program?", who, label));
  std::vector<double> numbers;
  const char* at = text.c_str() + place + label.size();
  for (char* end = nullptr;; at = end) {
    const double number = std::strtod(at, &end);
    if (end == at) return numbers;
    numbers.push_back(number);
  }
}

}  // namespace

booksim::booksim(std::string program, std::string directory)
    : program_(std::move(program)), directory_(std::move(directory)) {}

std::string booksim::configuration(const workload& w, bool pairs) {
  const std::uint64_t period = std::max<std::uint64_t>(w.warmup_cycles, 1);
  const std::uint64_t periods = (w.measured_cycles + period - 1) / period;
  std::string text = fmt::format("topology = {};\nrouting_function = {};\nk = {};\nn = 2;\n",
                                 w.wraps ? "torus" : "mesh", w.wraps ? "dim_order" : "dor", w.k);
  // The chip. use_noc_latency = 1, the default, would make the links of a torus two cycles long.
  text +=
      "num_vcs = 4;\nrouting_delay = 1;\nvc_alloc_delay = 1;\n"
      "sw_alloc_delay = 1;\nst_final_delay = 1;\nspeculative = 0;\ninput_speedup = 1;\n"
      "output_speedup = 1;\ninternal_speedup = 1.0;\nvc_allocator = separable_input_first;\n"
      "sw_allocator = separable_input_first;\nuse_noc_latency = 0;\n";
  text += fmt::format("vc_buf_size = {};\ncredit_delay = {};\n", w.depth_flits, w.credit_delay_cycles);
  // A rate without a point would be read as another kind of field.
  text += fmt::format(
      "traffic = {};\ninjection_process = bernoulli;\ninjection_rate_uses_flits = 1;\ninjection_rate = "
      "{:.9f};\n"
      "packet_size = {};\nseed = {};\n",
      pattern_name(w.traffic), w.rate_flits_per_node_cycle, w.packet_flits, w.seed);
  if (pairs) text += "pair_stats = 1;\nstats_out = -;\n";
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

std::vector<double> booksim::parse_pairs(const std::string& text) {
  const std::vector<double> sent = row(text, "pair_sent");
  std::vector<double> mean = row(text, "pair_plat");
  if (sent.size() != mean.size() || sent.empty())
    throw std::runtime_error(
        fmt::format("{}: {} numbers of packets and {} latencies of pairs", who, sent.size(), mean.size()));
  for (std::size_t i = 0; i < mean.size(); ++i)
    if (sent[i] == 0) mean[i] = std::numeric_limits<double>::infinity();
  return mean;
}

measured_process booksim::run_to_end(const std::string& configuration) const {
  const std::string file = directory_ + "/booksim.cfg";
  std::ofstream(file) << configuration;
  measured_process p = run_measured({program_, file});
  // It leaves with 255 when all went well.
  if (p.out.find("Time taken is ") == std::string::npos)
    throw std::runtime_error(fmt::format("{}: '{}' left with status {} and no result; it said: {}", who,
                                         program_, p.status, p.last_words()));
  return p;
}

outcome booksim::run(const workload& w) {
  const measured_process p = run_to_end(configuration(w));
  outcome result = parse(p.out);
  result.cpu_seconds = p.cpu_seconds;
  return result;
}

std::vector<double> booksim::lone_pair_latencies(workload w, unsigned runs) {
  std::vector<double> least;
  for (unsigned run = 0; run < runs; ++run, ++w.seed) {
    const std::vector<double> mean = parse_pairs(run_to_end(configuration(w, true)).out);
    if (least.empty()) least.resize(mean.size(), std::numeric_limits<double>::infinity());
    if (least.size() != mean.size()) throw std::runtime_error(std::string(who) + ": runs of different sizes");
    for (std::size_t i = 0; i < mean.size(); ++i) least[i] = std::min(least[i], mean[i]);
  }
  return least;
}

}  // namespace toriscope

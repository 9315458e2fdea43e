// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/bench_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "base/checked_json.h"
#include "base/json.h"
#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "testbenches/program/run_command.h"
#include "testbenches/program/text_output.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
using strings = std::vector<std::string>;

const strings chip = {"--vcs", "4",       "--depth", "8",       "--pipeline", "four_stage", "--packet",
                      "16",    "--drain", "0",       "--quiet", "--json",     "-"};

/// A piece of work and how often it is to be done.
struct bench_case {
  std::string topology;
  std::string load;
  double cycles = 0;  ///< measured; a fifth of them as warm-up
  strings more;       ///< further options

  strings arguments() const {
    strings list = {own_program(), "run"};
    list.insert(list.end(), chip.begin(), chip.end());
    const auto whole = static_cast<unsigned long long>(cycles);
    const strings work = {"--topology", topology,
                          "--rate",     load == "saturated" ? "1" : load,
                          "--warmup",   std::to_string(whole / 5),
                          "--cycles",   std::to_string(whole)};
    list.insert(list.end(), work.begin(), work.end());
    list.insert(list.end(), more.begin(), more.end());
    return list;
  }
};

struct sample {
  double cpu_s = 0;
  double router_cycles = 0;
  double flit_hops = 0;
  double accepted = 0;
  double elaborate_s = 0;
  double max_rss_bytes = 0;
};

sample run_once(const bench_case& c) {
  const measured_process p = run_measured(c.arguments());
  if (p.status != 0)
    throw std::runtime_error(fmt::format("bench of {} at {} left with status {}: {}", c.topology, c.load,
                                         p.status, p.last_words()));
  const json all = parse_json(p.out, "the output of " + c.topology);
  const json& performance = all.at("performance");
  sample s;
  s.cpu_s = performance.at("simulate_cpu_s").get<double>();
  s.router_cycles = performance.at("router_cycles").get<double>();
  s.flit_hops = performance.at("flit_hops").get<double>();
  s.elaborate_s = performance.at("elaborate_s").get<double>();
  s.max_rss_bytes = performance.at("max_rss_mb").get<double>() * 1e6;
  const json& accepted = all.at("results").at("accepted");
  s.accepted = accepted.is_null() ? 0 : accepted.get<double>();
  return s;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// (most - least) / median, in percent; NaN: one value alone.
double spread_percent(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return values.size() > 1 ? 100 * (*most - *least) / median(values) : std::nan("");
}

/// Cycles for about `seconds` of CPU time, from a guess of what a router-cycle costs.
double cycles_for(double seconds, double nodes, double load, double hops) {
  const double cost = 20e-9 + 100e-9 * std::min(load * hops, 2.5);
  return std::clamp(seconds / (nodes * cost), 200.0, 2e6);
}

class bench {
 public:
  explicit bench(const bench_request& request)
      : request_(request),
        repeats_(request.repeats > 0 ? request.repeats
                 : request.quick     ? 1
                                     : 3),
        seconds_(request.quick ? 0.05 : 1) {}

  void run() {
    floor_bytes_ = run_once({"torus:2x2", "0.02", 1000, {}}).max_rss_bytes;
    print(
        fmt::format("{:<13} {:>9} {:>9} {:>11} {:>11} {:>8} {:>9} {:>11}\n{:<13} {:>9} {:>9} {:>11} {:>11} "
                    "{:>8} {:>9} {:>11}\n",
                    "topology", "load", "accepted", "router-cyc.", "flit-hops", "spread", "memory",
                    "elaboration", "", "fl/n/cyc", "fl/n/cyc", "M/s", "M/s", "%", "B/node", "s"));
    for (const unsigned k : request_.sizes)
      for (const std::string& load : request_.loads) {
        const double nodes = static_cast<double>(k) * k;
        const double rate = load == "saturated" ? 1 : std::stod(load);
        row({fmt::format("torus:{0}x{0}", k), load, cycles_for(seconds_, nodes, rate, k / 2.0 + 1), {}},
            nodes);
      }
    if (request_.large) row({"ttn:2,5,0", "0.01", request_.quick ? 20.0 : 200.0, {}}, 1048576);
    if (request_.observation) observation();
    write();
  }

 private:
  void row(const bench_case& c, double nodes) {
    std::vector<double> cpu;
    sample s;
    for (unsigned i = 0; i < repeats_; ++i) {
      s = run_once(c);
      cpu.push_back(s.cpu_s);
    }
    const double seconds = median(cpu);
    json j;
    j["topology"] = c.topology;
    j["load"] = c.load;
    j["nodes"] = nodes;
    j["accepted_flits_per_node_cycle"] = s.accepted;
    j["router_cycles_per_s"] = s.router_cycles / seconds;
    j["flit_hops_per_s"] = s.flit_hops / seconds;
    j["cpu_s"] = cpu;
    const double spread = spread_percent(cpu);
    j["spread_percent"] = spread;  // NaN is written as null
    // What waits in the sources of a saturated network does not depend on its size.
    // And the resident memory of a process differs from run to run by some 300 KB.
    const double grown = s.max_rss_bytes - floor_bytes_;
    const bool known = c.load != "saturated" && s.accepted > 0.9 * std::stod(c.load) && grown > 4e6;
    if (known) j["bytes_per_node"] = grown / (nodes - 4);
    j["elaborate_s"] = s.elaborate_s;
    j["max_rss_mb"] = s.max_rss_bytes / 1e6;
    rows_.push_back(j);
    print(fmt::format(
        "{:<13} {:>9} {:>9.4f} {:>11.2f} {:>11.2f} {:>8} {:>9} {:>11.4f}\n", c.topology, c.load,
        s.accepted, s.router_cycles / seconds / 1e6, s.flit_hops / seconds / 1e6,
        std::isnan(spread) ? "-" : fmt::format("{:.0f}", spread),
        known ? fmt::format("{:.0f}", grown / (nodes - 4)) : "-", s.elaborate_s));
  }

  /// What observation costs: the CPU time with over that without, in alternating runs.
  void observation() {
    print(fmt::format("\n{:<50} {:>7} {:>13} {:>7}\n", "looking: CPU time with over that without", "ratio",
                      "spread", "target"));
    const double s = seconds_;
    compared("all links observed, torus:8x8, load 0.1", {"torus:8x8", "0.1", cycles_for(s, 64, .1, 5), {}},
             {"--observe-links"}, 2);
    compared("all links observed, torus:64x64, load 0.05",
             {"torus:64x64", "0.05", cycles_for(s, 4096, .05, 33), {}}, {"--observe-links"}, 2);
    compared("all links observed, torus:8x8, saturated", {"torus:8x8", "1", cycles_for(s, 64, 1, 5), {}},
             {"--observe-links"}, 2);
    const scratch_directory place;
    compared("waveform of a basic module, ttn:2,3,0, load 0.005",
             {"ttn:2,3,0", "0.005", cycles_for(s, 4096, .005, 20), {}},
             {"--wave", "ttn.L2_0_0.bm_0_0", "--wave-file", place.file("wave.vcd")}, 1.1);
  }

  void compared(const std::string& what, const bench_case& without, const strings& more, double target) {
    bench_case with = without;
    with.more.insert(with.more.end(), more.begin(), more.end());
    std::vector<double> ratios;
    // Small differences want more pairs.
    for (unsigned i = 0; i < (request_.quick ? repeats_ : 2 * repeats_ + 1); ++i) {
      const double plain = run_once(without).cpu_s;
      ratios.push_back(run_once(with).cpu_s / plain);
    }
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    observation_.push_back(
        {{"what", what}, {"ratio", median(ratios)}, {"ratios", ratios}, {"target", target}});
    print(fmt::format("{:<50} {:>7.2f} {:>13} {:>7g}\n", what, median(ratios),
                      fmt::format("{:.2f}-{:.2f}", *least, *most), target));
  }

  void print(const std::string& text) const {
    if (!is_stdout(request_.json)) write_stdout(text);
  }

  void write() const {
    write_text(request_.json, json{{"bench", rows_}, {"looking", observation_}}.dump(2) + "\n");
  }

  const bench_request& request_;
  unsigned repeats_;
  double seconds_;
  double floor_bytes_ = 0;
  json rows_ = json::array();
  json observation_ = json::array();
};

}  // namespace

int bench_command(const bench_request& request) {
  check_writable(request.json);
  bench(request).run();
  return fine;
}

}  // namespace toriscope

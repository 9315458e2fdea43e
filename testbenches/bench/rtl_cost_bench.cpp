// SPDX-License-Identifier: Apache-2.0
// What one RTL router in a network of 256 nodes costs: T(one RTL node) against T(no RTL) + T(that router
// alone), which gets the flits that it gets in the network. CPU seconds of the simulation, builds not
// counted; the least of some repeats.
//
//   rtl_cost_bench TORISCOPE [REPEATS]   leaves with 1 when the ratio is above 2
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/checked_json.h"
#include "base/json.h"
#include "base/measured_process.h"
#include "rtl_models/on_demand/built_routers.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

constexpr double target = 2;
constexpr node_id place = 5;
constexpr cycle_t cycles = 32000;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// CPU seconds of the cycles of a run.
double run_of(const std::string& program, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{
      program,  "run",      "--topology", "ttn:2,2,0", "--depth", "4",        "--rate",
      "0.02",   "--warmup", "0",          "--drain",   "0",       "--cycles", std::to_string(cycles),
      "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const measured_process done = run_measured(arguments);
  if (done.status != 0) throw std::runtime_error(done.last_words());
  return parse_json(done.out, "the output of " + program)["performance"]["simulate_cpu_s"];
}

/// CPU seconds of the same router, with a flit to its interface now and then.
double router_alone() {
  const topology ttn = make_topology("ttn:2,2,0");
  network_config config;
  config.router.depth = 4;
  const built_routers rtl(*ttn.wiring, *ttn.routing, config, {place}, {});
  const std::unique_ptr<built_router> router = rtl.make(place);
  const flit_layout layout(ttn.wiring->node_count(), ttn.routing->state_bits());
  const auto local = static_cast<port_id>(rtl.parameters().ports - 1);
  const double start = cpu_seconds();
  for (cycle_t t = 0; t < cycles; ++t) {
    router->set_flit(local, t % 16 == 0 ? layout.head(place, 0, t & 0xffff, true) : flit_word{});
    router->clock_edge();
  }
  return cpu_seconds() - start;
}

int compare(const std::string& program, unsigned repeats) {
  double none = 1e9, one = 1e9, alone = 1e9;
  const std::vector<std::string> rtl{"--rtl", std::to_string(place)};
  run_of(program, rtl);  // builds
  for (unsigned i = 0; i < repeats; ++i) {
    none = std::min(none, run_of(program, {}));
    one = std::min(one, run_of(program, rtl));
    alone = std::min(alone, router_alone());
  }
  const double ratio = one / (none + alone);
  fmt::print(
      "TTN(2,2,0), {} cycles, CPU seconds, least of {}\n  no RTL            {:.3f}\n  one RTL node      "
      "{:.3f}\n"
      "  the router alone  {:.3f}\nT(one RTL node) = {:.2f} (T(no RTL) + T(the router alone)); target {}\n",
      cycles, repeats, none, one, alone, ratio, target);
  return ratio <= target ? 0 : 1;
}

}  // namespace
}  // namespace toriscope

int sc_main(int argc, char* argv[]) {
  try {
    if (argc < 2) throw std::runtime_error("which program is to be measured?");
    return toriscope::compare(argv[1], argc > 2 ? static_cast<unsigned>(std::max(1, std::atoi(argv[2]))) : 5);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rtl_cost_bench: %s\n", error.what());
    return 2;
  }
}

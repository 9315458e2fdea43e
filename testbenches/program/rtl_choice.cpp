// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/rtl_choice.h"

#include <fmt/format.h>

#include <stdexcept>

#include "testbenches/cosim/node_selection.h"
#include "testbenches/program/simulation.h"
#include "testbenches/program/text_options.h"
#include "topologies/whole_number.h"

namespace toriscope {
namespace {

constexpr unsigned max_seed = 2147483647;

}  // namespace

void add_rtl_options(CLI::App& command, rtl_choice& choice) {
  text_options options(command, "RTL");
  options.add(
      "--rtl", choice.nodes, "GLOB",
      "nodes that are the SystemVerilog router, by names as in waves ('*.bm_0_0.*', '*') or addresses; "
      "built with Verilator on first use");
  options.add("--rtl-seed", choice.seed, "N",
              "registers of the RTL start with random bits of this seed; 0: zeros [0]");
}

std::unique_ptr<built_routers> build_rtl_of(const simulation& s, const rtl_choice& choice,
                                            built_routers::options how) {
  if (s.config().fidelity == fidelity::transaction)
    throw std::invalid_argument(
        "--rtl: at the transaction level there are no flits, and so no routers; use --fidelity cycle");
  unsigned seed = 0;
  if (!to_number(choice.seed, seed) || seed > max_seed)
    throw std::invalid_argument(
        fmt::format("--rtl-seed: '{}' must be a whole number from 0 to {}", choice.seed, max_seed));
  how.random_state_seed = static_cast<int>(seed);
  std::vector<node_id> nodes;
  try {
    nodes = select_nodes(s.wiring(), choice.nodes);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("--rtl: ") + error.what());
  }
  return std::make_unique<built_routers>(s.wiring(), s.routing(), s.config().network, std::move(nodes), how);
}

std::string rtl_line(const built_routers& rtl, const netlist& wiring) {
  return fmt::format("RTL in {} of {} nodes: {}\n", rtl.nodes().size(), wiring.node_count(),
                     to_string(rtl.parameters()));
}

}  // namespace toriscope

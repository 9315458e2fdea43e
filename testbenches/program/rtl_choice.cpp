// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/rtl_choice.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/text_file.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "testbenches/program/rtl_waves.h"
#include "testbenches/program/text_options.h"
#include "testbenches/simulation/cosim/node_selection.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope {
namespace {

constexpr unsigned max_seed = 2147483647;

std::vector<node_id> nodes_of(const simulation& s, const rtl_choice& choice) {
  if (s.config().fidelity == fidelity::transaction)
    throw std::invalid_argument(
        "--rtl: routers are not simulated at the transaction level; use --fidelity cycle");
  try {
    return select_nodes(s.wiring(), choice.nodes);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("--rtl: ") + error.what());
  }
}

std::string beyond_proof(std::size_t nodes) {
  return fmt::format("\nthe proof is for the network's routing; the RTL in {} node{} is not part of it",
                     nodes, nodes == 1 ? "" : "s");
}

/// The choice, and what its libraries were built from; not where they are.
std::string contents_of(const rtl_choice& choice, const std::vector<std::string>& libraries) {
  std::vector<std::string> parts{choice.nodes, choice.seed, text_if_there(choice.router).value_or("")};
  for (const std::string& file : libraries) parts.push_back(std::filesystem::path(file).filename());
  return joined(parts, "\n");
}

rtl_nodes described_nodes_of(const simulation& s, const rtl_choice& choice, rtl_waves* waves) {
  const router_description description = router_description::read(choice.router);
  std::function<void(const user_rtl_made&)> traced;
  if (waves)
    traced = [waves, &wiring = s.wiring(),
              credits =
                  description.flow == router_description::flow_control::credit](const user_rtl_made& made) {
      waves->trace(wiring.name(), wiring.path(made.node), made, credits);
    };
  const user_rtl_routers routers = described_routers_of(s, choice, description, traced);
  return {routers.factory(seed_of(choice)), rtl_line(choice, routers, s.wiring()),
          beyond_proof(routers.nodes().size()), contents_of(choice, routers.libraries())};
}

}  // namespace

int seed_of(const rtl_choice& choice) {
  unsigned seed = 0;
  if (!to_number(choice.seed, seed) || seed > max_seed)
    throw std::invalid_argument(
        fmt::format("--rtl-seed: '{}' must be a whole number from 0 to {}", choice.seed, max_seed));
  return static_cast<int>(seed);
}

user_rtl_routers described_routers_of(const simulation& s, const rtl_choice& choice,
                                      router_description description,
                                      std::function<void(const user_rtl_made&)> traced) {
  if (!s.config().network.dead_links.empty())
    throw std::invalid_argument(
        "--rtl-router: user-supplied routers do not support failed links; leave --fail-link out");
  return {std::move(description), s.wiring(),          s.routing(),
          s.config().network,     nodes_of(s, choice), std::move(traced)};
}

std::string rtl_line(const rtl_choice& choice, const user_rtl_routers& routers, const netlist& wiring) {
  const std::string& top = routers.description().top;
  const std::string warnings = routers.warnings();
  return fmt::format("RTL in {} of {} nodes: {} of {}\n", routers.nodes().size(), wiring.node_count(), top,
                     choice.router) +
         (warnings.empty() ? "" : fmt::format("Verilator warns of {}: {}\n", top, warnings));
}

void add_rtl_options(CLI::App& command, rtl_choice& choice) {
  text_options options(command, "RTL");
  options.add(
      "--rtl", choice.nodes, "GLOB",
      "nodes that are replaced by the SystemVerilog router, by names as in waves ('*.bm_0_0.*', '*') or "
      "addresses; Verilator builds it on first use");
  options.add("--rtl-seed", choice.seed, "N",
              "seed of the random bits that RTL registers start with; 0: zeros [0]");
}

std::unique_ptr<built_routers> build_rtl_of(const simulation& s, const rtl_choice& choice,
                                            built_routers::options how) {
  how.random_state_seed = seed_of(choice);
  std::vector<node_id> nodes = nodes_of(s, choice);
  return std::make_unique<built_routers>(s.wiring(), s.routing(), s.config().network, std::move(nodes), how);
}

void add_router_option(CLI::App& command, rtl_choice& choice) {
  text_options(command, "RTL")
      .add("--rtl-router", choice.router, "FILE",
           "JSON description of a user-supplied router for --rtl: sources, pins, flits "
           "(docs/your_own_rtl.md)");
}

rtl_nodes rtl_nodes_of(const simulation& s, const rtl_choice& choice, rtl_waves* waves) {
  if (choice.nodes.empty()) {
    if (!choice.router.empty())
      throw std::invalid_argument("--rtl-router needs --rtl GLOB, the nodes that are this router ('*': all)");
    return {};
  }
  if (!choice.router.empty()) return described_nodes_of(s, choice, waves);
  built_routers::options how;
  how.with_trace = waves != nullptr;
  if (waves)
    how.made = [waves, &wiring = s.wiring()](node_id n, built_router& router) {
      waves->trace(wiring.name(), wiring.path(n), router);
    };
  const std::shared_ptr<built_routers> model_rtl = build_rtl_of(s, choice, how);
  return {[model_rtl, factory = model_rtl->factory()](const char* name, const node_context& context) {
            return factory(name, context);
          },
          rtl_line(*model_rtl, s.wiring()), beyond_proof(model_rtl->nodes().size()),
          contents_of(choice, model_rtl->libraries())};
}

std::string rtl_line(const built_routers& rtl, const netlist& wiring) {
  std::vector<std::string> built;
  for (const rtl_parameters& parameters : rtl.all_parameters())
    built.push_back(built.empty() ? to_string(parameters) : what_differs(parameters, rtl.parameters()));
  return fmt::format("RTL in {} of {} nodes: {}\n", rtl.nodes().size(), wiring.node_count(),
                     joined(built, "; "));
}

}  // namespace toriscope

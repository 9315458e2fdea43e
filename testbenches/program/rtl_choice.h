// SPDX-License-Identifier: Apache-2.0
// Which nodes of a run are RTL, and whose: --rtl, --rtl-seed and --rtl-router.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rtl_models/on_demand/built_routers.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"

namespace CLI {
class App;
}

namespace toriscope {

class rtl_waves;
class simulation;

struct rtl_choice {
  std::string nodes;       ///< patterns (testbenches/simulation/cosim/node_selection.h); empty: none
  std::string router;      ///< description of a user's (docs/your_own_rtl.md); empty: sv/router.sv
  std::string seed = "0";  ///< of the random bits that registers start with; 0: zeros
};

void add_rtl_options(CLI::App& command, rtl_choice& choice);

/// The routers of the nodes chosen, built now if they are in no cache. They must outlive the network.
/// @throws std::invalid_argument, rtl_build_error one line
std::unique_ptr<built_routers> build_rtl_of(const simulation& s, const rtl_choice& choice,
                                            built_routers::options how = {});

/// The user's routers of the nodes chosen. @param traced  as user_rtl_routers has it
/// @throws std::invalid_argument one line
user_rtl_routers described_routers_of(const simulation& s, const rtl_choice& choice,
                                      router_description description,
                                      std::function<void(const user_rtl_made&)> traced);

/// The option for a user's router.
void add_router_option(CLI::App& command, rtl_choice& choice);

/// What stands in the nodes chosen for a run; factory null: in none.
struct rtl_nodes {
  network::node_factory factory;  ///< holds what it needs
  std::string line;               ///< for the headline
  std::string beyond_proof;       ///< likewise, behind the verdict on deadlock: what that is not about
  std::string same;               ///< must be equal on all ranks
};
/// @param waves  shows what is inside the routers, and outlives them; null: no waves
/// @throws std::invalid_argument, rtl_build_error one line
rtl_nodes rtl_nodes_of(const simulation& s, const rtl_choice& choice, rtl_waves* waves);

/// A line for the headline: "RTL in 16 of 256 nodes: PORTS 7, VCS 4 ...".
std::string rtl_line(const built_routers& rtl, const netlist& wiring);
std::string rtl_line(const rtl_choice& choice, const user_rtl_routers& routers, const netlist& wiring);

/// Of --rtl-seed.
int seed_of(const rtl_choice& choice);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/on_demand/built_routers.h"

#include <algorithm>

#include "base/hash.h"
#include "base/scratch_directory.h"
#include "rtl_models/on_demand/rtl_build.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/rtl_node.h"
#include "rtl_models/rtl_sources.h"

namespace toriscope {
namespace {

rtl_design design_with(const rtl_parameters& parameters, const built_routers::options& options) {
  rtl_design design = router_design(parameters);
  design.with_trace = options.with_trace;
  design.with_registers = options.with_registers;
  return design;
}

/// In ascending order. @throws std::invalid_argument for one that the RTL cannot stand in for
std::vector<node_id> checked(std::vector<node_id> nodes, const netlist& wiring, const network_config& config,
                             const router_kinds& kinds) {
  std::sort(nodes.begin(), nodes.end());
  for (const node_id n : nodes) {
    const auto refuse = [&](const std::string& why) {
      throw std::invalid_argument(wiring.name() + "." + wiring.path(n) + ": " + why);
    };
    if (const std::string why = obstacle_to_rtl(kinds.of(n).config); !why.empty()) refuse(why);
    for (const dead_link& dead : config.dead_links)
      if (wiring.link(dead.link).from == n)
        refuse("the RTL router does not know of dead links; one leaves this node");
  }
  return nodes;
}

/// A seed of its own for each node; never 0, which means zeros.
int seed_of(int seed, node_id n) {
  return seed == 0 ? 0 : static_cast<int>(mix(static_cast<std::uint64_t>(seed), n) % 0x7ffffffe) + 1;
}

}  // namespace

rtl_design router_design(const rtl_parameters& parameters) {
  rtl_design design;
  design.what = "the RTL router";
  design.files = rtl_router_sources();
  design.top = "router";
  for (const auto& [name, value] : named_values(parameters))
    design.parameters.emplace_back(name, std::to_string(value));
  const unsigned flits = parameters.ports * 64, credits = parameters.ports * parameters.vcs,
                 slots = credits * 7;
  design.pins = {{"clk_i", 1, false},      {"rst_i", 1, false},
                 {"slots_i", slots, false}, {"flit_cycles_i", parameters.ports * 8, false},
                 {"node_i", parameters.destination_bits, false},
                 {"flit_i", flits, false},  {"credit_i", credits, false},
                 {"flit_o", flits, true},   {"credit_o", credits, true}};
  return design;
}

built_router::built_router(std::shared_ptr<const rtl_library> library, const rtl_parameters& parameters,
                           const rtl_start& start, const std::string& name)
    : parameters_(parameters),
      instance_(std::move(library), {name, {"+route_table=" + start.route_table}, start.random_state_seed}),
      clock_(instance_, "clk_i"),
      rst_i_(instance_.pin("rst_i")),
      flit_i_(instance_.pin("flit_i")),
      credit_i_(instance_.pin("credit_i")),
      flit_o_(instance_.pin("flit_o")),
      credit_o_(instance_.pin("credit_o")) {
  rst_i_.set(1);
  rtl_bits slots = instance_.pin("slots_i");
  for (unsigned o = 0; o < parameters.ports * parameters.vcs; ++o)
    slots.set(o * 7, 7, start.slots.empty() ? 0 : start.slots[o]);
  rtl_bits cycles = instance_.pin("flit_cycles_i");
  for (port_id p = 0; p < parameters.ports; ++p)
    cycles.set(p * 8u, 8, start.flit_cycles.empty() ? 1 : start.flit_cycles[p]);
  for (port_id p = 0; p < parameters.ports; ++p) {
    set_flit(p, {});
    set_credit(p, {});
  }
  clock_edge();
  clock_edge();
  rst_i_.set(0);
  clock_.begin();
}

built_routers::built_routers(const netlist& wiring, const routing_function& routing,
                             const network_config& config, std::vector<node_id> nodes, const options& how)
    : built_routers(wiring, routing, config, std::move(nodes), how, router_kinds(wiring, config)) {}

built_routers::built_routers(const netlist& wiring, const routing_function& routing,
                             const network_config& config, std::vector<node_id> nodes, const options& how,
                             const router_kinds& kinds)
    : wiring_(wiring),
      config_(config),
      nodes_(checked(std::move(nodes), wiring, config, kinds)),
      options_(how),
      tables_(wiring, routing, flit_layout(wiring.terminal_count(), routing.state_bits()), config.router.vcs,
              nodes_) {
  const unsigned out_depth = out_depth_of(wiring, config.router);
  for (const node_id n : nodes_) {
    const rtl_parameters needed = tables_.parameters(kinds.of(n).config, config.limited_reception, out_depth);
    const auto known = std::find_if(kinds_.begin(), kinds_.end(),
                                    [&](const router_build& b) { return b.parameters == needed; });
    kind_of_.push_back(static_cast<std::size_t>(known - kinds_.begin()));
    if (known == kinds_.end())
      kinds_.push_back({needed, std::make_shared<const rtl_library>(build_rtl(design_with(needed, how)))});
  }
}

std::vector<rtl_parameters> built_routers::all_parameters() const {
  std::vector<rtl_parameters> all;
  for (const router_build& kind : kinds_) all.push_back(kind.parameters);
  return all;
}

bool built_routers::has(node_id n) const { return std::binary_search(nodes_.begin(), nodes_.end(), n); }

std::vector<std::string> built_routers::libraries() const {
  std::vector<std::string> files;
  for (const router_build& kind : kinds_) files.push_back(kind.library->file());
  return files;
}

std::unique_ptr<built_router> built_routers::make(node_id n) const {
  const scratch_directory scratch;
  const std::string table = scratch.file("routes.hex");
  tables_.write_file(n, table);
  const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), n) - nodes_.begin();
  const router_build& kind = kinds_[kind_of_[static_cast<std::size_t>(place)]];
  const rtl_start start{table, seed_of(options_.random_state_seed, n),
                        slots_behind(wiring_, n, config_.router, kind.parameters),
                        flit_cycles_behind(wiring_, n, kind.parameters)};
  auto router = std::make_unique<built_router>(kind.library, kind.parameters, start, wiring_.path(n));
  if (options_.made) options_.made(n, *router);
  return router;
}

network::node_factory built_routers::factory(network::node_factory others) const {
  return [this, others = std::move(others)](const char* name,
                                            const node_context& context) -> std::unique_ptr<node> {
    if (has(context.id)) return std::make_unique<rtl_node>(name, context, make(context.id));
    return others ? others(name, context) : nullptr;
  };
}

}  // namespace toriscope

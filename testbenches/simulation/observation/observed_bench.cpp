// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/observed_bench.h"

#include "testbenches/reference/adaptive_mesh.h"

namespace toriscope {

std::vector<bench_setup> setups_of_all_kinds() {
  std::vector<bench_setup> list;
  const auto add = [&](const char* name, auto change) -> bench_setup& {
    bench_setup s;
    s.name = name;
    s.config.checks = check_level::cheap;
    change(s.config.router);
    list.push_back(std::move(s));
    return list.back();
  };
  add("single_cycle", [](router_config& r) { r.pipeline = pipeline::single_cycle; });
  add("four_stage", [](router_config& r) { r.vcs = 2; });
  add("shallow", [](router_config& r) { r.depth = 2, r.vc_reallocation = vc_reallocation::atomic; });
  add("paper2009", [](router_config& r) { r.pipeline = pipeline::paper2009, r.depth = 1; });
  add("paper2009_drained", [](router_config& r) {
    r.pipeline = pipeline::paper2009, r.depth = 1, r.vc_reallocation = vc_reallocation::atomic, r.vcs = 2;
  });
  add("hierarchy", [](router_config&) {}).topology = "ttn:2,2,0";
  add("delays", [](router_config& r) { r.depth = 3; }).change = [](netlist& n) {
    for (link_id l = 0; l < n.links().size(); ++l)
      n.link(l).delay_cycles = static_cast<std::uint16_t>(1 + l % 4);
  };
  add("narrow", [](router_config&) {}).change = [](netlist& n) {
    for (link_id l = 0; l < n.links().size(); ++l)
      n.link(l).flit_cycles = static_cast<std::uint8_t>(1 + l % 3);
  };
  add("narrow_paper", [](router_config& r) { r.pipeline = pipeline::paper2009, r.depth = 1; }).change =
      [](netlist& n) {
        for (link_id l = 0; l < n.links().size(); l += 2) n.link(l).flit_cycles = 2;
      };
  const auto staged = [](router_config& r) { r.pipeline = pipeline::custom; };
  add("long_stages", [&](router_config& r) { staged(r), r.custom_stages = {3, 2, 2, 2}, r.depth = 16; });
  add("no_stages", [&](router_config& r) { staged(r), r.custom_stages = {0, 0, 1, 1}; });
  add("lookahead", [&](router_config& r) { staged(r), r.lookahead = true, r.custom_stages = {5, 1, 1, 1}; });
  add("speculative", [&](router_config& r) { staged(r), r.speculative = true; });
  add("islip", [&](router_config& r) {
    // With four VCs no packet loses in the allocation of VCs.
    staged(r), r.va_allocator = r.sa_allocator = allocator_kind::islip, r.islip_iterations = 2, r.vcs = 2;
  });
  add("output_first", [&](router_config& r) {
    staged(r), r.va_allocator = r.sa_allocator = allocator_kind::output_first, r.arbiter = arbiter_kind::age;
  });
  add("concentrated", [](router_config& r) { r.vcs = 2; }).topology = "cmesh:2x2,3";
  add("switches", [](router_config& r) {
    r.depth = 2, r.vcs = 2, r.vc_reallocation = vc_reallocation::atomic;
  }).topology = "fattree:2,3";
  add("one_way", [](router_config& r) {
    r.pipeline = pipeline::paper2009, r.depth = 1, r.vcs = 2, r.vc_reallocation = vc_reallocation::atomic;
  }).topology = "butterfly:2,3";
  add("groups", [](router_config&) {}).topology = "dragonfly:2,2,1";
  network_config& classes = add("classes", [](router_config&) {}).config;
  classes.message_classes = 2;
  network_config& shared = add("shared_classes", [](router_config& r) { r.vcs = 2, r.depth = 3; }).config;
  shared.message_classes = 3;
  shared.shared_classes = true;
  network_config& limited = add("limited", [](router_config& r) { r.depth = 2; }).config;
  limited.limited_reception = true;
  limited.message_classes = 2;
  bench_setup& adaptive = add("adaptive", [&](router_config& r) { staged(r), r.adaptive_delay_cycles = 2; });
  adaptive.topology = "mesh:4x4";
  adaptive.routing = reference::make_adaptive_mesh;
  bench_setup& own = add("own_values", [](router_config& r) { r.depth = 2, r.vcs = 2; });
  own.config.injection_delay_cycles = 3;
  own.config.ejection_delay_cycles = 2;
  own.change = [](netlist& n) {
    std::vector<own_node_values> values(n.node_count());
    for (node_id i = 1; i < n.node_count(); i += 2) values[i] = {0, 12, "single_cycle"};
    n.set_node_values(std::move(values));
  };
  return list;
}

bench_setup jam() {
  bench_setup s;
  s.name = "jam";
  s.topology = "mesh:1x4";
  s.config.router.depth = 4;
  for (unsigned i = 0; i < 12; ++i) s.packets.push_back({0, {0, 3, 8}});
  s.change = [](netlist& n) {
    for (link_id l = 0; l < n.links().size(); ++l)
      if (n.link(l).to == 3) n.link(l).flit_cycles = 8;
  };
  return s;
}

bench_setup hot(const char* name, pipeline stages) {
  bench_setup s;
  s.name = name;
  s.config.router.pipeline = stages;
  if (stages == pipeline::paper2009) s.config.router.depth = 1;
  for (node_id n = 0; n < 16; ++n)
    for (unsigned i = 0; i < 10 && n != 5; ++i) s.packets.push_back({0, {n, 5, 8}});
  return s;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/levels.h"

#include <algorithm>
#include <functional>

#include "testbenches/simulation/configuration/parameters.h"

namespace toriscope {
namespace {

using config = const run_config&;
using question = const std::function<bool(const char*)>&;  ///< whether the level names this parameter

struct exclusion {
  const char* path;  ///< of what is dropped
  bool (*holds)(config below, config now, question names);
};

bool names_mode(config now, question names) {
  return names("traffic.mode") && now.traffic.mode != traffic_mode::open;
}
bool names_file(config now, question names) { return names("traffic.file") && !now.traffic.file.empty(); }
bool names_flows(config now, question names) { return names("traffic.flows") && !now.traffic.flows.empty(); }

/// Each sees what those above it have dropped.
const exclusion exclusions[] = {
    {"router.stages",
     [](config, config now, question names) {
       return names("router.pipeline") && now.network.router.pipeline != pipeline::custom;
     }},
    {"router.pipeline",
     [](config, config now, question names) { return names("router.stages") && now.stages_named; }},
    // That of paper2009 follows from the pipeline (with_router_defaults()).
    {"router.depth_flits",
     [](config below, config now, question) {
       return (below.network.router.pipeline == pipeline::paper2009) !=
              (now.network.router.pipeline == pipeline::paper2009);
     }},
    {"topology.link_width_bits",
     [](config, config now, question names) {
       return names("topology.equal") && !now.topology.equal.empty();
     }},
    {"topology.equal",
     [](config, config now, question names) {
       return names("topology.link_width_bits") && !now.topology.link_width_bits.empty();
     }},
    {"traffic.mode",
     [](config, config now, question names) { return names_file(now, names) || names_flows(now, names); }},
    {"traffic.file",
     [](config, config now, question names) { return names_mode(now, names) || names_flows(now, names); }},
    {"traffic.flows",
     [](config, config now, question names) { return names_mode(now, names) || names_file(now, names); }},
};

}  // namespace

std::vector<std::string> drop_excluded(const run_config& below, const std::vector<std::string>& named,
                                       run_config& config) {
  const auto names = [&](const char* path) {
    return std::find(named.begin(), named.end(), path) != named.end();
  };
  std::vector<std::string> dropped;
  for (const auto& [path, holds] : exclusions) {
    if (names(path) || !holds(below, config, names)) continue;
    const parameter& p = parameter_at(path);
    p.set(config, p.get(run_config()));
    dropped.emplace_back(path);
  }
  return dropped;
}

}  // namespace toriscope

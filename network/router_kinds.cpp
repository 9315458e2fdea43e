// SPDX-License-Identifier: Apache-2.0
#include "network/router_kinds.h"

#include <algorithm>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {
namespace {

router_config with_values(router_config config, const own_node_values& own) {
  if (own.vcs != 0) config.vcs = own.vcs;
  if (own.depth != 0) config.depth = own.depth;
  if (own.pipeline.empty()) return config;
  config.custom_stages = {};
  config.pipeline = own.pipeline == "single_cycle" ? pipeline::single_cycle : pipeline::four_stage;
  return config;
}

/// All that is wrong with the values of a node; empty when nothing is.
std::vector<std::string> misfits(const own_node_values& own, const network_config& config) {
  if (!own.pipeline.empty() && own.pipeline != "single_cycle" && own.pipeline != "four_stage")
    return {"pipeline: '" + own.pipeline + "'; expected single_cycle or four_stage"};
  std::vector<std::string> errors = with_values(config.router, own).validate();
  if (own.vcs > config.router.vcs)
    errors.push_back("vcs: " + std::to_string(own.vcs) + "; a node may have fewer VCs than the " +
                     std::to_string(config.router.vcs) + " of the network, not more");
  if (own.vcs != 0 && config.message_classes > 1 && !config.shared_classes)
    errors.push_back("vcs: those of a node cannot be divided among message classes; let these share VCs");
  if (!own.pipeline.empty() && config.router.has_output_buffers())
    errors.push_back("pipeline: the routers of a network are all paper2009, or none is");
  return errors;
}

}  // namespace

router_kinds::router_kinds(const netlist& wiring, const network_config& config) : common_(config.router) {
  if (!wiring.has_node_values()) return;
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    const own_node_values& own = wiring.node_values(n);
    if (own.is_empty()) {
      of_.push_back(&common_);
      continue;
    }
    if (const std::vector<std::string> errors = misfits(own, config); !errors.empty())
      throw std::invalid_argument(wiring.address(n) + ": " + joined(errors, "; "));
    own_.emplace_front(with_values(config.router, own));
    of_.push_back(&own_.front());
  }
}

unsigned router_kinds::longest_ahead() const {
  unsigned longest = common_.timing.send_ahead;
  for (const router_kind& kind : own_) longest = std::max(longest, kind.timing.send_ahead);
  return longest;
}

}  // namespace toriscope

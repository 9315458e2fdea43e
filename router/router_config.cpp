// SPDX-License-Identifier: Apache-2.0
#include "router/router_config.h"

namespace toriscope {

std::vector<std::string> router_config::validate() const {
  std::vector<std::string> errors;
  if (vcs < 1 || vcs > flit_word::max_vcs)
    errors.push_back("vcs: " + std::to_string(vcs) + " is out of range, 1..16 are possible");
  if (depth < 1 || depth > 64)
    errors.push_back("depth: " + std::to_string(depth) + " is out of range, 1..64 flits per VC are possible");
  else if (pipeline == pipeline::paper2009 && depth != 1)
    errors.push_back("depth: the paper2009 pipeline has one-flit buffers; depth must be 1, not " +
                     std::to_string(depth));
  const bool default_policies = va_allocator == allocator::input_first &&
                                sa_allocator == allocator::input_first &&
                                arbiter == toriscope::arbiter::round_robin && islip_iterations == 1 &&
                                !lookahead && !speculative && adaptive_delay_cycles == 0;
  if (!default_policies || pipeline == pipeline::staged)
    errors.push_back("policies other than the default ones are not part of this version");
  return errors;
}

unsigned router_config::stages() const {
  switch (pipeline) {
    case pipeline::single_cycle:
      return 1;
    case pipeline::four_stage:
      return 4;
    case pipeline::paper2009:
      return 2;
    case pipeline::staged:
      return custom_stages.rc + custom_stages.va + custom_stages.sa + custom_stages.st;
  }
  return 0;
}

stage_counts router_config::counts() const {
  if (pipeline == pipeline::single_cycle) return {0, 0, 0, 1};
  return pipeline == pipeline::staged ? custom_stages : stage_counts{};
}

const char* to_string(pipeline p) {
  switch (p) {
    case pipeline::single_cycle:
      return "single_cycle";
    case pipeline::four_stage:
      return "four_stage";
    case pipeline::paper2009:
      return "paper2009";
    case pipeline::staged:
      return "staged";
  }
  return "?";
}

const char* to_string(regrant r) { return r == regrant::tail ? "tail" : "drained"; }

}  // namespace toriscope

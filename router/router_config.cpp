// SPDX-License-Identifier: Apache-2.0
#include "router/router_config.h"

namespace toriscope {
namespace {

using errors = std::vector<std::string>;

void check_range(errors& e, const std::string& key, unsigned value, unsigned most, const char* unit) {
  if (value <= most) return;
  e.push_back(key + ": " + std::to_string(value) + " is out of range; expected 0 to " + std::to_string(most) + " " +
              unit);
}

bool has_default_policies(const router_config& c) {
  return c.va_allocator == allocator_kind::input_first && c.sa_allocator == allocator_kind::input_first &&
         c.arbiter == arbiter_kind::round_robin && !c.lookahead && !c.speculative && c.adaptive_delay_cycles == 0;
}

bool operator==(const stage_counts& a, const stage_counts& b) {
  return a.rc == b.rc && a.va == b.va && a.sa == b.sa && a.st == b.st;
}

void check_stages(const router_config& c, errors& e) {
  const stage_counts& counts = c.custom_stages;
  if (c.pipeline != pipeline::custom) {
    if (!(counts == stage_counts{}))
      e.push_back(std::string("stages: the ") + to_string(c.pipeline) +
                  " pipeline has its own stage counts; use --pipeline custom or leave --stages out");
    return;
  }
  check_range(e, "stages: rc", counts.rc, 7, "cycles");
  check_range(e, "stages: va", counts.va, 7, "cycles");
  check_range(e, "stages: sa", counts.sa, 7, "cycles");
  check_range(e, "stages: st", counts.st, 7, "cycles");
  if (counts.sa + counts.st == 0)
    e.emplace_back("stages: sa and st are both 0; at least one of them must be 1");
}

void check_paper2009(const router_config& c, errors& e) {
  const auto refuse = [&e](const char* key, const char* what) {
    e.push_back(std::string(key) + ": the paper2009 pipeline has " + what);
  };
  if (c.va_allocator != allocator_kind::input_first) refuse("va_allocator", "the paper's allocator, input_first");
  if (c.sa_allocator != allocator_kind::input_first) refuse("sa_allocator", "no switch allocator");
  if (c.arbiter != arbiter_kind::round_robin) refuse("arbiter", "the paper's arbiters, round_robin");
  if (c.lookahead) refuse("lookahead", "no look-ahead routing");
  if (c.speculative) refuse("speculative", "no speculation");
  if (c.adaptive_delay_cycles != 0) refuse("adaptive_delay_cycles", "no routing stage that could be longer");
  if (c.configurable_pipeline) refuse("configurable_pipeline", "a machine of its own");
}

void check_policies(const router_config& c, errors& e) {
  const bool any_islip = c.va_allocator == allocator_kind::islip || c.sa_allocator == allocator_kind::islip;
  if (c.islip_iterations < 1 || c.islip_iterations > 8)
    e.push_back("islip_iterations: " + std::to_string(c.islip_iterations) +
                " is out of range; expected 1 to 8");
  else if (c.islip_iterations != 1 && !any_islip)
    e.push_back("islip_iterations: " + std::to_string(c.islip_iterations) +
                " iterations need --va-allocator islip or --sa-allocator islip");
  check_range(e, "adaptive_delay_cycles", c.adaptive_delay_cycles, 15, "cycles");
  if (c.pipeline == pipeline::paper2009) {
    check_paper2009(c, e);
  } else if (c.speculative && c.counts().va != 1) {
    e.push_back(
        "speculative: heads request an output VC and the switch in one cycle; expected va = 1, not " +
        std::to_string(c.counts().va));
  }
}

}  // namespace

std::vector<std::string> router_config::validate() const {
  errors e;
  if (vcs < 1 || vcs > flit_word::max_vcs)
    e.push_back("vcs: " + std::to_string(vcs) + " is out of range; expected 1 to 16");
  if (depth < 1 || depth > 64)
    e.push_back("depth: " + std::to_string(depth) + " is out of range; expected 1 to 64 flits per VC");
  else if (pipeline == pipeline::paper2009 && depth != 1)
    e.push_back("depth: the paper2009 pipeline has one-flit buffers; expected 1, not " +
                std::to_string(depth));
  check_stages(*this, e);
  check_policies(*this, e);
  return e;
}

bool router_config::has_fast_path() const {
  return pipeline == pipeline::paper2009 ||
         (pipeline != pipeline::custom && has_default_policies(*this) && !configurable_pipeline);
}

stage_counts router_config::counts() const {
  if (pipeline == pipeline::single_cycle) return {0, 0, 0, 1};
  return pipeline == pipeline::custom ? custom_stages : stage_counts{};
}

const char* to_string(pipeline p) {
  switch (p) {
    case pipeline::single_cycle:
      return "single_cycle";
    case pipeline::four_stage:
      return "four_stage";
    case pipeline::paper2009:
      return "paper2009";
    case pipeline::custom:
      return "staged";
  }
  return "?";
}

const char* to_string(vc_reallocation r) { return r == vc_reallocation::non_atomic ? "tail" : "drained"; }

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// See reference_vc_allocator.h. The quoted sentences are those of docs/model.md.
#include "testbenches/reference/reference_vc_allocator.h"

namespace toriscope::reference {

namespace {

bool has_vc(const route_option& option, unsigned vc) { return (option.vcs >> vc) % 2 == 1; }

}  // namespace

const route_option* option_to_ask_for(const vc_request& request, const free_vcs& free) {
  for (const route_option& option : request.options) {
    for (unsigned v = 0; v < free[option.out_port].size(); ++v) {
      if (has_vc(option, v) && free[option.out_port][v]) return &option;
    }
  }
  return nullptr;
}

vc_allocator::vc_allocator(const router_config& config, unsigned ports, unsigned out_vcs)
    : kind_(config.va_allocator),
      iterations_(config.islip_iterations),
      ports_(ports),
      out_vcs_(out_vcs),
      input_arbiters_(ports * config.vcs, arbiter(config.arbiter, out_vcs)),
      output_arbiters_(ports * out_vcs, arbiter(config.arbiter, ports * config.vcs)) {}

std::vector<vc_grant> vc_allocator::allocate(const std::vector<vc_request>& requests, free_vcs free) {
  std::vector<vc_grant> all;
  if (kind_ == allocator_kind::input_first) {
    all = input_first(requests, free);
    for (const vc_grant& grant : all) move(grant);
    return all;
  }
  if (kind_ == allocator_kind::output_first) {
    all = output_first(requests, free);
    for (const vc_grant& grant : all) move(grant);
    return all;
  }
  // "n times output_first; in each iteration the input VCs still without a grant ask, with what the earlier
  // ones granted no longer free. State moves for grants of the first iteration only."
  std::vector<vc_request> still_asking = requests;
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    for (const vc_grant& grant : output_first(still_asking, free)) {
      still_asking[grant.input].any = false;
      free[grant.option.out_port][grant.out_vc] = false;
      if (iteration == 0) move(grant);
      all.push_back(grant);
    }
  }
  return all;
}

void vc_allocator::move(const vc_grant& grant) {
  input_arbiters_[grant.input].granted(grant.out_vc);
  output_arbiters_[grant.option.out_port * out_vcs_ + grant.out_vc].granted(grant.input);
}

// "takes the first of its options that has a free output VC in its set, and in it the first free VC at or
// after the input VC's own pointer. Each output VC asked for grants the first asking input VC i at or after
// its pointer."
std::vector<vc_grant> vc_allocator::input_first(const std::vector<vc_request>& requests,
                                                const free_vcs& free) {
  std::vector<std::vector<vc_grant>> asked(ports_ * out_vcs_);  // of an output VC
  for (unsigned i = 0; i < requests.size(); ++i) {
    if (!requests[i].any) continue;
    const route_option* option = option_to_ask_for(requests[i], free);
    if (!option) continue;
    std::vector<contender> candidates;
    for (unsigned v = 0; v < free[option->out_port].size(); ++v) {
      if (has_vc(*option, v) && free[option->out_port][v]) candidates.push_back({v, 0});
    }
    const unsigned out_vc = candidates[input_arbiters_[i].pick(candidates)].number;
    asked[option->out_port * out_vcs_ + out_vc].push_back({i, *option, out_vc});
  }
  std::vector<vc_grant> grants;
  for (unsigned o = 0; o < asked.size(); ++o) {
    if (asked[o].empty()) continue;
    std::vector<contender> asking;
    for (const vc_grant& request : asked[o]) asking.push_back({request.input, requests[request.input].age});
    grants.push_back(asked[o][output_arbiters_[o].pick(asking)]);
  }
  return grants;
}

// "an input VC asks for every free output VC in the set of its option. Each output VC's arbiter picks one of
// those asking; each input VC's arbiter takes one of the output VCs that picked it."
std::vector<vc_grant> vc_allocator::output_first(const std::vector<vc_request>& requests,
                                                 const free_vcs& free) {
  std::vector<const route_option*> option_of(requests.size(), nullptr);
  std::vector<std::vector<contender>> asking(ports_ * out_vcs_);  // of an output VC
  for (unsigned i = 0; i < requests.size(); ++i) {
    if (!requests[i].any) continue;
    const route_option* option = option_to_ask_for(requests[i], free);
    option_of[i] = option;
    if (!option) continue;
    for (unsigned v = 0; v < free[option->out_port].size(); ++v) {
      if (has_vc(*option, v) && free[option->out_port][v])
        asking[option->out_port * out_vcs_ + v].push_back({i, requests[i].age});
    }
  }
  std::vector<std::vector<contender>> picked_by(requests.size());  // of an input VC: VCs of its option's port
  for (unsigned o = 0; o < asking.size(); ++o) {
    if (asking[o].empty()) continue;
    const unsigned input = asking[o][output_arbiters_[o].pick(asking[o])].number;
    picked_by[input].push_back({o % out_vcs_, 0});
  }
  std::vector<vc_grant> grants;
  for (unsigned i = 0; i < requests.size(); ++i) {
    if (picked_by[i].empty()) continue;
    const unsigned out_vc = picked_by[i][input_arbiters_[i].pick(picked_by[i])].number;
    grants.push_back({i, *option_of[i], out_vc});
  }
  return grants;
}

}  // namespace toriscope::reference

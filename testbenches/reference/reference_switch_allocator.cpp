// SPDX-License-Identifier: Apache-2.0
// See reference_switch_allocator.h. The quoted sentences are those of docs/model.md.
#include "testbenches/reference/reference_switch_allocator.h"

#include <algorithm>

namespace toriscope::reference {

switch_allocator::switch_allocator(const router_config& config, unsigned ports)
    : kind_(config.sa_allocator),
      iterations_(config.islip_iterations),
      ports_(ports),
      vcs_(config.vcs),
      vc_arbiters_(ports, arbiter(config.arbiter, config.vcs)),
      output_arbiters_(ports, arbiter(config.arbiter, ports)),
      accept_arbiters_(ports, arbiter(config.arbiter, ports)) {}

std::vector<switch_grant> switch_allocator::allocate(const request_table& requests) const {
  if (kind_ == allocator_kind::input_first) return input_first(requests);
  if (kind_ == allocator_kind::output_first) return output_first(requests);
  return islip(requests);
}

void switch_allocator::move(const switch_grant& grant) {
  vc_arbiters_[grant.in_port].granted(grant.in_vc);
  // islip: "Output and accept arbiters move for grants of the first iteration only, VC arbiters at every
  // grant."
  if (grant.iteration > 0) return;
  output_arbiters_[grant.out_port].granted(grant.in_port);
  accept_arbiters_[grant.in_port].granted(grant.out_port);
}

unsigned switch_allocator::vc_for(const request_table& requests, unsigned in_port,
                                  const std::vector<bool>& out_ports) const {
  std::vector<contender> candidates;
  for (unsigned v = 0; v < vcs_; ++v) {
    const switch_request& request = requests[in_port][v];
    if (request.any && out_ports[request.out_port]) candidates.push_back({v, request.age});
  }
  return candidates[vc_arbiters_[in_port].pick(candidates)].number;
}

// "Where a requester stands for several input VCs, its oldest packet counts."
void switch_allocator::add_if_asking(std::vector<contender>& list, unsigned number,
                                     const std::vector<switch_request>& vcs, unsigned out_port) const {
  bool asks = false;
  std::uint64_t oldest = 0;
  for (const switch_request& request : vcs) {
    if (!request.any || request.out_port != out_port) continue;
    oldest = asks ? std::min(oldest, request.age) : request.age;
    asks = true;
  }
  if (asks) list.push_back({number, oldest});
}

// "Each input port picks the first asking VC at or after its pointer; each output port grants the first
// picked input port at or after its pointer."
std::vector<switch_grant> switch_allocator::input_first(const request_table& requests) const {
  std::vector<std::vector<switch_grant>> asked(ports_);  // of an output port
  for (unsigned p = 0; p < ports_; ++p) {
    bool asks = false;
    for (const switch_request& request : requests[p]) asks = asks || request.any;
    if (!asks) continue;
    const unsigned v = vc_for(requests, p, std::vector<bool>(ports_, true));
    asked[requests[p][v].out_port].push_back({p, v, requests[p][v].out_port, 0});
  }
  std::vector<switch_grant> grants;
  for (unsigned out = 0; out < ports_; ++out) {
    if (asked[out].empty()) continue;
    std::vector<contender> asking;
    for (const switch_grant& a : asked[out]) asking.push_back({a.in_port, requests[a.in_port][a.in_vc].age});
    grants.push_back(asked[out][output_arbiters_[out].pick(asking)]);
  }
  return grants;
}

// "Each output port's arbiter picks an input port; each input port's VC arbiter takes one of its asking VCs
// whose output port picked the input port."
std::vector<switch_grant> switch_allocator::output_first(const request_table& requests) const {
  std::vector<std::vector<bool>> picked_by(ports_, std::vector<bool>(ports_, false));  // [input][output]
  for (unsigned out = 0; out < ports_; ++out) {
    std::vector<contender> asking;
    for (unsigned p = 0; p < ports_; ++p) add_if_asking(asking, p, requests[p], out);
    if (asking.empty()) continue;
    picked_by[asking[output_arbiters_[out].pick(asking)].number][out] = true;
  }
  std::vector<switch_grant> grants;
  for (unsigned p = 0; p < ports_; ++p) {
    if (std::count(picked_by[p].begin(), picked_by[p].end(), true) == 0) continue;
    const unsigned v = vc_for(requests, p, picked_by[p]);
    grants.push_back({p, v, requests[p][v].out_port, 0});
  }
  return grants;
}

// "in each of n iterations, each output port not yet matched picks, by its arbiter, one of the input ports
// not yet matched that ask for it; each input port accepts, by its accept arbiter, one of the output ports
// that picked it, and sends the VC that its VC arbiter takes of those asking for that output port."
std::vector<switch_grant> switch_allocator::islip(const request_table& requests) const {
  std::vector<bool> input_matched(ports_, false);
  std::vector<bool> output_matched(ports_, false);
  std::vector<switch_grant> grants;
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    std::vector<std::vector<contender>> picked_by(ports_);  // of an input port: output ports
    for (unsigned out = 0; out < ports_; ++out) {
      if (output_matched[out]) continue;
      std::vector<contender> asking;
      for (unsigned p = 0; p < ports_; ++p) {
        if (!input_matched[p]) add_if_asking(asking, p, requests[p], out);
      }
      if (asking.empty()) continue;
      const unsigned p = asking[output_arbiters_[out].pick(asking)].number;
      add_if_asking(picked_by[p], out, requests[p], out);
    }
    for (unsigned p = 0; p < ports_; ++p) {
      if (picked_by[p].empty()) continue;
      const unsigned out = picked_by[p][accept_arbiters_[p].pick(picked_by[p])].number;
      std::vector<bool> only(ports_, false);
      only[out] = true;
      grants.push_back({p, vc_for(requests, p, only), out, iteration});
      input_matched[p] = true;
      output_matched[out] = true;
    }
  }
  return grants;
}

}  // namespace toriscope::reference

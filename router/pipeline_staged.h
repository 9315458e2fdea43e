// SPDX-License-Identifier: Apache-2.0
// The router with any stage counts, allocators and arbiters (docs/model.md, "Stages" to "Speculation"). The
// default policies with the pipelines single_cycle and four_stage have a faster way of their own
// (router.cpp); everything else goes through here.
//
//   contract   step(t) does RC, VA, SA and ST of cycle t, between the taking and the end of the router's step
//   waiting    a VC that may not go on yet - routed, or granted an output VC, a count of cycles ago - stays
//              in `routed` or `granted` of its input unit; the cycle of that event tells when it may
//   idle       a step changes nothing when no port is in to_route or to_latch, va_worthwhile is not set, and
//              nobody asks for the switch
//   state      from the shared arena, sized to ports, VCs and stages
#pragma once

#include <cstdint>

#include "router/allocation/allocation_policy.h"
#include "router/router_config.h"

namespace toriscope {

class router;
struct network_state;
struct input_unit;

class staged_pipeline {
 public:
  /// @param owner  whose ports it works on; it must outlive the pipeline and stay where it is
  staged_pipeline(router& owner, unsigned ports, network_state& chip);

  void step(cycle_t now);

 private:
  void compute_routes(cycle_t now);
  void end_waits(cycle_t now);
  void allocate_vcs(cycle_t now);
  void ask_for_vcs(request_list& requests);
  void ask_for_vc(unsigned p, unsigned v, request_list& requests);
  void grant_vc(const allocation_request& grant, cycle_t now);
  void speculate();
  void allocate_switch(cycle_t now);
  void grant_switch(const allocation_request& grant, cycle_t now);
  void grant_speculative(std::uint32_t used_inputs, std::uint32_t used_outputs, cycle_t now);
  unsigned routing_cycles(unsigned options) const;
  packet_id packet_of(const input_unit& in, unsigned v) const;

  router& router_;
  network_state& chip_;
  allocation_policy* va_;
  allocation_policy* sa_;
  allocation_policy* speculative_sa_ = nullptr;  ///< null: no speculation

  std::uint32_t* waits_since_;   ///< by input VC: low bits of the cycle in which it was routed or granted
  std::uint8_t routing_cycles_;  ///< rc as it counts, of heads with one option
  std::uint8_t adaptive_routing_cycles_;  ///< ... with several
  std::uint8_t va_cycles_;
  std::uint8_t sent_after_;  ///< x, cycles from the grant of the switch to the sending
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The configurable pipeline: any stage counts, allocators and arbiters (docs/model.md, "Stages" to "Speculation"). The
// default policies with the pipelines single_cycle and four_stage have a fast path of their own (router.cpp). There the
// order of the calls is the timing; here pipeline_timing.h says it. An allocation with the default policies is that of
// the fast path, unless a test compares the two (router_config::configurable_pipeline).
//
//   contract   step(t) does RC, VA, SA and ST of cycle t, between the taking of what arrived and the end of the step
//   waiting    a VC that may not go on yet - routed, or granted an output VC, a count of cycles ago - stays
//              in `routed` or `granted` of its input unit; from the cycle of that event follows when it may
//   idle       a step changes nothing when no VC is in to_route, routed or granted, va_worthwhile is not set, and
//              no VC requests the switch
//   state      from the shared arena, sized to ports, VCs and stages
#pragma once

#include <cstdint>

#include "router/allocation/allocator.h"
#include "router/router_state.h"

namespace toriscope {

class configurable_pipeline {
 public:
  /// @param state  of the router that it steps; must outlive the pipeline and stay where it is
  explicit configurable_pipeline(router_state& state);

  void step(cycle_t now);
  /// After that of the router.
  void archive(network_archive& s);

 private:
  /// Ports that were granted something.
  struct used_ports {
    port_set inputs, outputs;
  };
  void step_as(router_shape n, cycle_t now);
  void compute_routes(router_shape n, cycle_t now);
  void end_waits(router_shape n, cycle_t now);
  void allocate_vcs(cycle_t now);
  void allocate_vcs_plainly(cycle_t now);
  void request_vcs(request_list& requests);
  void request_vcs_of(unsigned i, request_list& requests);
  void grant_vc(const allocation_request& grant, cycle_t now);
  void speculate();
  used_ports allocate_switch_plainly(router_shape n, cycle_t now);
  used_ports allocate_switch_by_list(router_shape n, cycle_t now);
  void request_switch(router_shape n);
  unsigned grants_of(const allocator& switches, request_list& requests);
  void grant_switch(router_shape n, const allocation_request& grant, cycle_t now);
  void grant_speculative(used_ports used, cycle_t now);
  packet_id packet_of(unsigned i) const;

  router_state& router_;
  network_state& network_;
  const router_shape n_;
  allocator* va_;
  allocator* sa_;
  allocator* speculative_sa_ = nullptr;  ///< null: no speculation
  bool plain_va_;                        ///< VA goes as in the plain pipelines, by their code
  bool plain_sa_;                        ///< likewise SA
  bool by_age_;                          ///< arbiters compare the ages of packets

  std::uint32_t* waits_since_;  ///< by input VC: low bits of the cycle in which it was routed or granted
};

}  // namespace toriscope

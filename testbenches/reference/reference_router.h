// SPDX-License-Identifier: Apache-2.0
// The router of the reference model: docs/model.md, "Order within a cycle", sentence by sentence, with plain
// loops.
//
//   ports      clk; per port a flit input with its credit output and a flit output with its credit input.
//              The local ports are the last. A side of a port that the netlist does not have is bound to a
//              signal that no process writes or reads.
//   contract   docs/model.md; nothing here is meant to be fast
//   limits     a broken rule (a full buffer written, credits above the depth) throws std::logic_error
//   sources    reference_router.cpp: take, RC, VA, SA, ST; reference_router_paper2009.cpp: SW, LT
#pragma once

#include <deque>
#include <systemc>
#include <vector>

#include "links/flit_systemc.h"
#include "router/router_config.h"
#include "testbenches/reference/packet_registry.h"
#include "testbenches/reference/reference_switch_allocator.h"
#include "testbenches/reference/reference_vc_allocator.h"
#include "topologies/route.h"

namespace toriscope::reference {

/// The link behind an output port.
struct outgoing_link {
  unsigned flit_cycles = 1;         ///< F
  cycle_t dead_from = ~cycle_t{0};  ///< the first cycle in which it is dead
  unsigned vcs = 1;                 ///< of the port that it leads to
  unsigned depth = 1;               ///< of each of these
};

/// What a router is told at its making.
struct router_setting {
  node_id node = 0;
  router_config config;            ///< its own
  unsigned most_vcs = 1;           ///< of any router
  std::vector<outgoing_link> out;  ///< by port, the local ones included
  unsigned first_local = 0;        ///< ports from here on lead to network interfaces
  bool local_credits = false;      ///< limited reception
  unsigned route_vcs = 1;  ///< VCs that the routing function shares out: V, or V/N with N disjoint classes
};

class router : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_vector<sc_core::sc_in<flit_word>> flit_in;
  sc_core::sc_vector<sc_core::sc_out<credit_word>> credit_out;
  sc_core::sc_vector<sc_core::sc_out<flit_word>> flit_out;
  sc_core::sc_vector<sc_core::sc_in<credit_word>> credit_in;

  SC_HAS_PROCESS(router);
  router(sc_core::sc_module_name name, const router_setting& setting, const routing_function& routing,
         const flit_layout& layout, packet_registry& office);

 private:
  struct input_vc {
    std::deque<flit_word> buffer;
    // of the packet at the front
    bool routed = false;
    std::vector<route_option> options;
    std::uint64_t number = 0;  // of the packet
    cycle_t va_from = 0;       // takes part in VA from then on
    bool discarding = false;
    bool owns = false;    // an output VC, described by the following
    cycle_t sa_from = 0;  // takes part in SA from then on
    unsigned out_port = 0;
    unsigned out_vc = 0;
    route_state next_state = 0;
  };
  struct output_vc {
    bool owned = false;
    unsigned credits = 0;
    // paper2009
    bool full = false;
    flit_word buffer;
    // as they were at the start of the cycle, before anything was taken
    unsigned credits_at_start = 0;
    bool full_at_start = false;
  };
  struct granted_flit {
    cycle_t sent_in = 0;
    flit_word flit;
  };
  using switch_requests = std::vector<std::vector<switch_request>>;  // [port][vc]

  void cycle();
  void remember_start();
  void take();
  void compute_routes();
  void give_up_heads_without_options();
  void allocate_vcs();
  void allocate_switch();
  void allocate_switch_speculatively();
  void traverse_switch();
  void discard();
  void return_credits();
  unsigned flits_without_credit(unsigned out_port) const;
  // paper2009
  void move_to_output_buffers();
  void traverse_links();

  bool is_paper2009() const { return config_.pipeline == pipeline::paper2009; }
  bool has_credits(unsigned port) const { return port < first_local_ || local_credits_; }
  bool is_dead(unsigned port) const { return now_ >= links_[port].dead_from; }
  bool is_free(unsigned port, unsigned vc) const;
  bool may_be_allocated(const input_vc& in) const;
  unsigned cycles_to_va(unsigned options) const;
  switch_requests no_switch_requests() const;
  std::vector<route_option> live_options(const input_vc& in) const;
  bool has_credit(unsigned port, unsigned vc) const;
  void use_credit(unsigned port, unsigned vc);
  flit_word read_out(unsigned port, unsigned vc);
  void send(const switch_grant& grant);

  const node_id node_;
  const unsigned ports_;
  const routing_function& routing_;
  const flit_layout layout_;
  packet_registry& office_;
  const router_config config_;
  const unsigned vcs_;
  const unsigned route_vcs_;
  const unsigned first_local_;
  const bool local_credits_;
  const std::vector<outgoing_link> links_;  // [port]

  cycle_t now_ = 0;
  std::vector<std::vector<input_vc>> inputs_;    // [port][vc]
  std::vector<std::vector<output_vc>> outputs_;  // [port][vc]
  vc_allocator vc_allocator_;
  switch_allocator switch_allocator_;
  switch_allocator speculative_allocator_;
  std::vector<arbiter> link_arbiters_;             // [port], over VCs; paper2009
  std::vector<cycle_t> sending_until_;             // [port], nothing else is granted before
  std::vector<std::deque<granted_flit>> granted_;  // [port], read out and not yet sent
  std::vector<std::vector<bool>> freed_;           // [port][vc], slots freed in this cycle
  // of this cycle, for speculation
  switch_requests speculative_;
  std::vector<bool> granted_in_;   // [port], by the first switch allocator
  std::vector<bool> granted_out_;  // [port]
};

}  // namespace toriscope::reference

// SPDX-License-Identifier: Apache-2.0
// The router of the textbook network: docs/model.md, "Order within a cycle", sentence by sentence, with plain
// loops.
//
//   ports      clk; per port a flit input with its credit output and a flit output with its credit input.
//              The local port is the last. A side of a port that the netlist does not have is bound to a
//              signal that nobody writes or reads.
//   contract   docs/model.md; nothing here is meant to be fast
//   limits     a broken rule (a full buffer written, credits above the depth) throws std::logic_error
#pragma once

#include <deque>
#include <systemc>
#include <vector>

#include "links/flit_systemc.h"
#include "router/router_config.h"
#include "topologies/route.h"

namespace toriscope::textbook {

class router : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_vector<sc_core::sc_in<flit_word>> flit_in;
  sc_core::sc_vector<sc_core::sc_out<credit_word>> credit_out;
  sc_core::sc_vector<sc_core::sc_out<flit_word>> flit_out;
  sc_core::sc_vector<sc_core::sc_in<credit_word>> credit_in;

  /// @param ports  P, the local port included
  SC_HAS_PROCESS(router);
  router(sc_core::sc_module_name name, node_id node, unsigned ports, const routing_function& routing,
         const flit_layout& layout, const router_config& config);

  /// Flits in input buffers, output buffers and on their way to the output register.
  std::uint64_t flits_held() const;

 private:
  struct input_vc {
    std::deque<flit_word> buffer;
    bool routed = false;
    cycle_t routed_in = 0;
    std::vector<route_option> options;
    bool owns = false;  // an output VC, described by the following
    cycle_t owns_since = 0;
    unsigned out_port = 0;
    unsigned out_vc = 0;
    route_state next_state = 0;
    unsigned pointer = 0;  // over the VCs of an output port
  };
  struct output_vc {
    bool owned = false;
    unsigned credits = 0;
    unsigned pointer = 0;  // over all input VCs
    // paper2009
    bool full = false;
    flit_word buffer;
    // as they were at the start of the cycle, before anything was taken
    unsigned credits_at_start = 0;
    bool full_at_start = false;
  };
  struct granted_flit {
    bool any = false;
    flit_word flit;
  };

  void cycle();
  void remember_start();
  void take();
  void compute_routes();
  void allocate_vcs();
  void allocate_switch();
  void traverse_switch();
  void move_to_output_buffers();
  void traverse_links();

  bool is_local(unsigned port) const { return port == ports_ - 1; }
  bool is_free(unsigned port, unsigned vc) const;
  bool has_credit(unsigned port, unsigned vc) const;
  void use_credit(unsigned port, unsigned vc);
  flit_word read_out(unsigned port, unsigned vc);

  const node_id node_;
  const unsigned ports_;
  const routing_function& routing_;
  const flit_layout layout_;
  const router_config config_;
  const unsigned vcs_;

  cycle_t now_ = 0;
  std::vector<std::vector<input_vc>> inputs_;    // [port][vc]
  std::vector<std::vector<output_vc>> outputs_;  // [port][vc]
  std::vector<unsigned> switch_input_pointer_;   // [port], over VCs
  std::vector<unsigned> switch_output_pointer_;  // [port], over ports
  std::vector<unsigned> link_pointer_;           // [port], over VCs; paper2009
  std::vector<granted_flit> granted_now_;        // [port], by SA in this cycle
  std::vector<granted_flit> granted_before_;     // [port], by SA in the cycle before
  std::vector<std::vector<bool>> freed_;         // [port][vc], slots freed in this cycle
};

}  // namespace toriscope::textbook

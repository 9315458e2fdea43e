// SPDX-License-Identifier: Apache-2.0
// A node whose router is RTL. The network interface stays the model's.
//
//   ports      clk, and per port of the netlist that has that side flit_i_x+, flit_o_x+, credit_i_x+,
//              credit_o_x+ (without credit_i for local ports, unless reception is limited); they are bound
//              to the links around the node when all nodes are built
//   contract   at edge t the RTL samples what the links show in t; its output pins after that edge are what
//              is sent in t
//   use        as network::node_factory: [&](const char* name, const node_context& c) -> std::unique_ptr<node> {
//                if (c.id == 5) return std::make_unique<rtl_node>(name, c, std::move(rtl)); return nullptr; }
//   limits     pipeline, VC reallocation, depth and VCs must be those of the RTL, which may have more ports
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "links/link.h"
#include "network/node.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {

class rtl_node final : public node {
 public:
  sc_core::sc_in<bool> clk{"clk"};

  /// The links of one port; null where the port has no such side.
  struct port_pins {
    std::unique_ptr<sc_core::sc_in<flit_word>> flit_i;
    std::unique_ptr<sc_core::sc_out<flit_word>> flit_o;
    std::unique_ptr<sc_core::sc_in<credit_word>> credit_i;
    std::unique_ptr<sc_core::sc_out<credit_word>> credit_o;
  };

  SC_HAS_PROCESS(rtl_node);

  /// @param rtl  has been reset, and is made for this place
  /// @throws std::invalid_argument when its parameters or the network's pipeline do not fit
  rtl_node(const sc_core::sc_module_name& name, const node_context& context, std::unique_ptr<rtl_router> rtl);

  std::uint64_t flits_sent(port_id p) const override { return sent_[p]; }
  void connect(const node_context& context) override;
  bool step(cycle_t now) override;
  bool is_stepped_with_others() const override { return true; }
  const node_account* account() const override { return &account_; }
  std::string at_end() const override;
  std::string settle() override;

  const port_pins& pins(port_id p) const { return pins_[p]; }
  const rtl_router& rtl() const { return *rtl_; }

 private:
  void edge();
  /// Of all nodes whose RTL is clocked with others, the first that its process comes to clocks them all.
  void clock_together();
  /// Does not throw, but notes in failed_.
  void clock_alone();
  /// A cycle of the RTL, which the account sees go in and leave. @throws rtl_assertion
  void clock_rtl();
  /// @throws rtl_assertion unless `wrong` is empty
  void check(port_id p, const std::string& wrong) const;
  /// @throws rtl_assertion, of port q of the RTL
  [[noreturn]] void sends_nowhere(port_id q, const char* what) const;
  std::string lost_credit(const node_account::input_slot& slot) const;
  void look_for_lost_credits();
  void count_hop(flit_word head);
  port_id rtl_port(port_id p) const { return port_of_rtl(wiring_, id(), p, rtl_->parameters()); }

  const netlist& wiring_;
  network_state& network_;
  wire_table& wires_;
  std::unique_ptr<rtl_router> rtl_;
  std::vector<port_pins> pins_;
  std::vector<port_id> without_flit_o_, without_credit_o_;  ///< ports of the RTL; there it must drive 0
  std::vector<std::uint64_t> sent_;  ///< flits by port
  node_account account_;
  cycle_t cycle_ = 0;
  cycle_t look_in_;  ///< cycles: for lost credits
  std::shared_ptr<std::vector<node_id>> together_;  ///< the nodes that are clocked together; null: not yet known
  bool shares_clock_ = false;
  bool clocked_ = false;                            ///< at this edge, before its process came
  std::optional<rtl_assertion> failed_;             ///< at this edge
};

}  // namespace toriscope

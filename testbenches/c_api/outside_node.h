// SPDX-License-Identifier: Apache-2.0
// A node whose router the caller of the C interface steps. The network interface stays the model's.
//
//   contract  before cycle t is done, drive() says what the router sends in t; after it, the wires have what the links
//             show in t+1
//   checks    flits that leave must have entered, with credits, and each returns one credit (network/node_account.h)
#pragma once

#include <string>
#include <vector>

#include "network/node.h"

namespace toriscope {

class outside_node final : public node {
 public:
  outside_node(const sc_core::sc_module_name& name, const node_context& context);

  /// What the router sends in the next cycle; in each cycle anew. @throws std::invalid_argument
  void drive(port_id p, flit_word f, credit_word c);

  void connect(const node_context& context) override;
  /// @throws invariant_violation
  bool step(cycle_t now) override;
  bool is_stepped_with_others() const override { return true; }
  std::uint64_t flits_sent(port_id p) const override { return pins_[p].sent; }
  const node_account* account() const override { return &account_; }

 private:
  /// A port: its wires, null where it has no such side, and what is sent.
  struct port {
    flit_wire* in = nullptr;
    credit_wire* credits_back = nullptr;
    flit_wire* out = nullptr;
    credit_wire* credits_in = nullptr;
    bool from_link = false;
    flit_word flit = {};
    credit_word credits = {};
    std::uint64_t sent = 0;
  };

  void take(port_id p, cycle_t now);
  void send(port_id p, cycle_t now);
  void check(port_id p, const std::string& wrong) const;
  void look_for_lost_credits(cycle_t now);
  /// As an error of the caller names it.
  std::string port_text(port_id p) const;

  const netlist& wiring_;
  network_state& network_;
  node_account account_;
  std::vector<port> pins_;
};

}  // namespace toriscope

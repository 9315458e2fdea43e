// SPDX-License-Identifier: Apache-2.0
// Model and RTL side by side: each chosen node's RTL gets, in every cycle, what the links show the model's
// router, and every output pin is compared with what the model sends in that cycle.
//
//   use     lockstep_probe lockstep(wiring, nodes, [&](const node_context& c) { return rtl.make(c.id); }, 10);
//           network net(name, wiring, routing, config, lockstep.factory());
//           ... simulate ...; lockstep.finish(net.cycles_done());
//   flits   the model puts a flit into its wire when the switch is granted, x cycles before it is sent: what
//           is sent in t is what the wire will show in t + D
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/probed_node.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {

/// Output pins of a port in a cycle that are not the same.
struct pin_difference {
  enum class pins { flit_o, credit_o, assertion };
  cycle_t cycle = 0;
  node_id node = 0;
  port_id port = 0;  ///< of the node
  pins what = pins::flit_o;
  std::uint64_t model = 0;
  std::uint64_t rtl = 0;
  std::string said;  ///< assertion: by the RTL
};

/// What model and RTL send by a port in a cycle.
struct port_comparison {
  cycle_t cycle;
  node_id node;
  unsigned rtl_port;
  flit_word model_flit, rtl_flit;
  credit_word model_credit, rtl_credit;
};

/// One line: cycle, node, port, pin and both values, flits field by field.
std::string to_string(const pin_difference& d, const netlist& wiring, const flit_layout& layout);

class lockstep_probe final : public router_probe {
 public:
  /// Is called before a node's RTL sees cycle `now`, with the state it has then.
  using interference = std::function<void(const probed_node& node, rtl_router& rtl, cycle_t now)>;
  /// The RTL of a node, reset.
  using maker = std::function<std::unique_ptr<rtl_router>(const node_context&)>;

  /// The references must outlive it. After a difference the simulation goes on for `cycles_after`, and is
  /// then paused.
  /// @param nodes  those with RTL, in ascending order
  lockstep_probe(const netlist& wiring, const std::vector<node_id>& nodes, maker make, cycle_t cycles_after);

  /// The chosen nodes are watched; all others are the model's.
  network::node_factory factory();
  void interfere(interference disturb) { disturb_ = std::move(disturb); }
  /// Is called with everything that is compared, by node in the order of cycles.
  void listen(std::function<void(const port_comparison&)> listener) { listener_ = std::move(listener); }
  const std::vector<node_id>& nodes() const { return nodes_; }
  /// The node's port that is the RTL's port q; tied off: beyond the node's ports.
  unsigned port_of(node_id n, unsigned q) { return port_of_node(wiring_, n, q, rtl_of(n).parameters()); }
  /// The RTL of a chosen node, once the network is built.
  rtl_router& rtl_of(node_id n) { return *sides_.at(place_.at(n)).rtl; }
  /// To be called at the end: nodes in which nothing ever happened do their cycles now, those before `cycles_done`.
  void finish(cycle_t cycles_done);

  std::uint64_t router_cycles() const { return router_cycles_; }
  /// Wires: 64 for each flit_o and one per VC for each credit_o, in each cycle.
  std::uint64_t pins_compared() const { return pins_compared_; }
  /// Flit or credit words that differ, and assertions that failed.
  std::uint64_t mismatches() const { return mismatches_; }
  /// Of the earliest cycle, of those the one found first.
  const std::optional<pin_difference>& first() const { return first_; }

  void connected(const probed_node& node) override { sides_[place_[node.id()]].model = &node; }
  void before_step(const probed_node& node, cycle_t now) override;
  bool after_step(const probed_node& node, cycle_t now) override;

 private:
  struct side {
    std::unique_ptr<rtl_router> rtl;
    const probed_node* model = nullptr;
    cycle_t cycles_done = 0;
  };

  void catch_up(side& s, node_id n, cycle_t now);
  void clock(side& s, node_id n, cycle_t now);
  void compare(const side& s, node_id n, unsigned rtl_port, flit_word flit, credit_word credit, cycle_t now);
  void differs(pin_difference d);

  const netlist& wiring_;
  const std::vector<node_id>& nodes_;
  const maker make_;
  const cycle_t cycles_after_;
  std::vector<side> sides_;           ///< by place in nodes_
  std::vector<std::uint32_t> place_;  ///< by node
  interference disturb_;
  std::function<void(const port_comparison&)> listener_;
  std::uint64_t router_cycles_ = 0, pins_compared_ = 0, mismatches_ = 0;
  std::optional<pin_difference> first_;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// A user's router in the place of the model's: what ready_valid_adapter, on_off_adapter and credit_adapter have
// in common.
//
//   cycle   flits and credits that the links show in t are taken first; then come clocks_per_cycle clocks of
//           the router; what has left by then is sent in t, a flit per port
//   checks  the packet scoreboard's; a router that sends nothing for patience_cycles although it holds packets and
//           its outputs could take them; one that never serves a packet while others pass (starvation.h); lost
//           credits (credit_watch.h)
//   limits  a router has no VCs or as many as the network; one without VCs goes with one message class
#pragma once

#include <memory>
#include <vector>

#include "rtl_models/rtl_router.h"
#include "rtl_models/user_rtl/egress_port.h"
#include "rtl_models/user_rtl/ingress_port.h"
#include "rtl_models/user_rtl/router_pins.h"
#include "rtl_models/user_rtl/starvation.h"

namespace toriscope {

class router_adapter : public rtl_router {
 public:
  const rtl_parameters& parameters() const override { return parameters_; }
  bool follows_model() const override { return false; }
  void set_flit(port_id p, flit_word f) override;
  void set_credit(port_id p, credit_word c) override;
  void clock_edge() override;
  bool is_clocked_with_others() const override { return pins_->is_clocked_with_others(); }
  flit_word flit(port_id p) const override { return sent_[p]; }
  credit_word credit(port_id p) const override { return freed_[p]; }
  std::optional<std::uint64_t> flits_inside() const override;
  std::string at_end() override { return starved(); }
  std::uint64_t patience_cycles() const override { return config_.patience_cycles; }
  void neighbours_stop() override {
    watches_ = false;
    pins_->run_ends();
  }
  const adapter_config& config() const { return config_; }

 protected:
  /// @param pins  of a router that has been reset
  /// @throws std::invalid_argument one line: what does not go with this node or network
  router_adapter(const node_context& context, adapter_config config, std::unique_ptr<router_pins> pins,
                 bool unbuffered, bool counted);

  /// One clock of the router.
  virtual void clock(cycle_t now) = 0;

  /// The flit for the router's port r at the next clock edge; false: none. @param vcs  that may be offered to
  bool drive_in(unsigned r, std::uint32_t vcs, cycle_t now);
  /// Takes what is at the router's output pins. @param where  VCs of which that counts
  void sample_out(unsigned r, std::uint32_t vcs);

  packet_scoreboard& scoreboard() { return scoreboard_; }
  const packet_scoreboard& scoreboard() const { return scoreboard_; }
  router_pins& pins() { return *pins_; }
  unsigned router_ports() const { return static_cast<unsigned>(config_.ports.size()); }
  /// Of the router's port r; null: the node has no such port.
  ingress_port* ingress(unsigned r) { return ingress_[r].get(); }
  egress_port& egress(unsigned r) { return egress_[r]; }

 private:
  void look_for_losses();
  void never_ready() const;
  std::string starved();

  const adapter_config config_;
  const rtl_parameters parameters_;
  std::unique_ptr<router_pins> pins_;
  packet_scoreboard scoreboard_;
  std::vector<std::unique_ptr<ingress_port>> ingress_;
  std::vector<egress_port> egress_;
  starvation_watch starvation_;
  std::vector<unsigned> router_port_;  ///< by port of the node
  std::vector<flit_word> sent_;
  std::vector<credit_word> freed_;
  const wide_flit idle_;  ///< at inputs without a flit
  cycle_t now_ = 0;
  cycle_t quiet_since_ = 0;
  bool watches_ = true;  ///< for packets that stay
};

/// A router with ready and valid. Ready may depend on valid and on the ready of outputs, valid must not wait
/// for ready.
class ready_valid_adapter final : public router_adapter {
 public:
  ready_valid_adapter(const node_context& context, adapter_config config, std::unique_ptr<router_pins> pins);

 private:
  void clock(cycle_t now) override;
  std::vector<bool> offered_;
};

/// A router with an on/off signal per VC: what is offered while it is on goes in at the clock edge. Behind its
/// outputs are `depth` slots per VC; off is told when `slack` of them are left.
class on_off_adapter final : public router_adapter {
 public:
  on_off_adapter(const node_context& context, adapter_config config, std::unique_ptr<router_pins> pins);

 private:
  void clock(cycle_t now) override;
};

/// A router with credits. If its buffers are no smaller than the network's, they are what neighbours have
/// credits for, and nothing stands between; else the adapter has buffers of its own.
class credit_adapter final : public router_adapter {
 public:
  credit_adapter(const node_context& context, adapter_config config, std::unique_ptr<router_pins> pins);

  std::string owed_credit() const override { return scoreboard().owed_credit(); }
  std::string look_for_lost_credits() override { return scoreboard().look_for_lost_credits(); }

 private:
  void clock(cycle_t now) override;
  void sample();
};

}  // namespace toriscope

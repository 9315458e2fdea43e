// SPDX-License-Identifier: Apache-2.0
// For tests: an RTL router and the model's router with the same neighbours, compared at every output pin.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/test_file.h"
#include "router/router.h"
#include "rtl_models/random_routes.h"

namespace toriscope {

using make_router = std::unique_ptr<rtl_router> (*)(const rtl_start&);

/// A router with neighbours that send and take at random, within their credits.
class lockstep_bench {
 public:
  lockstep_bench(make_router make, unsigned seed) : random_(seed) {
    const std::string file = test_file("lockstep_" + std::to_string(seed) + ".hex");
    // The parameters are known to the RTL only; a table of zeros does for asking it.
    parameters_ = make({"/dev/null", 0})->parameters();
    routing_ = std::make_unique<random_routes>(parameters_, seed);
    routing_->write_table(file);
    for (unsigned p = 0; p < parameters_.ports; ++p)
      depth_behind_.push_back(parameters_.out_depth ? 1 + below(parameters_.out_depth) : parameters_.depth);
    for (unsigned p = 0; parameters_.narrow && p < parameters_.ports; ++p)
      flit_cycles_.push_back(p < 2 ? 1 + below(6) : 1);
    rtl_ = make({file, static_cast<int>(seed), slots(), flit_cycles_});
    std::remove(file.c_str());

    router_config config;
    config.pipeline = parameters_.four_stage ? pipeline::four_stage : pipeline::single_cycle;
    config.vc_reallocation = parameters_.drained ? vc_reallocation::atomic : vc_reallocation::non_atomic;
    config.vcs = parameters_.vcs;
    config.depth = parameters_.depth;
    layout_ = flit_layout(std::uint64_t{1} << parameters_.destination_bits, parameters_.state_bits);
    network_ = std::make_unique<network_state>(config, layout_, *routing_, 1, 4);
    core_ = std::make_unique<router>(0, parameters_.ports, *network_, network_->kind, parameters_.local_ports,
                                     parameters_.ports);
    for (port_id p = 0; p < parameters_.ports; ++p) {
      flit_in_.push_back(&flit_wire::make(network_->memory, 1));
      flit_out_.push_back(&flit_wire::make(network_->memory, 1, nullptr, 0, network_->timing.send_ahead));
      credit_in_.push_back(&credit_wire::make(network_->memory, 1));
      credit_out_.push_back(&credit_wire::make(network_->memory, 1));
      core_->connect_input(p, *flit_in_[p], *credit_out_[p]);
      core_->connect_output(p, *flit_out_[p], has_credits(p) ? credit_in_[p] : nullptr,
                            flit_cycles_.empty() ? 1 : flit_cycles_[p], depth_behind_[p]);
    }
    senders_.assign(parameters_.ports * parameters_.vcs, {});
    for (sender& s : senders_) s.credits = parameters_.depth;
    last_credit_.resize(parameters_.ports);
    held_.assign(parameters_.ports * parameters_.vcs, 0);
  }

  /// One cycle, with the neighbours sending and taking with these probabilities in percent. Returns whether
  /// all pins are equal.
  bool cycle(unsigned send_percent, unsigned take_percent) {
    ++now_;
    arrival_mask arrivals = 0;
    for (port_id p = 0; p < parameters_.ports; ++p) {
      const flit_word f = percent(send_percent) ? next_flit(p) : flit_word{};
      const credit_word c = freed(p, take_percent);
      rtl_->set_flit(p, f.valid() ? flit_word{f.bits ^ flipped_} : f);
      if (f.valid()) flipped_ = 0;
      rtl_->set_credit(p, late_ ? last_credit_[p] : c);
      if (late_) last_credit_[p] = c;
      flit_in_[p]->send(now_ - 1, f);
      credit_in_[p]->send(now_ - 1, c);
      if (f.valid()) arrivals |= arrival_mask{1} << flit_arrival(p);
      if (c.valid() && has_credits(p)) arrivals |= arrival_mask{1} << credit_arrival(p);
    }
    rtl_->clock_edge();
    core_->step(now_, arrivals);

    bool equal = true;
    for (port_id p = 0; p < parameters_.ports; ++p) {
      const flit_word sent = flit_out_[p]->shown(now_ + 1);
      const credit_word credit = credit_out_[p]->shown(now_ + 1);
      equal = equal && rtl_->flit(p) == sent && rtl_->credit(p) == credit;
      if (sent.valid()) {
        ++flits_;
        ++held_[p * parameters_.vcs + sent.vc()];
      }
      for (unsigned v = 0; v < parameters_.vcs; ++v)
        senders_[p * parameters_.vcs + v].credits += credit.vcs >> v & 1u;
    }
    return equal;
  }

  /// Flits sent by the router.
  std::uint64_t flits() const { return flits_; }

  // Faults, for the RTL only: from now on credits come a cycle late; the next flit has a wrong bit.
  void delay_credits_of_rtl() { late_ = true; }
  void flip_bit_for_rtl(unsigned bit) { flipped_ = std::uint64_t{1} << bit; }

 private:
  struct sender {
    packet_id packet = 0;
    unsigned left = 0;  ///< flits of the packet not yet sent
    unsigned index = 0;
    unsigned credits = 0;
  };

  bool has_credits(port_id p) const {
    return p + parameters_.local_ports < parameters_.ports || parameters_.local_credits;
  }
  /// As the RTL is told of the routers downstream; none of them lacks a VC, for any may be in an answer.
  std::vector<unsigned> slots() const {
    std::vector<unsigned> by_vc;
    for (unsigned o = 0; parameters_.out_depth && o < parameters_.ports * parameters_.vcs; ++o)
      by_vc.push_back(depth_behind_[o / parameters_.vcs]);
    return by_vc;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool percent(unsigned p) { return below(100) < p; }

  flit_word next_flit(port_id p) {
    const unsigned v = below(parameters_.in_vcs);
    sender& s = senders_[p * parameters_.vcs + v];
    if (s.credits == 0) return {};
    --s.credits;
    if (s.left > 0) return layout_.body(++s.index, layout_.tag_of(s.packet), --s.left == 0).on_vc(v);
    const std::uint32_t field = routing_->a_field(p * parameters_.vcs + v, random_);
    const std::uint32_t destination = field & ((1u << parameters_.destination_bits) - 1);
    s.left = below(6);
    s.index = 0;
    s.packet = network_->packets.create({0, destination, s.left + 1}, now_);
    return layout_
        .head(destination, field >> parameters_.destination_bits, layout_.tag_of(s.packet), s.left == 0)
        .on_vc(v);
  }

  credit_word freed(port_id p, unsigned take_percent) {
    credit_word c;
    for (unsigned v = 0; v < parameters_.vcs; ++v) {
      unsigned& held = held_[p * parameters_.vcs + v];
      if (held == 0 || !percent(take_percent)) continue;
      --held;
      c.vcs = static_cast<std::uint16_t>(c.vcs | 1u << v);
    }
    return c;
  }

  std::mt19937 random_;
  rtl_parameters parameters_;
  flit_layout layout_;
  std::unique_ptr<random_routes> routing_;
  std::unique_ptr<network_state> network_;
  std::unique_ptr<router> core_;
  std::unique_ptr<rtl_router> rtl_;
  std::vector<flit_wire*> flit_in_, flit_out_;
  std::vector<credit_wire*> credit_in_, credit_out_;
  std::vector<unsigned> depth_behind_;  ///< by output port
  std::vector<unsigned> flit_cycles_;   ///< of the links out, by port; empty: 1
  std::vector<sender> senders_;
  std::vector<unsigned> held_;  ///< flits that the neighbours downstream hold, by output VC
  std::vector<credit_word> last_credit_;
  bool late_ = false;
  std::uint64_t flipped_ = 0;
  cycle_t now_ = 0;
  std::uint64_t flits_ = 0;
};

}  // namespace toriscope

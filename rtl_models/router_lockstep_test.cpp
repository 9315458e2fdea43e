// SPDX-License-Identifier: Apache-2.0
// sv/router.sv against the model's router, alone, under random flits, credits and routing: every output pin
// in every cycle. The two were written from docs/model.md, not from each other.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <vector>

#include "odd_router.h"
#include "one_slot_router.h"
#include "router/router.h"
#include "torus_router_2x4.h"
#include "torus_router_4x8.h"

namespace toriscope {
namespace {

using make_router = std::unique_ptr<rtl_router> (*)(const rtl_start&);

/// Any output port, any VCs, any next state, as a hash of the request says.
class random_routing final : public routing_function {
 public:
  random_routing(const rtl_parameters& parameters, unsigned seed) : parameters_(parameters), seed_(seed) {}

  unsigned route(const route_request& r, route_option* options) const override {
    std::seed_seq mix{seed_, unsigned{r.in_port}, unsigned{r.in_vc}, r.state, r.destination};
    std::uint32_t random[3];
    mix.generate(random, random + 3);
    const unsigned all_vcs = (1u << parameters_.vcs) - 1;
    options[0] = {static_cast<port_id>(random[0] % parameters_.ports),
                  static_cast<vc_mask>(1 + random[1] % all_vcs),
                  random[2] & ((1u << parameters_.state_bits) - 1)};
    return 1;
  }
  unsigned state_bits() const override { return parameters_.state_bits; }

  /// The file that sv/route_table.sv describes, written without rtl_models/route_table.h.
  void write_table(const std::string& path) const {
    unsigned port_bits = 0;
    while ((1u << port_bits) < parameters_.ports) ++port_bits;
    std::ofstream file(path);
    file << std::hex;
    for (unsigned p = 0; p < parameters_.ports; ++p)
      for (unsigned v = 0; v < parameters_.vcs; ++v)
        for (unsigned s = 0; s < 1u << parameters_.state_bits; ++s)
          for (unsigned d = 0; d < 1u << parameters_.destination_bits; ++d) {
            route_option o;
            route({0, static_cast<port_id>(p), static_cast<std::uint8_t>(v), d, s}, &o);
            file << ((std::uint64_t{o.state} << parameters_.vcs | o.vcs) << port_bits | o.out_port) << '\n';
          }
  }

 private:
  rtl_parameters parameters_;
  unsigned seed_;
};

/// A router with neighbours that send and take at random, within their credits.
class bench {
 public:
  bench(make_router make, unsigned seed) : random_(seed) {
    const std::string file = testing::TempDir() + "lockstep_" + std::to_string(seed) + ".hex";
    // The parameters are known to the RTL only; a table of zeros does for asking it.
    parameters_ = make({"/dev/null", 0})->parameters();
    routing_ = std::make_unique<random_routing>(parameters_, seed);
    routing_->write_table(file);
    rtl_ = make({file, static_cast<int>(seed)});
    std::remove(file.c_str());

    router_config config;
    config.pipeline = pipeline::single_cycle;
    config.vcs = parameters_.vcs;
    config.depth = parameters_.depth;
    layout_ = flit_layout(std::uint64_t{1} << parameters_.destination_bits, parameters_.state_bits);
    chip_ = std::make_unique<chip_context>(config, layout_, *routing_, 1, 4);
    core_ = std::make_unique<router>(0, parameters_.ports, *chip_);
    for (port_id p = 0; p < parameters_.ports; ++p) {
      flit_in_.push_back(&flit_wire::make(chip_->memory, 1));
      flit_out_.push_back(&flit_wire::make(chip_->memory, 1));
      credit_in_.push_back(&credit_wire::make(chip_->memory, 1));
      credit_out_.push_back(&credit_wire::make(chip_->memory, 1));
      core_->connect_input(p, *flit_in_[p], *credit_out_[p]);
      const bool local = p + 1u == parameters_.ports;
      core_->connect_output(p, *flit_out_[p], local ? nullptr : credit_in_[p]);
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
      if (c.valid() && p + 1u < parameters_.ports) arrivals |= arrival_mask{1} << credit_arrival(p);
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

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool percent(unsigned p) { return below(100) < p; }

  flit_word next_flit(port_id p) {
    const unsigned v = below(parameters_.vcs);
    sender& s = senders_[p * parameters_.vcs + v];
    if (s.credits == 0) return {};
    --s.credits;
    if (s.left > 0) return layout_.body(++s.index, layout_.tag_of(s.packet), --s.left == 0).on_vc(v);
    const unsigned destination = below(1u << parameters_.destination_bits);
    s.left = below(6);
    s.index = 0;
    s.packet = chip_->packets.create({0, destination, s.left + 1}, now_);
    return layout_
        .head(destination, below(1u << parameters_.state_bits), layout_.tag_of(s.packet), s.left == 0)
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
  std::unique_ptr<random_routing> routing_;
  std::unique_ptr<chip_context> chip_;
  std::unique_ptr<router> core_;
  std::unique_ptr<rtl_router> rtl_;
  std::vector<flit_wire*> flit_in_, flit_out_;
  std::vector<credit_wire*> credit_in_, credit_out_;
  std::vector<sender> senders_;
  std::vector<unsigned> held_;  ///< flits that the neighbours downstream hold, by output VC
  std::vector<credit_word> last_credit_;
  bool late_ = false;
  std::uint64_t flipped_ = 0;
  cycle_t now_ = 0;
  std::uint64_t flits_ = 0;
};

struct variant {
  const char* name;
  make_router make;
};

class router_lockstep : public testing::TestWithParam<variant> {};

TEST_P(router_lockstep, every_pin_in_every_cycle) {
  struct load {
    unsigned send_percent, take_percent;
  };
  // Nearly idle, balanced, flooded and starved of credits, drained.
  const load loads[] = {{3, 100}, {50, 50}, {100, 100}, {100, 10}, {100, 40}, {0, 100}};
  std::uint64_t flits = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    bench b(GetParam().make, seed);
    for (const load& l : loads)
      for (unsigned t = 0; t < 500; ++t)
        ASSERT_TRUE(b.cycle(l.send_percent, l.take_percent))
            << "seed " << seed << ", cycle " << t << " of load " << l.send_percent << "/" << l.take_percent;
    flits += b.flits();
  }
  EXPECT_GT(flits, 10000u);
}

TEST_P(router_lockstep, can_fail_late_credits) {
  bench b(GetParam().make, 1);
  for (unsigned t = 0; t < 200; ++t) ASSERT_TRUE(b.cycle(100, 10));
  b.delay_credits_of_rtl();
  bool equal = true;
  for (unsigned t = 0; t < 100 && equal; ++t) equal = b.cycle(100, 10);
  EXPECT_FALSE(equal);
}

TEST_P(router_lockstep, can_fail_one_bit_of_one_flit) {
  bench b(GetParam().make, 1);
  for (unsigned t = 0; t < 200; ++t) ASSERT_TRUE(b.cycle(50, 50));
  b.flip_bit_for_rtl(63);
  bool equal = true;
  for (unsigned t = 0; t < 200 && equal; ++t) equal = b.cycle(50, 50);
  EXPECT_FALSE(equal);
}

INSTANTIATE_TEST_SUITE_P(variants, router_lockstep,
                         testing::Values(variant{"ports5_vcs4_depth8", make_torus_router_4x8},
                                         variant{"ports5_vcs2_depth4", make_torus_router_2x4},
                                         variant{"ports3_vcs1_depth1", make_one_slot_router},
                                         variant{"ports7_vcs3_depth5", make_odd_router}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace toriscope

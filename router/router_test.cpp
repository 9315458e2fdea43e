// SPDX-License-Identifier: Apache-2.0
// One router on a bench of its own, without SystemC: what it does in which cycle (docs/model.md).
#include "router/router.h"

#include <gtest/gtest.h>

#include <map>

namespace toriscope {
namespace {

/// Destination d leaves by port d, on the VCs in `allowed`.
class straight_routing : public routing_function {
 public:
  vc_mask allowed = 0xffff;
  unsigned route(const route_request& r, route_option* options) const override {
    options[0] = {static_cast<port_id>(r.destination), allowed, r.state + 1};
    return 1;
  }
  unsigned state_bits() const override { return 4; }
};

/// Three ports, the last of them local; wires of delay 1 on all sides.
struct bench {
  static constexpr unsigned ports = 3;
  straight_routing routing;
  chip_context chip;
  router core;
  std::vector<flit_wire*> in, out;
  std::vector<credit_wire*> credits_back, credits_in;
  wire_reader reader;
  cycle_t now = 0;
  std::map<unsigned, std::map<cycle_t, flit_word>> sent;                   ///< by port and cycle
  std::map<unsigned, std::map<cycle_t, std::uint16_t>> credits_sent_back;  ///< likewise

  explicit bench(const router_config& config, vc_mask allowed = 0xffff)
      : chip(config, flit_layout(8, 4), routing, 1, 2),
        core(0, ports, chip),
        reader(chip.memory, chip.wakes, 0, 1) {
    routing.allowed = static_cast<vc_mask>(allowed & ((1u << config.vcs) - 1));
    for (unsigned p = 0; p < ports; ++p) {
      in.push_back(&flit_wire::make(chip.memory, 1, &reader, flit_arrival(p)));
      out.push_back(&flit_wire::make(chip.memory, 1));
      credits_back.push_back(&credit_wire::make(chip.memory, 1));
      credits_in.push_back(&credit_wire::make(chip.memory, 1, &reader, credit_arrival(p)));
      core.connect_input(static_cast<port_id>(p), *in[p], *credits_back[p]);
      core.connect_output(static_cast<port_id>(p), *out[p], p + 1 == ports ? nullptr : credits_in[p]);
    }
  }
  flit_word head(unsigned to, unsigned vc, bool tail = false) {
    return chip.layout.head(to, 0, packet(), tail).on_vc(vc);
  }
  flit_word body(unsigned index, unsigned vc, bool tail) {
    return chip.layout.body(index, 0, tail).on_vc(vc);
  }
  std::uint64_t packet() { return chip.packets.create({0, 0, 4}, now); }

  /// `f` is shown at input port p in cycle t, which must not be over.
  void show(cycle_t t, unsigned p, flit_word f) { in[p]->send(t - 1, f); }
  void run_to(cycle_t end) {
    for (; now < end; ++now) {
      core.step(now, reader.take(now));
      for (unsigned p = 0; p < ports; ++p) {
        const flit_word f = out[p]->shown(now + 1);
        if (f.valid()) sent[p][now] = f;
        const credit_word c = credits_back[p]->shown(now + 1);
        if (c.valid()) credits_sent_back[p][now] = c.vcs;
      }
    }
  }
};

router_config config_of(pipeline p, regrant r = regrant::tail, unsigned depth = 4) {
  router_config c;
  c.pipeline = p;
  c.regrant = r;
  c.vcs = 2;
  c.depth = p == pipeline::paper2009 ? 1 : depth;
  return c;
}

TEST(router, sends_a_flit_that_meets_nobody_after_its_stages) {
  for (const pipeline p : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
    bench b(config_of(p));
    b.run_to(9);
    b.show(10, 0, b.head(1, 1, true));
    b.run_to(20);
    ASSERT_EQ(b.sent[1].size(), 1u) << to_string(p);
    const auto [cycle, f] = *b.sent[1].begin();
    EXPECT_EQ(cycle, 10 + b.chip.config.stages() - 1) << to_string(p);
    EXPECT_EQ(f.vc(), 0u) << "the first free VC at or after pointer 0";
    EXPECT_EQ(b.chip.layout.state(f), 1u) << "the head carries the route state of its option";
    const cycle_t freed = p == pipeline::four_stage ? 12 : 10;  // SA, or SW
    EXPECT_EQ(b.credits_sent_back[0], (std::map<cycle_t, std::uint16_t>{{freed, 2}})) << to_string(p);
    EXPECT_EQ(b.core.flits(), 0u);
  }
}

TEST(router, body_flits_follow_at_full_rate) {
  bench b(config_of(pipeline::four_stage));
  b.run_to(9);
  for (cycle_t t = 10; t < 14; ++t) {
    b.show(t, 0, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, t == 13));
    b.run_to(t);
  }
  b.run_to(30);
  std::vector<cycle_t> cycles;
  for (const auto& [t, f] : b.sent[1]) cycles.push_back(t);
  EXPECT_EQ(cycles, (std::vector<cycle_t>{13, 14, 15, 16}));
}

TEST(router, stops_without_credit_and_goes_on_in_the_cycle_of_the_credit) {
  bench b(config_of(pipeline::single_cycle, regrant::tail, 2));
  b.run_to(9);
  for (cycle_t t = 10; t < 13; ++t) {
    b.show(t, 0, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, t == 12));
    b.run_to(t);
  }
  b.run_to(20);
  EXPECT_EQ(b.sent[1].size(), 2u) << "two slots downstream";
  EXPECT_EQ(b.core.credits(1, 0), 0u);
  EXPECT_EQ(b.core.occupancy(0, 0), 1u);
  b.credits_in[1]->send(20, {1});  // shown in 21
  b.run_to(30);
  EXPECT_EQ(b.sent[1].rbegin()->first, 21u);
  EXPECT_TRUE(b.sent[1].rbegin()->second.tail());
}

/// Two packets of one flit, one behind the other in one VC, both for output VC 0: when does the second one
/// leave?
cycle_t second_leaves(regrant r) {
  bench b(config_of(pipeline::single_cycle, r), 1);
  b.run_to(9);
  b.show(10, 0, b.head(1, 0, true));
  b.run_to(10);
  b.show(11, 0, b.head(1, 0, true));
  b.run_to(15);
  b.credits_in[1]->send(15, {1});  // shown in 16
  b.run_to(30);
  return b.sent[1].rbegin()->first;
}

TEST(router, grants_an_output_vc_again_after_the_tail_or_after_the_last_credit) {
  EXPECT_EQ(second_leaves(regrant::tail), 11u);
  EXPECT_EQ(second_leaves(regrant::drained), 17u) << "in the cycle after the credit was shown";
}

TEST(router, takes_turns_between_input_ports) {
  bench b(config_of(pipeline::single_cycle, regrant::tail, 64));
  b.run_to(9);
  for (cycle_t t = 10; t < 20; ++t) {  // a packet from port 0 and one from the local port, for the same link
    b.show(t, 0, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, false));
    b.show(t, 2, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, false));
    b.run_to(t);
  }
  b.run_to(26);
  std::vector<unsigned> vcs;
  for (const auto& [t, f] : b.sent[1]) vcs.push_back(f.vc());
  EXPECT_EQ(vcs, (std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}))
      << "VC 0 is granted to port 0 in cycle 10, VC 1 to the local port in 11; from then on they alternate";
}

TEST(router, observers_tell_the_state) {
  bench b(config_of(pipeline::four_stage));
  b.run_to(9);
  b.show(10, 0, b.head(1, 1));
  const vc_state expected[] = {vc_state::waiting_vc, vc_state::active, vc_state::active};
  EXPECT_EQ(b.core.input_state(0, 1), vc_state::idle);
  for (cycle_t t = 10; t < 13; ++t) {
    b.run_to(t + 1);
    EXPECT_EQ(b.core.input_state(0, 1), expected[t - 10]) << "after cycle " << t;
  }
  EXPECT_TRUE(b.core.staged(1).valid());
  EXPECT_EQ(b.core.output_owner(1, 0), 1);
  EXPECT_EQ(b.core.credits(1, 0), 3u);
  ASSERT_TRUE(b.core.assigned(0, 1));
  EXPECT_EQ(b.core.assigned(0, 1)->port, 1);
  EXPECT_EQ(b.core.occupancy(0, 1), 0u);
  EXPECT_EQ(b.core.output_owner(1, 1), -1);
}

TEST(router, notices_what_must_never_happen) {
  {
    bench b(config_of(pipeline::four_stage));
    b.run_to(9);
    b.show(10, 0, b.body(1, 0, false));
    EXPECT_THROW(b.run_to(12), invariant_violation) << "a body without its head";
  }
  {
    bench b(config_of(pipeline::four_stage, regrant::tail, 1));
    b.run_to(9);
    b.show(10, 0, b.head(1, 0));
    b.run_to(10);
    b.show(11, 0, b.body(1, 0, false));
    EXPECT_THROW(b.run_to(13), invariant_violation) << "a flit for a full buffer";
  }
  {
    bench b(config_of(pipeline::four_stage));
    b.run_to(9);
    b.credits_in[0]->send(9, {1});
    EXPECT_THROW(b.run_to(13), invariant_violation) << "a credit too many";
  }
  {
    bench b(config_of(pipeline::single_cycle));
    b.run_to(9);
    b.show(10, 0, b.head(1, 0));
    b.run_to(11);
    b.show(12, 0, b.head(1, 0));
    EXPECT_THROW(b.run_to(13), invariant_violation) << "a head within another packet";
  }
}

}  // namespace
}  // namespace toriscope

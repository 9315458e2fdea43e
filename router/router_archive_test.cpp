// SPDX-License-Identifier: Apache-2.0
// The state of a router, number by number: each has its place, is brought back, and has its bounds.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "router/archive_bench.h"
#include "router/router.h"

namespace toriscope::router_archive_test {
namespace {

using namespace archive_bench;  // NOLINT(google-build-using-namespace)

/// Port 0 has both sides, port 1 comes in, port 2 goes out to buffers of 5 flits, port 3 is local. The links out carry
/// a flit in 3 cycles and in 1.
struct one_router : packets_under_way {
  explicit one_router(pipeline p = pipeline::four_stage, bool dead_link = false)
      : packets_under_way(config_with(p)), core(0, 4, network, network.kind, 1, 3) {
    network.now = now - 1;
    for (const port_id port : std::initializer_list<port_id>{0, 1, 3})
      core.connect_input(port, flit_wire::make(network.memory, 1), credit_wire::make(network.memory, 1));
    core.connect_output(0, flit_wire::make(network.memory, 1), &credit_wire::make(network.memory, 1), 3);
    core.connect_output(2, flit_wire::make(network.memory, 1), &credit_wire::make(network.memory, 1), 1, 5);
    core.connect_output(3, flit_wire::make(network.memory, 1), nullptr);
    if (dead_link) core.close_output(0);
  }
  router core;
};

void add_option(named_numbers& n, const std::string& name, unsigned port, unsigned set, unsigned state) {
  n.add(name + ".port", port);
  n.add(name + ".vcs", set);
  n.add(name + ".state", state);
}

void add_output(named_numbers& n, const std::string& name, unsigned granted, unsigned sa_last, unsigned lt_pointer) {
  n.add(name + ".granted", granted);
  n.add(name + ".sa_last", sa_last);
  n.add(name + ".lt_pointer", lt_pointer);
}

void add_buffer(named_numbers& n, const std::string& name, const std::vector<flit_word>& flits, unsigned front_ago,
                unsigned taken_ago) {
  n.add(name + ".flits", flits.size());
  for (unsigned i = 0; i < flits.size(); ++i) n.add_word(name + ".flit" + std::to_string(i), flits[i].bits);
  n.add(name + ".front", front_ago);
  n.add(name + ".taken", taken_ago);
}

/// Input VCs 0 to 2, 4 and 6 hold flits of packets 0, 1, 2, 5 and 4, in a state each; VC 5 is open without a flit.
named_numbers busy_router(const packets_under_way& p) {
  named_numbers n;
  n.add("occupied", of({0, 1, 2, 4, 6}));
  n.add("open", of({1, 2, 4, 5, 6}));
  n.add("to_route", of({2}));
  n.add("routed", of({6}));
  n.add("to_allocate", of({1}));
  n.add("granted", of({4}));
  n.add("active", of({0, 5}));
  n.add("with_credit", of({0, 5}));
  n.add_word("passed", of({0, 1, 12}));
  n.add("free", of({1, 2, 8, 13, 14}));
  n.add("draining", of({10}));
  n.add("full", 0);
  n.add("busy", of({0}));
  n.add("va_worthwhile", 1);
  add_output(n, "out0", 7, 14, 0);
  n.add("out0.free_from", 101);
  const unsigned pointers[] = {64, 0, 5}, credits_0[] = {0, 2, 1}, credits_2[] = {5, 2, 4};
  for (unsigned v = 0; v < vcs; ++v) {
    n.add("out0.vc" + std::to_string(v) + ".va_pointer", pointers[v]);
    n.add("out0.vc" + std::to_string(v) + ".credits", credits_0[v]);
  }
  add_output(n, "out2", 300, 63, 3);
  for (unsigned v = 0; v < vcs; ++v) {
    n.add("out2.vc" + std::to_string(v) + ".va_pointer", v);
    n.add("out2.vc" + std::to_string(v) + ".credits", credits_2[v]);
  }
  add_output(n, "out3", 0, 2, 1);
  for (unsigned v = 0; v < vcs; ++v) n.add("out3.vc" + std::to_string(v) + ".va_pointer", 9);
  n.add("in0.va_pointer", 3);
  add_buffer(n, "in0", {p.body(0, 1, 0), p.body(0, 2, 0)}, 4, 2);
  n.add("in0.options", 1);
  add_option(n, "in0.option0", 2, of({1}), 5);
  n.add("in0.output", 9);
  n.add("in1.va_pointer", 0);
  add_buffer(n, "in1", {p.head(1, 1)}, 1, 1);
  n.add("in1.options", 2);
  add_option(n, "in1.option0", 2, of({0, 1, 2}), 3);
  add_option(n, "in1.option1", 0, of({0, 2}), 15);
  n.add("in2.va_pointer", 1);
  add_buffer(n, "in2", {p.head(2, 2)}, 3, 3);
  n.add("in4.va_pointer", 2);
  add_buffer(n, "in4", {p.head(5, 0), p.body(5, 1, 0)}, 70, 60);
  n.add("in4.options", 1);
  add_option(n, "in4.option0", 0, of({0}), 0);
  n.add("in4.output", 0);
  n.add("in5.va_pointer", 0);
  n.add("in5.options", 1);
  add_option(n, "in5.option0", 3, of({0}), 0);
  n.add("in5.output", 12);
  n.add("in6.va_pointer", 0);
  add_buffer(n, "in6", {p.head(4, 2)}, 5, 50);
  n.add("in6.options", 1);
  add_option(n, "in6.option0", 3, of({1}), 1);
  for (const unsigned i : {12u, 13u, 14u}) n.add("in" + std::to_string(i) + ".va_pointer", 0);
  return n;
}

TEST(router_states, are_brought_back_number_by_number) {
  one_router r;
  const std::string bytes = busy_router(r).bytes();
  ASSERT_EQ(r.verdict(bytes, r.core), accepted);
  EXPECT_EQ(r.saved(r.core), bytes);
  const router& core = r.core;
  EXPECT_EQ(core.flits(), 7u);
  const vc_state idle = vc_state::idle, routing = vc_state::routing, waiting = vc_state::waiting_vc,
                 active = vc_state::active;
  const vc_state states[4][vcs] = {{active, waiting, routing}, {active, active, waiting}, {idle, idle, idle},
                                   {idle, idle, idle}};
  const unsigned flits[4][vcs] = {{2, 1, 1}, {2, 0, 1}, {0, 0, 0}, {0, 0, 0}};
  const int owners[4][vcs] = {{1 * vcs + 0, -1, -1}, {-1, -1, -1}, {-1, 0, -1}, {1 * vcs + 1, -1, -1}};
  const unsigned credits[4][vcs] = {{0, 2, 1}, {0, 0, 0}, {5, 2, 4}, {0, 0, 0}};
  for (port_id p = 0; p < 4; ++p)
    for (unsigned v = 0; v < vcs; ++v) {
      EXPECT_EQ(core.input_state(p, v), states[p][v]) << unsigned{p} << v;
      EXPECT_EQ(core.occupancy(p, v), flits[p][v]) << unsigned{p} << v;
      EXPECT_EQ(core.front(p, v).valid(), flits[p][v] > 0) << unsigned{p} << v;
      EXPECT_EQ(core.output_owner(p, v), owners[p][v]) << unsigned{p} << v;
      EXPECT_EQ(core.owned(p).has(v), owners[p][v] >= 0) << unsigned{p} << v;
      EXPECT_EQ(core.credits(p, v), credits[p][v]) << unsigned{p} << v;
      EXPECT_EQ(core.is_draining(p, v), p == 2 && v == 2) << unsigned{p} << v;
      EXPECT_EQ(core.assigned(p, v).has_value(), states[p][v] == active) << unsigned{p} << v;
      EXPECT_FALSE(core.is_discarding(p, v));
    }
  EXPECT_EQ(core.front(0, 0), r.body(0, 1, 0));
  EXPECT_EQ(core.assigned(0, 0)->port, 2);
  EXPECT_EQ(core.assigned(0, 0)->vc, 1u);
  EXPECT_EQ(core.assigned(1, 0)->port, 0);
  EXPECT_EQ(core.front_age(0, 0, now), 4u);
  EXPECT_EQ(core.last_taken(0, 0, now), now - 2);
  EXPECT_EQ(core.last_taken(1, 0, now), now - 60);
  EXPECT_EQ(core.last_taken(1, 2, now), now - 50) << "when another flit was at the front";
  EXPECT_EQ(core.in_use(0).mask(), of({0, 1, 2}));
  EXPECT_EQ(core.in_use(1).mask(), of({0, 1, 2})) << "granted, active without a flit, and routed";
  EXPECT_EQ(core.in_use(3).mask(), 0u);
  EXPECT_EQ(core.numbers_in_use(0).mask(), of({0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(core.numbers_held(0).mask() & of({0, 1, 2, 8, 9, 10, 12, 13, 14}), of({0, 9, 12}));
  EXPECT_EQ(core.grantable(0).mask(), of({1, 2}));
  EXPECT_EQ(core.grantable(2).mask(), of({0}));
  unsigned count = 0;
  const route_option* const options = core.options(0, 1, count);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(options[1].out_port, 0);
  EXPECT_EQ(options[1].vcs, of({0, 2}));
  EXPECT_EQ(options[1].state, 15u);
  EXPECT_EQ(core.flits_granted(0), 7u);
  EXPECT_EQ(core.flits_sent(0), 7u);
  EXPECT_EQ(core.flits_sent(1), 0u) << "a port without a way out";
  EXPECT_EQ(core.output_register(1), flit_word{});
  EXPECT_EQ(core.output_register(0), flit_word{});
  EXPECT_FALSE(core.has_flits_in_output_registers());
  EXPECT_TRUE(core.has_work(0)) << "it holds flits";
  EXPECT_EQ(core.state().busy_at(100).mask(), of({0})) << "until cycle 101";
  EXPECT_EQ(core.state().busy_at(101).mask(), 0u);
}

TEST(router_states, at_the_start_have_pointers_of_0_and_all_credits) {
  one_router r;
  named_numbers n;
  for (unsigned set = 0; set < 8; ++set) n.add("input set", 0);
  n.add_word("passed", 0);
  n.add("free", of({0, 1, 2, 8, 9, 10, 12, 13, 14}));
  for (const char* empty : {"draining", "full", "busy", "va_worthwhile"}) n.add(empty, 0);
  for (const unsigned port : {0u, 2u, 3u}) {
    add_output(n, "out", 0, 63, 0);
    for (unsigned v = 0; v < vcs; ++v) {
      n.add("va_pointer", 0);
      if (port < 3) n.add("credits", port == 0 ? 2 : 5);
    }
  }
  for (unsigned in = 0; in < 3 * vcs; ++in) n.add("va_pointer", 0);
  EXPECT_EQ(r.saved(r.core), n.bytes());
}

// The last flit came 39900 cycles after its buffer's front flit was there, or 2^16 cycles earlier: before it was, which
// cannot be where the buffer is full.
TEST(router_states, tell_when_the_last_flit_came_of_the_low_bits_of_a_cycle) {
  one_router r;
  named_numbers n = busy_router(r);
  for (const std::string in : {"in0", "in6"}) {
    n[in + ".front"] = 40000;
    n[in + ".taken"] = 100;
  }
  ASSERT_EQ(r.verdict(n.bytes(), r.core), accepted);
  EXPECT_EQ(r.core.front_age(0, 0, now), 40000u);
  EXPECT_EQ(r.core.last_taken(0, 0, now), now - 100) << "full";
  EXPECT_EQ(r.core.last_taken(1, 2, now), now - 100 - 65536) << "one of two";
}

void expect_verdicts(const std::vector<changed_number>& changes) {
  for (const changed_number& change : changes) {
    one_router r;
    named_numbers n = busy_router(r);
    n[change.name] = change.value;
    EXPECT_EQ(r.verdict(n.bytes(), r.core), change.verdict) << change.name << ' ' << change.value;
  }
}

TEST(router_states, have_sets_of_vcs_that_exist_in_one_state_each) {
  for (const char* set : {"occupied", "open", "to_route", "routed", "to_allocate", "granted", "active", "with_credit"})
    for (const unsigned none : {3u, 7u, 8u, 15u, 16u}) {
      one_router r;
      named_numbers n = busy_router(r);
      n[set] |= of({none});
      EXPECT_EQ(r.verdict(n.bytes(), r.core), no_member) << set << none;
    }
  for (const char* set : {"free", "draining", "full"})
    for (const unsigned none : {3u, 4u, 5u, 6u, 11u, 15u}) {
      one_router r;
      named_numbers n = busy_router(r);
      n[set] |= of({none});
      EXPECT_EQ(r.verdict(n.bytes(), r.core), no_member) << set << none;
    }
  expect_verdicts({{"to_route", of({2, 6}), two_states},
                   {"to_route", of({2, 1}), two_states},
                   {"to_route", of({2, 4}), two_states},
                   {"to_route", of({2, 0}), two_states},
                   {"routed", of({6, 1}), two_states},
                   {"routed", of({6, 4}), two_states},
                   {"routed", of({6, 0}), two_states},
                   {"to_allocate", of({1, 4}), two_states},
                   {"to_allocate", of({1, 0}), two_states},
                   {"granted", of({4, 0}), two_states},
                   {"to_route", of({2, 12}), two_states},
                   {"routed", of({6, 12}), two_states},
                   {"to_allocate", of({1, 12}), two_states},
                   {"draining", of({10, 8}), two_states},
                   {"busy", of({0, 2}), no_member},
                   {"busy", of({1}), no_member},
                   {"busy", of({3}), no_member},
                   {"va_worthwhile", 2, too_large}});
}

TEST(router_states, have_numbers_within_their_bounds) {
  expect_verdicts({{"passed", ~std::uint64_t{0}, accepted},
                   {"out0.granted", ~std::uint64_t{0}, accepted},
                   {"out0.sa_last", 63, accepted},
                   {"out0.sa_last", 64, out_of_range},
                   {"out2.lt_pointer", 4, out_of_range},
                   {"out0.free_from", 65535, accepted},
                   {"out0.free_from", 65536, too_large},
                   {"out0.vc0.va_pointer", 65, out_of_range},
                   {"out3.vc2.va_pointer", 64, accepted},
                   {"out3.vc2.va_pointer", 65, out_of_range},
                   {"out0.vc1.credits", 3, out_of_range},
                   {"out2.vc0.credits", 6, out_of_range},
                   {"out0.vc0.credits", 1, "a VC without a credit has one"},
                   {"out2.vc1.credits", 0, "a VC without a credit has one"},
                   {"in0.va_pointer", 4, out_of_range},
                   {"in0.flits", 0, "a VC is occupied without a flit"},
                   {"in0.flits", 3, out_of_range},
                   {"in0.front", 0xffffffff, accepted},
                   {"in0.front", std::uint64_t{1} << 32, too_large},
                   {"in0.taken", 65535, accepted},
                   {"in0.taken", 65536, too_large},
                   {"in0.options", 0, "a routed head has no way on"},
                   {"in0.options", 3, out_of_range},
                   {"in0.option0.port", 4, out_of_range},
                   {"in0.option0.port", 1, "a route leads to a port that is none"},
                   {"in0.option0.vcs", 7, accepted},
                   {"in0.option0.vcs", 8, out_of_range},
                   {"in0.option0.vcs", 0, "a route offers no VC"},
                   {"in0.option0.state", 15, accepted},
                   {"in0.option0.state", 16, out_of_range},
                   {"in1.option1.port", 1, "a route leads to a port that is none"},
                   {"in1.option1.state", 16, out_of_range},
                   {"in6.option0.port", 1, "a route leads to a port that is none"},
                   {"in4.option0.vcs", 0, "a route offers no VC"},
                   {"full", of({1}), "an output VC without a buffer holds a flit"}});
}

TEST(router_states, have_an_owner_for_each_output_vc_that_is_not_free) {
  expect_verdicts({{"in0.output", 16, out_of_range},
                   {"in0.output", 11, two_owners},
                   {"in0.output", 15, two_owners},
                   {"in0.output", 4, two_owners},
                   {"in0.output", 8, two_owners},
                   {"in0.output", 10, two_owners},
                   {"in4.output", 9, two_owners},
                   {"in5.output", 0, two_owners},
                   {"free", of({1, 2, 8, 13}), "an output VC has no owner"},
                   {"draining", 0, "an output VC has no owner"}});
}

TEST(router_states, have_packets_with_heads_and_tails_where_they_must_be) {
  expect_verdicts({{"open", of({0, 1, 2, 4, 5, 6}), "a packet has lost its tail"},
                   {"open", of({2, 4, 5, 6}), "a packet has lost its tail"},
                   {"active", of({5}), "a VC has no packet"},
                   {"with_credit", of({0, 1, 5}), "a VC has no packet"},
                   {"to_route", 0, "a packet is in no state"}});
  for (const auto& [place, packet, vc] : {std::tuple{"in1.flit0", packet_id{1}, 1u}, {"in2.flit0", 2, 2},
                                          {"in6.flit0", 4, 2}}) {
    one_router r;
    named_numbers n = busy_router(r);
    n[place] = r.body(packet, 1, vc).bits;
    EXPECT_EQ(r.verdict(n.bytes(), r.core), "a packet has lost its head") << place;
    n[place] = r.head(packet, vc == 1 ? 2 : 1).bits;
    EXPECT_EQ(r.verdict(n.bytes(), r.core), "a flit is in a buffer of another VC") << place;
  }
}

/// The link of port 0 is dead, and the packet of input VC 0 finds no way on: it owns no output VC.
named_numbers router_that_gives_up(const packets_under_way& p) {
  named_numbers n = busy_router(p);
  n["free"] |= of({9});
  n["with_credit"] = of({5});
  for (const unsigned port : {0u, 1u, 2u, 3u})
    n.insert("in0.va_pointer", "given up " + std::to_string(port), port == 0 ? of({0}) : 0);
  for (const char* left_out : {"in0.options", "in0.option0.port", "in0.option0.vcs", "in0.option0.state", "in0.output"})
    n.leave_out(left_out);
  return n;
}

TEST(router_states, have_the_packets_that_are_given_up) {
  one_router r(pipeline::four_stage, true);
  const std::string bytes = router_that_gives_up(r).bytes();
  ASSERT_EQ(r.verdict(bytes, r.core), accepted);
  EXPECT_EQ(r.saved(r.core), bytes);
  for (unsigned v = 0; v < vcs; ++v) {
    EXPECT_EQ(r.core.is_discarding(0, v), v == 0);
    EXPECT_FALSE(r.core.is_discarding(1, v));
  }
  EXPECT_EQ(r.core.input_state(0, 0), vc_state::active);
  EXPECT_FALSE(r.core.assigned(0, 0)) << "without an output VC";
  EXPECT_TRUE(r.core.assigned(1, 0));
  EXPECT_EQ(r.core.state().dropped->busy.mask(), of({0}));
  for (const auto& [name, value, verdict] : std::vector<changed_number>{
           {"given up 0", of({0, 1}), no_member},  // only those that are active
           {"given up 1", of({2}), no_member},
           {"given up 3", of({0}), no_member},
           {"in0.flit0", r.head(0, 0).bits, "a packet is given up with its head"}}) {
    one_router other(pipeline::four_stage, true);
    named_numbers n = router_that_gives_up(other);
    n[name] = value;
    EXPECT_EQ(other.verdict(n.bytes(), other.core), verdict) << name;
  }
}

TEST(router_states, have_the_flits_in_buffers_of_output_vcs) {
  one_router r(pipeline::paper2009);
  named_numbers n;
  for (unsigned set = 0; set < 8; ++set) n.add("input set", 0);
  n.add_word("passed", 0);
  n.add("free", of({0, 1, 2, 8, 9, 10, 12, 13, 14}));
  n.add("draining", 0);
  n.add("full", of({9, 14}));
  n.add("busy", 0);
  n.add("va_worthwhile", 0);
  for (const unsigned port : {0u, 2u, 3u}) {
    add_output(n, "out", 0, 63, 0);
    for (unsigned v = 0; v < vcs; ++v) {
      n.add("va_pointer", 0);
      if (port < 3) n.add("credits", port == 0 ? 1 : 5);
      if (port == 2 && v == 1) n.add_word("flit 9", r.head(1, 1).bits);
      if (port == 3 && v == 2) n.add_word("flit 14", r.body(0, 2, 2).bits);
    }
  }
  for (unsigned in = 0; in < 3 * vcs; ++in) n.add("va_pointer", 0);
  ASSERT_EQ(r.verdict(n.bytes(), r.core), accepted);
  EXPECT_EQ(r.saved(r.core), n.bytes());
  EXPECT_EQ(r.core.flits(), 2u);
  EXPECT_EQ(r.core.buffered(2).mask(), of({1}));
  EXPECT_EQ(r.core.output_buffer(2, 1), r.head(1, 1));
  EXPECT_EQ(r.core.output_buffer(3, 2), r.body(0, 2, 2));
  EXPECT_EQ(r.core.output_buffer(2, 0), flit_word{});
  EXPECT_EQ(r.core.grantable(2).mask(), of({0, 2}));
  EXPECT_EQ(r.core.numbers_held(0).mask() & of({8, 9, 10, 12, 13, 14}), of({9, 14}));
  n["flit 9"] = r.head(1, 2).bits;
  one_router other(pipeline::paper2009);
  EXPECT_EQ(other.verdict(n.bytes(), other.core), "a flit is in a buffer of another VC");
}

}  // namespace
}  // namespace toriscope::router_archive_test

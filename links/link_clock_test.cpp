// SPDX-License-Identifier: Apache-2.0
// The clock of links without a kernel: which links it refreshes and samples in which cycle, and in which order it tells
// whom.
#include "links/link_clock.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "links/link.h"

namespace toriscope::link_clock_test {
namespace {

using calls = std::vector<std::string>;

/// Notes what it is told, with its name.
class noted_link final : public clocked_link {
 public:
  noted_link(std::string name, calls& all) : name_(std::move(name)), all_(all) {}
  void refresh(cycle_t now) override { all_.push_back(name_ + " shows " + std::to_string(now)); }
  void sample(cycle_t now) override {
    all_.push_back(name_ + (now == ~cycle_t{0} ? " sends before 0" : " sends " + std::to_string(now)));
  }

 private:
  const std::string name_;
  calls& all_;
};

class noted_listener final : public cycle_listener {
 public:
  noted_listener(std::string name, calls& all, const link_clock& clock)
      : name_(std::move(name)), all_(all), clock_(clock) {}
  void cycle_done(cycle_t done) override {
    EXPECT_EQ(clock_.visible(), done + 1) << name_;
    all_.push_back(name_ + " knows " + std::to_string(done));
  }

 private:
  const std::string name_;
  calls& all_;
  const link_clock& clock_;
};

/// A clock, and what has been noted since the last look.
struct bench {
  calls all;
  link_clock clock{sc_core::sc_gen_unique_name("clock")};
  noted_link a{"a", all}, b{"b", all};

  bench() {
    clock.leave_kernel(1000);
    EXPECT_FALSE(clock.in_kernel());
  }
  void do_cycle() {
    clock.edge();
    clock.update_now();
  }
  calls noted() { return std::exchange(all, {}); }
};

TEST(link_clock, is_run_by_a_kernel_unless_told) {
  const link_clock clock("in_kernel");
  EXPECT_TRUE(clock.in_kernel());
  EXPECT_EQ(clock.visible(), 0u);
  EXPECT_STREQ(clock.kind(), "link_clock");
}

TEST(link_clock, counts_cycles_and_their_time) {
  bench b;
  for (cycle_t done = 0; done < 5; ++done) {
    EXPECT_EQ(b.clock.visible(), done);
    EXPECT_EQ(b.clock.time_stamp(), done == 0 ? 0 : (done - 1) * 1000) << "of the last edge";
    b.clock.update_now();  // without an edge
    EXPECT_EQ(b.clock.visible(), done);
    b.do_cycle();
  }
  b.clock.resume(700);
  EXPECT_EQ(b.clock.visible(), 700u);
  b.do_cycle();
  EXPECT_EQ(b.clock.visible(), 701u);
  EXPECT_EQ(b.clock.time_stamp(), 700'000u);
}

TEST(link_clock, refreshes_a_link_in_the_cycles_asked_for_and_in_no_other) {
  for (const unsigned furthest : {1u, 2u, 3u, 6u, 7u, 20u}) {
    bench b;
    b.clock.reserve_delay(furthest);
    std::map<cycle_t, calls> expected;
    for (cycle_t now = 0; now < 200; ++now) {
      for (std::uint64_t draw = 0; draw < 3; ++draw) {
        const cycle_t shown = now + 1 + mix(now, draw) % furthest;
        const bool to_a = mix(now, draw, 1) % 2 == 0;
        b.clock.refresh_at(to_a ? b.a : b.b, shown);
        expected[shown].push_back((to_a ? "a shows " : "b shows ") + std::to_string(shown));
      }
      b.do_cycle();
      ASSERT_EQ(b.noted(), expected[now + 1]) << furthest << ' ' << now;
    }
  }
}

TEST(link_clock, keeps_what_was_asked_for_when_delays_become_longer) {
  for (cycle_t begun = 0; begun < 20; ++begun) {
    bench b;
    b.clock.reserve_delay(3);
    for (cycle_t done = 0; done < begun; ++done) b.do_cycle();
    std::map<cycle_t, calls> expected;
    const auto ask = [&](cycle_t ahead) {
      b.clock.refresh_at(b.a, begun + ahead);
      expected[begun + ahead].push_back("a shows " + std::to_string(begun + ahead));
    };
    for (const cycle_t ahead : {1, 2, 3}) ask(ahead);
    b.clock.reserve_delay(2);
    b.clock.reserve_delay(17);
    for (const cycle_t ahead : {1, 4, 16, 17}) ask(ahead);
    for (cycle_t done = begun; done < begun + 40; ++done) {
      b.do_cycle();
      ASSERT_EQ(b.noted(), expected[done + 1]) << begun << ' ' << done;
    }
  }
}

TEST(link_clock, takes_what_parts_ask_for_in_the_order_of_the_parts) {
  bench b;
  b.clock.reserve_delay(4);
  for (cycle_t now = 0; now < 20; ++now) {
    b.clock.begin_parts(3);
    b.clock.refresh_at(b.a, now + 1, 2);
    b.clock.refresh_at(b.a, now + 2, 1);
    b.clock.refresh_at(b.b, now + 1, 0);
    b.clock.end_parts();
    b.clock.refresh_at(b.b, now + 1);
    b.do_cycle();
    const std::string next = std::to_string(now + 1);
    calls expected{"b shows " + next, "a shows " + next, "b shows " + next};
    if (now > 0) expected.insert(expected.begin(), "a shows " + next);  // asked for in the cycle before
    EXPECT_EQ(b.noted(), expected) << now;
  }
}

TEST(link_clock, samples_what_is_driven_at_each_edge_and_what_was_written_between_edges) {
  bench b;
  b.clock.written(b.a);
  b.clock.update_now();
  EXPECT_EQ(b.noted(), calls{"a sends before 0"});
  b.clock.update_now();
  EXPECT_EQ(b.noted(), calls{}) << "once";
  b.clock.drive(b.a);
  b.clock.drive(b.b);
  for (cycle_t now = 0; now < 5; ++now) {
    const std::string cycle = std::to_string(now);
    b.clock.written(b.b);  // at the edge
    b.do_cycle();
    EXPECT_EQ(b.noted(), (calls{"a sends " + cycle, "b sends " + cycle}));
    b.clock.written(b.b);  // behind it: still of this cycle
    b.clock.refresh_at(b.a, now + 1);
    b.clock.update_now();
    EXPECT_EQ(b.noted(), (calls{"b sends " + cycle, "a shows " + std::to_string(now + 1)}));
    EXPECT_EQ(b.clock.visible(), now + 1);
  }
}

TEST(link_clock, tells_one_before_links_show_a_word_and_others_afterwards) {
  bench b;
  noted_listener before("before", b.all, b.clock), first("first", b.all, b.clock), second("second", b.all, b.clock);
  b.clock.listen_before_links(before);
  b.clock.listen(first);
  b.clock.listen(second);
  b.clock.drive(b.b);
  for (cycle_t now = 0; now < 5; ++now) {
    b.clock.refresh_at(b.a, now + 1);
    b.do_cycle();
    const std::string cycle = std::to_string(now);
    EXPECT_EQ(b.noted(), (calls{"b sends " + cycle, "before knows " + cycle, "a shows " + std::to_string(now + 1),
                                "first knows " + cycle, "second knows " + cycle}));
  }
  b.clock.written(b.b);
  b.clock.update_now();
  EXPECT_EQ(b.noted(), calls{"b sends 4"}) << "no cycle is over";
}

// --- links of such a clock ---

struct counting_watcher final : wire_watcher {
  void word_sent(cycle_t shown) override { told.push_back(shown); }
  std::vector<cycle_t> told;
};

struct noting_listener final : link_listener<flit_word> {
  void word_shown(cycle_t now, flit_word word) override {
    all.push_back(std::to_string(now) + (word.valid() ? " a flit" : " none"));
  }
  calls all;
};

TEST(link, sends_what_is_held_once_in_each_cycle) {
  bench b;
  arena memory;
  flit_wire& wire = flit_wire::make(memory, 2);
  flit_link link("link", b.clock, wire, 0);
  EXPECT_EQ(link.name(), "link");
  EXPECT_EQ(link.delay_cycles(), 2u);
  EXPECT_EQ(&link.plain(), &wire);
  EXPECT_FALSE(link.observed());
  counting_watcher watcher;
  wire.watch(watcher);
  for (cycle_t now = 0; now < 4; ++now) {
    link.write(flit_word{1 + 8 * now});
    link.write(flit_word{1 + 16 * now});  // counts
    b.do_cycle();
    EXPECT_EQ(wire.shown(now + 2), flit_word{1 + 16 * now});
  }
  EXPECT_TRUE(link.observed());
  for (unsigned more = 0; more < 3; ++more) b.do_cycle();  // held
  EXPECT_EQ(watcher.told, (std::vector<cycle_t>{2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(link.read(), flit_word{1 + 16 * 3});
}

TEST(link, tells_listeners_of_each_change_and_is_silent_without_them) {
  bench b;
  arena memory;
  flit_wire& wire = flit_wire::make(memory, 2);
  flit_link link("link", b.clock, wire, 0);
  noting_listener one, two;
  link.ignore(one);  // which does not listen
  EXPECT_FALSE(link.observed());
  const auto cycle_with = [&](std::uint64_t bits) {
    if (bits != 0) wire.send(b.clock.visible(), flit_word{bits});
    b.do_cycle();
  };
  cycle_with(9);  // sent in 0
  cycle_with(9);  // sent in 1: not another word than the one before
  link.listen(one);  // in cycle 2, in which the first is shown already
  link.listen(two);
  for (const std::uint64_t bits : {17, 0, 17, 0, 0}) cycle_with(bits);  // sent in 2 and 4
  EXPECT_EQ(one.all, (calls{"4 a flit", "5 none", "6 a flit", "7 none"}));
  EXPECT_EQ(two.all, one.all);
  link.ignore(one);
  EXPECT_TRUE(link.observed());
  for (const std::uint64_t bits : {17, 0, 0}) cycle_with(bits);  // sent in 7
  EXPECT_EQ(one.all.size(), 4u);
  EXPECT_EQ(two.all.size(), 6u);
  link.ignore(two);
  EXPECT_FALSE(link.observed());
  for (const std::uint64_t bits : {17, 0, 0}) cycle_with(bits);
  EXPECT_EQ(two.all.size(), 6u);
}

// A router puts a flit into the wire in 1, and sends it in 4. It is shown in 6, looked at before or not.
TEST(link, shows_a_flit_that_was_in_an_output_register_when_it_was_first_looked_at) {
  bench b;
  arena memory;
  flit_wire& wire = flit_wire::make(memory, 2, nullptr, 0, 3);
  flit_link link("link", b.clock, wire, 0);
  b.do_cycle();
  wire.send(4, flit_word{9});
  noting_listener one;
  link.listen(one);
  for (unsigned more = 0; more < 8; ++more) b.do_cycle();
  EXPECT_EQ(one.all, (calls{"6 a flit", "7 none"}));
}

/// Leaves in its first call, with the one behind it, and brings twenty others.
struct leaving_listener final : link_listener<flit_word>, cycle_listener {
  void word_shown(cycle_t, flit_word) override {
    ++calls;
    link->ignore(*this);
    link->ignore(*behind);
    for (noting_listener& n : late) link->listen(n);
  }
  void cycle_done(cycle_t) override {
    if (++cycles == 1)
      for (noted_listener& n : late_cycles) clock->listen(n);
  }
  flit_link* link = nullptr;
  link_clock* clock = nullptr;
  link_listener<flit_word>* behind = nullptr;
  unsigned calls = 0, cycles = 0;
  std::vector<noting_listener> late{20};
  std::vector<noted_listener> late_cycles;
};

TEST(link, tells_those_who_listen_still_while_others_come_and_leave) {
  bench b;
  arena memory;
  flit_wire& wire = flit_wire::make(memory, 1);
  flit_link link("link", b.clock, wire, 0);
  leaving_listener first;
  noting_listener behind, stays;
  first.link = &link;
  first.clock = &b.clock;
  first.behind = &behind;
  for (unsigned i = 0; i < 20; ++i) first.late_cycles.emplace_back("late", b.all, b.clock);
  link.listen(first);
  link.listen(behind);
  link.listen(stays);
  b.clock.listen(first);
  for (const std::uint64_t bits : {17, 0, 0}) {  // sent in 0
    if (bits != 0) wire.send(b.clock.visible(), flit_word{bits});
    b.do_cycle();
  }
  EXPECT_EQ(first.calls, 1u);
  EXPECT_EQ(behind.all, calls());
  EXPECT_EQ(stays.all, (calls{"1 a flit", "2 none"}));
  for (const noting_listener& n : first.late) EXPECT_EQ(n.all, calls{"2 none"});
  EXPECT_EQ(first.cycles, 3u);
  EXPECT_EQ(b.noted().size(), 2 * 20u) << "each of the late ones in two cycles";
  for (noting_listener& n : first.late) link.ignore(n);
  EXPECT_TRUE(link.observed());
  link.ignore(stays);
  EXPECT_FALSE(link.observed());
}

/// Ports that a link is bound to.
struct ports final : sc_core::sc_module {
  explicit ports(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_in<flit_word> reader{"reader"};
  sc_core::sc_out<flit_word> first{"first"}, second{"second"};
};

TEST(link, is_driven_by_one_port) {
  bench b;
  arena memory;
  flit_link link("chip.in_x+", b.clock, flit_wire::make(memory, 1), 0);
  ports of("of");
  const char* const reads = typeid(sc_core::sc_signal_in_if<flit_word>).name();
  const char* const writes = typeid(sc_core::sc_signal_inout_if<flit_word>).name();
  link.register_port(of.reader, reads);
  EXPECT_TRUE(link.observed()) << "who is bound may look at any time";
  link.register_port(of.first, writes);
  link.register_port(of.reader, reads);
  std::string type, said;
  try {
    link.register_port(of.second, writes);
  } catch (const sc_core::sc_report& report) {
    type = report.get_msg_type();
    said = report.get_msg();
  }
  EXPECT_EQ(type, "/toriscope/link/writers");
  EXPECT_EQ(said, "link chip.in_x+ is driven by of.first and by of.second");
}

}  // namespace
}  // namespace toriscope::link_clock_test

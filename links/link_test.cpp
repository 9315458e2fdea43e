// SPDX-License-Identifier: Apache-2.0
// The first test: a link is, bit by bit and event by event, the last of a chain of D real sc_signals.
//
// Beside each link stands a chain of sc_signals of the same delay, driven with the same words. Readers of
// both - clocked ones, elaborated before and after the senders, and processes waiting for events - log what
// they see.
#include "links/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "base/hash.h"
#include "base/words.h"

namespace toriscope::link_test {
namespace {

using sc_core::sc_module_name;
constexpr int cycles = 10'000;

/// The word of cycle t: bursts, gaps, and equal words in a row.
flit_word word_of(cycle_t t, unsigned salt) {
  const std::uint64_t r = mix(t / 3, salt, t % 7 == 0);
  return r % 4 == 0 ? flit_word{} : flit_word{1 | (r % 5) << 20};
}

/// D registers in a row, the first of them written by the sender.
class signal_chain : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  std::vector<std::unique_ptr<sc_core::sc_signal<flit_word>>> stages;

  SC_HAS_PROCESS(signal_chain);
  signal_chain(sc_module_name name, unsigned delay) : sc_module(name) {
    for (unsigned d = 0; d < delay; ++d) stages.push_back(std::make_unique<sc_core::sc_signal<flit_word>>());
    SC_METHOD(shift);
    sensitive << clk.pos();
    dont_initialize();
  }
  void shift() {
    for (std::size_t d = 1; d < stages.size(); ++d) stages[d]->write(stages[d - 1]->read());
  }
  sc_core::sc_signal<flit_word>& last() { return *stages.back(); }
};

/// What a reader saw: (cycle or time stamp, word).
struct log_entry {
  std::uint64_t when;
  std::uint64_t word;
  bool operator==(const log_entry& o) const { return when == o.when && word == o.word; }
};

/// Reads a channel at every rising edge, and at every change of it.
class reader : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<flit_word> in{"in"};
  std::vector<log_entry> clocked, changes, events;

  SC_HAS_PROCESS(reader);
  explicit reader(sc_module_name name) : sc_module(name) {
    SC_METHOD(at_edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(at_change);
    sensitive << in;
    dont_initialize();
    SC_THREAD(wait_for_events);
  }
  void at_edge() { clocked.push_back({clocked.size(), in.read().bits}); }
  void at_change() {
    EXPECT_TRUE(in.event());
    changes.push_back({sc_core::sc_time_stamp().value(), in.read().bits});
  }
  void wait_for_events() {
    for (;;) {
      wait(in->value_changed_event());
      events.push_back({sc_core::sc_time_stamp().value(), in.read().bits});
    }
  }
};

enum class driver {
  engine,                ///< sends through the wire, as routers do
  process,               ///< writes at the rising edge, as a process does with a signal
  process_between_edges, ///< writes at the falling edge
  another_rank           ///< sends all words of a window at its end, which has as many cycles as the delay
};

/// A wire and its sender, seen through a link; beside it the chain of signals.
class pair_under_test : public sc_core::sc_module, cycle_listener {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  arena memory;
  link_clock links;
  flit_wire& wire;
  reader early_link{"early_link"}, early_chain{"early_chain"};
  flit_link channel;
  signal_chain chain;
  reader late_link{"late_link"}, late_chain{"late_chain"};
  const driver driven_by;
  const unsigned salt;

  SC_HAS_PROCESS(pair_under_test);
  /// @param observe  the readers are bound to the link; otherwise no process looks at it
  pair_under_test(sc_module_name name, unsigned delay, driver driven_by_, bool observe, unsigned salt_)
      : sc_module(name),
        links("links"),
        wire(flit_wire::make(memory, delay)),
        channel("channel", links, wire, 0),
        chain("chain", delay),
        driven_by(driven_by_),
        salt(salt_) {
    chain.clk(clk);
    for (reader* r : {&early_link, &late_link}) {
      r->clk(clk);
      if (observe)
        r->in(channel);
      else
        r->in(chain.last());
    }
    for (reader* r : {&early_chain, &late_chain}) {
      r->clk(clk);
      r->in(chain.last());
    }
    SC_METHOD(drive);
    sensitive << (driven_by == driver::process_between_edges ? clk.neg() : clk.pos());
    dont_initialize();
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    if (driven_by == driver::another_rank) links.listen_before_links(*this);
  }
  void drive() {
    const flit_word w = word_of(links.visible(), salt);
    chain.stages[0]->write(w);
    if (driven_by == driver::another_rank) return;
    if (driven_by != driver::engine)
      channel.write(w);
    else if (w.valid())
      wire.send(links.visible(), w);
  }
  void cycle_done(cycle_t done) override {
    const unsigned window = wire.delay_cycles();
    if ((done + 1) % window != 0) return;
    for (cycle_t sent = done + 1 - window; sent <= done; ++sent)
      if (const flit_word w = word_of(sent, salt); w.valid()) wire.send(sent, w);
  }
  void edge() { links.edge(); }
};

class late_observer : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  flit_link& channel;
  sc_core::sc_signal<flit_word>& signal;
  int first_cycle, cycle = 0, differing = 0, compared = 0;

  SC_HAS_PROCESS(late_observer);
  late_observer(sc_module_name name, flit_link& c, sc_core::sc_signal<flit_word>& s, int first)
      : sc_module(name), channel(c), signal(s), first_cycle(first) {
    SC_METHOD(look);
    sensitive << clk.pos();
    dont_initialize();
  }
  void look() {
    if (cycle++ < first_cycle) return;
    ++compared;
    differing += channel.read() != signal.read();
  }
};

/// Listens for 90 cycles of every 200, and compares what it was told last with the chain of signals.
class guest : public sc_core::sc_module, public link_listener<flit_word> {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  pair_under_test& pair;
  flit_word told;
  int cycle = 0, differing = 0, compared = 0, calls_outside = 0, observed_outside = 0;

  SC_HAS_PROCESS(guest);
  guest(sc_module_name name, pair_under_test& p) : sc_module(name), pair(p) {
    SC_METHOD(look);
    sensitive << clk.pos();
    dont_initialize();
  }
  bool is_here() const { return cycle % 200 >= 100 && cycle % 200 < 190; }
  void look() {
    const bool was_here = is_here();
    if (was_here) {
      ++compared;
      differing += told != pair.chain.last().read();
    }
    ++cycle;
    if (!was_here) observed_outside += pair.channel.observed();
    if (is_here() && !was_here) {
      pair.channel.listen(*this);
      told = pair.channel.plain().shown(pair.links.visible());  // of this cycle; the update brings the next
    }
    if (!is_here() && was_here) pair.channel.ignore(*this);
  }
  void word_shown(cycle_t, flit_word word) override {
    calls_outside += !is_here();
    told = word;
  }
};

/// Links of one clock that are made and listened to in cycle 203 only, the second with a longer delay than the first.
class late_links : public sc_core::sc_module {
 public:
  struct late_link final : link_listener<flit_word> {
    late_link(late_links& owner, unsigned delay, const char* name)
        : wire(flit_wire::make(owner.memory, delay)), chain(name, delay) {
      chain.clk(owner.clk);
    }
    void word_shown(cycle_t, flit_word word) override { told = word; }
    flit_wire& wire;
    signal_chain chain;
    std::unique_ptr<flit_link> channel;
    flit_word told;
    int differing = 0;
  };

  sc_core::sc_in<bool> clk{"clk"};
  arena memory;
  link_clock links{"links"};
  late_link near{*this, 1, "near"}, far{*this, 6, "far"};

  SC_HAS_PROCESS(late_links);
  explicit late_links(sc_module_name name) : sc_module(name) {
    SC_METHOD(step);
    sensitive << clk.pos();
    dont_initialize();
  }
  void step() {
    const cycle_t now = links.visible();
    for (late_link* l : {&near, &far}) {
      if (now > 203) l->differing += l->told != l->chain.last().read();
      const flit_word word = word_of(now, 3);
      l->chain.stages[0]->write(word);
      if (word.valid()) l->wire.send(now, word);
      if (now != 203) continue;
      l->channel = std::make_unique<flit_link>("late", links, l->wire, 0);
      l->channel->listen(*l);
      l->told = l->channel->plain().shown(now);
    }
    links.edge();
  }
};

/// The value changes of one variable of a VCD file, a line each: "#time value".
std::vector<std::string> changes_of(const std::string& file, const std::string& variable) {
  std::ifstream in(file);
  std::string line, id, time;
  std::vector<std::string> changes;
  while (std::getline(in, line)) {
    if (line.find(" " + variable + " ") != std::string::npos && begins_with(line, "$var")) {
      std::istringstream words(line);
      std::string word;
      for (int i = 0; i < 4; ++i) words >> word;
      id = word;
    } else if (!line.empty() && line[0] == '#') {
      time = line;
    } else if (!id.empty() && line.size() > id.size() &&
               line.substr(line.size() - id.size() - 1) == " " + id) {
      changes.push_back(time + " " + line.substr(0, line.size() - id.size() - 1));
    }
  }
  return changes;
}

/// All benches share one elaboration and one simulation.
class link_test : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    clock_ = new sc_core::sc_clock("clk", 1, sc_core::SC_NS);
    for (const driver d :
         {driver::engine, driver::process, driver::process_between_edges, driver::another_rank})
      for (const unsigned delay : {1u, 2u, 3u, 5u, 7u}) {
        const std::string name =
            "driver_" + std::to_string(static_cast<int>(d)) + "_" + std::to_string(delay);
        benches_.push_back(std::make_unique<pair_under_test>(name.c_str(), delay, d, true, delay));
        benches_.back()->clk(*clock_);
      }
    for (const unsigned delay : {1u, 4u, 7u}) {
      const std::string name = "silent_" + std::to_string(delay);
      silent_.push_back(std::make_unique<pair_under_test>(name.c_str(), delay, driver::engine, false, delay));
      silent_.back()->clk(*clock_);
      observers_.push_back(
          std::make_unique<late_observer>(("late_" + std::to_string(delay)).c_str(), silent_.back()->channel,
                                          silent_.back()->chain.last(), 500 + static_cast<int>(delay)));
      observers_.back()->clk(*clock_);
    }
    for (const unsigned delay : {1u, 5u}) {
      const std::string name = "visited_" + std::to_string(delay);
      visited_.push_back(
          std::make_unique<pair_under_test>(name.c_str(), delay, driver::engine, false, delay));
      visited_.back()->clk(*clock_);
      guests_.push_back(
          std::make_unique<guest>(("guest_" + std::to_string(delay)).c_str(), *visited_.back()));
      guests_.back()->clk(*clock_);
    }
    late_ = std::make_unique<late_links>("late_links");
    late_->clk(*clock_);
    file_ = sc_core::sc_create_vcd_trace_file("link_test_waves");
    for (auto& b : benches_) {
      sc_core::sc_trace(file_, b->channel, std::string(b->basename()) + "_link");
      sc_core::sc_trace(file_, b->chain.last(), std::string(b->basename()) + "_chain");
    }
    sc_core::sc_start(cycles, sc_core::SC_NS);
    sc_core::sc_close_vcd_trace_file(file_);
  }

  static sc_core::sc_clock* clock_;
  static sc_core::sc_trace_file* file_;
  static std::vector<std::unique_ptr<pair_under_test>> benches_, silent_, visited_;
  static std::vector<std::unique_ptr<late_observer>> observers_;
  static std::vector<std::unique_ptr<guest>> guests_;
  static std::unique_ptr<late_links> late_;
};
sc_core::sc_clock* link_test::clock_;
sc_core::sc_trace_file* link_test::file_;
std::vector<std::unique_ptr<pair_under_test>> link_test::benches_, link_test::silent_, link_test::visited_;
std::vector<std::unique_ptr<late_observer>> link_test::observers_;
std::vector<std::unique_ptr<guest>> link_test::guests_;
std::unique_ptr<late_links> link_test::late_;

TEST_F(link_test, clocked_readers_see_what_readers_of_signals_see) {
  for (auto& b : benches_) {
    ASSERT_EQ(b->early_chain.clocked.size(), cycles) << b->name();
    EXPECT_EQ(b->early_link.clocked, b->early_chain.clocked) << b->name();
    EXPECT_EQ(b->late_link.clocked, b->early_chain.clocked) << b->name();
  }
}

TEST_F(link_test, a_word_is_shown_after_its_delay) {
  for (auto& b : benches_) {
    if (b->driven_by == driver::process_between_edges) continue;
    const unsigned delay = b->channel.delay_cycles();
    for (cycle_t t = 0; t + delay < cycles; ++t)
      ASSERT_EQ(b->early_link.clocked[t + delay].word, word_of(t, b->salt).bits)
          << b->name() << " cycle " << t;
  }
}

TEST_F(link_test, events_come_when_those_of_signals_do) {
  for (auto& b : benches_) {
    ASSERT_GT(b->early_chain.changes.size(), cycles / 4u) << b->name();
    EXPECT_EQ(b->early_link.changes, b->early_chain.changes) << b->name();
    EXPECT_EQ(b->late_link.changes, b->early_chain.changes) << b->name();
    EXPECT_EQ(b->early_link.events, b->early_chain.events) << b->name();
  }
}

TEST_F(link_test, waves_are_equal_line_by_line) {
  std::fflush(nullptr);
  for (auto& b : benches_) {
    const std::string name = b->basename();
    const auto of_link = changes_of("link_test_waves.vcd", name + "_link");
    ASSERT_GT(of_link.size(), cycles / 4u) << name;
    EXPECT_EQ(of_link, changes_of("link_test_waves.vcd", name + "_chain")) << name;
  }
}

TEST_F(link_test, a_link_is_silent_until_observed_and_exact_from_then_on) {
  for (std::size_t i = 0; i < silent_.size(); ++i) {
    EXPECT_EQ(observers_[i]->differing, 0) << silent_[i]->name();
    EXPECT_EQ(observers_[i]->compared, cycles - observers_[i]->first_cycle);
  }
}

TEST_F(link_test, a_link_is_silent_again_when_the_last_listener_has_left) {
  for (const auto& g : guests_) {
    EXPECT_EQ(g->differing, 0) << g->name();
    EXPECT_GT(g->compared, 4000) << g->name();
    EXPECT_EQ(g->calls_outside, 0) << g->name();
    EXPECT_EQ(g->observed_outside, 0) << g->name();
  }
  // Who reads, or may read at any time, keeps it awake.
  pair_under_test& pair = *silent_.front();
  pair.channel.listen(*guests_.front());
  pair.channel.ignore(*guests_.front());
  EXPECT_TRUE(pair.channel.observed());
}

TEST_F(link_test, a_longer_link_that_is_made_later_leaves_what_others_are_to_show) {
  EXPECT_EQ(late_->near.differing, 0);
  EXPECT_EQ(late_->far.differing, 0);
}

TEST(wire, shows_a_word_in_its_cycle_only) {
  arena memory;
  flit_wire& wire = flit_wire::make(memory, 1);
  wire.send(0, flit_word{1});
  EXPECT_EQ(wire.shown(1), flit_word{1});
  EXPECT_EQ(wire.shown(0), flit_word{});
  EXPECT_EQ(wire.shown(2), flit_word{});
}

TEST(link, words_print_as_people_read_them) {
  std::ostringstream out;
  out << flit_word{} << ' ' << flit_word{3}.on_vc(2) << ' ' << credit_word{0} << ' ' << credit_word{5};
  EXPECT_EQ(out.str(), "- H vc2 0x13 - vc0 vc2");
  out.str("");
  // Bodies, tails and packets of one flit; numbers beside them are as before.
  out << flit_word{1}.on_vc(10) << ' ' << 26 << ' ' << flit_word{5} << ' ' << flit_word{7}.on_vc(15) << ' ' << 31 << ' '
      << credit_word{0x8402};
  EXPECT_EQ(out.str(), "B vc10 0x51 26 T vc0 0x5 S vc15 0x7f 31 vc1 vc10 vc15");
}

}  // namespace
}  // namespace toriscope::link_test

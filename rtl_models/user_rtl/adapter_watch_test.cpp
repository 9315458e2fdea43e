// SPDX-License-Identifier: Apache-2.0
// What an adapter says of a router that keeps flits, and when; and what it makes of its configuration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "rtl_models/user_rtl/adapter_bench.h"
#include "rtl_models/user_rtl/router_adapter.h"
#include "rtl_models/user_rtl/signal_adapter.h"

namespace toriscope::adapter_watch_test {
namespace {

/// Sends what comes in at the south port out of the east one, and keeps what comes in at the west one.
class keeping_router final : public router_pins {
 public:
  /// @param ready          of its input ports
  /// @param after_valid    ready only where valid is set
  explicit keeping_router(bool ready, bool after_valid = false) : ready_(ready), after_valid_(after_valid) {}

  void set_in(unsigned port, bool valid, const wide_flit& flit) override {
    valid_[port] = valid;
    in_[port] = flit;
  }
  std::uint32_t in_back(unsigned port) const override {
    return ready_ && (valid_[port] || !after_valid_) ? 1 : 0;
  }
  bool out_valid(unsigned port) const override { return port == 1 && !flits_.empty(); }
  wide_flit out_flit(unsigned) const override { return flits_.front(); }
  void set_out_back(unsigned port, std::uint32_t back) override {
    if (port == 1) takes_ = back != 0;
  }
  void eval() override {}
  void clock_edge() override {
    if (takes_ && !flits_.empty()) flits_.pop_front();
    if (ready_ && valid_[2]) flits_.push_back(in_[2]);
  }

 private:
  const bool ready_, after_valid_;
  bool valid_[6] = {}, takes_ = false;
  wide_flit in_[6] = {};
  std::deque<wide_flit> flits_;
};

adapter_config config_of(const netlist& wiring) {
  adapter_config c;
  c.ports = ports_of_middle(wiring);
  c.format.width = 32;
  c.format.head = {{{0, 4}, expression("tag")}};
  c.format.all = {{{31, 1}, expression("head")}, {{30, 1}, expression("tail")}};
  c.patience_cycles = 100;
  return c;
}

/// Single flits for the node behind the east port come in. @param credits  the neighbour gives them back
class keeping {
 public:
  explicit keeping(bool ready = true, bool credits = true, cycle_t patience = 100)
      : bench_(1, 4), credits_(credits) {
    adapter_config c = config_of(bench_.wiring());
    c.patience_cycles = patience;
    adapter_ =
        std::make_unique<ready_valid_adapter>(bench_.context(), c, std::make_unique<keeping_router>(ready));
  }
  /// @param comes  by the port of this name, in this cycle; null: none
  template <class Comes>
  std::string said_until(cycle_t end, Comes&& comes) {
    return error_of<rtl_assertion>([&] {
      for (cycle_t now = 0; now < end; ++now) {
        for (const char* const name : {"x-", "y-"})
          adapter_->set_flit(port(name), comes(name[0], now) ? flit() : flit_word{});
        adapter_->clock_edge();
        left += adapter_->flit(port("x+")).valid();
        if (credits_) adapter_->set_credit(port("x+"), {adapter_->flit(port("x+")).valid()});
      }
    });
  }
  const router_adapter& adapter() const { return *adapter_; }

  unsigned left = 0;

 private:
  port_id port(const char* name) const { return bench_.wiring().port_named(adapter_bench::middle, name); }
  flit_word flit() {
    const node_context context = bench_.context();
    const packet_id id = context.network.packets.create({3, 5, 1}, 0);
    return context.network.layout.head(5, 0, context.network.layout.tag_of(id), true);
  }

  adapter_bench bench_;
  const bool credits_;
  std::unique_ptr<router_adapter> adapter_;
};

const std::string
    of_west = "(from node 3 to node 5, 1 flit) entered ",
    quiet =
        " cycles ago by port west (x-), 0 of its flits left, and nothing has since, although every output "
        "is free: flits are lost, or the router waits for what cannot happen";

/// Looked at in cycles 99, 199 ...: a cycle without a packet is not quiet.
TEST(router_adapter_watch, a_packet_that_came_late_has_its_time) {
  for (const auto& [comes_in, told] : {std::pair<cycle_t, cycle_t>{0, 199}, {100, 99}, {150, 149}}) {
    keeping k;
    EXPECT_EQ(k.said_until(400, [in = comes_in](char name, cycle_t now) { return name == 'x' && now == in; }),
              "packet 0 " + of_west + std::to_string(told) + quiet +
                  "; no packet has ever left it: perhaps its reset (pin, polarity)");
  }
}

TEST(router_adapter_watch, others_have_left_it) {
  keeping k;
  EXPECT_EQ(k.said_until(400, [](char name, cycle_t now) { return now == (name == 'x' ? 0u : 2u); }),
            "packet 0 " + of_west + "199" + quiet);
}

TEST(router_adapter_watch, outputs_without_credits_are_waited_for) {
  keeping k(true, false);
  EXPECT_EQ(k.said_until(500, [](char name, cycle_t now) { return name == 'y' && now < 24 && now % 3 == 0; }),
            "none");
  EXPECT_EQ(k.left, 4u);
}

/// Looked at in every 13th cycle, 100 / 8 + 1: 12, 25 ... Its output is not open in cycles 3 and 31.
TEST(router_adapter_watch, a_starved_packet) {
  keeping k;
  EXPECT_EQ(k.said_until(
                400, [](char name, cycle_t now) { return name == 'x' ? now == 0 : now == 2 || now == 30; }),
            "packet 0 " + of_west +
                "116 cycles ago by port west (x-) and is never served: its output port east (x+) was open in "
                "103 cycles "
                "since, and 1 other packets have left");
}

/// Its output is never open, and the router never quiet: told when 50 times the patience is over.
TEST(router_adapter_watch, a_packet_that_stays_in_a_busy_router) {
  keeping k(true, true, 10);
  EXPECT_EQ(k.said_until(600, [](char name, cycle_t now) { return name == 'y' || now == 9; }).substr(9),
            of_west + "500 cycles ago by port west (x-), 0 of its flits left: lost, or never served");
}

TEST(router_adapter_watch, an_input_that_is_never_ready) {
  for (const auto& [comes_in, told] : {std::pair<cycle_t, cycle_t>{0, 199}, {100, 100}}) {
    keeping k(false);
    EXPECT_EQ(k.said_until(400, [in = comes_in](char name, cycle_t now) { return name == 'y' && now == in; }),
              "its input port south (y-) was not ready in the last " + std::to_string(told) +
                  " cycles although a flit is offered there, nothing is inside and every output is free: the "
                  "reset (its "
                  "pin, its polarity), or ready");
    EXPECT_EQ(k.adapter().flits_inside(), 1u);
  }
}

TEST(router_adapter_watch, ready_may_wait_for_valid) {
  adapter_bench bench(1, 4);
  const node_context context = bench.context();
  ready_valid_adapter adapter(context, config_of(bench.wiring()),
                              std::make_unique<keeping_router>(true, true));
  const packet_id id = context.network.packets.create({3, 5, 1}, 0);
  adapter.set_flit(bench.wiring().port_named(adapter_bench::middle, "y-"),
                   context.network.layout.head(5, 0, context.network.layout.tag_of(id), true));
  adapter.clock_edge();
  adapter.set_flit(bench.wiring().port_named(adapter_bench::middle, "y-"), {});
  adapter.clock_edge();
  EXPECT_TRUE(adapter.flit(bench.wiring().port_named(adapter_bench::middle, "x+")).valid());
}

std::unique_ptr<router_pins> pins() { return std::make_unique<keeping_router>(true); }

TEST(router_adapter_configuration, ports_have_the_names_of_the_model_too) {
  adapter_bench bench(1, 4);
  adapter_config c = config_of(bench.wiring());
  c.ports.push_back({"extra", -1});
  c.ports[4].name = "local";
  const ready_valid_adapter adapter(bench.context(), c, pins());
  std::vector<std::string> texts;
  for (const adapter_config::port& port : adapter.config().ports) texts.push_back(port.text());
  EXPECT_THAT(texts,
              testing::ElementsAre("west (x-)", "east (x+)", "south (y-)", "north (y+)", "local", "extra"));
  EXPECT_EQ(adapter.flits_inside(), 0u);
}

TEST(router_adapter_configuration, what_does_not_go_with_the_node) {
  adapter_bench bench(2, 4);
  const auto said = [&](const adapter_config& c) {
    return error_of<std::invalid_argument>([&] { ready_valid_adapter(bench.context(), c, pins()); });
  };
  const char* const model_names[] = {"x-", "x+", "y-", "y+", "local"};
  for (unsigned r = 0; r < 5; ++r) {
    adapter_config c = config_of(bench.wiring());
    c.ports[r].of_node = -1;
    EXPECT_EQ(said(c), std::string("node_1_1: the node has a port ") + model_names[r] +
                           ", which no port of the router stands for");
  }
  adapter_config c = config_of(bench.wiring());
  c.vcs = 2;
  EXPECT_EQ(said(c), "node_1_1: the router has 2 VCs, and no field of its flits is 'vc'");
  c = config_of(bench.wiring());
  c.format.width = 31;
  EXPECT_EQ(said(c), "flit bits 31: a flit has 31 bits, 30:0");
}

TEST(router_adapter_configuration, of_adapters) {
  adapter_bench bench(2, 4);
  adapter_config c = config_of(bench.wiring());
  EXPECT_TRUE(credit_adapter(bench.context(), c, pins()).config().gives_credits);
  EXPECT_FALSE(on_off_adapter(bench.context(), c, pins()).config().gives_credits);
  EXPECT_EQ(signal_adapter(bench.context(), c, pins(), nullptr).config().output_flits, 2u);
  const std::string wrong = "a router behind signals has no VCs and one clock a cycle";
  const auto said = [&] {
    return error_of<std::invalid_argument>([&] { signal_adapter(bench.context(), c, pins(), nullptr); });
  };
  c.clocks_per_cycle = 2;
  EXPECT_EQ(said(), wrong);
  c.clocks_per_cycle = 1;
  c.vcs = 2;
  EXPECT_EQ(said(), wrong);
}

}  // namespace
}  // namespace toriscope::adapter_watch_test

// SPDX-License-Identifier: Apache-2.0
// The wormhole router in mixed networks, through its description and the ready/valid adapter: every packet
// once, at its destination, flits in order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "rtl_models/rtl_node.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "topologies/registry.h"

namespace toriscope::wormhole_test {
namespace {

constexpr cycle_t sending = 1500;
constexpr cycle_t max_cycles = 30000;

/// Random packets for some time, then none.
class random_source final : public traffic_source {
 public:
  random_source(node_id nodes, double rate, unsigned shortest)
      : busy_until_(nodes), rate_(rate), shortest_(shortest) {}
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now >= sending) return;
    for (node_id n = 0; n < busy_until_.size(); ++n) {
      if (busy_until_[n] > now || std::uniform_real_distribution<>(0, 1)(random_) > rate_) continue;
      const auto flits = static_cast<std::uint32_t>(shortest_ + random_() % 8);
      const auto to = static_cast<node_id>(random_() % busy_until_.size());
      out.push_back({n, to, flits});
      sent_[{n, to}] += flits;
      busy_until_[n] = now + flits;
    }
  }
  const std::map<std::pair<node_id, node_id>, std::uint64_t>& sent() const { return sent_; }

 private:
  std::mt19937_64 random_{11};
  std::vector<cycle_t> busy_until_;
  double rate_;
  unsigned shortest_;
  std::map<std::pair<node_id, node_id>, std::uint64_t> sent_;
};

/// Adds up what arrives. That flits arrive in order, whole and at their destination, the network interfaces
/// look at.
class scoreboard final : public packet_sink {
 public:
  void packet_received(packet_id, const packet_record& record, cycle_t) override {
    received_[{record.source, record.destination}] += record.flits;
    hops_ += record.hops;
  }
  const std::map<std::pair<node_id, node_id>, std::uint64_t>& received() const { return received_; }
  std::uint64_t hops() const { return hops_; }

 private:
  std::map<std::pair<node_id, node_id>, std::uint64_t> received_;
  std::uint64_t hops_ = 0;
};

struct setting {
  std::string name, topology, description;
  unsigned vcs, depth;
  unsigned every;  ///< one of this number of nodes has a user's router
  double rate;
  unsigned clocks = 1;  ///< of a user's router in a cycle
  std::string routing = "xy";
};

class mixed_network {
 public:
  explicit mixed_network(const setting& s) {
    topology_options options;
    options.vcs = s.vcs;
    options.routing = s.routing;
    topology_ = make_topology(s.topology, options);
    config_.router.vcs = s.vcs;
    config_.router.depth = s.depth;
    config_.checks = check_level::full;
    std::vector<node_id> nodes;
    for (node_id n = 0; n < topology_.wiring->node_count(); ++n)
      if ((n + n / 4) % s.every == 0) nodes.push_back(n);
    router_description description = router_description::read(s.description);
    description.clocks_per_cycle = s.clocks;
    const user_rtl_routers user_routers(std::move(description), *topology_.wiring, *topology_.routing,
                                        config_, nodes);
    net_ = std::make_unique<network>(s.name.c_str(), topology_.wiring, topology_.routing, config_,
                                     user_routers.factory(4711));
    source_ = std::make_unique<random_source>(topology_.wiring->terminal_count(), s.rate, 1);
    net_->set_source(source_.get());
    net_->add_sink(&board_);
    net_->keep_simulating_after_failure();
  }
  network& net() { return *net_; }
  const random_source& source() const { return *source_; }
  const scoreboard& board() const { return board_; }

 private:
  topology topology_;
  network_config config_;
  std::unique_ptr<network> net_;
  std::unique_ptr<random_source> source_;
  scoreboard board_;
};

void expect_all_delivered(const std::vector<setting>& settings) {
  sc_core::sc_clock clk("clk", 10, sc_core::SC_NS);
  std::vector<std::unique_ptr<mixed_network>> all;
  for (const setting& s : settings) {
    all.push_back(std::make_unique<mixed_network>(s));
    all.back()->net().clk(clk);
  }
  const auto busy = [&] {
    return std::any_of(all.begin(), all.end(),
                       [](const auto& n) { return !n->net().idle() && !n->net().failure(); });
  };
  for (cycle_t done = 0; done < max_cycles && (done <= sending || busy()); done += 500)
    sc_core::sc_start(5000, sc_core::SC_NS);
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(settings[i].name);
    network& net = all[i]->net();
    ASSERT_EQ(net.failure(), nullptr) << net.failure()->message;
    EXPECT_TRUE(net.idle()) << net.packets().alive() << " packets have not arrived";
    EXPECT_EQ(net.check_conservation(), "");
    const std::size_t terminals = net.wiring().terminal_count();
    EXPECT_GT(all[i]->source().sent().size(), std::min<std::size_t>(200, terminals * terminals / 2));
    EXPECT_EQ(all[i]->board().received(), all[i]->source().sent());
  }
}

TEST(wormhole, delivers_everything_in_mixed_networks) {
  const std::string wormhole = RTL_MODELS_DIRECTORY "/sv_wormhole/wormhole.json";
  const std::string table = RTL_MODELS_DIRECTORY "/user_rtl/test_rtl/table_wormhole.json";
  expect_all_delivered({
      {"half", "mesh:4x4", wormhole, 2, 4, 2, 0.3},
      {"all", "mesh:4x4", wormhole, 1, 2, 1, 1},
      {"two_terminals", "cmesh:3x2,2", table, 2, 4, 1, 0.3},
      {"tree_with_switches", "fattree:2,3", table, 2, 4, 2, 0.3, 1, "nca"},
      {"terminals_that_span_two_routers", "butterfly:2,3", table, 1, 4, 1, 0.3, 1, "digits"},
  });
}

/// Pins of four bits: numbers of 0 to 15, and from -8 on as in SystemVerilog.
TEST(wormhole, ties_fit_their_pins) {
  const topology mesh = make_topology("mesh:4x4", {});
  const auto said = [&](const std::string& tie) {
    router_description d = router_description::read(RTL_MODELS_DIRECTORY "/sv_wormhole/wormhole.json");
    d.ties.at(0).value = tie;
    return error_of([&] { user_rtl_routers(d, *mesh.wiring, *mesh.routing, {}, {0, 15}); });
  };
  for (const std::string fits : {"15", "12 + x", "0 - 8", "0 - 5 - x"}) EXPECT_EQ(said(fits), "none") << fits;
  for (const auto& [tie, value] : {std::pair("16", "16"), {"13 + x", "16"}, {"0 - 6 - x", "-9"}})
    EXPECT_THAT(said(tie),
                testing::HasSubstr("ties.x_i: " + std::string(value) + " does not fit into its 4 bits"));
}

TEST(wormhole, long_delivers_everything_at_saturation_with_three_clocks_and_in_a_large_network) {
  const std::string wormhole = RTL_MODELS_DIRECTORY "/sv_wormhole/wormhole.json";
  expect_all_delivered({
      {"saturated", "mesh:4x4", wormhole, 4, 8, 2, 1},
      {"three_clocks", "mesh:4x4", wormhole, 2, 4, 2, 0.5, 3},
      {"large", "mesh:8x8", wormhole, 4, 4, 3, 0.2},
  });
}

}  // namespace
}  // namespace toriscope::wormhole_test

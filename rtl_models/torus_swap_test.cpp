// SPDX-License-Identifier: Apache-2.0
// A 4x4 torus twice in one process, with the same traffic at saturation: one all model, one with verilated
// RTL in the place of node 5. Every output pin of node 5 in every cycle, and all hashes at the end.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/test_file.h"
#include "network/network.h"
#include "rtl_models/route_table.h"
#include "rtl_models/rtl_node.h"
#include "topologies/registry.h"
#include "torus_four_stage.h"
#include "torus_router_2x4.h"

namespace toriscope::torus_swap_test {
namespace {

constexpr node_id swapped = 5;
constexpr cycle_t cycles = 10000;

/// One flit per node and cycle, in packets of 1 to 8 flits to uniform destinations, the own node included.
class saturating_source final : public traffic_source {
 public:
  explicit saturating_source(node_id nodes) : busy_until_(nodes) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (node_id n = 0; n < busy_until_.size(); ++n)
      if (busy_until_[n] <= now) {
        const auto flits = static_cast<std::uint32_t>(1 + random_() % 8);
        out.push_back({n, static_cast<node_id>(random_() % busy_until_.size()), flits});
        busy_until_[n] = now + flits;
      }
  }

 private:
  std::mt19937_64 random_{2009};
  std::vector<cycle_t> busy_until_;
};

/// RTL that gets its credits a cycle late from some cycle on: nothing is lost, only a little time.
class late_router final : public rtl_router {
 public:
  late_router(std::unique_ptr<rtl_router> rtl, cycle_t since)
      : rtl_(std::move(rtl)), since_(since), withheld_(rtl_->parameters().ports) {}

  const rtl_parameters& parameters() const override { return rtl_->parameters(); }
  void set_flit(port_id p, flit_word f) override { rtl_->set_flit(p, f); }
  void set_credit(port_id p, credit_word c) override {
    if (edges_ < since_) return rtl_->set_credit(p, c);
    rtl_->set_credit(p, withheld_[p]);
    withheld_[p] = c;
  }
  void clock_edge() override {
    rtl_->clock_edge();
    ++edges_;
  }
  flit_word flit(port_id p) const override { return rtl_->flit(p); }
  credit_word credit(port_id p) const override { return rtl_->credit(p); }

 private:
  std::unique_ptr<rtl_router> rtl_;
  cycle_t since_;
  cycle_t edges_ = 0;
  std::vector<credit_word> withheld_;
};

/// Adds up the links that packets cross.
class hop_counter final : public packet_sink {
 public:
  void packet_received(packet_id, const packet_record& record, cycle_t) override { hops_ += record.hops; }
  std::uint64_t hops() const { return hops_; }

 private:
  std::uint64_t hops_ = 0;
};

struct setting {
  std::string name;
  std::unique_ptr<rtl_router> (*make)(const rtl_start&);
  unsigned vcs, depth;
  bool mixed_delays;
  int random_state_seed;
  bool late_credits;  ///< from half time on
};

topology make_torus(const setting& s) {
  topology_options options;
  options.vcs = s.vcs;
  // The default looks at the VC that a head stands in: a route table with two classes of input VCs.
  options.vc_rule = s.vcs == 4 ? "balanced" : "dateline";
  topology t = make_topology("torus:4x4", options);
  if (s.mixed_delays)
    for (link_id l = 0; l < t.wiring->links().size(); ++l)
      t.wiring->link(l).delay_cycles = static_cast<std::uint16_t>(1 + l % 3);
  return t;
}

network_config make_config(const setting& s) {
  network_config config;
  config.router.pipeline = s.vcs == 4 ? pipeline::four_stage : pipeline::single_cycle;
  config.router.vcs = s.vcs;
  config.router.depth = s.depth;
  config.wire_hash = true;
  config.checks = check_level::full;
  return config;
}

network::node_factory with_rtl(const setting& s, const topology& t) {
  return [&](const char* name, const node_context& context) -> std::unique_ptr<node> {
    if (context.id != swapped) return nullptr;
    const std::string file = test_file("swap_" + s.name + ".hex");
    route_tables(*t.wiring, *t.routing, context.network.layout, s.vcs, {context.id})
        .write_file(context.id, file);
    auto rtl = s.make({file, s.random_state_seed});
    std::remove(file.c_str());
    if (s.late_credits) rtl = std::make_unique<late_router>(std::move(rtl), cycles / 2);
    return std::make_unique<rtl_node>(name, context, std::move(rtl));
  };
}

/// Model and RTL side by side, compared in every cycle.
class pair_of_networks : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};

  SC_HAS_PROCESS(pair_of_networks);
  pair_of_networks(const sc_core::sc_module_name& name, const setting& s)
      : sc_core::sc_module(name),
        topology_(make_torus(s)),
        model_("model", topology_.wiring, topology_.routing, make_config(s)),
        rtl_("rtl", topology_.wiring, topology_.routing, make_config(s), with_rtl(s, topology_)),
        model_source_(model_.wiring().node_count()),
        rtl_source_(rtl_.wiring().node_count()) {
    model_.clk(clk);
    rtl_.clk(clk);
    model_.set_source(&model_source_);
    rtl_.set_source(&rtl_source_);
    model_.add_sink(&model_hops_);
    rtl_.add_sink(&rtl_hops_);
    const port_range ports = topology_.wiring->ports(swapped);
    for (const netlist_port& port : ports) {
      flits_.push_back({&model_.link_at(port.out), &rtl_.link_at(port.out)});
      credits_.push_back({&model_.credit_at(port.in), &rtl_.credit_at(port.in)});
    }
    flits_.push_back({&model_.ejection_link(swapped), &rtl_.ejection_link(swapped)});
    credits_.push_back({&model_.injection_credit(swapped), &rtl_.injection_credit(swapped)});
    SC_METHOD(compare);
    sensitive << clk.pos();
    dont_initialize();
  }

  const network& model() const { return model_; }
  const network& rtl() const { return rtl_; }
  std::uint64_t model_hops() const { return model_hops_.hops(); }
  std::uint64_t rtl_hops() const { return rtl_hops_.hops(); }
  cycle_t compared_cycles() const { return compared_cycles_; }
  cycle_t first_difference() const { return first_difference_; }
  std::uint64_t flits_seen() const { return flits_seen_; }
  std::uint64_t credits_seen() const { return credits_seen_; }

 private:
  void compare() {
    bool equal = true;
    for (const auto& [model, rtl] : flits_) {
      equal = equal && model->read() == rtl->read();
      flits_seen_ += model->read().valid();
    }
    for (const auto& [model, rtl] : credits_) {
      equal = equal && model->read() == rtl->read();
      credits_seen_ += model->read().valid();
    }
    if (!equal && first_difference_ == none) first_difference_ = compared_cycles_;
    ++compared_cycles_;
  }

  static constexpr cycle_t none = ~cycle_t{0};
  topology topology_;
  network model_, rtl_;
  saturating_source model_source_, rtl_source_;
  hop_counter model_hops_, rtl_hops_;
  std::vector<std::pair<flit_link*, flit_link*>> flits_;
  std::vector<std::pair<credit_link*, credit_link*>> credits_;
  cycle_t compared_cycles_ = 0;
  cycle_t first_difference_ = none;
  std::uint64_t flits_seen_ = 0;
  std::uint64_t credits_seen_ = 0;
};

/// What the network with RTL says when it is built; empty when it is content.
std::string complaint(const setting& s, const network_config& config) {
  const topology t = make_torus(s);
  try {
    const network rtl(s.name.c_str(), t.wiring, t.routing, config, with_rtl(s, t));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(torus_swap, refuses_rtl_that_does_not_fit) {
  const setting depth{"another_depth", make_torus_four_stage, 4, 4, false, 0, false};
  EXPECT_EQ(complaint(depth, make_config(depth)),
            "another_depth.node_1_1: the RTL router was built with DEPTH 8; this node needs DEPTH 4");

  const setting stages{"another_pipeline", make_torus_four_stage, 4, 8, false, 0, false};
  network_config config = make_config(stages);
  config.router.pipeline = pipeline::single_cycle;
  EXPECT_EQ(
      complaint(stages, config),
      "another_pipeline.node_1_1: the RTL router was built with FOUR_STAGE 1; this node needs FOUR_STAGE 0");
  config.router.pipeline = pipeline::paper2009;
  config.router.depth = 1;
  EXPECT_EQ(
      complaint(stages, config),
      "another_pipeline.node_1_1: the RTL router is single_cycle or four_stage; the network is paper2009");
}

/// RTL with these parameters that does nothing, or sends the same words by port 4 for ever.
class idle_router final : public rtl_router {
 public:
  explicit idle_router(const rtl_parameters& parameters, flit_word f = {}, credit_word c = {})
      : parameters_(parameters), flit_(f), credit_(c) {}
  const rtl_parameters& parameters() const override { return parameters_; }
  void set_flit(port_id, flit_word) override {}
  void set_credit(port_id, credit_word) override {}
  void clock_edge() override {}
  flit_word flit(port_id p) const override { return p == 4 ? flit_ : flit_word{}; }
  credit_word credit(port_id p) const override { return p == 4 ? credit_ : credit_word{}; }

 private:
  rtl_parameters parameters_;
  flit_word flit_;
  credit_word credit_;
};

/// As a description has it that says nothing else.
TEST(rtl_router, has_the_patience_of_1000_cycles) { EXPECT_EQ(idle_router({}).patience_cycles(), 1000u); }

/// Of node 5, with four links and a local port. RTL may have more of both, but not fewer of one.
TEST(rtl_node_of_torus, fits_rtl_with_more_ports) {
  const setting s{"ports", make_torus_four_stage, 4, 8, false, 0, false};
  const topology t = make_torus(s);
  // They stand as long as the context of these tests, which is for ever.
  static auto& networks = *new std::vector<std::unique_ptr<network>>;
  const auto said = [&](unsigned ports, unsigned local_ports) -> std::string {
    rtl_parameters parameters;
    parameters.four_stage = true;
    parameters.ports = ports;
    parameters.local_ports = local_ports;
    const std::string name = "fits_" + std::to_string(networks.size());
    const auto make = [&](const char* node_name, const node_context& context) -> std::unique_ptr<node> {
      if (context.id != swapped) return nullptr;
      return std::make_unique<rtl_node>(node_name, context, std::make_unique<idle_router>(parameters));
    };
    try {
      networks.push_back(std::make_unique<network>(name.c_str(), t.wiring, t.routing, make_config(s), make));
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      return text.substr(text.find(':') + 2);
    }
    return {};
  };
  EXPECT_EQ(said(5, 1), "");
  const auto& placed = dynamic_cast<const rtl_node&>(networks.back()->at(swapped));
  EXPECT_EQ(placed.pins(4).credit_i, nullptr) << "without limited reception";
  EXPECT_NE(placed.pins(0).credit_i, nullptr);
  EXPECT_EQ(said(6, 1), "");
  EXPECT_EQ(said(6, 2), "");
  EXPECT_EQ(said(4, 1), "the RTL router was built with PORTS 4; this node needs PORTS 5");
  EXPECT_EQ(said(5, 2), "the RTL router was built with LOCAL_PORTS 2; this node needs LOCAL_PORTS 1");
  EXPECT_EQ(said(6, 0),
            "the RTL router was built with PORTS 6, LOCAL_PORTS 0; this node needs PORTS 5, LOCAL_PORTS 1");
}

/// Port 4 of the RTL is none of the four links of node 5, nor its local port.
TEST(rtl_node_with_more_ports, nothing_leaves_by_those_that_the_node_lacks) {
  const setting s{"tied_off", make_torus_four_stage, 4, 8, false, 0, false};
  const topology t = make_torus(s);
  rtl_parameters parameters;
  parameters.four_stage = true;
  parameters.ports = 6;
  sc_core::sc_clock clk("clk", 10, sc_core::SC_NS);
  std::vector<std::unique_ptr<network>> networks;
  for (const auto& [flit, credit] : {std::pair(flit_word{}, credit_word{}),
                                     {flit_word{2}, credit_word{}},
                                     {flit_word{}, credit_word{8}}}) {
    const auto make = [&, f = flit, c = credit](const char* name,
                                                const node_context& context) -> std::unique_ptr<node> {
      if (context.id != swapped) return nullptr;
      return std::make_unique<rtl_node>(name, context, std::make_unique<idle_router>(parameters, f, c));
    };
    const std::string name = "network_" + std::to_string(networks.size());
    networks.push_back(std::make_unique<network>(name.c_str(), t.wiring, t.routing, make_config(s), make));
    networks.back()->clk(clk);
    networks.back()->keep_simulating_after_failure();
  }
  sc_core::sc_start(30, sc_core::SC_NS);
  EXPECT_EQ(networks[0]->failure(), nullptr);
  ASSERT_NE(networks[1]->failure(), nullptr);
  EXPECT_EQ(networks[1]->failure()->message,
            "broken invariant in cycle 0: network_1.node_1_1: port 4 of the RTL: no link leaves here, and "
            "its flit_o is not 0");
  ASSERT_NE(networks[2]->failure(), nullptr);
  EXPECT_EQ(networks[2]->failure()->message,
            "broken invariant in cycle 0: network_2.node_1_1: port 4 of the RTL: no link enters here, and "
            "its credit_o is not 0");
}

// All pairs are elaborated before the one sc_start that a process has.
TEST(torus_swap, pins_of_node_5_in_every_cycle) {
  const setting settings[] = {
      {"vcs4_depth8", make_torus_four_stage, 4, 8, false, 0, false},
      {"vcs4_depth8_random_state", make_torus_four_stage, 4, 8, false, 4711, false},
      {"vcs2_depth4", make_torus_router_2x4, 2, 4, false, 17, false},
      {"vcs2_depth4_mixed_delays", make_torus_router_2x4, 2, 4, true, 18, false},
      {"vcs4_depth8_late_credits", make_torus_four_stage, 4, 8, false, 1, true},
  };
  sc_core::sc_clock clk("clk", 10, sc_core::SC_NS);
  std::vector<std::unique_ptr<pair_of_networks>> pairs;
  for (const setting& s : settings) {
    pairs.push_back(std::make_unique<pair_of_networks>(s.name.c_str(), s));
    pairs.back()->clk(clk);
  }
  sc_core::sc_start(static_cast<double>(cycles) * 10, sc_core::SC_NS);

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SCOPED_TRACE(settings[i].name);
    const pair_of_networks& p = *pairs[i];
    ASSERT_EQ(p.model().failure(), nullptr) << p.model().failure()->message;
    EXPECT_EQ(p.compared_cycles(), cycles);
    EXPECT_GT(p.model().packets().alive(), 16u * cycles / 50) << "not saturated: the source queues are short";
    EXPECT_GT(p.flits_seen(), cycles) << "node 5 has hardly anything to do";
    EXPECT_GT(p.credits_seen(), cycles);
    if (!settings[i].late_credits) {
      ASSERT_EQ(p.rtl().failure(), nullptr) << p.rtl().failure()->message;
      EXPECT_EQ(p.first_difference(), ~cycle_t{0});
      EXPECT_EQ(p.rtl().packet_hash(), p.model().packet_hash());
      EXPECT_EQ(p.rtl().wire_hash(), p.model().wire_hash());
      EXPECT_EQ(p.rtl().counters().packets_received, p.model().counters().packets_received);
      EXPECT_EQ(p.rtl_hops(), p.model_hops());
      for (const netlist_port& port : p.model().wiring().ports(swapped))
        EXPECT_EQ(p.rtl().flits_sent(port.out), p.model().flits_sent(port.out));
    } else {
      EXPECT_GE(p.first_difference(), cycles / 2);
      EXPECT_LT(p.first_difference(), cycles / 2 + 100);
      EXPECT_NE(p.rtl().packet_hash(), p.model().packet_hash());
      EXPECT_NE(p.rtl().wire_hash(), p.model().wire_hash());
    }
  }
}

}  // namespace
}  // namespace toriscope::torus_swap_test

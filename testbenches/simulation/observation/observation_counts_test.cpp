// SPDX-License-Identifier: Apache-2.0
// Counts against what links, buffers and interfaces show to others, and against hand-made examples.
#include "base/json.h"
#include "testbenches/simulation/observation/observation_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "testbenches/simulation/observation/observation_report.h"
#include "testbenches/simulation/observation/observed_bench.h"
#include "testbenches/simulation/observation/timeline_text.h"
#include "topologies/path.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

constexpr cycle_t all_cycles = 4000;

/// Counts in another way: words on observed links, credits on their wires, buffers seen after each cycle.
class outsider final : public cycle_listener {
 public:
  explicit outsider(network& net) : net_(net), vcs_(net.config().router.vcs) {
    const std::size_t links = net.wiring().links().size();
    flits.resize(links * vcs_);
    credits.resize(links * vcs_);
    fronts.resize(links * vcs_);
    occupied_.resize(links * vcs_);
    for (link_id l = 0; l < links; ++l) {
      ears_.emplace_back();
      ears_.back().counts = &flits[l * vcs_];
      net.link_at(l).listen(ears_.back());
    }
    net.clock_of_links().listen(*this);
  }

  void cycle_done(cycle_t done) override {
    for (link_id l = 0; l < net_.wiring().links().size(); ++l) {
      const netlist_link& place = net_.wiring().link(l);
      const flit_word arrived = net_.link_at(l).plain().shown(done);
      const credit_word freed = net_.credit_at(l).plain().shown(done);
      for (unsigned v = 0; v < vcs_; ++v) {
        const std::size_t i = l * vcs_ + v;
        fronts[i] += occupied_[i] || (arrived.valid() && arrived.vc() == v);
        occupied_[i] = net_.at(place.to).core()->occupancy(place.to_port, v) > 0;
        credits[i] += freed.vcs >> v & 1u;
      }
    }
  }

  std::vector<std::uint64_t> flits;    ///< words that link l showed on VC v, at l * V + v
  std::vector<std::uint64_t> credits;  ///< that came back
  std::vector<std::uint64_t> fronts;   ///< cycles in which a flit was at the front

 private:
  struct ear final : link_listener<flit_word> {
    void word_shown(cycle_t, flit_word f) override {
      if (f.valid()) ++counts[f.vc()];
    }
    std::uint64_t* counts = nullptr;
  };
  network& net_;
  const unsigned vcs_;
  std::deque<ear> ears_;
  std::vector<bool> occupied_;
};

/// Packets of two flits from both ends of a line of three to the middle, in the same cycle.
bench_setup conflict(const char* name, unsigned vcs) {
  bench_setup s;
  s.name = name;
  s.topology = "mesh:1x3";
  s.config.router.vcs = vcs;
  s.packets = {{0, {2, 1, 2}}, {0, {0, 1, 2}}};  // by the ports x+ and x-: 0 and 1
  return s;
}

/// A lone packet of `flits` flits over one link.
bench_setup lone(const char* name, unsigned depth, std::uint32_t flits, std::uint8_t flit_cycles) {
  bench_setup s;
  s.name = name;
  s.topology = "mesh:1x3";
  s.config.router.depth = depth;
  s.packets = {{0, {0, 1, flits}}};
  s.change = [flit_cycles](netlist& n) {
    for (link_id l = 0; l < n.links().size(); ++l) n.link(l).flit_cycles = flit_cycles;
  };
  return s;
}

/// From node 0 to 1, back and on to 2: twice by the same port of node 0.
class twice_by_one_port final : public routing_function {
 public:
  explicit twice_by_one_port(std::shared_ptr<const netlist> wiring) : wiring_(std::move(wiring)) {}

  unsigned route(const route_request& at, route_option* options) const override {
    const char* const way[] = {"x+", "x-", "x+", "x+"};
    const port_id out =
        at.state == 4 ? wiring_->local_port(at.node) : wiring_->port_named(at.node, way[at.state]);
    options[0] = {out, 1, at.state == 4 ? 0 : at.state + 1};
    return 1;
  }
  unsigned state_bits() const override { return 3; }

 private:
  std::shared_ptr<const netlist> wiring_;
};

bench_setup there_and_back() {
  bench_setup s;
  s.name = "there_and_back";
  s.topology = "mesh:1x3";
  s.config.router.vcs = 1;
  s.packets = {{0, {0, 2, 2}}};
  s.routing = [](std::shared_ptr<const netlist> wiring, unsigned) {
    return std::make_shared<twice_by_one_port>(std::move(wiring));
  };
  return s;
}

/// A node that is not the model's.
class foreign_node final : public node {
 public:
  using node::node;
  std::uint64_t flits_sent(port_id) const override { return 0; }
};

class observation_test : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto* const clock = new sc_core::sc_clock("clk", 1, sc_core::SC_NS);
    for (const bench_setup& s : setups_of_all_kinds()) {
      benches_.push_back(new observed_bench(s, *clock, all_cycles));
      outsiders_.push_back(new outsider(benches_.back()->net));
      for (packet_id p = 0; p < 600; p += 5) benches_.back()->tell(p);
    }
    bench_setup failing;
    failing.name = "failing";
    for (link_id i = 0; i < 24; ++i) failing.config.dead_links.push_back({2 * i, 50 * i + 100});
    failing_ = new observed_bench(failing, *clock, all_cycles);
    for (packet_id p = 0; p < 1000; ++p) failing_->tell(p);
    one_vc_ = new observed_bench(conflict("one_vc", 1), *clock, all_cycles);
    two_vcs_ = new observed_bench(conflict("two_vcs", 2), *clock, all_cycles);
    for (observed_bench* b : {one_vc_, two_vcs_})
      for (packet_id p = 0; p < 2; ++p) b->tell(p);
    shallow_ = new observed_bench(lone("one_slot", 1, 2, 1), *clock, all_cycles);
    narrow_ = new observed_bench(lone("narrow_link", 8, 5, 2), *clock, all_cycles);
    returning_ = new observed_bench(there_and_back(), *clock, all_cycles);
    jam_ = new observed_bench(jam(), *clock, all_cycles);
    hot_ = new observed_bench(hot("hot", pipeline::four_stage), *clock, all_cycles);
    hot_paper_ = new observed_bench(hot("hot_paper", pipeline::paper2009), *clock, all_cycles);
    shallow_->tell(0);
    narrow_->tell(0);
    returning_->tell(0);
    bench_setup small = conflict("partly", 1);
    const topology line = observed_bench::make(small);
    partly_ = new observation(*line.wiring, small.config, 0, all_cycles);
    auto* const half_seen =
        new network("partly", line.wiring, line.routing, small.config,
                    probe_all(partly_->observer, [](const char* name, const node_context& context) {
                      return context.id == 1 ? std::make_unique<foreign_node>(name, context) : nullptr;
                    }));
    half_seen->clk(*clock);
    sc_core::sc_start(static_cast<double>(all_cycles) - 0.5, sc_core::SC_NS);
  }
  static std::vector<observed_bench*> benches_;
  static std::vector<outsider*> outsiders_;
  static observed_bench *one_vc_, *two_vcs_, *shallow_, *narrow_, *failing_, *returning_, *jam_, *hot_,
      *hot_paper_;
  static observation* partly_;
};
observation* observation_test::partly_;
std::vector<observed_bench*> observation_test::benches_;
std::vector<outsider*> observation_test::outsiders_;
observed_bench *observation_test::one_vc_, *observation_test::two_vcs_, *observation_test::shallow_,
    *observation_test::narrow_, *observation_test::failing_, *observation_test::returning_,
    *observation_test::jam_, *observation_test::hot_, *observation_test::hot_paper_;

TEST_F(observation_test, changes_nothing_and_everything_arrives) {
  for (const observed_bench* b : benches_) {
    SCOPED_TRACE(b->setup.name);
    EXPECT_EQ(b->net.failure(), nullptr) << b->net.failure()->message;
    EXPECT_TRUE(b->net.idle());
    EXPECT_GT(b->net.counters().packets_received, 900u);
    EXPECT_EQ(b->net.packet_hash(), b->twin.packet_hash());
  }
}

TEST_F(observation_test, congestion_has_its_root_where_flits_pass_too_slowly) {
  const netlist& line = std::as_const(*jam_->made.wiring);
  link_id slow = 0;
  while (line.link(slow).to != 3) ++slow;
  ASSERT_EQ(jam_->seen.roots.largest(1), std::vector<wire_id>{slow});
  // The first flits to come find no one before them, and a credit takes its time at the start and the end.
  EXPECT_GT(jam_->seen.roots.waits_for(slow), .95 * static_cast<double>(jam_->seen.roots.all_waits()));
  for (const observed_bench* b : {hot_, hot_paper_}) {
    SCOPED_TRACE(b->setup.name);
    const wire_id ejection = ejection_wire(*b->made.wiring, 5);
    ASSERT_EQ(b->seen.roots.largest(1), std::vector<wire_id>{ejection});
    EXPECT_GT(b->seen.roots.waits_for(ejection), .75 * static_cast<double>(b->seen.roots.all_waits()));
    EXPECT_THAT(observation_text(b->seen),
                HasSubstr("share of all waiting, flits that wait, on average\n  11 local out"));
  }
  // Both packets want the ejection port of the node between them.
  EXPECT_EQ(one_vc_->seen.roots.largest(9), std::vector<wire_id>{ejection_wire(*one_vc_->made.wiring, 1)});
}

TEST_F(observation_test, every_wait_has_one_root) {
  for (const observed_bench* b : benches_) {
    SCOPED_TRACE(b->setup.name);
    std::uint64_t sum = 0;
    for (wire_id w = 0; w < wire_count(*b->made.wiring); ++w) sum += b->seen.roots.waits_for(w);
    EXPECT_EQ(sum, b->seen.roots.all_waits());
    if (b->setup.config.router.has_output_buffers()) continue;
    EXPECT_EQ(sum, stalls_of(b->seen.counts.total_fates()));
  }
}

TEST_F(observation_test, links_carry_what_others_see_on_them) {
  for (std::size_t i = 0; i < benches_.size(); ++i) {
    const observed_bench& b = *benches_[i];
    SCOPED_TRACE(b.setup.name);
    const unsigned vcs = b.setup.config.router.vcs;
    for (link_id l = 0; l < b.made.wiring->links().size(); ++l) {
      const netlist_link& place = std::as_const(*b.made.wiring).link(l);
      std::uint64_t sum = 0;
      for (unsigned v = 0; v < vcs; ++v) {
        const std::uint64_t sent = b.seen.counts.flits_sent(place.from, place.from_port, v);
        ASSERT_EQ(sent, outsiders_[i]->flits[l * vcs + v]);
        sum += sent;
      }
      ASSERT_EQ(sum, b.net.flits_sent(l));
    }
  }
}

TEST_F(observation_test, every_cycle_with_a_flit_at_the_front_has_one_reason) {
  for (std::size_t i = 0; i < benches_.size(); ++i) {
    const observed_bench& b = *benches_[i];
    SCOPED_TRACE(b.setup.name);
    const unsigned vcs = b.setup.config.router.vcs;
    for (link_id l = 0; l < b.made.wiring->links().size(); ++l)
      for (unsigned v = 0; v < vcs; ++v) {
        const netlist_link& place = std::as_const(*b.made.wiring).link(l);
        const fate_counts& c = b.seen.counts.input_vc(place.to, place.to_port, v);
        ASSERT_EQ(total_of(c), outsiders_[i]->fronts[l * vcs + v]);
        ASSERT_EQ(at(c, stall_cause::moved), outsiders_[i]->credits[l * vcs + v]);
        ASSERT_EQ(total_of(c), stalls_of(c) + at(c, stall_cause::moved) + at(c, stall_cause::pipeline));
      }
  }
}

TEST_F(observation_test, events_agree_with_each_other_and_with_the_counters_of_the_network) {
  for (const observed_bench* b : benches_) {
    SCOPED_TRACE(b->setup.name);
    const router_events sum = b->seen.counts.total_events();
    const network_counters& counters = b->net.counters();
    std::uint64_t routers = 0, sent = 0;
    for (const arrived_packet& p : b->log.packets) routers += p.record.hops + 1;
    for (link_id l = 0; l < b->made.wiring->links().size(); ++l) sent += b->net.flits_sent(l);

    EXPECT_EQ(sum.link_traversals, sent);
    EXPECT_EQ(sum.ejections, counters.flits_ejected);
    EXPECT_EQ(sum.buffer_writes, counters.flits_injected + sent);
    EXPECT_EQ(sum.buffer_reads, sum.buffer_writes) << "nothing is left inside";
    EXPECT_EQ(sum.crossbar_traversals, sum.buffer_reads);
    EXPECT_EQ(sum.crossbar_traversals, sum.link_traversals + sum.ejections);
    EXPECT_EQ(sum.route_computations, routers);
    EXPECT_EQ(sum.vc_grants, routers);
    EXPECT_EQ(sum.switch_grants, sum.link_traversals + sum.ejections);
    EXPECT_GT(sum.vc_requests, sum.vc_grants);
    EXPECT_GT(sum.switch_requests, sum.switch_grants);
  }
}

TEST_F(observation_test, reasons_are_those_that_the_configuration_has) {
  for (const observed_bench* b : benches_) {
    SCOPED_TRACE(b->setup.name);
    const fate_counts sum = b->seen.counts.total_fates();
    const bool paper = b->setup.config.router.pipeline == pipeline::paper2009;
    const bool narrow = b->setup.name == "narrow";
    EXPECT_GT(at(sum, stall_cause::no_output_vc), 0u);
    EXPECT_GT(at(sum, stall_cause::lost_vc_allocation), 0u);
    EXPECT_EQ(at(sum, stall_cause::lost_switch) > 0, !paper);
    EXPECT_EQ(at(sum, stall_cause::output_buffer) > 0, paper);
    EXPECT_EQ(at(sum, stall_cause::link_busy) > 0, narrow);
    EXPECT_EQ(at(sum, stall_cause::discarded), 0u);
  }
}

TEST_F(observation_test, files_sum_up) {
  const auto parse = [](const std::string& text) { return nlohmann::json::parse(text); };
  const observation& seen = benches_[3]->seen;  // paper2009: rows of both sides
  const auto stalls = parse(stall_reasons(seen, file_format::json));
  std::uint64_t by_vc = 0, by_port = 0;
  for (const auto& row : stalls["vcs"]) by_vc += row["front_cycles"].get<std::uint64_t>();
  for (const auto& row : stalls["ports"]) by_port += row["front_cycles"].get<std::uint64_t>();
  EXPECT_EQ(by_vc, by_port);
  EXPECT_GT(by_vc, total_of(seen.counts.total_fates())) << "output VC buffers";
  EXPECT_EQ(stalls["vcs"].size(), 16u * 5 * 4 * 2);

  const std::string csv = stall_reasons(seen, file_format::csv);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 16 * 5 * 4 * 2);
  const auto summary = observation_summary(seen, 3);
  EXPECT_EQ(summary["busiest_links"].size(), 3u);
  EXPECT_FALSE(summary.contains("routers_not_observed"));
  const std::string text = observation_text(seen, 3);
  EXPECT_THAT(text, HasSubstr(" cycles, all routers\n"));
  EXPECT_THAT(text, HasSubstr("output_buffer"));
}

TEST_F(observation_test, what_cannot_be_seen_is_absent) {
  const auto events = nlohmann::json::parse(event_counts(*partly_, file_format::json));
  EXPECT_TRUE(events["routers"][1]["buffer_reads"].is_null());
  EXPECT_EQ(events["routers"][0]["buffer_reads"], 0);
  EXPECT_THAT(event_counts(*partly_, file_format::csv), HasSubstr("\n1,01,,,,,,,,,,\n"));
  const auto links = nlohmann::json::parse(link_usage(*partly_, file_format::json));
  for (const auto& link : links["links"])
    for (const char* value : {"flits", "utilisation", "busy", "vc0_utilisation", "wait_no_credit"})
      EXPECT_EQ(link.at(value).is_null(), link["from"] == "01") << value;
  const auto stalls = nlohmann::json::parse(stall_reasons(*partly_, file_format::json));
  for (const auto& row : stalls["vcs"])
    for (const char* value : {"front_cycles", "moved", "no_credit"})
      EXPECT_EQ(row.at(value).is_null(), row["node"] == 1) << value;
  EXPECT_EQ(observation_summary(*partly_)["routers_not_observed"], 1);
  EXPECT_THAT(observation_text(*partly_), HasSubstr(" cycles, 2 of 3 routers; the others, RTL, "));
  EXPECT_THAT(observation_text(*partly_), testing::Not(HasSubstr("01 x+")));
}

TEST_F(observation_test, packets_lost_to_dead_links) {
  const network_counters& counters = failing_->net.counters();
  ASSERT_GT(counters.packets_discarded, 2u);
  ASSERT_GT(counters.packets_refused, 20u);
  EXPECT_EQ(failing_->net.packet_hash(), failing_->twin.packet_hash());
  EXPECT_TRUE(failing_->net.idle());

  const fate_counts fates = failing_->seen.counts.total_fates();
  EXPECT_EQ(at(fates, stall_cause::discarded), counters.flits_discarded);
  const router_events sum = failing_->seen.counts.total_events();
  EXPECT_EQ(sum.buffer_reads, sum.buffer_writes);
  EXPECT_EQ(sum.crossbar_traversals + counters.flits_discarded, sum.buffer_reads);
  EXPECT_EQ(sum.crossbar_traversals, sum.link_traversals + sum.ejections);
  EXPECT_EQ(sum.vc_grants + counters.packets_discarded, sum.route_computations);

  std::uint64_t discarded = 0, refused = 0;
  for (const auto& timeline : failing_->timelines) {
    discarded += timeline->discarded();
    refused += timeline->refused();
    const std::string text = timeline_text(*timeline, {}, all_cycles);
    EXPECT_EQ(text.find("discarded: all route options are dead; its destination is ") != std::string::npos,
              timeline->discarded());
    if (!timeline->received()) continue;
    ASSERT_EQ(timeline->no_wait_cycles() + timeline->wait_cycles(), timeline->latency());
  }
  EXPECT_GT(discarded, 2u);
  EXPECT_LE(discarded, counters.packets_discarded);
  EXPECT_GT(refused, 20u);
}

// --- by hand: four_stage, D = 1. Both heads are shown to node 1 in cycle 5, routed in 5, ask VA in 6. ---

fate_counts made_of(std::initializer_list<std::pair<stall_cause, std::uint64_t>> parts) {
  fate_counts c{};
  for (const auto& [fate, cycles] : parts) at(c, fate) = cycles;
  return c;
}

TEST_F(observation_test, two_packets_want_one_output_vc) {
  // The winner of VA is read out in 7 and 8; the other one finds the output VC free again in 9.
  const fate_counts won = made_of({{stall_cause::moved, 2}, {stall_cause::pipeline, 2}});
  const fate_counts lost = made_of({{stall_cause::moved, 2},
                                    {stall_cause::pipeline, 2},
                                    {stall_cause::lost_vc_allocation, 1},
                                    {stall_cause::no_output_vc, 2}});
  EXPECT_EQ(one_vc_->seen.counts.input_vc(1, 0, 0), won);
  EXPECT_EQ(one_vc_->seen.counts.input_vc(1, 1, 0), lost);
  EXPECT_EQ(one_vc_->seen.counts.output_port(1, 2), made_of({{stall_cause::moved, 4},
                                                             {stall_cause::pipeline, 4},
                                                             {stall_cause::lost_vc_allocation, 1},
                                                             {stall_cause::no_output_vc, 2}}));
  const router_events& e = one_vc_->seen.counts.events(1);
  EXPECT_EQ(e.vc_requests, 3u);
  EXPECT_EQ(e.vc_grants, 2u);
  EXPECT_EQ(e.switch_requests, 4u);
  EXPECT_EQ(e.switch_grants, 4u);
  EXPECT_EQ(e.ejections, 4u);
}

TEST_F(observation_test, two_packets_want_one_port) {
  // VA: 6 and 7. SA: heads in 7 and 8, in 8 against the first tail, which goes in 9, the other one in 10.
  EXPECT_EQ(two_vcs_->seen.counts.input_vc(1, 0, 0),
            made_of({{stall_cause::moved, 2}, {stall_cause::pipeline, 2}, {stall_cause::lost_switch, 1}}));
  EXPECT_EQ(two_vcs_->seen.counts.input_vc(1, 1, 0), made_of({{stall_cause::moved, 2},
                                                              {stall_cause::pipeline, 2},
                                                              {stall_cause::lost_vc_allocation, 1},
                                                              {stall_cause::lost_switch, 1}}));
}

TEST_F(observation_test, a_short_buffer_has_no_credits) {
  // The tail is shown to node 0 in 5 and gets the credit in 8 that the head freed in 7.
  EXPECT_EQ(shallow_->seen.counts.input_vc(0, shallow_->made.wiring->local_port(0), 0),
            made_of({{stall_cause::moved, 2}, {stall_cause::pipeline, 2}, {stall_cause::no_credit, 3}}));
}

TEST_F(observation_test, a_narrow_link_is_busy) {
  // Read out in 3, 5, 7, 9 and 11: all but the first wait for a cycle.
  EXPECT_EQ(narrow_->seen.counts.input_vc(0, narrow_->made.wiring->local_port(0), 0),
            made_of({{stall_cause::moved, 5}, {stall_cause::pipeline, 2}, {stall_cause::link_busy, 4}}));
  const auto usage = nlohmann::json::parse(link_usage(narrow_->seen, file_format::json));
  const auto used = std::find_if(usage["links"].begin(), usage["links"].end(),
                                 [](const auto& row) { return row["flits"] == 5; });
  ASSERT_NE(used, usage["links"].end());
  EXPECT_EQ((*used)["busy"], 10.0 / all_cycles) << "two cycles for each of five flits";
  EXPECT_EQ((*used)["wait_link_busy"], 4);
}

// --- timelines ---

TEST_F(observation_test, stories_add_up) {
  for (const observed_bench* b : benches_) {
    SCOPED_TRACE(b->setup.name);
    std::uint64_t waits = 0;
    for (const auto& timeline : b->timelines) {
      ASSERT_TRUE(timeline->received());
      const arrived_packet& p = b->log.packets[timeline->packet()];
      ASSERT_EQ(timeline->latency(), p.received - p.record.created);
      ASSERT_EQ(timeline->no_wait_cycles() + timeline->wait_cycles(), timeline->latency())
          << "packet " << timeline->packet();
      ASSERT_EQ(timeline->head_sent_cycle(), p.record.head_sent);
      waits += timeline->wait_cycles();
    }
    EXPECT_GT(waits, 0u);
  }
}

TEST_F(observation_test, stories_go_where_the_packet_went) {
  for (const observed_bench* b : benches_) {
    SCOPED_TRACE(b->setup.name);
    for (const auto& timeline : b->timelines) {
      const packet_record& r = timeline->record();
      ASSERT_EQ(timeline->hops().size(), r.hops + 1);
      if (b->setup.routing) continue;  // several ways
      const std::vector<hop> way =
          walk(*b->made.wiring, *b->made.routing, r.source, r.destination, b->setup.config.router.vcs);
      for (std::size_t h = 0; h < way.size(); ++h) {
        ASSERT_EQ(timeline->hops()[h].node, way[h].node);
        ASSERT_EQ(timeline->hops()[h].out_port, way[h].out_port);
        ASSERT_EQ(timeline->hops()[h].out_vc, static_cast<int>(timeline->hops()[h + 1].in_vc));
      }
      ASSERT_EQ(timeline->hops().back().node, b->made.wiring->terminal(r.destination).exit);
    }
  }
}

TEST_F(observation_test, a_story_says_who_was_in_the_way) {
  const std::string winner = timeline_text(*one_vc_->timelines[0], 10, all_cycles);
  EXPECT_THAT(winner, HasSubstr("latency 10 = 10 without any wait + 0 of waiting; 10 in an empty network"));
  const std::string loser = timeline_text(*one_vc_->timelines[1], 10, all_cycles);
  EXPECT_THAT(loser, HasSubstr("latency 13 = 10 without any wait + 3 of waiting"));
  EXPECT_THAT(loser, HasSubstr("shown; RC 5, VA 9, SA 10, sent 11"));
  EXPECT_THAT(loser, HasSubstr("waited 1 cycle: VC allocation: local VC 0 went to packet 0"));
  EXPECT_THAT(loser, HasSubstr("waited 2 cycles: no free output VC in local {0} (held by packet 0)"));

  const std::string first = timeline_text(*two_vcs_->timelines[0], 10, all_cycles);
  EXPECT_THAT(first,
              HasSubstr("flits behind the head: 1 cycle: lost the switch to packet 1 (output port local)"));
  EXPECT_EQ(two_vcs_->timelines[0]->latency(), 11u);
  EXPECT_EQ(two_vcs_->timelines[1]->latency(), 12u);

  EXPECT_THAT(timeline_text(*shallow_->timelines[0], 12, all_cycles), HasSubstr("no credit on x+ VC 0"));
  // The flits behind the head catch up while it is routed: two of the four cycles are seen at the end.
  EXPECT_THAT(timeline_text(*narrow_->timelines[0], {}, all_cycles),
              HasSubstr("flits behind the head: 2 cycles: x+ was still sending the flit before"));
}

TEST_F(observation_test, a_story_names_the_ports_and_vcs_of_every_router) {
  // Port 0 of the first router.
  const std::string text = timeline_text(*shallow_->timelines[0], {}, all_cycles);
  EXPECT_THAT(text, HasSubstr("router 1: 00 (node 0, node_0_0), in local VC 0, out x+ VC 0\n"));
  EXPECT_THAT(text, HasSubstr("router 2: 01 (node 1, node_0_1), in x- VC 0, out local VC 0\n"));
}

// A head at every router: shown, routed, VA, SA and sent in the cycles 1, 1, 2, 3, 4 after it was sent to it.
TEST_F(observation_test, a_story_tells_both_visits_of_a_packet_to_a_router) {
  const packet_timeline& story = *returning_->timelines[0];
  ASSERT_EQ(story.hops().size(), 5u);
  EXPECT_EQ(story.hops()[2].node, 0u);
  EXPECT_EQ(story.hops()[2].out_port, story.hops()[0].out_port);
  for (std::size_t h = 0; h < 5; ++h) {
    EXPECT_EQ(story.hops()[h].sent, story.hops()[0].sent + 4 * h) << h;
    EXPECT_EQ(story.hops()[h].routed, story.hops()[h].sent - 3) << h;
  }
  EXPECT_EQ(story.wait_cycles(), 0u);
}

}  // namespace
}  // namespace toriscope

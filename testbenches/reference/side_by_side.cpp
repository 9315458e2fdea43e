// SPDX-License-Identifier: Apache-2.0
// See side_by_side.h.
#include "testbenches/reference/side_by_side.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <systemc>
#include <vector>

#include "base/hash.h"
#include "base/state_archive.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "testbenches/reference/adaptive_mesh.h"
#include "testbenches/reference/child_process.h"
#include "testbenches/reference/reference_network.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "topologies/message_class_routing.h"
#include "topologies/narrow_routers.h"
#include "topologies/registry.h"

namespace toriscope::reference {

namespace {

constexpr cycle_t cycles_between_looks = 50;

/// Enough cycles for the packets to be created, and as many again and more to deliver them.
cycle_t cycles_at_most(const equality_config& config, node_id nodes) {
  const double flits = config.packets * packet_lengths(config.lengths).mean();
  return 400000 + static_cast<cycle_t>(2 * flits / (config.rate * static_cast<double>(nodes)));
}

/// Whether this routing is free of deadlock with atomic VC reallocation only (docs/proof.md), so that the
/// run may freeze.
bool may_freeze(const equality_config& config) {
  return config.vc_rule == "adaptive" && config.network.router.vc_reallocation == vc_reallocation::non_atomic;
}

/// The first `limit` packets of another source.
class limited_source : public traffic_source {
 public:
  limited_source(std::unique_ptr<traffic_source> source, std::uint64_t limit)
      : source_(std::move(source)), left_(limit) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (left_ == 0) return;
    const std::size_t before = out.size();
    source_->packets_at(now, out);
    if (out.size() - before > left_) out.resize(before + left_);
    left_ -= out.size() - before;
  }

 private:
  std::unique_ptr<traffic_source> source_;
  std::uint64_t left_;
};

/// Gives the packets of another source classes.
class classed_source : public traffic_source {
 public:
  classed_source(std::unique_ptr<traffic_source> source, unsigned classes, std::uint64_t seed)
      : source_(std::move(source)), classes_(classes), seed_(seed) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    const std::size_t before = out.size();
    source_->packets_at(now, out);
    for (std::size_t i = before; i < out.size(); ++i)
      out[i].message_class = static_cast<std::uint8_t>(mix(seed_, ++count_, 80) % classes_);
  }

 private:
  std::unique_ptr<traffic_source> source_;
  const unsigned classes_;
  const std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// Admits each head in one of `patience` cycles, the same for every caller. Counts what it is told.
class drawn_gate : public reception_gate {
 public:
  drawn_gate(unsigned patience, std::uint64_t seed) : patience_(patience), seed_(seed) {}
  bool takes_calls_at_once() const override { return true; }
  bool admit(packet_id id, const packet_record&, cycle_t now) override {
    return mix(seed_, id, now) % patience_ == 0;
  }
  void packet_sent(packet_id id, const packet_record& record, cycle_t now) override {
    told += mix(id, record.source, record.message_class, now);
  }
  std::atomic<std::uint64_t> told{0};  ///< of packets sent, in any order

 private:
  const unsigned patience_;
  const std::uint64_t seed_;
};

/// Writes down what a network reports.
class scoreboard : public packet_sink {
 public:
  void packet_refused(packet_id id, const packet_record& record) override {
    lost += mix(id, record.source, record.destination, record.created);
  }
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id,
                        cycle_t discarded) override {
    lost += mix(id, record.source, record.destination, where, discarded);
  }
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override {
    if (id >= packets.size()) packets.resize(id + 1);
    packet& p = packets[id];
    twice = twice || p.arrived;
    p.source = record.source;
    p.destination = record.destination;
    p.flits = record.flits;
    p.created = record.created;
    p.arrived = true;
    p.received = received;
  }
  std::vector<packet> packets;
  bool twice = false;      ///< a packet was reported more than once
  std::uint64_t lost = 0;  ///< over packets refused and discarded, in any order
};

std::unique_ptr<traffic_source> make_source(const equality_config& config,
                                            const std::shared_ptr<netlist>& wiring) {
  pattern_options options;
  options.include_self = config.include_self;
  options.only_self = true;
  synthetic_source::config settings;
  settings.rate_flits_per_node_cycle = config.rate;
  settings.lengths = packet_lengths(config.lengths);
  settings.arrivals = config.arrivals;
  settings.seed = config.seed;
  std::unique_ptr<traffic_source> source = std::make_unique<synthetic_source>(
      wiring->terminal_count(), make_pattern(config.pattern, wiring, options), settings);
  if (config.network.message_classes > 1)
    source = std::make_unique<classed_source>(std::move(source), config.network.message_classes, config.seed);
  if (config.saturated) return source;
  return std::make_unique<limited_source>(std::move(source), config.packets);
}

/// The engine's network in a context of its own, which no kernel runs.
class stepped_engine {
 public:
  stepped_engine(const std::shared_ptr<const netlist>& wiring, const std::shared_ptr<const routing_function>& routing,
                 const network_config& config) {
    const simulation_context::entry here(context_);
    network_ = std::make_unique<toriscope::network>("engine", wiring, routing, config);
    network_->leave_kernel(sc_core::sc_time(10, sc_core::SC_NS));
  }
  ~stepped_engine() {
    const simulation_context::entry here(context_);
    network_.reset();
  }
  toriscope::network& operator*() { return *network_; }

 private:
  simulation_context context_;
  std::unique_ptr<toriscope::network> network_;
};

class pair_of_networks {
 public:
  pair_of_networks(const equality_config& config, watching what)
      : config_(config),
        what_(what),
        engine_gate_(config.gate_patience, config.seed),
        reference_gate_(config.gate_patience, config.seed) {
    topology_options options;
    options.links = config.links;
    options.ties = config.ties;
    options.gates = config.gates;
    options.routing = config.routing;
    const bool adaptive = config.vc_rule == "adaptive";
    if (!adaptive) options.vc_rule = config.vc_rule;
    options.vcs = config.network.router.vcs;
    const topology made = make_topology(config.topology, options);
    wiring_ = made.wiring;
    routing_ = adaptive ? make_adaptive_mesh(wiring_, options.vcs) : made.routing;
    reference_routing_ = routing_;
    for (link_id l = 0; l < wiring_->links().size(); ++l) {
      const std::uint64_t draw = mix(config.seed, l, 77);
      wiring_->link(l).delay_cycles = static_cast<std::uint16_t>(1 + draw % config.max_link_delay);
      wiring_->link(l).flit_cycles =
          static_cast<std::uint8_t>(1 + mix(config.seed, l, 78) % config.max_flit_cycles);
    }
    if (config.own_values && !wiring_->has_node_values()) draw_own_values();
    if (config.network.message_classes > 1 && !config.network.shared_classes) split_classes(options);
    for (unsigned i = 0; i < config.dead_links; ++i) {
      const std::uint64_t links = wiring_->links().size();
      config_.network.dead_links.push_back({static_cast<link_id>(mix(config.seed, i, 90) % links),
                                            mix(config.seed, i, 91) % (config.dead_by + 1)});
    }
    engine_source_ = make_source(config, wiring_);
    if (what == watching::states)  // which does not share its draws out among the threads of one network
      engine_source_ = std::make_unique<limited_source>(std::move(engine_source_), ~std::uint64_t{0});
    reference_source_ = make_source(config, wiring_);

    clock_ = &keep(std::make_unique<sc_core::sc_clock>("clock", sc_core::sc_time(10, sc_core::SC_NS)));
    if (what == watching::states) {
      step_engine(config.network.threads);
    } else {
      engine_ = &keep(std::make_unique<toriscope::network>("engine", wiring_, routing_,
                                                           engine_config(config.network.threads)));
      engine_->clk(*clock_);
    }
    attach_to_engine();
    reference_ = &keep(std::make_unique<reference::network>("reference", *wiring_, *reference_routing_,
                                                            config_.network, *reference_source_));
    reference_->clk(*clock_);
    reference_->set_sink(&reference_scoreboard_);
    if (config.network.limited_reception) reference_->set_gate(&reference_gate_);

    if (what == watching::pins) {
      for (link_id l = 0; l < wiring_->links().size(); ++l) {
        flit_pins_.push_back(&engine_->link_at(l));
        credit_pins_.push_back(&engine_->credit_at(l));
      }
      for (terminal_id n = 0; n < wiring_->terminal_count(); ++n) {
        flit_pins_.push_back(&engine_->injection_link(n));
        credit_pins_.push_back(&engine_->injection_credit(n));
      }
      for (terminal_id n = 0; n < wiring_->terminal_count(); ++n) {
        flit_pins_.push_back(&engine_->ejection_link(n));
        if (config.network.limited_reception) credit_pins_.push_back(&engine_->ejection_credit(n));
      }
      for (flit_link* l : flit_pins_) l->read();
      for (credit_link* l : credit_pins_) l->read();
    }
  }

  std::string run() {
    const auto step = [&](cycle_t done) {
      if (what_ == watching::pins) return cycle_t{1};
      // A saved state costs as much as many cycles: in long runs they are farther apart.
      return what_ == watching::states ? std::max(cycles_between_looks, done / 100) : cycles_between_looks;
    };
    for (cycle_t done = 1;; done += step(done)) {
      run_to(done);
      const network_failure* const failed = engine_->failure();
      // A deadlock ends the simulation of both in the cycle in which the engine finds it.
      if (failed && failed->what == network_failure::kind::deadlock && may_freeze(config_))
        return first_difference();
      if (failed) return "the engine stopped: " + failed->message;
      const std::string difference = first_difference();
      if (!difference.empty()) return fmt::format("after {} cycles: {}", done, difference);
      if (engine_->cycles_done() != done)
        return fmt::format("the engine counts {} cycles, not {}", engine_->cycles_done(), done);
      if (finished()) break;
      if (done > cycles_at_most(config_, wiring_->terminal_count())) {
        return fmt::format("only {} of {} packets arrived in {} cycles", reference_->packets_received(),
                           config_.packets, done);
      }
    }
    if (engine_->idle() != reference_->idle())
      return "the engine and the reference model disagree on idleness";
    if (!config_.saturated && !engine_->idle()) return "the engine did not drain";
    if (!config_.network.dead_links.empty()) {
      const std::uint64_t engine = engine_->count_cut_pairs();
      const std::uint64_t reference = reference_->cut_pairs(engine_->cycles_done());
      if (engine != reference)
        return fmt::format("the engine counts {} cut pairs, not {}", engine, reference);
    }
    return engine_->check_conservation();
  }

  std::string hashes() const {
    return fmt::format("packets {:#018x} wires {:#018x}", engine_->packet_hash(), engine_->wire_hash());
  }

 private:
  network_config engine_config(unsigned threads) const {
    network_config config = config_.network;
    config.on_failure = failure_action::stop;  // the comparison tells of it
    config.wire_hash = what_ != watching::nothing;
    config.threads = threads;
    return config;
  }
  void step_engine(unsigned threads) {
    stepped_ = std::make_unique<stepped_engine>(wiring_, routing_, engine_config(threads));
    engine_ = &**stepped_;
  }
  void attach_to_engine() {
    engine_->set_source(engine_source_.get());
    engine_->add_sink(&scoreboard_);
    if (config_.network.limited_reception) engine_->set_gate(&engine_gate_);
  }

  /// Between two edges, after this number of cycles.
  void run_to(cycle_t done) {
    if (stepped_) {
      if (engine_->cycles_done() > 0) go_on_from_state();
      while (engine_->cycles_done() < done && !engine_->failure()) engine_->step();
      done = engine_->cycles_done();
    }
    const sc_core::sc_time period = clock_->period();
    sc_core::sc_start(period / 4 + static_cast<double>(done - 1) * period - sc_core::sc_time_stamp());
  }

  void go_on_from_state() {
    state_archive saved;
    engine_->archive(saved);
    step_engine(static_cast<unsigned>(1 + mix(config_.seed, engine_->cycles_done(), 95) % 3));
    attach_to_engine();
    state_archive read(saved.bytes());
    engine_->archive(read);
    read.end();
  }

  /// Every router but one in four. Routes do with one VC (policy_configs.cpp).
  void draw_own_values() {
    const router_config& all = config_.network.router;
    const bool papers = all.pipeline == pipeline::paper2009;
    std::vector<own_node_values> values(wiring_->node_count());
    for (node_id n = 0; n < values.size(); ++n) {
      const auto draw = [&](std::uint64_t what) { return mix(config_.seed, n, what); };
      if (draw(70) % 4 == 0) continue;
      values[n].vcs = static_cast<unsigned>(1 + draw(71) % all.vcs);
      if (papers) continue;
      values[n].depth = static_cast<unsigned>(1 + draw(72) % 9);
      if (draw(73) % 2 == 0) values[n].pipeline = draw(74) % 2 == 0 ? "single_cycle" : "four_stage";
    }
    wiring_->set_node_values(std::move(values));
    routing_ = reference_routing_ = fit_to_routers(wiring_, routing_, all.vcs);
  }

  /// The engine's routing knows of classes; the reference model's is that of one class.
  void split_classes(const topology_options& all) {
    topology_options one = all;
    one.vcs = all.vcs / config_.network.message_classes;
    if (config_.vc_rule == "adaptive") {
      reference_routing_ = make_adaptive_mesh(wiring_, one.vcs);
      routing_ = std::make_shared<message_class_routing>(reference_routing_, one.vcs);
      return;
    }
    reference_routing_ = make_topology(config_.topology, one).routing;
    topology_options classed = all;
    classed.message_classes = config_.network.message_classes;
    routing_ = make_topology(config_.topology, classed).routing;
  }

  bool finished() const {
    if (config_.saturated)
      return reference_->packets_received() >= config_.packets &&
             engine_->cycles_done() >= config_.least_cycles;
    return reference_->packets().size() == config_.packets && reference_->idle() &&
           ++quiet_looks_ > 1 + what_quiet();
  }
  // drained wires still carry credits: look on until they are all back
  unsigned what_quiet() const { return what_ == watching::pins ? 20 : 0; }

  std::string first_difference() {
    std::string text;
    const auto compare = [&text](const char* what, std::uint64_t engine, std::uint64_t reference) {
      if (engine != reference)
        text += fmt::format("{}: engine {:#x}, reference {:#x}; ", what, engine, reference);
    };
    const network_counters& counted = engine_->counters();
    compare("packets created", counted.packets_created, reference_->packets_created());
    compare("packets received", counted.packets_received, reference_->packets_received());
    compare("packets refused", counted.packets_refused, reference_->packets_refused());
    compare("packets discarded", counted.packets_discarded, reference_->packets_discarded());
    compare("reports of packets lost", scoreboard_.lost, reference_scoreboard_.lost);
    compare("packets sent, as the gate is told", engine_gate_.told.load(), reference_gate_.told.load());
    compare("flits created", counted.flits_created, reference_->flits_created());
    compare("flits injected", counted.flits_injected, reference_->flits_injected());
    compare("flits ejected", counted.flits_ejected, reference_->flits_ejected());
    compare("packet hash", engine_->packet_hash(), reference_->packet_hash());
    if (what_ != watching::nothing) compare("wire hash", engine_->wire_hash(), reference_->wire_hash());
    if (scoreboard_.twice) text += "the engine reported a packet twice; ";
    text += pins();
    if (!text.empty()) text += first_packet();
    return text;
  }

  std::string pins() {
    std::string text;
    for (std::size_t w = 0; w < flit_pins_.size() && text.empty(); ++w) {
      const flit_word engine = flit_pins_[w]->read();
      const flit_word reference = reference_->shown_on(w);
      if (engine != reference) {
        text += fmt::format("wire {} ({}) shows {:#x} in the engine, {:#x} in the reference model; ", w,
                            place(w), engine.bits, reference.bits);
      }
    }
    for (std::size_t w = 0; w < credit_pins_.size() && text.empty(); ++w) {
      const credit_word engine = credit_pins_[w]->read();
      const credit_word reference = reference_->credit_shown_on(w);
      if (!(engine == reference)) {
        text +=
            fmt::format("credits of wire {} ({}) show {:#x} in the engine, {:#x} in the reference model; ", w,
                        place(w), engine.vcs, reference.vcs);
      }
    }
    return text;
  }

  std::string place(std::size_t wire) const {
    const std::size_t links = wiring_->links().size();
    const terminal_id terminals = wiring_->terminal_count();
    if (wire >= links + terminals) return fmt::format("ejection at terminal {}", wire - links - terminals);
    if (wire >= links) return fmt::format("injection at terminal {}", wire - links);
    const netlist_link& l = wiring_->link(static_cast<link_id>(wire));
    return fmt::format("node {} port {} to node {} port {}, delay {}, F {}", l.from, l.from_port, l.to,
                       l.to_port, l.delay_cycles, l.flit_cycles);
  }

  /// Of the packets that arrived differently, the one that arrived first in either network.
  std::string first_packet() const {
    const std::vector<packet>& expected = reference_->packets();
    const std::size_t count = std::max(expected.size(), scoreboard_.packets.size());
    std::string text = "no packet differs yet";
    cycle_t earliest = ~cycle_t{0};
    for (std::size_t i = 0; i < count; ++i) {
      const packet e = i < scoreboard_.packets.size() ? scoreboard_.packets[i] : packet{};
      const packet t = i < expected.size() ? expected[i] : packet{};
      const bool same =
          e.arrived == t.arrived &&
          (!e.arrived || (e.source == t.source && e.destination == t.destination && e.created == t.created &&
                          e.flits == t.flits && e.received == t.received));
      if (same) continue;
      const cycle_t first =
          std::min(e.arrived ? e.received : ~cycle_t{0}, t.arrived ? t.received : ~cycle_t{0});
      if (first >= earliest) continue;
      earliest = first;
      const auto arrival = [](const packet& p) {
        return p.arrived ? fmt::format("{} to {}, created in {}, received in {}", p.source, p.destination,
                                       p.created, p.received)
                         : std::string("not received");
      };
      text = fmt::format("first packet that differs: number {}: engine {}; reference {}", i, arrival(e),
                         arrival(t));
    }
    return text;
  }

  equality_config config_;
  const watching what_;
  mutable unsigned quiet_looks_ = 0;
  std::shared_ptr<netlist> wiring_;
  std::shared_ptr<const routing_function> routing_;            // the engine's, for all classes
  std::shared_ptr<const routing_function> reference_routing_;  // of one class
  std::unique_ptr<traffic_source> engine_source_;
  std::unique_ptr<traffic_source> reference_source_;
  scoreboard scoreboard_;
  scoreboard reference_scoreboard_;
  drawn_gate engine_gate_;
  drawn_gate reference_gate_;
  sc_core::sc_clock* clock_ = nullptr;
  std::unique_ptr<stepped_engine> stepped_;  ///< with watching::states
  toriscope::network* engine_ = nullptr;
  reference::network* reference_ = nullptr;
  std::vector<flit_link*> flit_pins_;
  std::vector<credit_link*> credit_pins_;
};

}  // namespace

std::string run_side_by_side(const equality_config& config, watching what) {
  return keep(std::make_unique<pair_of_networks>(config, what)).run();
}

std::string agreed_hashes(const equality_config& config) {
  return run_in_child([&config] {
    pair_of_networks& pair = keep(std::make_unique<pair_of_networks>(config, watching::hash));
    const std::string difference = pair.run();
    return difference.empty() ? pair.hashes() : difference;
  });
}

std::string compare_in_child(const equality_config& config) {
  std::string text = run_in_child([&config] { return run_side_by_side(config, watching::hash); });
  if (text.empty()) return text;
  return text +
         "\n  pin by pin: " + run_in_child([&config] { return run_side_by_side(config, watching::pins); });
}

}  // namespace toriscope::reference

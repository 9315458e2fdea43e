// SPDX-License-Identifier: Apache-2.0
// What is counted in the measured cycles: stall reasons of every input VC, use of every link and VC, events
// of every router for energy models (docs/observation.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "testbenches/simulation/observation/router_observer.h"
#include "topologies/wire_place.h"

namespace toriscope {

/// Cycles in which a flit was at the front of something, by what became of it.
using fate_counts = std::array<std::uint64_t, front_fates>;
inline std::uint64_t& at(fate_counts& c, stall_cause f) { return c[static_cast<std::size_t>(f)]; }
inline std::uint64_t at(const fate_counts& c, stall_cause f) { return c[static_cast<std::size_t>(f)]; }
/// Cycles with a flit at the front.
std::uint64_t total_of(const fate_counts& c);
/// Of these, the cycles in which it was kept waiting.
std::uint64_t stalls_of(const fate_counts& c);

/// Events of one router. paper2009: requests and grants of the switch are those of LT.
struct router_events {
  std::uint64_t buffer_writes = 0;        ///< flits into input VC buffers
  std::uint64_t buffer_reads = 0;         ///< flits out of them
  std::uint64_t crossbar_traversals = 0;  ///< of these, those that went on: all but the discarded ones
  std::uint64_t link_traversals = 0;      ///< flits sent over links of the netlist
  std::uint64_t ejections = 0;            ///< flits sent to the network interface
  std::uint64_t route_computations = 0;   ///< heads routed
  std::uint64_t vc_requests = 0;          ///< input VCs that asked for an output VC, in each cycle
  std::uint64_t vc_grants = 0;            ///< output VCs granted
  std::uint64_t switch_requests = 0;      ///< input VCs that asked for the switch, in each cycle
  std::uint64_t switch_grants = 0;        ///< flits granted
};

/// One member of router_events: how it is called in files.
struct event_kind {
  const char* name;
  std::uint64_t router_events::*member;
};
inline constexpr std::size_t event_kinds = 10;
extern const std::array<event_kind, event_kinds> event_table;

class observation_counts final : public step_listener {
 public:
  /// Counts the cycles from .. to-1.
  observation_counts(const netlist& wiring, unsigned vcs, cycle_t from, cycle_t to);

  void stepped(const router_step& step) override;

  void sees(node_id n) override { seen_[n] = true; }
  /// Nodes that are not the model's (RTL) are not.
  bool is_seen(node_id n) const { return seen_[n]; }
  /// Routers that are not the model's.
  std::size_t not_seen() const { return static_cast<std::size_t>(std::count(seen_.begin(), seen_.end(), false)); }
  bool covers(cycle_t now) const { return now >= from_ && now < to_; }
  /// The events that follow from what the flits at the fronts did, of routers without buffers of output VCs.
  void complete_events();
  /// Of one router.
  struct router_counts {
    router_events& events;
    fate_counts* const inputs;
    fate_counts* const outputs;
    std::uint64_t* const sent;
    const unsigned vcs;
    /// A flit at the front of input VC (p, v) that goes to `out`.
    void count(unsigned p, unsigned v, unsigned out, stall_cause fate) {
      ++at(inputs[p * vcs + v], fate);
      ++at(outputs[out], fate);
    }
  };
  router_counts of_router(node_id n) {
    return {events_[n], &inputs_[slot(n, 0, 0)], &outputs_[first_port_[n]], &sent_[slot(n, 0, 0)], vcs_};
  }
  /// A flit that an interface sent into local port p, on VC v.
  void count_injected(node_id n, port_id p, unsigned v) {
    ++injected_[std::size_t{wiring_.entering(n, p)} * vcs_ + v];
  }

  const netlist& wiring() const { return wiring_; }
  unsigned vcs() const { return vcs_; }
  cycle_t from() const { return from_; }
  /// The first cycle that is not counted; when the run ended early, as cycles_done says.
  cycle_t to() const { return to_; }
  void end_at(cycle_t cycles_done) { to_ = cycles_done < to_ ? cycles_done : to_; }
  cycle_t cycles() const { return to_ > from_ ? to_ - from_ : 0; }

  const router_events& events(node_id n) const { return events_[n]; }
  /// Input VC (p, v) of node n; local ports are last.
  const fate_counts& input_vc(node_id n, port_id p, unsigned v) const { return inputs_[slot(n, p, v)]; }
  /// Flits sent on VC v of output port p.
  std::uint64_t flits_sent(node_id n, port_id p, unsigned v) const { return sent_[slot(n, p, v)]; }
  /// Flits that the network interface of terminal t sent on VC v.
  std::uint64_t flits_injected(terminal_id t, unsigned v) const {
    return injected_[std::size_t{t} * vcs_ + v];
  }
  /// Flits on VC v of a wire.
  std::uint64_t flits_over(const wire_place& w, unsigned v) const {
    return w.what == wire_kind::injection ? flits_injected(w.terminal, v)
                                          : flits_sent(w.from, w.from_port, v);
  }
  /// Of all VCs.
  std::uint64_t flits_over(const wire_place& w) const;
  /// Flit-cycles that waited for output port p: waiting for VA, those whose first option it is.
  const fate_counts& output_port(node_id n, port_id p) const { return outputs_[first_port_[n] + p]; }
  /// paper2009: flits in the buffer of output VC (p, v).
  const fate_counts& output_vc(node_id n, port_id p, unsigned v) const { return buffers_[slot(n, p, v)]; }

  /// Sums over all routers.
  router_events total_events() const;
  fate_counts total_fates() const;

 private:
  std::size_t slot(node_id n, unsigned p, unsigned v) const { return (first_port_[n] + p) * vcs_ + v; }

  const netlist& wiring_;
  const unsigned vcs_;
  const cycle_t from_;
  cycle_t to_;
  std::vector<std::size_t> first_port_;
  std::vector<bool> seen_;
  std::vector<router_events> events_;
  std::vector<fate_counts> inputs_;
  std::vector<fate_counts> buffers_;
  std::vector<fate_counts> outputs_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> injected_;
};

}  // namespace toriscope

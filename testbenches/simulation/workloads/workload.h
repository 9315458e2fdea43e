// SPDX-License-Identifier: Apache-2.0
// What a run is about: which packets there are, what answers them, when the run ends, and what is reported of it
// beyond the figures of all packets. A file each in this directory; workload_registry.h knows them by name.
//
//   use   measured() before the measurement is made, attach() when the network is, figures() when the run is over
//   cost  nothing per packet but what its source and sinks take
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "network/packet_network.h"
#include "testbenches/simulation/statistics/flow_statistics.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "testbenches/simulation/traffic/request_reply_source.h"
#include "testbenches/simulation/traffic/traffic_config.h"

namespace toriscope {

/// What a workload is made from.
struct workload_setup {
  traffic_config traffic;
  measurement_config measurement;  ///< as asked for
  bool warmup_named = false;       ///< the user named the warm-up,
  bool cycles_named = false;       ///< or the measured cycles
  network_config network;
  unsigned flit_bits = 64;  ///< of the files' packets
  std::shared_ptr<const netlist> wiring;
};

/// A run until all packets have been delivered, instead of one with a window.
struct run_to_the_end {
  const char* name;   ///< of its figures and its progress line
  cycle_t most;       ///< cycles, after which it is given up
};

class workload {
 public:
  explicit workload(workload_setup setup) : setup_(std::move(setup)) {}
  virtual ~workload() = default;
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;

  /// Creates the packets.
  virtual traffic_source& source() = 0;
  /// Why its state cannot be saved; empty: it can.
  virtual std::string has_no_state() const { return "the state of this traffic cannot be saved"; }
  /// Of several ranks each knows the state of its own nodes only.
  virtual bool has_state_by_node() const { return false; }
  /// Its state between two cycles. @param now  the next one  @param packets  under way, in their state of then
  virtual void archive(state_archive&, cycle_t /*now*/, const packet_table& /*packets*/) {}
  /// Adds the sinks and the reception gate that the packets need.
  virtual void attach(packet_network&) {}
  /// Warm-up, window and drain.
  virtual measurement_config measured() const { return setup_.measurement; }
  /// What each source queue is offered.
  virtual source_load load() const { return {source_load::kind::limited}; }
  /// Nothing: the run has a window.
  virtual std::optional<run_to_the_end> to_the_end() const { return std::nullopt; }
  /// In a run to the end: no packet follows.
  virtual bool all_created() const { return true; }
  /// What there is to say beyond the figures of all packets. @param cycles  of the run, with its counters
  virtual statistics figures(cycle_t /*cycles*/, const network_counters&) const { return {}; }
  /// What is run: whole lines.
  virtual std::string headline() const = 0;
  /// Null: there is none.
  virtual const traffic_pattern* pattern() const { return nullptr; }
  /// The source, where it answers requests: a recording tells which. Else null.
  virtual const request_reply_source* answers() const { return nullptr; }
  /// Its packets are those of a trace, some of them after others.
  virtual bool has_causes() const { return false; }
  /// What was counted of each flow. Null: there are no flows.
  virtual flow_statistics* of_flows() { return nullptr; }

 protected:
  const workload_setup& setup() const { return setup_; }
  const traffic_config& traffic() const { return setup_.traffic; }
  /// measured() of a run to the end, where nothing is warmed up or drained.
  measurement_config measured_throughout() const;
  /// Of a run to the end: the measured cycles if the user named them.
  cycle_t max_cycles() const;
  /// The two figures of a run to the end.
  static statistics end_figures(const char* name, std::uint64_t packets, cycle_t cycles,
                                const network_counters& counters);
  /// "; 2000 + 10000 cycles", and the end of the line.
  std::string window_in_words() const;

 private:
  const workload_setup setup_;
};

/// A workload whose packets go where a pattern sends them.
class patterned_workload : public workload {
 public:
  explicit patterned_workload(workload_setup setup);
  const traffic_pattern* pattern() const override { return pattern_.get(); }

 protected:
  std::shared_ptr<const traffic_pattern> shared_pattern() const { return pattern_; }
  node_id nodes() const { return setup().wiring->terminal_count(); }
  /// Packets created one after the other, on average.
  double mean_burst() const { return traffic().arrivals == "on_off" ? traffic().mean_burst_packets : 1; }
  /// As the traffic's configuration has it, with one message class.
  synthetic_source::config source_settings() const;
  /// "uniform traffic, 0.1 flits/node/cycle, packets of 16 flits, bernoulli, seed 1".
  std::string arrivals_in_words() const;
  /// How many nodes send to themselves, or that no packet goes to a hot node, a line; empty when there is no more than
  /// a few packets to tell of.
  std::string remark() const;

 private:
  std::shared_ptr<const traffic_pattern> pattern_;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The measurement window: warm-up, measured cycles, drain (docs/model.md, "Figures").
//
//   use   add it to the network as a sink; call begin() after the warm-up and end() after the measured
//         cycles, with the network's counters; go on until complete() or the drain is over, then call
//         run_over()
//   cost  per packet measured: a few additions and one route walked for the zero-load model
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "router/packet_sink.h"
#include "testbenches/simulation/statistics/confidence_interval.h"
#include "testbenches/simulation/statistics/integer_histogram.h"
#include "testbenches/simulation/statistics/link_use.h"
#include "testbenches/simulation/statistics/source_backlogs.h"
#include "testbenches/simulation/statistics/statistic.h"
#include "testbenches/simulation/statistics/time_batches.h"
#include "testbenches/simulation/statistics/zero_load_model.h"
#include "topologies/netlist.h"

namespace toriscope {

/// With a precision: cycles before it is looked whether the warm-up is over.
inline constexpr cycle_t least_warmup = 256;
/// The measured cycles of a run that ends with its packets, where the user names none.
inline constexpr cycle_t without_end = cycle_t{1} << 47;

struct measurement_config {
  cycle_t warmup_cycles = 2000;
  cycle_t measure_cycles = 10000;  ///< at least 1
  cycle_t drain_cycles = 10000;    ///< at most
  /// Above 0: the run goes on until the half-width of the interval of the mean latency is this share of it.
  /// Warm-up and measured cycles are then the least to look at.
  double precision = 0;
  cycle_t max_cycles = 1000000;  ///< of such a run, without its drain
  double clock_ghz = 0;          ///< of the network, for figures in ns and Gbit/s; 0: not known

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
};

/// What a network has counted up to some moment.
struct traffic_counts {
  cycle_t cycle = 0;
  std::uint64_t flits_created = 0;
  std::uint64_t flits_ejected = 0;
  std::uint64_t packets_created = 0;
  std::vector<std::uint64_t> wire_flits;  ///< by wire (topologies/wire_place.h)
};

class measurement : public packet_sink {
 public:
  /// @param model    null: no zero-load figure
  /// @param load     what each source queue is offered; there are `classes` per node
  measurement(const measurement_config& config, node_id nodes, const zero_load_model* model,
              const source_load& load = {}, unsigned classes = 1);

  /// The links that the flits are counted on, for use() and interval(). They outlive this.
  void know_links(const netlist& wiring) { wiring_ = &wiring; }

  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t discarded) override;
  void packet_gone(packet_id id, const packet_record& record, cycle_t gone) override;

  void begin(traffic_counts counts) {
    begin_ = std::move(counts);
    begun_ = true;
  }
  /// Begins here, and not after the warm-up of the configuration. @param warmed_up  the warm-up was over
  void begin_late(traffic_counts counts, cycle_t window, bool warmed_up);
  void end(traffic_counts counts);
  /// Ends the window here, however long it was meant to be.
  void end_early(traffic_counts counts);
  /// After end(): the window becomes twice as long, and has not ended yet. Packets are kept for this from
  /// end() on with config.precision only.
  void extend();
  cycle_t window_begin() const { return config_.warmup_cycles; }
  /// The end of the window, in cycles.
  cycle_t window_end() const { return config_.warmup_cycles + config_.measure_cycles; }
  cycle_t measured_cycles() const { return config_.measure_cycles; }
  /// No packet ends any more: these are still under way. @param part  these have flits in this part of the network
  void run_over(const packet_table& packets, bool part = false);
  /// After run_over() of a part, and add() of the others: a packet on its way over several of them counts once.
  void all_parts_added();
  /// After end(): measured packets that were neither received nor discarded; of a part of a network, those
  /// created there less those that ended there.
  std::int64_t outstanding() const {
    return static_cast<std::int64_t>(packets_measured() - latency_.count() - discarded_);
  }
  /// After end(): whether every measured packet has been received, or discarded at a dead link.
  bool complete() const { return ended_ && outstanding() == 0; }
  bool ended() const { return ended_; }
  /// The cycle in which the last measured packet was received or discarded.
  cycle_t last_ended() const { return last_ended_; }
  /// The window was run to its end, complete(), and the queues of the sources do not grow.
  bool stable() const { return whole_window() && complete() && !growth().growing; }
  /// The window was run to its end, complete(), and accepted >= .95 offered.
  bool keeps_up_95() const;
  /// No number where the window was not run to its end: nothing grows in cycles that were not simulated.
  backlog_growth growth() const;
  /// Of the mean latency; nothing: the window is too short to say.
  std::optional<confidence_interval> interval() const;
  /// The interval is as narrow as config.precision asks for, and the warm-up was over before the window.
  bool precise() const;
  /// Else the end of the warm-up was not found before the window had to begin.
  bool warmed_up() const { return warmed_up_; }
  /// Calls `f` when the last measured packet is received or discarded after end().
  void when_complete(std::function<void()> f) { on_complete_ = std::move(f); }

  /// The figures, with the names of docs/model.md. Before end() those of the window are missing or partial.
  statistics figures() const;
  /// Where the queue of a source grows: of the one that grows fastest.
  statistics worst_source(const std::string& address, const std::string& limited_by) const;
  /// With config.precision: what came of it.
  statistics precision_figures() const;
  const integer_histogram& latencies() const { return latency_; }

  /// All that was counted, as words, and the words of another measurement added: whole numbers, so that the
  /// parts of a network measured apart (docs/ranks.md) add up to the very figures of the whole.
  std::vector<std::uint64_t> words() const;
  void add(word_reader& words);
  /// Another one has all that was counted: forgets it, but not where the window is.
  void forget();

  /// What was counted so far, and where the window is. Reading: before the first cycle, then run() goes on.
  /// @param states  of injection  @param now  the cycle to be done next
  void archive(state_archive& a, unsigned states, cycle_t now);
  /// begin() or begin_late() was called.
  bool begun() const { return begun_; }

  /// By wire: flits sent in the window.
  std::vector<std::uint64_t> wire_flits() const;
  /// Of links and ports in the window, after know_links().
  link_use use() const { return {*wiring_, wire_flits(), window_cycles()}; }
  /// Of the window so far.
  cycle_t window_cycles() const { return end_.cycle - begin_.cycle; }

 private:
  /// What a sink is told of a packet.
  struct packet_event {
    enum class kind : std::uint8_t { received, discarded, gone };
    packet_id id = 0;
    packet_record record;
    kind what = kind::received;
    cycle_t cycle = 0;
  };

  /// What the backlog asks of a packet.
  struct sent_packet {
    packet_id id = 0;
    cycle_t created = 0;
    cycle_t head_sent = 0;
    node_id source = 0;
    std::uint32_t flits = 0;
    std::uint8_t message_class = 0;
  };
  void note(const packet_event& e);
  void take(const packet_event& e);
  bool whole_window() const { return ended_ && end_.cycle - begin_.cycle == config_.measure_cycles; }
  double zero_load() const;
  window_load load_in_window() const;
  std::uint64_t packets_measured() const { return end_.packets_created - begin_.packets_created; }
  bool is_measured(const packet_record& record) const;
  double per_node_and_cycle(std::uint64_t flits) const;

  measurement_config config_;
  node_id nodes_;
  const zero_load_model* model_;
  const netlist* wiring_ = nullptr;
  std::function<void()> on_complete_;
  traffic_counts begin_;
  traffic_counts end_;
  bool begun_ = false;
  bool warmed_up_ = true;
  bool ended_ = false;
  integer_histogram latency_;
  integer_histogram network_latency_;
  integer_histogram hops_;
  time_batches batches_;
  unsigned classes_;
  source_load load_;
  source_backlogs backlogs_;
  std::vector<packet_event> later_;        ///< that count when the window is extended
  std::vector<sent_packet> on_their_way_;  ///< at the end of the run of a part: neither received nor gone
  std::uint64_t zero_load_sum_ = 0;
  std::uint64_t discarded_ = 0;  ///< measured packets
  cycle_t last_ended_ = 0;
};

}  // namespace toriscope

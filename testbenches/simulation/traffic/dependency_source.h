// SPDX-License-Identifier: Apache-2.0
// The packets of a trace as fast as what they depend on allows, instead of in their cycles:
//
//   after others    created when all packets that it is after have been received, and its delay has passed (at
//                   least a cycle)
//   after none      in the order of the trace, source by source; of each source at most `outstanding` of them
//                   are under way: the next one is created in the cycle after one has been received
//   Netrace         as above, but no packet before its cycle, which is the earliest that the traced processor
//                   could send it in; those after none are not held back otherwise
//   lost packets    (dead links) count as received where and when they are lost: their dependents come
//   memory          the trace is read ahead by at most `max_open` packets from the first that is not yet received;
//                   of what was received before that, nothing is remembered but when those were received that packets
//                   far behind them are after
#pragma once

#include <deque>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/trace_input.h"

namespace toriscope {

class dependency_source final : public traffic_source, public packet_sink {
 public:
  static constexpr std::size_t max_open = std::size_t{1} << 18;
  /// Packets received whose times are remembered at least.
  static constexpr std::size_t remembered = max_open / 2;

  /// It is the network's only source, and one of its sinks.
  /// @param wiring       outlives this
  /// @param outstanding  at least 1
  dependency_source(std::unique_ptr<byte_source> bytes, const netlist& wiring, const trace_limits& limits,
                    unsigned outstanding);

  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  cycle_t next_packet_cycle(cycle_t from) const override;
  void packet_received(packet_id id, const packet_record&, cycle_t received) override {
    finish(id, received);
  }
  void packet_refused(packet_id id, const packet_record& record) override { finish(id, record.created); }
  void packet_discarded(packet_id id, const packet_record&, node_id, port_id, cycle_t discarded) override {
    finish(id, discarded);
  }

  /// Between two cycles. @param now  the next one; reading, the source has not been asked yet
  /// @param packets  under way
  void archive(state_archive& a, cycle_t now, const packet_table& packets);

  std::uint64_t packets() const { return input_.packets(); }
  /// Some are after others.
  bool has_causes() const { return input_.has_causes(); }
  /// All packets of the trace have been created.
  bool all_created() const { return created_ == input_.packets(); }

 private:
  enum class step : std::uint8_t { waiting, planned, under_way, finished };
  struct open_packet {
    packet_request request;
    bool in_order = false;  ///< it is after no other packet: one of the queue of its source
    step done = step::waiting;
    unsigned waits = 0;  ///< packets that have not been received yet
    cycle_t cycle = 0;   ///< waiting: the last of those was received; planned: it is created; finished: received
    cycle_t delay = 0;
    cycle_t earliest = 0;
    std::vector<std::uint64_t> dependents;
  };
  struct source_queue {
    unsigned under_way = 0;
    std::deque<std::uint64_t> waiting;
  };

  void read_ahead(cycle_t now);
  open_packet& open(const trace_packet& packet);
  /// It waits for others, or is planned.
  void begin(const trace_packet& packet, cycle_t now);
  /// It waits for those that have not been received yet.
  void wait_for(const std::vector<std::uint64_t>& causes, std::uint64_t number);
  void finish(packet_id id, cycle_t now);
  void plan(std::uint64_t number, cycle_t soonest);
  open_packet& at(std::uint64_t number) { return open_[number - first_]; }

  trace_input input_;
  const unsigned outstanding_;
  bool more_ = true;
  std::deque<open_packet> open_;  ///< packets first_, first_ + 1, ... of the trace
  std::uint64_t first_ = 0;
  std::map<std::uint64_t, cycle_t> far_causes_;  ///< when they were received, those before first_
  std::vector<source_queue> queues_;  ///< by node
  /// What is known to be created: cycle and number, the soonest on top.
  using planned = std::pair<cycle_t, std::uint64_t>;
  std::priority_queue<planned, std::vector<planned>, std::greater<planned>> planned_;
  std::unordered_map<packet_id, std::uint64_t> number_of_;  ///< packets under way
  std::uint64_t created_ = 0;
};

}  // namespace toriscope

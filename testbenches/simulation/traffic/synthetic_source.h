// SPDX-License-Identifier: Apache-2.0
// Packets from a pattern, an arrival process and packet lengths.
//
//   contract   every node has its own random stream and draws, as if cycle by cycle: the number of packets
//              of that cycle; then for each of them its length (if there are several) and its destination
//   cost       arrivals are drawn ahead, at most `horizon` cycles, and kept in a calendar of as many: a cycle
//              costs its packets, and a node without a packet one draw in a tight loop; at rate 0 nothing.
//              12 bytes per node, 20 with constant arrivals
//   order      the packets of a cycle are emitted in order of their source node
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/state_archive.h"
#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/arrivals.h"
#include "testbenches/simulation/traffic/on_off.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "testbenches/simulation/traffic/traffic_pattern.h"

namespace toriscope {

class synthetic_source : public traffic_source {
 public:
  struct config {
    double rate_flits_per_node_cycle = 0.1;  ///< 0 .. 1
    packet_lengths lengths;
    arrival_kind arrivals = arrival_kind::bernoulli;
    std::uint64_t seed = 1;
    double mean_burst_packets = 8;  ///< on_off, at least 1
    unsigned message_classes = 1;   ///< each packet draws one of this number, last of all
  };

  /// @param nodes  number of nodes, all of which send
  /// @throws std::invalid_argument when on_off arrivals cannot make the load (on_off.h)
  synthetic_source(node_id nodes, std::shared_ptr<const traffic_pattern> pattern, const config& settings);

  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  cycle_t next_packet_cycle(cycle_t from) const override;
  void share_draws(unsigned shares) override { shares_ = shares; }
  void draw_ahead(unsigned share) override;
  /// Between two cycles. @param now  the next one; reading, the source has not been asked yet
  void archive(state_archive& a, cycle_t now);

  /// The mean number of packets per node and cycle, / 2^63: the rate over the mean length.
  static std::uint64_t packets_per_cycle(double rate_flits_per_node_cycle, const packet_lengths& lengths);

  /// How far arrivals are drawn ahead, in cycles.
  static constexpr cycle_t horizon = 256;

 private:
  static constexpr node_id end_of_list = ~node_id{0};

  void start(cycle_t now);
  /// The cycles of node n that are to be drawn, and what came of it: its first packet in them is in `cycle`, or there
  /// is none before `cycle`.
  struct drawing {
    node_id n;
    cycle_t first, last;
    cycle_t cycle = 0;
    bool arrival = false;
  };
  void draw(drawing& d);
  void file(const drawing& d);
  /// Draws and files, now or shared out.
  void draw_or_leave(drawing d);
  void emit(node_id n, std::vector<packet_request>& out);

  std::shared_ptr<const traffic_pattern> pattern_;
  packet_lengths lengths_;
  arrival_process arrivals_;
  on_off_chain chain_;
  unsigned message_classes_;
  bool started_ = false;
  std::vector<random_stream> random_;  ///< by node
  std::vector<std::uint64_t> phase_;   ///< by node, constant arrivals: what has come, modulo 2^63
  std::vector<char> on_;               ///< by node, on_off arrivals: in the first cycle not yet drawn
  std::vector<node_id> next_;          ///< by node: the next of the same cycle
  std::vector<node_id> arriving_;      ///< by cycle modulo horizon: nodes with a packet
  std::vector<node_id> undecided_;     ///< by cycle modulo horizon: nodes to be drawn ahead from there on
  std::vector<node_id> due_;           ///< of the current cycle
  cycle_t decided_before_ = 0;         ///< after reading: nodes undecided until then have been drawn
  unsigned shares_ = 0;                ///< 0: draws are not shared out
  std::vector<drawing> left_;          ///< to be drawn until the next cycle
};

}  // namespace toriscope

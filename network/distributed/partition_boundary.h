// SPDX-License-Identifier: Apache-2.0
// The border of a part of a network that several ranks simulate together (docs/ranks.md).
//
// A link that is cut has its flit wire on both sides: the sender's has no reader, and every word that goes
// into it is noted for the other rank; its credits likewise, the other way. What is sent in cycle t over a
// link of delay D is shown in t+D, so that ranks have to meet only once in every window of as many cycles as
// the smallest delay over the border. The record of a packet goes with its head, and stays until its tail has
// gone too.
//
// A run that goes on from a state (docs/checkpoints.md) does not know where the packets of then have been. Their
// records are on all ranks, until the one that receives the packet tells the others.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/word_reader.h"
#include "network/distributed/partition.h"
#include "network/failure.h"
#include "network/wire_table.h"
#include "router/network_state.h"

namespace toriscope {

/// The cycles between two meetings of the ranks: the smallest delay over the border; at most `longest_window`
/// where nothing is cut.
cycle_t window_of(const netlist& wiring, const wire_table& wires, const std::vector<std::uint32_t>& rank_of);

class partition_boundary final : private packet_sink {
 public:
  /// Makes the wires that leave this part. The wires that its nodes read have been made.
  partition_boundary(const partition& part, const netlist& wiring, wire_table& wires, network_state& network);
  ~partition_boundary();

  /// Whether the ranks have to meet when cycle `done` is over.
  bool window_ends(cycle_t done) const { return done + 1 - window_start_ >= window_; }
  /// Cycle `done` is over: the ranks meet, all in the same cycle, at the end of a window or before.
  /// @param suspects  this rank thinks that there may be a deadlock; suspected() says whether any does
  /// @returns why another rank stopped; null: none did
  std::unique_ptr<network_failure> meet_after(cycle_t done, bool suspects = false);
  bool suspected() const { return suspected_; }
  /// After a meeting: whether the run was over before cycle `cycle`, which ranks did before they knew.
  bool was_over_before(cycle_t cycle) const { return part_.was_over_before(cycle); }
  /// The words that all ranks give in this meeting.
  rank_words gather(std::vector<std::uint64_t> words);
  /// The words of each rank, its own included, for the one that leads; none for others.
  rank_words bring(std::vector<std::uint64_t> words);
  /// Likewise texts.
  std::vector<std::string> bring(const std::string& text);
  /// Whether the ranks have met after cycle `done`, the last one that is over.
  bool have_met_after(cycle_t done) const { return window_start_ == done + 1; }

  unsigned rank() const { return part_.transport->rank(); }
  bool own(node_id n) const { return part_.own(n); }
  /// Cycle `now` is the next one of a run that goes on. The records of all packets are here; those that are not sent
  /// yet go where they do not belong.
  void go_on(cycle_t now);

  /// This rank stops: tells the others at the end of their window.
  /// @returns of all that stopped in this window the first
  network_failure stop(const network_failure& failure);

  /// No cycle follows on any rank: they meet, wherever in a window they are.
  /// @returns why another rank stopped; null: none did
  std::unique_ptr<network_failure> close() { return meet(nullptr, false); }

  cycle_t window_cycles() const { return window_; }
  /// Of the whole network, on each rank the same.
  std::vector<link_id> cut_links() const;

 private:
  template <class Word>
  class outlet;

  void make_outlets();
  void note_flit(link_id l, std::uint32_t to, cycle_t shown, flit_word f);
  void note_credit(link_id l, std::uint32_t to, cycle_t shown, credit_word c);
  void append_record(std::vector<std::uint64_t>& words, packet_id packet) const;
  void tail_leaves(packet_id packet);
  void head_comes(packet_id packet, const packet_record& record);
  std::unique_ptr<network_failure> meet(const network_failure* own, bool suspects);
  void take(word_reader& words);
  bool is_everywhere(packet_id packet) const {
    return !everywhere_.empty() && everywhere_.count(packet) > 0;
  }
  void packet_received(packet_id packet, const packet_record&, cycle_t) override { ended(packet); }
  void packet_gone(packet_id packet, const packet_record&, cycle_t) override { ended(packet); }
  void ended(packet_id packet);

  const partition& part_;
  const netlist& wiring_;
  wire_table& wires_;
  network_state& network_;
  const cycle_t window_;
  cycle_t window_start_ = 0;
  bool suspected_ = false;
  rank_words out_;
  rank_words in_;
  std::vector<std::unique_ptr<outlet<flit_word>>> flit_outlets_;
  std::vector<std::unique_ptr<outlet<credit_word>>> credit_outlets_;
  /// Packets whose head came back before their tail had left: how many of their tails have yet to pass.
  std::unordered_map<packet_id, unsigned> tails_to_pass_;
  std::unordered_set<packet_id> everywhere_;  ///< whose record was put on all ranks
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The records of the packets under way. They never travel on wires: a flit carries the tag, the low bits of
// the packet's sequence number.
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/state_archive.h"
#include "links/flit.h"
#include "topologies/route.h"

namespace toriscope {

/// Number of a packet in order of creation; within one cycle, in the order in which the source named them.
using packet_id = std::uint64_t;
inline constexpr packet_id no_packet = ~packet_id{0};
inline constexpr cycle_t not_sent = ~cycle_t{0};

/// The route state of the packet's head when it is injected, one of 0 .. states-1 (docs/model.md, "Drawn routes").
constexpr route_state drawn_state(packet_id id, route_state states) {
  return states == 1 ? 0
                     : static_cast<route_state>((mix((id + 1) * 0x9e3779b97f4a7c15u) >> 32) * states >> 32);
}

/// What a traffic source asks for.
struct packet_request {
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;         ///< length, at least 1
  std::uint8_t message_class = 0;  ///< docs/model.md, "Message classes"
};

/// What is known about a packet. In a cache line of its own: routers that different threads step count its hops.
struct packet_record {
  alignas(64) cycle_t created = 0;  ///< cycle of creation
  cycle_t head_sent = not_sent;     ///< cycle in which the source's network interface sent the head
  packet_id next = no_packet;  ///< the packet behind it in its source queue
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;  ///< 0: the packet is done
  std::uint32_t hops = 0;   ///< links of the netlist crossed by the head so far; the router that has the head counts
  std::uint8_t turn = 0;    ///< its route state when injected, where pairs use route states in turn; else 0
  std::uint8_t message_class = 0;  ///< docs/model.md, "Message classes"

  /// The head, or more, has left the source queue.
  bool sent() const { return head_sent != not_sent; }
  /// All but `next`. @param states  of injection  @param now  the cycle to be done next
  void archive(state_archive& a, unsigned states, terminal_id terminals, unsigned message_classes, cycle_t now);
};

/// How the route state of a head is found when it is injected.
struct injection_rule {
  injection_rule(const routing_function& routing)  // NOLINT(google-explicit-constructor)
      : states(routing.injection_states()), in_turn(routing.takes_states_in_turn()) {}

  route_state of(packet_id id, const packet_record& record) const {
    return in_turn ? route_state{record.turn} : drawn_state(id, states);
  }

  route_state states;
  bool in_turn;
};

/// The turns of all pairs (docs/model.md, "Drawn routes").
class turns_of_pairs {
 public:
  /// Gives the packet that is created the next turn of its pair, if pairs take turns.
  void give(packet_record& created, const injection_rule& rule, terminal_id terminals) {
    if (!rule.in_turn) return;
    const std::uint64_t pair = std::uint64_t{created.source} * terminals + created.destination;
    const auto [turn, first] = next_.try_emplace(pair, drawn_state(pair, rule.states));
    created.turn = static_cast<std::uint8_t>(turn->second);
    turn->second = (turn->second + 1) % rule.states;
  }

  void archive(state_archive& a, const injection_rule& rule, terminal_id terminals);
  /// Those of `more`, which knows better, beside the own.
  void add(const turns_of_pairs& more) {
    for (const auto& [pair, turn] : more.next_) next_[pair] = turn;
  }
  /// Forgets the turns of all sources but those for which `own` says yes.
  template <class Own>
  void keep(terminal_id terminals, Own own) {
    for (auto turn = next_.begin(); turn != next_.end();)
      turn = own(static_cast<terminal_id>(turn->first / terminals)) ? std::next(turn) : next_.erase(turn);
  }

 private:
  std::unordered_map<std::uint64_t, route_state> next_;
};

/// Records by sequence number, in blocks that are given back when all their packets are done.
class packet_table {
 public:
  packet_id create(const packet_request& request, cycle_t created) {
    const packet_id id = number();
    packet_record& record = (*this)[id];
    record.created = created;
    record.source = request.source;
    record.destination = request.destination;
    record.flits = request.flits;
    record.message_class = request.message_class;
    ++alive_;
    return id;
  }

  /// A packet that another table has the record of takes its number.
  void skip() {
    ++alive_;
    retire(number());
  }

  /// The record of packet `id`, which another table had; it may have been here before.
  void adopt(packet_id id, const packet_record& record) {
    const std::uint64_t place = id >> block_shift;
    for (; first_block_ > place; --first_block_) blocks_.push_front(nullptr);
    std::unique_ptr<block>& b = blocks_[place - first_block_];
    if (!b) b = std::make_unique<block>(block::all_retired{});
    b->records[id & block_mask] = record;
    --b->retired;
    ++alive_;
  }

  /// Whether the record of packet `id`, which was created, is here.
  bool has(packet_id id) const {
    const std::uint64_t place = id >> block_shift;
    if (place < first_block_) return false;
    const std::unique_ptr<block>& b = blocks_[place - first_block_];
    return b && b->records[id & block_mask].flits > 0;
  }

  packet_record& operator[](packet_id id) {
    return blocks_[(id >> block_shift) - first_block_]->records[id & block_mask];
  }
  const packet_record& operator[](packet_id id) const { return const_cast<packet_table&>(*this)[id]; }

  /// The packet is done; its record is gone.
  void retire(packet_id id) {
    block& b = *blocks_[(id >> block_shift) - first_block_];
    b.records[id & block_mask].flits = 0;
    --alive_;
    if (++b.retired < block_size) return;
    while (!blocks_.empty() && (!blocks_.front() || blocks_.front()->retired == block_size)) {
      blocks_.pop_front();
      ++first_block_;
    }
  }

  /// The sequence number of the packet with this tag (the low `tag_bits` of it): the youngest that fits.
  packet_id find(std::uint64_t tag, unsigned tag_bits) const {
    const packet_id newest = next_ - 1;
    return newest - ((newest - tag) & (~std::uint64_t{0} >> (64 - tag_bits)));
  }

  /// Calls f(record), or f(id, record), for every packet whose record is here and not retired, in order of creation.
  template <class F>
  void for_each_alive(F f) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!blocks_[i]) continue;
      const packet_id first = (first_block_ + i) << block_shift;
      for (packet_id id = first; id < first + block_size && id < next_; ++id)
        if (const packet_record& record = blocks_[i]->records[id & block_mask]; record.flits > 0) {
          if constexpr (std::is_invocable_v<F, packet_id, const packet_record&>)
            f(id, record);
          else
            f(record);
        }
    }
  }

  /// Packets created so far.
  std::uint64_t created() const { return next_; }
  /// All packets before this one are done.
  packet_id first_kept() const { return first_block_ << block_shift; }
  /// Packets created and not yet retired, those in source queues included.
  std::uint64_t alive() const { return alive_; }

  /// @param now  the cycle to be done next
  void archive(state_archive& a, const injection_rule& injection, terminal_id terminals, unsigned message_classes,
               cycle_t now);

 private:
  static constexpr unsigned block_shift = 8;
  static constexpr packet_id block_size = packet_id{1} << block_shift;
  static constexpr packet_id block_mask = block_size - 1;
  struct block {
    struct all_retired {};
    block() = default;
    explicit block(all_retired) : retired(block_size) {
      for (packet_record& record : records) record.flits = 0;
    }

    packet_record records[block_size];
    unsigned retired = 0;
  };

  /// The next number, with a place for its record.
  packet_id number() {
    const packet_id id = next_++;
    if ((id & block_mask) == 0) blocks_.push_back(std::make_unique<block>());
    return id;
  }

  void last_block(packet_id next);
  packet_record& put_back(packet_id id);

  std::deque<std::unique_ptr<block>> blocks_;  ///< null: all retired, but older ones are not
  std::uint64_t first_block_ = 0;
  packet_id next_ = 0;
  std::uint64_t alive_ = 0;
};

}  // namespace toriscope

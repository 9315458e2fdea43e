// SPDX-License-Identifier: Apache-2.0
#include "router/packet_table.h"

#include <algorithm>
#include <utility>

namespace toriscope {

void turns_of_pairs::archive(state_archive& a, const injection_rule& rule, terminal_id terminals) {
  std::vector<std::pair<std::uint64_t, route_state>> turns(next_.begin(), next_.end());
  std::sort(turns.begin(), turns.end());
  turns.resize(a.size(turns.size()));
  for (auto& [pair, turn] : turns) {
    a.below(pair, std::uint64_t{terminals} * terminals);
    a.below(turn, rule.states);
  }
  if (!a.reads()) return;
  next_.clear();
  next_.insert(turns.begin(), turns.end());
}

void packet_table::archive(state_archive& a, const injection_rule& injection, terminal_id terminals,
                           unsigned message_classes, cycle_t now) {
  packet_id next = next_, id = 0;
  a.below(next, packet_id{1} << 62);
  std::vector<packet_id> under_way;
  if (!a.reads()) {
    under_way.reserve(alive_);
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      for (id = (first_block_ + i) << block_shift; id < next_ && id >> block_shift == first_block_ + i; ++id)
        if (has(id)) under_way.push_back(id);
  }
  const std::size_t count = a.size(under_way.size());
  packet_id before = under_way.empty() ? next : under_way.front();
  a.number(before);
  // Apart, of those under way: what is kept of those between them has 16 kB for each that is there, and 4 GB beside.
  const packet_id furthest = (packet_id{1} << 26) + 256 * count;
  a.require(before <= next && next - before < furthest && count <= next - before, "packets have wrong numbers");
  if (a.reads()) {
    next_ = next;
    alive_ = count;
    first_block_ = before >> block_shift;
    blocks_.clear();
    blocks_.resize(((next + block_mask) >> block_shift) - first_block_);
    if (next & block_mask) last_block(next);
  }
  for (std::size_t i = 0; i < count; ++i) {
    packet_id step = a.reads() ? 0 : under_way[i] - before;
    a.number(step);
    id = before + step;
    a.require((step > 0 || i == 0) && step < furthest && id < next, "packets have wrong numbers");
    before = id;
    packet_record& record = a.reads() ? put_back(id) : (*this)[id];
    record.archive(a, injection.states, terminals, message_classes, now);
  }
}

void packet_record::archive(state_archive& a, unsigned states, terminal_id terminals, unsigned message_classes,
                            cycle_t now) {
  a.below(created, now);
  cycle_t after_sent = head_sent + 1;  // 0: it is not sent
  a.number(after_sent);
  head_sent = after_sent - 1;
  a.below(source, terminals);
  a.below(destination, terminals);
  a.number(flits);
  a.require(flits > 0, "a packet has no flits");
  a.require(flits <= std::uint32_t{1} << 20, "a packet has too many flits");
  a.number(hops);
  a.below(turn, std::max(states, 1u));
  a.below(message_class, message_classes);
}

/// The block of the packets that are created next: those before `next` are done.
void packet_table::last_block(packet_id next) {
  auto made = std::make_unique<block>();
  made->retired = static_cast<unsigned>(next & block_mask);
  for (packet_id i = 0; i < (next & block_mask); ++i) made->records[i].flits = 0;
  blocks_.back() = std::move(made);
}

packet_record& packet_table::put_back(packet_id id) {
  std::unique_ptr<block>& b = blocks_[(id >> block_shift) - first_block_];
  if (!b) b = std::make_unique<block>(block::all_retired{});
  --b->retired;
  packet_record& record = b->records[id & block_mask];
  record = {};
  return record;
}

}  // namespace toriscope

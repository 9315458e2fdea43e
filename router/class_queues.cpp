// SPDX-License-Identifier: Apache-2.0
#include "router/class_queues.h"

#include "base/bit_set.h"

namespace toriscope {
class_queues::class_queues(network_state& chip)
    : chip_(chip), queues_(make_array<queue>(chip.memory, chip.message_classes)) {}

void class_queues::enqueue(packet_id packet) {
  queue& q = queues_[chip_.packets[packet].message_class];
  ++length_;
  if (q.length++ == 0)
    q.first = packet;
  else
    chip_.packets[q.last].next = packet;
  q.last = packet;
}

vc_mask class_queues::startable(unsigned m) const {
  const unsigned vcs = chip_.config.vcs;
  if (chip_.shared_classes) return static_cast<vc_mask>(chip_.all_vcs() & ~busy_);
  const unsigned own = vcs / chip_.message_classes;
  return static_cast<vc_mask>(((1u << own) - 1) << m * own);
}

vc_mask class_queues::usable(unsigned m, vc_mask with_credit) const {
  const queue& q = queues_[m];
  if (q.length == 0) return 0;
  return static_cast<vc_mask>(with_credit & (q.sent > 0 ? 1u << q.vc : startable(m)));
}

flit_word class_queues::next_flit(cycle_t now, vc_mask with_credit) {
  std::uint32_t can_send = 0;
  for (unsigned m = 0; m < chip_.message_classes; ++m)
    if (usable(m, with_credit)) can_send |= 1u << m;
  if (!can_send) return {};
  const unsigned m = first_at_or_after(can_send, class_pointer_);
  class_pointer_ = static_cast<std::uint8_t>(m + 1);
  queue& q = queues_[m];
  if (q.sent == 0) start_packet(m, usable(m, with_credit), now);
  const flit_layout& layout = chip_.layout;
  const std::uint64_t tag = layout.tag_of(q.first);
  const bool tail = q.sent + 1 == q.flits;
  const flit_word f = q.sent == 0 ? layout.head(q.destination, 0, tag, tail) : layout.body(q.sent, tag, tail);
  const unsigned vc = q.vc;
  ++q.sent;
  if (tail) finish_packet(q, now);
  return f.on_vc(vc);
}

void class_queues::start_packet(unsigned m, vc_mask usable, cycle_t now) {
  queue& q = queues_[m];
  packet_record& record = chip_.packets[q.first];
  record.head_sent = now;
  q.flits = record.flits;
  q.destination = record.destination;
  std::uint8_t& pointer = queues_[chip_.shared_classes ? 0 : m].vc_pointer;
  q.vc = static_cast<std::uint8_t>(first_at_or_after(usable, pointer));
  pointer = static_cast<std::uint8_t>(q.vc + 1);
  busy_ |= static_cast<vc_mask>(1u << q.vc);
}

void class_queues::finish_packet(queue& q, cycle_t now) {
  const packet_id sent = q.first;
  q.first = chip_.packets[sent].next;
  q.sent = 0;
  --q.length;
  --length_;
  busy_ &= static_cast<vc_mask>(~(1u << q.vc));
  if (chip_.gate) chip_.gate->packet_sent(sent, chip_.packets[sent], now);
}

}  // namespace toriscope

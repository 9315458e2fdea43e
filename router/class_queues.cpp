// SPDX-License-Identifier: Apache-2.0
#include "router/class_queues.h"

#include "base/bit_set.h"

namespace toriscope {
class_queues::class_queues(network_state& chip)
    : chip_(chip), queues_(make_array<source_queue>(chip.memory, chip.message_classes)) {}

void class_queues::enqueue(packet_id packet) {
  ++length_;
  queues_[chip_.packets[packet].message_class].enqueue(chip_.packets, packet);
}

vc_mask class_queues::startable(unsigned m) const {
  const unsigned vcs = chip_.config.vcs;
  if (chip_.shared_classes) return static_cast<vc_mask>(chip_.all_vcs() & ~busy_);
  const unsigned own = vcs / chip_.message_classes;
  return static_cast<vc_mask>(((1u << own) - 1) << m * own);
}

vc_mask class_queues::usable(unsigned m, vc_mask with_credit) const {
  const source_queue& q = queues_[m];
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
  source_queue& q = queues_[m];
  if (q.sent == 0) start_packet(m, usable(m, with_credit), now);
  const flit_word f = q.next_flit(chip_.layout);
  if (f.tail()) finish_packet(q, now);
  return f;
}

void class_queues::start_packet(unsigned m, vc_mask usable, cycle_t now) {
  std::uint8_t& pointer = queues_[chip_.shared_classes ? 0 : m].vc_pointer;
  const unsigned vc = first_at_or_after(usable, pointer);
  queues_[m].start(chip_.packets, vc, now);
  pointer = static_cast<std::uint8_t>(vc + 1);
  busy_ |= static_cast<vc_mask>(1u << vc);
}

void class_queues::finish_packet(source_queue& q, cycle_t now) {
  const packet_id sent = q.finish(chip_.packets);
  --length_;
  busy_ &= static_cast<vc_mask>(~(1u << q.vc));
  if (chip_.gate) chip_.gate->packet_sent(sent, chip_.packets[sent], now);
}

}  // namespace toriscope

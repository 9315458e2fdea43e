// SPDX-License-Identifier: Apache-2.0
#include "router/class_queues.h"

#include "base/bit_set.h"

namespace toriscope {
class_queues::class_queues(network_state& network)
    : network_(network), queues_(make_array<source_queue>(network.memory, network.message_classes)) {}

void class_queues::enqueue(packet_id packet) {
  ++length_;
  queues_[network_.packets[packet].message_class].enqueue(network_.packets, packet);
}

vc_set class_queues::startable(unsigned m) const {
  const unsigned vcs = network_.config.vcs;
  if (network_.shared_classes) return network_.all_vcs() - busy_;
  const unsigned own = vcs / network_.message_classes;
  return vc_set::below(m * own + own) - vc_set::below(m * own);
}

vc_set class_queues::usable(unsigned m, vc_set with_credit) const {
  const source_queue& q = queues_[m];
  if (q.length == 0) return {};
  return with_credit & (q.sent > 0 ? vc_set::of(q.vc) : startable(m));
}

const source_queue& class_queues::sending() const {
  bits_of under_way;
  for (unsigned m = 0; m < network_.message_classes; ++m)
    if (queues_[m].sent > 0) under_way.add(m);
  if (!under_way) return queues_[0];
  return queues_[under_way.first_at_or_after(class_pointer_ > 0 ? class_pointer_ - 1u : 0)];
}

flit_word class_queues::next_flit(cycle_t now, vc_set with_credit) {
  bits_of can_send;
  for (unsigned m = 0; m < network_.message_classes; ++m)
    if (usable(m, with_credit)) can_send.add(m);
  if (!can_send) return {};
  const unsigned m = can_send.first_at_or_after(class_pointer_);
  class_pointer_ = static_cast<std::uint8_t>(m + 1);
  source_queue& q = queues_[m];
  if (q.sent == 0) start_packet(m, usable(m, with_credit), now);
  const flit_word f = q.next_flit(network_.layout);
  if (f.tail()) finish_packet(q, now);
  return f;
}

void class_queues::start_packet(unsigned m, vc_set usable, cycle_t now) {
  std::uint8_t& pointer = queues_[network_.shared_classes ? 0 : m].vc_pointer;
  const unsigned vc = usable.first_at_or_after(pointer);
  queues_[m].start(network_.packets, network_.layout, vc, now, network_.injection);
  pointer = static_cast<std::uint8_t>(vc + 1);
  busy_.add(vc);
}

void class_queues::finish_packet(source_queue& q, cycle_t now) {
  const packet_id sent = q.finish(network_.packets);
  --length_;
  busy_.remove(q.vc);
  if (network_.gate) network_.gate->packet_sent(sent, network_.packets[sent], now);
}

}  // namespace toriscope

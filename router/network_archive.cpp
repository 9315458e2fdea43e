// SPDX-License-Identifier: Apache-2.0
#include "router/network_archive.h"

namespace toriscope {

void network_archive::packets() {
  network_.packets.archive(values, network_.injection, terminals_, network_.message_classes, now_);
}

/// A number of any size.
bool network_archive::is_under_way(packet_id packet) const {
  return packet < network_.packets.created() && network_.packets.has(packet);
}

void network_archive::note(std::unordered_set<packet_id>& ends, packet_id packet) {
  if (reads()) values.require(ends.insert(packet).second, "a packet has two heads or tails");
}

std::vector<std::uint64_t> network_archive::ends_seen() const {
  std::vector<std::uint64_t> bits((2 * network_.packets.alive() + 63) / 64);
  std::size_t place = 0;
  network_.packets.for_each_alive([&](packet_id packet, const packet_record&) {
    for (const auto* ends : {&heads_, &tails_}) {
      bits[place / 64] |= std::uint64_t{ends->count(packet)} << place % 64;
      ++place;
    }
  });
  return bits;
}

void network_archive::flit(flit_word& f) {
  values.word(f.bits);
  if (!reads()) return;
  values.require(f.valid() && f.vc() < network_.config.vcs, "a flit is none");
  const packet_id packet = network_.packet_of(f);
  values.require(is_under_way(packet), "a flit belongs to no packet");
  values.require(was_sent(network_.packets[packet]), "a flit belongs to a packet that was not sent");
  if (f.head()) {
    values.require(network_.layout.destination(f) == network_.packets[packet].destination,
                   "a head goes elsewhere than its packet");
    note(heads_, packet);
  }
  if (f.tail()) note(tails_, packet);
  count(packet, 1);
}

void network_archive::count(packet_id packet, std::uint64_t flits) {
  if (reads())
    values.require((flits_[packet] += flits) <= network_.packets[packet].flits, "a packet has more flits than its own");
}

void network_archive::check_tails() const {
  values.require(!reads() || tails_.size() == network_.packets.alive(), "a packet has no tail");
}

void network_archive::flit(flit_word& f, unsigned vc) {
  flit(f);
  values.require(f.vc() == vc, "a flit is in a buffer of another VC");
}

void network_archive::buffer(vc_buffer& b, flit_word* slots, unsigned mask, unsigned depth, unsigned vc) {
  unsigned count = b.size();
  values.below(count, depth + 1u);
  if (reads()) b = {};
  for (unsigned i = 0; i < count; ++i) {
    flit_word f = reads() ? flit_word{} : b.at(slots, mask, i);
    flit(f, vc);
    if (!reads()) continue;
    const flit_word before = i > 0 ? b.at(slots, mask, i - 1) : flit_word{};
    values.require(i == 0 || f.head() == before.tail(), "packets in a buffer are mixed up");
    values.require(i == 0 || f.head() || network_.packet_of(f) == network_.packet_of(before),
                   "packets in a buffer are mixed up");
    b.push(slots, mask, f);
  }
}

void network_archive::queue(source_queue& q, terminal_id terminal, unsigned m) {
  packet_table& table = network_.packets;
  values.below(q.vc_pointer, flit_word::max_vcs + 1);
  const std::size_t length = values.size(static_cast<std::size_t>(q.length));
  packet_id packet = q.first, before = 0;
  if (reads()) q.length = 0;
  for (std::size_t i = 0; i < length; ++i) {
    packet_id step = packet - before;  // they are in the order of their creation
    values.number(step);
    packet = before += step;
    values.require(is_under_way(packet) && table[packet].source == terminal && table[packet].message_class == m,
                   "a packet is in a source queue of another node");
    note(tails_, packet);
    if (i > 0) {
      note(heads_, packet);
      count(packet, table[packet].flits);
    }
    if (reads())
      q.enqueue(table, packet);
    else
      packet = table[packet].next;
  }
  if (length == 0) return;
  packet_record& record = table[q.first];
  values.below(q.sent, record.flits);
  if (q.sent == 0) note(heads_, q.first);
  count(q.first, record.flits - q.sent);
  if (q.sent == 0) return;
  values.below(q.vc, network_.config.vcs);
  if (!reads()) return;
  values.require(was_sent(record), "the head of a packet was sent in another cycle");
  const cycle_t sent_in = record.head_sent;
  q.start(table, network_.layout, q.vc, sent_in, network_.injection);
}

void network_archive::headless(flit_word f) {
  if (!reads()) return;
  values.require(!f.head(), "a packet is given up with its head");
  note(heads_, network_.packet_of(f));
}

void network_archive::arriving(packet_id& packet) {
  packet_id code = packet == no_packet ? 0 : packet + 1;
  values.number(code);
  packet = code == 0 ? no_packet : code - 1;
  values.require(packet == no_packet || is_under_way(packet), "flits arrive of a packet that does not exist");
  if (packet != no_packet) note(heads_, packet);
}

}  // namespace toriscope

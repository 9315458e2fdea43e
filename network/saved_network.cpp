// SPDX-License-Identifier: Apache-2.0
#include "network/saved_network.h"

#include "router/network_archive.h"

namespace toriscope {
namespace {

void archive_counts(state_archive& a, const std::vector<std::unique_ptr<network_part>>& parts) {
  network_counters all;
  std::uint64_t packets = 0, wires = 0;
  for (const auto& part : parts) {
    all += part->state.counters;
    packets += part->state.packet_hash;
    wires += part->wire_hash;
  }
  for (std::uint64_t network_counters::*const count : all_counters) a.number(all.*count);
  a.word(packets);
  a.word(wires);
  if (!a.reads()) return;
  parts.front()->state.counters = all;
  parts.front()->state.packet_hash = packets;
  parts.front()->wire_hash = wires;
}

void archive_word(network_archive& s, flit_word& f) { s.flit(f); }
void archive_word(network_archive& s, credit_word& c) {
  s.values.number(c.vcs);
  s.values.require(c.valid(), "a credit is none");
}

/// What the wire shows from cycle `now` on.
template <class Word>
void archive_wire(network_archive& s, delay_line<Word>& wire, cycle_t now) {
  unsigned count = 0;
  for (unsigned ahead = 0; ahead < wire.reach_cycles(); ++ahead) count += wire.shown(now + ahead).valid();
  s.values.below(count, wire.reach_cycles() + 1);
  if (s.reads()) {
    for (unsigned from = 0; count > 0; --count) {
      unsigned ahead = 0;
      Word word;
      s.values.below(ahead, wire.reach_cycles());
      s.values.require(ahead >= from, "words on a wire are not in order");
      from = ahead + 1;
      archive_word(s, word);
      wire.put_back(now + ahead, word);
    }
    return;
  }
  for (unsigned ahead = 0; ahead < wire.reach_cycles(); ++ahead)
    if (Word word = wire.shown(now + ahead); word.valid()) {
      s.values.number(ahead);
      archive_word(s, word);
    }
}

/// The reader in another part learns what its wires show.
template <class Word>
void tell_reader(const std::vector<cut_wire<Word>>& wires, cycle_t now) {
  for (const cut_wire<Word>& cut : wires)
    for (unsigned ahead = 0; ahead < cut.wire->reach_cycles(); ++ahead)
      if (cut.wire->shown(now + ahead).valid()) cut.reader->expect(now + ahead, cut.arrival);
}

void archive_nodes(network_archive& s, const network_pieces& network, cycle_t now) {
  for (node_id n = 0; n < network.nodes.size(); ++n) {
    node& one = *network.nodes[n];
    wake_calendar& wakes = network.parts[network.ranges.of(n)]->state.wakes;
    bool awake = wakes.is_woken(n, now);
    s.values.number(awake);
    for (unsigned i = 0; i < one.ni_count(); ++i) one.ni(i).archive(s);
    one.core()->archive(s);
    if (s.reads() && (awake || one.changes_by_itself())) wakes.wake(n, now);
  }
}

}  // namespace

void archive_network(state_archive& a, const network_pieces& network, cycle_t now) {
  network_state& first = network.parts.front()->state;
  if (a.reads())
    for (const auto& part : network.parts) part->state.now = now - 1;
  archive_counts(a, network.parts);
  network_archive s(a, first, network.wiring.terminal_count(), now);
  s.packets();
  network.domain.turns().archive(a, first.injection, network.wiring.terminal_count());
  archive_nodes(s, network, now);
  for (std::size_t w = 0; w < network.wires.size(); ++w) {
    archive_wire(s, network.wires.flit(w), now);
    if (credit_wire* const credits = network.wires.credit(w)) archive_wire(s, *credits, now);
  }
  if (!a.reads()) return;
  tell_reader(network.wires.cut_flits(), now);
  tell_reader(network.wires.cut_credits(), now);
  network.links.resume(now);
}

}  // namespace toriscope

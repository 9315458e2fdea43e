// SPDX-License-Identifier: Apache-2.0
#include "network/saved_network.h"

#include <algorithm>
#include <type_traits>

#include "network/conservation.h"
#include "router/network_archive.h"
#include "topologies/wire_place.h"

namespace toriscope {
namespace {

/// The share of another rank, by its rank; null: none, or our own.
using network_shares = std::vector<std::unique_ptr<state_archive>>;

/// What adds up over parts and ranks.
struct network_sums {
  network_counters counters;
  std::uint64_t packet_hash = 0;
  std::uint64_t wire_hash = 0;

  /// All but flits that go from rank to rank.
  void archive(state_archive& a) {
    for (std::uint64_t network_counters::*const count : all_counters)
      if (count != &network_counters::flits_imported && count != &network_counters::flits_exported)
        a.number(counters.*count);
    a.word(packet_hash);
    a.word(wire_hash);
  }
  void add(const network_sums& more) {
    counters += more.counters;
    packet_hash += more.packet_hash;
    wire_hash += more.wire_hash;
  }
};

network_sums sums_of(const network_pieces& network) {
  network_sums all;
  for (const auto& part : network.parts) all.add({part->state.counters, part->state.packet_hash, part->wire_hash});
  return all;
}

/// Counts of the whole run are kept by the rank that leads.
void put_back(const network_sums& all, const network_pieces& network) {
  if (!network.part.leads()) return;
  network_part& first = *network.parts.front();
  first.state.counters = all.counters;
  first.state.packet_hash = all.packet_hash;
  first.wire_hash = all.wire_hash;
}

/// Where the head of a packet is, more is known of it. @param borrowed  what was not in `own`
void add_packets(packet_table& own, const packet_table& more, std::vector<std::uint64_t>& borrowed) {
  more.for_each_alive([&](packet_id id, const packet_record& record) {
    if (!own.has(id)) {
      own.adopt(id, record);
      return borrowed.push_back(id);
    }
    own[id].hops = std::max(own[id].hops, record.hops);
  });
}

/// @param leaves  another rank reads it, and checks it
void archive_word(network_archive& s, flit_word& f, unsigned vcs, bool leaves) {
  if (leaves) return s.values.word(f.bits);
  s.flit(f);
  s.values.require(f.vc() < vcs, "a flit is on a VC that is none");
}
void archive_word(network_archive& s, credit_word& c, unsigned vcs, bool) {
  s.values.number(c.vcs);
  s.values.require(c.valid() && c.vcs >> vcs == 0, "a credit is none");
}

/// What a wire of `vcs` VCs shows from cycle `now` on.
template <class Word>
void archive_wire(network_archive& s, delay_line<Word>& wire, unsigned vcs, cycle_t now, bool leaves = false) {
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
      archive_word(s, word, vcs, leaves);
      wire.put_back(now + ahead, word);
    }
    return;
  }
  for (unsigned ahead = 0; ahead < wire.reach_cycles(); ++ahead)
    if (Word word = wire.shown(now + ahead); word.valid()) {
      s.values.number(ahead);
      archive_word(s, word, vcs, leaves);
    }
}

/// Reading: the same of a wire that is not on this rank.
template <class Word>
void leave_out_wire(network_archive& s) {
  for (std::size_t left = s.values.size(0); left > 0; --left) {
    std::uint64_t ahead = 0;
    s.values.number(ahead);
    if constexpr (std::is_same_v<Word, flit_word>)
      s.values.word(ahead);
    else
      s.values.number(ahead);
  }
}

/// Wire w: its flits, and its credits where there are any.
void archive_wires(network_archive& s, const network_pieces& network, std::size_t w, cycle_t now) {
  if (network.wires.has_flit(w)) {
    const unsigned vcs = network.wires.vcs(w);
    archive_wire(s, network.wires.flit(w), vcs, now, !network.nodes[wire_at(network.wiring, w).to]);
    if (credit_wire* const credits = network.wires.credit(w)) archive_wire(s, *credits, vcs, now);
  } else {
    leave_out_wire<flit_word>(s);
    if (network.wires.has_credits(w)) leave_out_wire<credit_word>(s);
  }
}

/// The reader in another part learns what its wires show.
template <class Word>
void tell_reader(const std::vector<cut_wire<Word>>& wires, cycle_t now) {
  for (const cut_wire<Word>& cut : wires)
    for (unsigned ahead = 0; ahead < cut.wire->reach_cycles(); ++ahead)
      if (cut.wire->shown(now + ahead).valid()) cut.reader->expect(now + ahead, cut.arrival);
}

void archive_node(network_archive& s, const network_pieces& network, node_id n, cycle_t now) {
  node& one = *network.nodes[n];
  wake_calendar& wakes = network.parts[network.ranges.of(n)]->state.wakes;
  bool awake = wakes.is_woken(n, now);
  s.values.number(awake);
  for (unsigned i = 0; i < one.ni_count(); ++i) one.ni(i).archive(s);
  one.core()->archive(s);
  if (s.reads() && (awake || one.changes_by_itself())) wakes.wake(n, now);
}

turns_of_pairs& own_turns(const network_pieces& network) {
  turns_of_pairs& turns = network.domain.turns();
  const auto own = [&](terminal_id t) { return network.part.own(network.wiring.terminal(t).node); };
  if (!network.part.whole()) turns.keep(network.wiring.terminal_count(), own);
  return turns;
}

/// @param shares  writing: of the other ranks
std::vector<std::uint64_t> archive_whole(state_archive& a, const network_pieces& network, cycle_t now,
                                         const network_shares& shares) {
  network_state& first = network.parts.front()->state;
  const terminal_id terminals = network.wiring.terminal_count();
  if (a.reads())
    for (const auto& part : network.parts) part->state.now = now - 1;
  network_sums sums = sums_of(network);
  turns_of_pairs& turns = own_turns(network);
  std::vector<std::uint64_t> borrowed;
  for (const auto& share : shares) {
    if (!share) continue;
    network_sums more;
    more.archive(*share);
    sums.add(more);
    packet_table packets;
    packets.archive(*share, first.injection, terminals, first.message_classes, now);
    add_packets(first.packets, packets, borrowed);
    turns_of_pairs of_others;
    of_others.archive(*share, first.injection, terminals);
    turns.add(of_others);
  }
  sums.archive(a);
  if (a.reads()) put_back(sums, network);
  network_archive s(a, first, terminals, now);
  s.vcs_behind = [&](node_id n, port_id p) { return network.wires.vcs(wire_out_of(network.wiring, n, p)); };
  s.packets();
  turns.archive(a, first.injection, terminals);
  const auto share_of = [&](node_id n) { return shares.empty() ? nullptr : shares[network.part.rank_of[n]].get(); };
  for (node_id n = 0; n < network.nodes.size(); ++n) {
    if (network.nodes[n])
      a.part([&] { archive_node(s, network, n, now); });
    else if (a.reads())
      a.skip_part();
    else
      a.part([&] { a.append(share_of(n)->skip_part()); });
  }
  for (std::size_t w = 0; w < network.wires.size(); ++w) {
    if (state_archive* const share = share_of(wire_at(network.wiring, w).from))
      a.append(share->skip_part());
    else
      archive_wires(s, network, w, now);
  }
  if (!a.reads()) return borrowed;
  if (!network.border) s.check_tails();
  tell_reader(network.wires.cut_flits(), now);
  tell_reader(network.wires.cut_credits(), now);
  network.links.resume(now);
  return s.ends_seen();
}

/// Writes the share of this rank.
void archive_share(state_archive& a, const network_pieces& network, cycle_t now) {
  network_state& state = network.parts.front()->state;
  const terminal_id terminals = network.wiring.terminal_count();
  sums_of(network).archive(a);
  network_archive s(a, state, terminals, now);
  s.packets();
  own_turns(network).archive(a, state.injection, terminals);
  for (node_id n = 0; n < network.nodes.size(); ++n)
    if (network.nodes[n]) a.part([&] { archive_node(s, network, n, now); });
  for (std::size_t w = 0; w < network.wires.size(); ++w)
    if (network.part.own(wire_at(network.wiring, w).from)) a.part([&] { archive_wires(s, network, w, now); });
}

}  // namespace

std::vector<std::uint64_t> archive_network(state_archive& a, const network_pieces& network, cycle_t now) {
  network_shares shares;
  if (!network.border || a.reads()) return archive_whole(a, network, now, shares);
  state_archive own;
  if (!network.part.leads()) archive_share(own, network, now);
  const std::vector<std::string> texts = network.border->bring(own.bytes());
  if (!network.part.leads()) return {};
  for (const std::string& text : texts)
    shares.push_back(text.empty() ? nullptr : std::make_unique<state_archive>(text));
  return archive_whole(a, network, now, shares);
}

std::string end_archive_of_ranks(const network_pieces& network, cycle_t now, std::vector<std::uint64_t> archived,
                                 bool read) {
  network_state& state = network.parts.front()->state;
  if (!read) {
    for (const packet_id borrowed : archived) state.packets.retire(borrowed);
    return {};
  }
  network.border->go_on(now);
  const std::uint64_t inside = flits_inside(network.wiring, network.nodes, network.wires, state, now - 1);
  archived.push_back(inside);
  std::vector<std::uint64_t> all(archived.size());
  bool twice = false;
  for (const std::vector<std::uint64_t>& words : network.border->gather(archived)) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      twice = twice || (all[i] & words[i]) != 0;
      all[i] |= words[i];
    }
    all.back() += words.back();
  }
  // The rank that leads has the counts of all, and has let go what is on others.
  if (network.part.leads())
    state.counters.flits_exported = all.back() - inside;
  else
    state.counters.flits_imported = inside;
  return twice ? "a packet has two heads or tails" : "";
}

}  // namespace toriscope

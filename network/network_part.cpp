// SPDX-License-Identifier: Apache-2.0
#include "network/network_part.h"

#include <algorithm>
#include <cstdlib>

namespace toriscope {
namespace {

/// Networks up to this size stay in the caches anyway.
constexpr std::size_t cached_nodes = 256;

/// Fetches state of the `count` nodes from *next on into the caches, each part a few nodes before it is used:
/// a pointer has to be there before what it points to can be fetched.
[[gnu::always_inline]] inline void prefetch(node* const* next, std::size_t count, cycle_t now) {
  if (count > 8) next[8]->prefetch();
  if (count > 6) next[6]->prefetch_ports(now);
  if (count > 4) next[4]->prefetch_wires(now);
  if (count > 2) next[2]->prefetch_buffers(now);
}

/// What nodes and wires will take, about: the arena wants to know, to be made in one piece.
std::size_t expected_bytes(const netlist& wiring, const network_config& config,
                           const routing_function& routing) {
  const std::size_t vcs = router_shape::of(1, config.router.vcs).slice();
  const std::size_t input =
      sizeof(input_unit) + vcs * (sizeof(input_vc) + routing.options_at_most() * sizeof(route_option) +
                                  vc_buffer::slots_for(config.router.depth) * sizeof(flit_word));
  const std::size_t output =
      sizeof(output_unit) + sizeof(vc_numbers) + vcs * (sizeof(output_vc) + sizeof(std::uint16_t));
  constexpr std::size_t wires = 64 + 32;
  const std::size_t interface = vcs * 24;  // what arrives, and credits
  const std::size_t ports = wiring.links().size() + wiring.terminal_count();
  const std::size_t of_node =
      sizeof(model_node) + sizeof(input_sets) + sizeof(output_sets) + interface + wires + 32;
  return wiring.node_count() * of_node + ports * (input + output + wires);
}

}  // namespace

template <class Word>
class network_part::crossing final : public wire_watcher {
 public:
  crossing(network_part& from, const cut_wire<Word>& wire, unsigned to) : from_(from), wire_(wire), to_(to) {
    wire.wire->watch(*this);
  }
  void word_sent(cycle_t shown) override {
    from_.notes_for(to_, from_.state.now)
        .push_back({wire_.reader, shown, wire_.arrival, wire_.wire->shown(shown).valid()});
  }

 private:
  network_part& from_;
  const cut_wire<Word> wire_;
  const unsigned to_;
};

template <class Word>
void network_part::add_crossing(const cut_wire<Word>& wire, unsigned to) {
  crossings_.push_back(std::make_unique<crossing<Word>>(*this, wire, to));
}
template void network_part::add_crossing(const cut_wire<flit_word>&, unsigned);
template void network_part::add_crossing(const cut_wire<credit_word>&, unsigned);

void network_part::take_notes(const std::vector<std::unique_ptr<network_part>>& all, unsigned own,
                              cycle_t now) {
  state.now = now;
  for (auto& of_part : notes_) of_part[now & 1].notes.clear();
  for (const auto& from : all)
    for (const note& n : from->notes_for(own, now - 1))
      if (n.valid)
        n.reader->expect(n.shown, n.arrival);
      else
        n.reader->retract(n.shown, n.arrival);
}

/// Returns whether the node has something to do in the next cycle whatever happens. One that breaks an invariant does
/// not end the cycle of the others.
[[gnu::always_inline]] inline bool network_part::step_node(node& n, cycle_t now,
                                                           const std::vector<bool>& watched) {
  ++state.counters.router_steps;
  bool again = false;
  try {
    again = n.step(now);
  } catch (const invariant_violation& violation) {
    if (!broken) broken = violation;
  }
  if (watched.empty() || !watched[n.id()]) return again;
  stepped_watched.push_back(n.id());
  return again || n.changes_by_itself();
}

void network_part::step(const std::vector<node*>& nodes, cycle_t now, const std::vector<bool>& watched) {
  stepped_watched.clear();
  const std::uint64_t before = state.counters.router_steps;
  if (nodes.size() <= cached_nodes) {
    state.wakes.take(now, [&](std::uint32_t n) { return step_node(*nodes[n], now, watched); });
  } else {
    if (awake_.empty()) awake_.resize(nodes.size());
    node** const awake = awake_.data();
    std::size_t count = 0;
    state.wakes.take(now, [&](std::uint32_t n) {
      awake[count++] = nodes[n];
      return false;
    });
    for (std::size_t i = 0; i < count; ++i) {
      prefetch(awake + i, count - i, now);
      if (step_node(*awake[i], now, watched)) state.wakes.wake(awake[i]->id(), now + 1);
    }
  }
  done = {static_cast<std::size_t>(state.counters.router_steps - before), !state.ends.empty(),
          !stepped_watched.empty(), broken.has_value()};
}

std::size_t nodes_worth_a_meeting() {
  const char* const other = std::getenv("TORISCOPE_SHARED_NODES");
  return other ? std::strtoul(other, nullptr, 10) : 128;
}

unsigned parts_for(unsigned threads, std::size_t nodes) {
  const std::size_t least = std::max<std::size_t>(2 * nodes_worth_a_meeting(), 1);
  return static_cast<unsigned>(std::clamp<std::size_t>(nodes / least, 1, threads));
}

std::vector<std::unique_ptr<network_part>> make_parts(const netlist& wiring, const routing_function& routing,
                                                      const network_config& config, const wire_table& wires,
                                                      unsigned count) {
  std::vector<std::unique_ptr<network_part>> parts;
  const std::size_t bytes = expected_bytes(wiring, config, routing) / count;
  for (unsigned i = 0; i < count; ++i) {
    parts.push_back(std::make_unique<network_part>(
        count, config.router, flit_layout(wiring.terminal_count(), routing.state_bits()), routing,
        wiring.node_count(), wires.longest_reach() + 1, bytes,
        i == 0 ? nullptr : parts.front()->state.packets_of_all));
    network_state& state = parts.back()->state;
    state.near_wires = wires.all_near();
    state.message_classes = config.message_classes;
    state.shared_classes = config.shared_classes || config.message_classes == 1;
    state.limited_reception = config.limited_reception;
    state.hop_limit = wiring.node_count() + 64;
  }
  return parts;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "network/conservation.h"

#include <algorithm>
#include <functional>

namespace toriscope {
namespace {

/// Words that a wire will show after cycle `done`, those included that the router has yet to send.
template <class Word, class Visit>
void for_each_in_flight(const delay_line<Word>& w, cycle_t done, Visit&& visit) {
  for (unsigned ahead = 1; ahead <= w.reach_cycles(); ++ahead) {
    const Word word = w.shown(done + ahead);
    if (word.valid()) visit(word);
  }
}

unsigned flits_in_flight(const flit_wire& w, unsigned vc, cycle_t done) {
  unsigned count = 0;
  for_each_in_flight(w, done, [&](flit_word f) { count += f.vc() == vc; });
  return count;
}

unsigned credits_in_flight(const credit_wire& w, unsigned vc, cycle_t done) {
  unsigned count = 0;
  for_each_in_flight(w, done, [&](credit_word c) { count += vc_set(c.vcs).has(vc); });
  return count;
}

/// Credits and buffers of a node: of the model's router, or by the account of what came and went.
class node_books {
 public:
  explicit node_books(const node* n)
      : core_(n ? n->core() : nullptr), account_(n && !core_ ? n->account() : nullptr) {}
  explicit operator bool() const { return core_ || account_; }
  unsigned credits(port_id p, unsigned v) const {
    return core_ ? core_->credits(p, v) : account_->credits(p, v);
  }
  unsigned occupancy(port_id p, unsigned v) const {
    return core_ ? core_->occupancy(p, v) : account_->occupancy(p, v);
  }
  std::uint64_t flits() const { return core_ ? core_->flits() : account_->contents().flits; }

 private:
  const router* core_;
  const node_account* account_;
};

std::string credit_report(const netlist& wiring, node_id reader, port_id port, std::size_t vc,
                          std::uint64_t counted, unsigned depth) {
  return "credits of " + wiring.path(reader) + ".in_" + wiring.port_name(reader, port) + ".vc" +
         std::to_string(vc) + ": " + std::to_string(counted) + " slots are accounted for, the buffer has " +
         std::to_string(depth);
}

/// Slots of VC v behind a link that its sender accounts for; and its receiver.
unsigned slots_before(const node_books& up, const netlist_link& link, const credit_wire& back, unsigned v,
                      cycle_t done) {
  return up.credits(link.from_port, v) + credits_in_flight(back, v, done);
}
unsigned slots_behind(const node_books& down, const netlist_link& link, const flit_wire& wire, unsigned v,
                      cycle_t done) {
  return flits_in_flight(wire, v, done) + down.occupancy(link.to_port, v);
}

std::string check_links(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                        const network_state& network, cycle_t done) {
  for (link_id l = 0; l < wiring.links().size(); ++l) {
    const netlist_link& link = wiring.link(l);
    const node_books up(nodes[link.from]);
    const node_books down(nodes[link.to]);
    if (!up || !down) continue;
    for (unsigned v = 0; v < network.config.vcs; ++v) {
      const unsigned slots = slots_before(up, link, *wires.credit(l), v, done) +
                             slots_behind(down, link, wires.flit(l), v, done);
      if (const unsigned depth = wiring.depth_of(link.to, network.config.depth); slots != depth)
        return credit_report(wiring, link.to, link.to_port, v, slots, depth);
    }
  }
  return {};
}

std::string check_interfaces(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                             const network_state& network, cycle_t done) {
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) {
    const netlist_terminal at = wiring.terminal(t);
    const node_books books(nodes[at.node]);
    if (!books) continue;
    const network_interface& ni = nodes[at.node]->ni_of(t);
    const std::size_t number = wires.injection(t);
    for (unsigned v = 0; v < network.config.vcs; ++v) {
      const unsigned depth = wiring.depth_of(at.node, network.config.depth);
      const unsigned slots = ni.credits(v) + flits_in_flight(wires.flit(number), v, done) +
                             books.occupancy(at.port, v) + credits_in_flight(*wires.credit(number), v, done);
      if (slots != depth) return credit_report(wiring, at.node, at.port, v, slots, depth);
    }
  }
  return {};
}

/// Limited reception: the credits of the ejection links.
std::string check_reception(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                            const network_state& network, cycle_t done) {
  if (!network.limited_reception) return {};
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) {
    const netlist_terminal at = wiring.terminal(t);
    const node_books books(nodes[at.exit]);
    if (!books) continue;
    const reception_buffer* const buffer = nodes[at.node]->ni_of(t).reception();
    const std::size_t number = wires.ejection(t);
    for (unsigned v = 0; v < network.config.vcs; ++v) {
      const unsigned depth = wiring.depth_of(at.exit, network.config.depth);
      const unsigned slots = books.credits(at.exit_port, v) + flits_in_flight(wires.flit(number), v, done) +
                             buffer->occupancy(v) + credits_in_flight(*wires.credit(number), v, done);
      if (slots != depth)
        return "credits of " + wiring.path(at.exit) + ".out_" + wiring.port_name(at.exit, at.exit_port) +
               ".vc" + std::to_string(v) + ": " + std::to_string(slots) +
               " slots are accounted for, the reception buffer has " + std::to_string(depth);
    }
  }
  return {};
}

/// Wire `number` leads to another part of the network.
bool leaves(const netlist& wiring, const std::vector<node*>& nodes, std::size_t number) {
  return number < wiring.links().size() && !nodes[wiring.links()[number].to];
}

std::uint64_t flits_under_way(const network_counters& c) {
  return c.flits_created - c.flits_ejected - c.flits_discarded;
}

std::string record_report(std::uint64_t under_way, std::uint64_t records) {
  if (under_way > 0 || records == 0) return {};
  return "all flits have arrived; records of packets that are left: " + std::to_string(records);
}

std::string check_flits(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                        const network_state& network, const network_counters& counters, cycle_t done) {
  for (const node* n : nodes)
    if (n && !node_books(n)) return {};
  const std::uint64_t inside = flits_inside(wiring, nodes, wires, network, done);
  if (counters.flits_injected + counters.flits_imported ==
      counters.flits_ejected + counters.flits_discarded + counters.flits_exported + inside)
    return {};
  return "flits: " + std::to_string(counters.flits_injected) + " were injected, " +
         std::to_string(counters.flits_ejected) + " ejected, " + std::to_string(counters.flits_discarded) +
         " discarded, and " + std::to_string(inside) + " are in the network";
}

}  // namespace

std::string check_conservation(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                               const network_state& network, const network_counters& counters, cycle_t done) {
  std::string wrong = check_links(wiring, nodes, wires, network, done);
  if (wrong.empty()) wrong = check_interfaces(wiring, nodes, wires, network, done);
  if (wrong.empty()) wrong = check_reception(wiring, nodes, wires, network, done);
  if (wrong.empty()) wrong = check_flits(wiring, nodes, wires, network, counters, done);
  return wrong;
}

std::uint64_t flits_inside(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                           const network_state& network, cycle_t done) {
  std::uint64_t inside = 0;
  for (const node* n : nodes) {
    if (!n) continue;
    inside += node_books(n).flits();
    for (unsigned i = 0; i < n->ni_count(); ++i)
      if (const reception_buffer* const buffer = n->ni(i).reception())
        for (unsigned v = 0; v < network.config.vcs; ++v) inside += buffer->occupancy(v);
  }
  for (std::size_t number = 0; number < wires.size(); ++number)
    if (wires.has_flit(number) && !leaves(wiring, nodes, number))
      for_each_in_flight(wires.flit(number), done, [&](flit_word) { ++inside; });
  return inside;
}

std::string check_records(const network_state& network, const network_counters& counters) {
  return record_report(flits_under_way(counters), network.packets.alive());
}

std::string check_across_ranks(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                               const network_state& network, cycle_t done, partition_boundary& border) {
  const unsigned vcs = network.config.vcs;
  const std::vector<link_id> cut = border.cut_links();
  std::vector<std::uint64_t> here;  // by link and VC: what is accounted for on this rank
  for (const link_id l : cut) {
    const netlist_link& link = wiring.link(l);
    const node_books up(nodes[link.from]), down(nodes[link.to]);
    for (unsigned v = 0; v < vcs; ++v)
      here.push_back((up ? slots_before(up, link, *wires.credit(l), v, done) : 0) +
                     (down ? slots_behind(down, link, wires.flit(l), v, done) : 0));
  }
  here.insert(here.end(), {flits_under_way(network.counters), network.packets.alive()});
  std::vector<std::uint64_t> slots(here.size());
  for (const std::vector<std::uint64_t>& words : border.gather(here))
    std::transform(words.begin(), words.end(), slots.begin(), slots.begin(), std::plus<>());
  for (std::size_t i = 0; i < cut.size() * vcs; ++i) {
    const netlist_link& link = wiring.link(cut[i / vcs]);
    if (const unsigned depth = wiring.depth_of(link.to, network.config.depth); slots[i] != depth)
      return credit_report(wiring, link.to, link.to_port, i % vcs, slots[i], depth);
  }
  return record_report(slots[cut.size() * vcs], slots.back());
}

}  // namespace toriscope

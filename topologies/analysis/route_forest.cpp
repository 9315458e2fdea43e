// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/route_forest.h"

#include <stdexcept>

namespace toriscope {

route_forest::route_forest(const netlist& net, const routing_function& routing, unsigned vcs)
    : net_(net),
      route_(net, routing, vcs),
      state_bits_(routing.state_bits()),
      places_(net.terminal_count()),
      slots_(1024) {}

void route_forest::aim_at(terminal_id destination) {
  destination_ = destination;
  for (const std::uint32_t p : finished_) places_[p] = place{};
  places_.resize(net_.terminal_count());
  finished_.clear();
  ++age_;
}

std::size_t route_forest::slot_of(std::uint64_t key) const {
  // Links that follow each other are asked for together: neighbours in the table, too.
  const std::size_t mask = slots_.size() - 1;
  const std::uint64_t low = key & ((std::uint64_t{1} << (state_bits_ + 4)) - 1);
  std::size_t at = ((key >> (state_bits_ + 4)) * 2 + low * 0x9e3779b1u) & mask;
  while (slots_[at].age == age_ && slots_[at].key != key) at = (at + 1) & mask;
  return at;
}

void route_forest::grow() {
  std::vector<slot> old(slots_.size() * 4);
  old.swap(slots_);
  for (const slot& s : old)
    if (s.age == age_) slots_[slot_of(s.key)] = s;
}

std::uint32_t route_forest::place_at(link_id in, unsigned vc, route_state state) {
  const std::uint64_t key = ((std::uint64_t{in} << state_bits_ | state) << 4) | vc;
  slot& s = slots_[slot_of(key)];
  if (s.age == age_) return s.place;
  s = {key, age_, static_cast<std::uint32_t>(places_.size())};
  places_.emplace_back();
  const std::uint32_t made = s.place;
  if ((places_.size() - net_.terminal_count()) * 2 > slots_.size()) grow();
  return made;
}

/// The place right after injection, with all that follows it worked out.
std::uint32_t route_forest::known_place(terminal_id source, route_state drawn) {
  const auto behind_links = static_cast<link_id>(net_.links().size());
  const std::uint32_t first = drawn == 0 ? source : place_at(behind_links + source, 0, drawn);
  if (places_[first].hops < under_way) return first;
  const netlist_terminal from = net_.terminal(source);
  route_request at{from.node, from.port, 0, destination_, drawn};
  route_option options[routing_function::max_options];
  way_.clear();
  std::uint32_t here = first;
  std::uint32_t hops = 0;
  for (;;) {
    const std::uint32_t known = places_[here].hops;
    if (known == under_way)
      throw std::logic_error("route " + net_.terminal_address(source) + " -> " +
                             net_.terminal_address(destination_) + ": never arrives");
    if (known != nowhere) {
      hops = known;
      break;
    }
    way_.push_back(here);
    places_[here].hops = under_way;
    route_(at, options);
    const route_option& option = options[0];
    if (net_.is_local(at.node, option.out_port)) {
      way_.pop_back();
      places_[here].hops = 0;
      finished_.push_back(here);
      break;
    }
    const link_id out = net_.ports(at.node)[option.out_port].out;
    const auto vc = static_cast<std::uint8_t>(vc_set(option.vcs).first());
    const std::uint32_t next = place_at(out, vc, option.state);
    places_[here].out = out;
    places_[here].next = next;
    const netlist_link& wire = net_.link(out);
    at = {wire.to, wire.to_port, vc, destination_, option.state};
    here = next;
  }
  for (std::size_t i = way_.size(); i-- > 0;) {
    places_[way_[i]].hops = ++hops;
    finished_.push_back(way_[i]);
  }
  return first;
}

unsigned route_forest::hops(terminal_id source, route_state drawn) {
  const std::uint32_t first = known_place(source, drawn);
  return places_[first].hops;
}

void route_forest::send(terminal_id source, double amount) {
  for (route_state drawn = 0; drawn < route_.injection_states(); ++drawn) {
    const std::uint32_t first = known_place(source, drawn);
    places_[first].amount += amount / route_.injection_states();
  }
}

void route_forest::deliver(std::vector<double>& loads) {
  for (std::size_t i = finished_.size(); i-- > 0;) {
    place& from = places_[finished_[i]];
    if (from.amount == 0) continue;
    if (from.next != nowhere) {
      places_[from.next].amount += from.amount;
      loads[from.out] += from.amount;
    }
    from.amount = 0;
  }
}

}  // namespace toriscope

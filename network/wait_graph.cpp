// SPDX-License-Identifier: Apache-2.0
#include "network/wait_graph.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/word_reader.h"

namespace toriscope {

wait_graph::wait_graph(std::vector<wait_vertex> vertices, std::vector<wait_arc> waits)
    : vertices_(std::move(vertices)) {
  std::unordered_map<std::uint64_t, std::uint32_t> number;
  for (std::uint32_t i = 0; i < vertices_.size(); ++i) number[vertices_[i].place.key()] = i;
  for (const wait_arc& w : waits) {
    const auto target = number.find(w.to);
    if (target == number.end())
      vertices_[w.from].can_move = true;
    else
      edges_.push_back({w.from, target->second, w.credit});
  }
  by_target_ = edges_;
  std::sort(by_target_.begin(), by_target_.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
}

std::vector<bool> wait_graph::with_waiting(std::vector<bool> reached) const {
  std::vector<std::uint32_t> work;
  for (std::uint32_t i = 0; i < reached.size(); ++i)
    if (reached[i]) work.push_back(i);
  while (!work.empty()) {
    const std::uint32_t target = work.back();
    work.pop_back();
    auto e = std::lower_bound(by_target_.begin(), by_target_.end(), target,
                              [](const edge& each, std::uint32_t t) { return each.to < t; });
    for (; e != by_target_.end() && e->to == target; ++e)
      if (!reached[e->from]) {
        reached[e->from] = true;
        work.push_back(e->from);
      }
  }
  return reached;
}

std::vector<bool> wait_graph::dead() const {
  std::vector<bool> alive;
  for (const wait_vertex& v : vertices_) alive.push_back(v.can_move);
  alive = with_waiting(std::move(alive));
  alive.flip();
  return alive;
}

wait_graph::knot wait_graph::first_knot(const std::vector<bool>& dead) const {
  // Since when each waits as it does: its front flit is there, and no flit comes where it lacks credit.
  std::vector<cycle_t> since;
  for (const wait_vertex& v : vertices_) since.push_back(v.front);
  for (const edge& e : edges_)
    if (e.credit) since[e.from] = std::max(since[e.from], vertices_[e.to].taken);
  const auto knot_of = [&](cycle_t cycle) {
    std::vector<bool> others(dead.size());
    for (std::size_t i = 0; i < dead.size(); ++i) others[i] = !dead[i] || since[i] > cycle;
    others = with_waiting(std::move(others));
    others.flip();
    return others;
  };
  std::vector<cycle_t> candidates;
  for (std::size_t i = 0; i < dead.size(); ++i)
    if (dead[i]) candidates.push_back(since[i]);
  std::sort(candidates.begin(), candidates.end());
  const auto first = std::partition_point(candidates.begin(), candidates.end(), [&](cycle_t cycle) {
    const std::vector<bool> members = knot_of(cycle);
    return std::find(members.begin(), members.end(), true) == members.end();
  });
  return {knot_of(*first), *first};
}

std::vector<wait_vertex> wait_graph::cycle(const knot& among) const {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> first_edge(vertices_.size(), none);
  for (std::uint32_t e = 0; e < edges_.size(); ++e)
    if (first_edge[edges_[e].from] == none) first_edge[edges_[e].from] = e;
  std::uint32_t at = static_cast<std::uint32_t>(std::find(among.members.begin(), among.members.end(), true) -
                                                among.members.begin());
  for (std::size_t steps = 0; steps < vertices_.size(); ++steps) {
    if (first_edge[at] == none) return {vertices_[at]};  // a route that offers no VC
    at = edges_[first_edge[at]].to;                      // into the cycle
  }
  std::vector<wait_vertex> channels;
  const std::uint32_t start = at;
  do {
    const edge& e = edges_[first_edge[at]];
    at = e.to;
    if (e.credit || vertices_[at].place.what != wait_place::kind::input_vc) channels.push_back(vertices_[at]);
  } while (at != start);
  const auto first = std::min_element(channels.begin(), channels.end(), [](const auto& a, const auto& b) {
    return a.place.key() < b.place.key();
  });
  std::rotate(channels.begin(), first, channels.end());
  return channels;
}

std::vector<std::uint64_t> stall_text(const std::vector<wait_vertex>& vertices,
                                      const std::vector<wait_arc>& waits) {
  std::vector<std::uint64_t> words{vertices.size()};
  for (const wait_vertex& v : vertices)
    words.insert(words.end(),
                 {v.place.key(), v.can_move, v.packet, v.source, v.destination, v.front, v.taken});
  for (const wait_arc& w : waits) words.insert(words.end(), {vertices[w.from].place.key(), w.to, w.credit});
  return words;
}

wait_graph joined_wait_graph(const std::vector<std::vector<std::uint64_t>>& parts) {
  std::vector<word_reader> readers(parts.begin(), parts.end());
  std::vector<wait_vertex> vertices;
  for (word_reader& words : readers)
    for (std::uint64_t left = words.next(); left > 0; --left) {
      wait_vertex v;
      v.place = wait_place::with_key(words.next());
      v.can_move = words.next() != 0;
      v.packet = words.next();
      v.source = static_cast<node_id>(words.next());
      v.destination = static_cast<node_id>(words.next());
      v.front = words.next();
      v.taken = words.next();
      vertices.push_back(v);
    }
  std::sort(vertices.begin(), vertices.end(),
            [](const auto& a, const auto& b) { return a.place.key() < b.place.key(); });
  std::vector<wait_arc> waits;
  for (word_reader& words : readers)
    while (words.more()) {
      const auto from =
          std::lower_bound(vertices.begin(), vertices.end(), words.next(),
                           [](const auto& v, std::uint64_t key) { return v.place.key() < key; });
      const std::uint64_t to = words.next();
      waits.push_back({static_cast<std::uint32_t>(from - vertices.begin()), to, words.next() != 0});
    }
  std::stable_sort(waits.begin(), waits.end(), [](const wait_arc& a, const wait_arc& b) { return a.from < b.from; });
  return {std::move(vertices), std::move(waits)};
}

}  // namespace toriscope

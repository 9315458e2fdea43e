// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_vector_code.h"

#include <set>

namespace toriscope {

namespace {

/// A hop in h, or, where there is none to go, in v.
rdt_vector after_hop(rdt_vector vector) {
  const auto nearer = [](int way) { return way < 0 ? way + 1 : way - 1; };
  return vector.h != 0 ? rdt_vector{nearer(vector.h), vector.v} : rdt_vector{0, nearer(vector.v)};
}

rdt_vector_code::hop first_hop(rdt_vector vector, std::uint16_t then) {
  const bool in_h = vector.h != 0;
  const int way = in_h ? vector.h : vector.v;
  const unsigned direction = (in_h ? h_plus : v_plus) + (way < 0 ? 1 : 0);
  return {static_cast<std::uint8_t>(direction), way == 1 || way == -1, then};
}

std::uint16_t span_of(rdt_vector vector, unsigned rank) {
  const rdt_offset h = rdt_step(rank, h_plus);
  const rdt_offset v = rdt_step(rank, v_plus);
  const auto x = static_cast<unsigned>(vector.h * h.dx + vector.v * v.dx);
  const auto y = static_cast<unsigned>(vector.h * h.dy + vector.v * v.dy);
  return static_cast<std::uint16_t>((x & 15) | (y & 15) << 8);
}

}  // namespace

rdt_vector_code::rdt_vector_code(const std::vector<rdt_vectors>& used, unsigned first_bit)
    : end_bit_(first_bit) {
  for (unsigned rank = 1; rank <= rdt_max_ranks; ++rank) {
    // By hops to go, so that the zero vector is the first and what follows a hop has its number before it.
    std::set<std::pair<unsigned, std::pair<int, int>>> vectors{{0, {0, 0}}};
    for (const rdt_vectors& all : used)
      for (rdt_vector v = all[rank]; vectors.insert({v.hops(), {v.h, v.v}}).second;) v = after_hop(v);

    field& f = fields_[rank];
    for (const auto& [hops, pair] : vectors) {
      const rdt_vector vector{pair.first, pair.second};
      const rdt_vector then = after_hop(vector);
      f.hops.push_back(hops == 0 ? hop{} : first_hop(vector, f.codes.at({then.h, then.v})));
      f.span.push_back(span_of(vector, rank));
      f.codes.emplace(pair, static_cast<std::uint16_t>(f.codes.size()));
    }
    f.shift = end_bit_;
    while (f.mask + 1 < vectors.size()) f.mask = 2 * f.mask + 1;
    f.hops.resize(f.mask + 1);  // what only a state that was altered asks for
    f.span.resize(f.mask + 1);
    while ((f.mask >> (end_bit_ - f.shift)) != 0) ++end_bit_;
  }
}

route_state rdt_vector_code::pack(const rdt_vectors& vectors) const {
  route_state state = 0;
  for (unsigned rank = 1; rank <= rdt_max_ranks; ++rank)
    state = with(state, rank, fields_[rank].codes.at({vectors[rank].h, vectors[rank].v}));
  return state;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_float_plan.h"

#include <algorithm>

namespace toriscope {

namespace {

constexpr rdt_rank_set only(unsigned rank) { return 1u << (rank - 1); }

bool holds(rdt_rank_set ranks, unsigned rank) { return rank > 0 && (ranks & only(rank)) != 0; }

unsigned highest(rdt_rank_set ranks) {
  unsigned rank = 0;
  for (; ranks != 0; ranks >>= 1) ++rank;
  return rank;
}

/// Calls f(v0) for all v0 that a plan keeps.
template <class Function>
void for_each_v0(Function f) {
  for (int y = -8; y < 8; ++y)
    for (int x = -8; x < 8; ++x) f(rdt_vector{x, y});
}

bool kept(rdt_vector v0) { return -8 <= v0.h && v0.h < 8 && -8 <= v0.v && v0.v < 8; }

}  // namespace

const char* to_string(rdt_method method) {
  switch (method) {
    case rdt_method::vector:
      return "vector";
    case rdt_method::floating:
      return "floating";
    case rdt_method::floating3:
      return "floating3";
    case rdt_method::floating4:
      return "floating4";
  }
  return "";
}

unsigned rdt_float_plan::neighbour(unsigned class_number, unsigned direction) {
  const rdt_offset step = rdt_step(0, direction);
  // The first node of the class in rows 4 and 5, which have neighbours on all sides.
  const unsigned x = 4 + class_number % 4;
  const unsigned y = 4 + class_number / 4;
  return rdt_class(x + static_cast<unsigned>(step.dx), y + static_cast<unsigned>(step.dy));
}

rdt_float_plan::rdt_float_plan(const rdt_shape& shape, rdt_method method)
    : method_(method), rank_(shape.assignment) {
  for (unsigned c = 0; c < rdt_classes; ++c)
    for (rdt_rank_set wanted = 1; wanted < 16; ++wanted) {
      const unsigned rank = rank_[c];
      const bool any_order = method == rdt_method::floating || method == rdt_method::floating4;
      if (shape.perfect)
        taken_[c][wanted] = static_cast<std::uint8_t>(highest(wanted));
      else if (any_order ? holds(wanted, rank) : rank == highest(wanted))
        taken_[c][wanted] = static_cast<std::uint8_t>(rank);
    }
  hops_.assign(std::size_t{stages()} * 16 * rdt_classes * span * span, unreachable);
  next_.assign(hops_.size(), 0);
  // Sets of ranks come after their subsets.
  for (rdt_rank_set wanted = 0; wanted < 16; ++wanted) {
    take(wanted);
    if (wanted == 0 || shape.perfect) continue;
    while (improve(wanted)) {
    }
  }
}

std::vector<rdt_stage> rdt_float_plan::all_stages() const {
  std::vector<rdt_stage> result;
  for (const bool ascended : {false, true}) {
    if (ascended && method_ != rdt_method::floating4) break;
    result.push_back({rdt_stage::after_ring, ascended, false});
    for (const bool ascending : {false, true}) result.push_back({rdt_stage::in_float, ascended, ascending});
  }
  result.push_back({rdt_stage::injected, false, false});
  return result;
}

unsigned rdt_float_plan::hops(const rdt_stage& stage, unsigned class_number, rdt_rank_set wanted,
                              rdt_vector v0) const {
  if (wanted == 0) return v0.hops();
  if (!kept(v0)) return unreachable;
  return hops_[index(stage, class_number, wanted, static_cast<unsigned>(v0.h), static_cast<unsigned>(v0.v))];
}

void rdt_float_plan::take(rdt_rank_set wanted) {
  for (const rdt_stage& stage : all_stages())
    for (unsigned c = 0; c < rdt_classes; ++c) {
      const unsigned rank = rank_taken(stage, c, wanted);
      if (rank == 0) continue;
      const rdt_stage then{rdt_stage::after_ring, stage.ascended, false};
      for_each_v0([&](rdt_vector v0) {
        hops_[index(stage, c, wanted, static_cast<unsigned>(v0.h), static_cast<unsigned>(v0.v))] =
            static_cast<std::uint8_t>(hops(then, c, wanted & ~only(rank), v0));
      });
    }
}

bool rdt_float_plan::improve(rdt_rank_set wanted) {
  bool improved = false;
  for (const rdt_stage& stage : all_stages())
    for (unsigned c = 0; c < rdt_classes; ++c) {
      if (rank_taken(stage, c, wanted) != 0) continue;
      for (unsigned hop = 0; hop < 8; ++hop) {
        const unsigned d = hop % 4;
        const unsigned next = neighbour(c, d);
        rdt_stage then = stage;
        if (!float_to(then, c, next, wanted, hop >= 4)) continue;
        const rdt_offset step = rdt_step(0, d);
        for_each_v0([&](rdt_vector v0) {
          const unsigned there = hops(then, next, wanted, {v0.h - step.dx, v0.v - step.dy});
          if (there == unreachable) return;
          const std::size_t here =
              index(stage, c, wanted, static_cast<unsigned>(v0.h), static_cast<unsigned>(v0.v));
          if (there + 1 < hops_[here]) {
            hops_[here] = static_cast<std::uint8_t>(there + 1);
            next_[here] = 0;
            improved = true;
          }
          if (there + 1 == hops_[here]) next_[here] |= static_cast<std::uint8_t>(1u << hop);
        });
      }
    }
  return improved;
}

unsigned rdt_float_plan::max_hops() const {
  int most = 0;
  for (const rdt_float_hops hops : next_) most = std::max(most, __builtin_popcount(hops));
  return static_cast<unsigned>(most);
}

bool rdt_float_plan::float_to(rdt_stage& stage, unsigned class_number, unsigned next, rdt_rank_set wanted,
                              bool pass_by) const {
  const unsigned from = rank_[class_number];
  const unsigned to = rank_[next];
  const bool second = stage.at == rdt_stage::in_float;
  const bool ascending = to > from;
  const bool could_arrive = taken_[next][wanted] != 0;
  const bool arrives = could_arrive && !pass_by;
  if (pass_by && !(method_ == rdt_method::floating4 && could_arrive && ascending && !second)) return false;
  const bool after_ring = stage.at == rdt_stage::after_ring;
  stage.at = rdt_stage::in_float;
  switch (method_) {
    case rdt_method::vector:
      return false;
    case rdt_method::floating:
      return true;
    case rdt_method::floating3: {
      if (arrives) return true;
      const unsigned rank = highest(wanted);
      return !second && std::min(from, rank) < to && to < std::max(from, rank);
    }
    case rdt_method::floating4:
      if (to == from || (second && (!arrives || ascending != stage.ascending))) return false;
      if (after_ring && ascending) {
        if (stage.ascended) return false;
        stage.ascended = true;
      }
      stage.ascending = !arrives && ascending;
      return true;
  }
  return false;
}

}  // namespace toriscope

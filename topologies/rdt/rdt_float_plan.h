// SPDX-License-Identifier: Apache-2.0
// Floats: how a packet that still has vectors of upper ranks gets to nodes that have these ranks, over links
// of the base torus. A plan holds, for each class of nodes, each set of ranks still wanted and each vector v0
// still to go in the base torus, the hops that begin a cheapest way: one with the fewest hops in the
// base torus, floats and final moves together.
//
//   vector      every node has every rank: no floats; ranks in descending order
//   floating    as printed: any order of ranks; at a node with a wanted rank, that rank
//   floating3   ranks in descending order; the nodes of a float, at most two hops, have ranks that come
//               strictly nearer to the wanted one
//   floating4   any order with at most one ascent; floats as for floating3
//
// Source: Fan et al. 1999, Sect. 4.1, for floating; the other two were found with channel-dependency graphs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "topologies/rdt/rdt_reduction.h"
#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

enum class rdt_method { vector, floating, floating3, floating4 };
const char* to_string(rdt_method method);

/// Ranks still wanted: bit r-1 for rank r.
using rdt_rank_set = unsigned;

/// Where in its life a packet stands that still wants upper ranks.
struct rdt_stage {
  enum place : unsigned { injected, after_ring, in_float };
  place at = injected;
  bool ascended = false;   ///< floating4: the one ascent is done, or under way
  bool ascending = false;  ///< in_float: toward higher ranks, and not there yet
};

/// A hop of a float: bit d for direction d, bit 4 + d where the node over there has a wanted rank and is
/// passed by.
using rdt_float_hops = unsigned;

class rdt_float_plan {
 public:
  static constexpr unsigned unreachable = 255;

  rdt_float_plan(const rdt_shape& shape, rdt_method method);

  /// The rank that a packet moves in at a node of this class before anything else; 0: it has to float.
  unsigned rank_taken(const rdt_stage& stage, unsigned class_number, rdt_rank_set wanted) const {
    return passes_by(stage) ? 0 : taken_[class_number][wanted];
  }

  /// Hops in the base torus that are still to come; `unreachable` where no float leads on.
  unsigned hops(const rdt_stage& stage, unsigned class_number, rdt_rank_set wanted, rdt_vector v0) const;

  /// The hops that begin a cheapest way to go on with a float. @param v0_x,v0_y  modulo 16
  rdt_float_hops next(const rdt_stage& stage, unsigned class_number, rdt_rank_set wanted, unsigned v0_x,
                      unsigned v0_y) const {
    return next_[index(stage, class_number, wanted, v0_x, v0_y)];
  }

  /// The stage after a hop of a float into a node of class `next`. @returns false when the method forbids it
  bool float_to(rdt_stage& stage, unsigned class_number, unsigned next, rdt_rank_set wanted,
                bool pass_by) const;

  /// The most that next() ever returns.
  unsigned max_hops() const;

  /// The class of the neighbour in the base torus.
  static unsigned neighbour(unsigned class_number, unsigned direction);

 private:
  /// v0 is kept within -8 .. 7: further out, no cheapest way leads.
  static constexpr unsigned span = 16;

  /// Only on the way up may a wanted rank have to wait: of the one ascent.
  bool passes_by(const rdt_stage& stage) const {
    return method_ == rdt_method::floating4 && stage.at == rdt_stage::in_float && stage.ascending;
  }
  unsigned stages() const { return method_ == rdt_method::floating4 ? 8 : 2; }
  unsigned stage_number(const rdt_stage& stage) const {
    if (method_ != rdt_method::floating4) return stage.at == rdt_stage::in_float ? 1 : 0;
    if (stage.at == rdt_stage::in_float) return 4 + 2 * stage.ascended + stage.ascending;
    return stage.at == rdt_stage::injected ? 0 : 1 + stage.ascended;
  }
  std::size_t index(const rdt_stage& stage, unsigned class_number, rdt_rank_set wanted, unsigned v0_x,
                    unsigned v0_y) const {
    return (((stage_number(stage) * 16 + wanted) * rdt_classes + class_number) * span + (v0_y % span)) *
               span +
           v0_x % span;
  }
  std::vector<rdt_stage> all_stages() const;
  void take(rdt_rank_set wanted);
  bool improve(rdt_rank_set wanted);

  rdt_method method_;
  rdt_assignment rank_{};  ///< by class
  std::array<std::array<std::uint8_t, 16>, rdt_classes> taken_{};
  std::vector<std::uint8_t> hops_;
  std::vector<std::uint8_t> next_;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_routing.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "topologies/rdt/rdt.h"
#include "topologies/rdt/rdt_vector_code.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr route_state dateline_bit = 1;
constexpr route_state ascending_bit = 1;  // in floats, which have no dateline
constexpr route_state ascended_bit = 2;
constexpr unsigned first_vector_bit = 2;

/// Whether nodes of some class have links of this rank, 1 .. usable_ranks().
bool any_class_has(const rdt_shape& shape, unsigned rank) {
  return shape.perfect || std::count(shape.assignment.begin(), shape.assignment.end(), rank) > 0;
}

/// The highest rank that reductions reduce to: the highest that has links at some node.
unsigned highest_rank(const rdt_shape& shape) {
  unsigned rank = shape.usable_ranks();
  while (rank > 0 && !any_class_has(shape, rank)) --rank;
  return rank;
}

std::string no_way(const rdt_shape& shape, rdt_method method, const rdt_float_plan& plan, unsigned from) {
  for (unsigned rank = 1; rank <= highest_rank(shape); ++rank) {
    if (plan.hops({}, from, 1u << (rank - 1), {}) != rdt_float_plan::unreachable) continue;
    if (!any_class_has(shape, rank))
      return "no class has rank " + std::to_string(rank) + ", which the reduction of vectors needs";
    return "no float of " + std::string(to_string(method)) + " leads from nodes of class " +
           rdt_class_name(from) + " to nodes of rank " + std::to_string(rank) +
           " (at most two hops, over nodes of ranks in between)";
  }
  return "no order of ranks that " + std::string(to_string(method)) +
         " allows leads on from nodes of class " + rdt_class_name(from);
}

/// What sources send: for each class and each offset (y, x), one of all vectors in use.
struct source_choices {
  std::vector<rdt_vectors> used;
  std::vector<std::uint32_t> choice;  ///< index into `used`, by class, then by offset
};

rdt_rank_set ranks_of(const rdt_vectors& vectors) {
  rdt_rank_set ranks = 0;
  for (unsigned rank = 1; rank <= rdt_max_ranks; ++rank)
    if (!vectors[rank].is_zero()) ranks |= 1u << (rank - 1);
  return ranks;
}

/// For each class the cheapest of the reductions, the first at a tie.
source_choices choose_reductions(const rdt_shape& shape, rdt_method method, rdt_reduction reduction,
                                 const rdt_float_plan& plan) {
  const unsigned classes = shape.perfect ? 1 : rdt_classes;
  const unsigned highest = highest_rank(shape);
  source_choices result;
  result.choice.resize(std::size_t{classes} * shape.nodes());
  for (unsigned offset = 0; offset < shape.nodes(); ++offset) {
    const std::vector<rdt_vectors> reductions =
        reduce_vector(rdt_shortest(offset % shape.size, shape.size),
                      rdt_shortest(offset / shape.size, shape.size), highest, reduction);
    std::vector<std::uint32_t> number(reductions.size(), std::numeric_limits<std::uint32_t>::max());
    std::vector<unsigned> upper_hops;
    std::vector<rdt_rank_set> ranks;
    for (const rdt_vectors& vectors : reductions) {
      unsigned hops = 0;
      for (unsigned rank = 1; rank <= highest; ++rank) hops += vectors[rank].hops();
      upper_hops.push_back(hops);
      ranks.push_back(ranks_of(vectors));
    }
    for (unsigned c = 0; c < classes; ++c) {
      unsigned least = std::numeric_limits<unsigned>::max();
      std::size_t best = 0;
      for (std::size_t i = 0; i < reductions.size(); ++i) {
        if (upper_hops[i] >= least) continue;
        const unsigned base = plan.hops({}, c, ranks[i], reductions[i][0]);
        if (base == rdt_float_plan::unreachable || upper_hops[i] + base >= least) continue;
        least = upper_hops[i] + base;
        best = i;
      }
      if (least == std::numeric_limits<unsigned>::max())
        throw std::invalid_argument(no_way(shape, method, plan, c));
      if (number[best] == std::numeric_limits<std::uint32_t>::max()) {
        number[best] = static_cast<std::uint32_t>(result.used.size());
        result.used.push_back(reductions[best]);
      }
      result.choice[std::size_t{c} * shape.nodes() + offset] = number[best];
    }
  }
  return result;
}

class rdt_routing final : public routing_function {
 public:
  rdt_routing(const rdt_shape& shape, rdt_method method, unsigned vcs, rdt_float_plan plan,
              const source_choices& choices);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return code_.end_bit(); }
  unsigned options_at_most() const override { return max_options_; }

 private:
  /// A head on its way: its node and what follows from it.
  struct place {
    unsigned x;
    unsigned y;
    unsigned class_number;
    route_state state;
  };

  bool deterministic() const { return method_ == rdt_method::vector || method_ == rdt_method::floating; }
  route_option move_in_ring(const place& at, unsigned rank) const;
  unsigned float_on(const place& at, const rdt_stage& stage, rdt_rank_set wanted, node_id destination,
                    route_option* options) const;
  route_option move_last(const place& at, node_id destination) const;
  bool crosses_zero(const place& at, unsigned rank, unsigned direction) const {
    const step& s = steps_[rank][direction];
    return (s.reads_y ? at.y : at.x) + s.along >= size_;  // below 0 is beyond the size, too
  }

  struct step {
    unsigned along;  ///< dx in h, dy in v
    bool reads_y;
    port_id port;
  };

  rdt_method method_;
  unsigned size_;
  unsigned log_size_;
  unsigned class_of_[4][4];  ///< by y and x, modulo 4
  unsigned neighbour_[rdt_classes][4];
  port_id local_port_[rdt_classes];
  std::array<std::array<step, 4>, rdt_max_ranks + 1> steps_;
  rdt_float_plan plan_;
  rdt_vector_code code_;
  std::vector<route_state> source_;  ///< by class and offset
  unsigned max_options_;
  vc_mask all_vcs_;
  vc_mask floats_[2];    ///< by a
  vc_mask upper_[2][2];  ///< by a, dl
  vc_mask last_[2];      ///< by dl
};

rdt_routing::rdt_routing(const rdt_shape& shape, rdt_method method, unsigned vcs, rdt_float_plan plan,
                         const source_choices& choices)
    : method_(method),
      size_(shape.size),
      log_size_(static_cast<unsigned>(__builtin_ctz(shape.size))),
      class_of_{},
      neighbour_{},
      local_port_{},
      steps_{},
      plan_(std::move(plan)),
      code_(choices.used, first_vector_bit),
      max_options_(deterministic() ? 1 : std::max(plan_.max_hops(), 1u)),
      all_vcs_(all_vcs(vcs)),
      floats_{},
      upper_{},
      last_{} {
  const rdt_port_map ports(shape);
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned x = 0; x < 4; ++x) class_of_[y][x] = shape.perfect ? 0 : rdt_class(x, y);
  for (unsigned c = 0; c < rdt_classes; ++c)
    for (unsigned d = 0; d < 4; ++d) neighbour_[c][d] = rdt_float_plan::neighbour(c, d);
  std::copy(ports.count.begin(), ports.count.end(), local_port_);
  for (unsigned rank = 0; rank <= shape.usable_ranks(); ++rank)
    for (unsigned d = 0; d < 4; ++d) {
      const rdt_offset by = rdt_step(rank, d);
      const bool vertical = d == v_plus || d == v_minus;
      steps_[rank][d] = {static_cast<unsigned>(vertical ? by.dy : by.dx), vertical, ports.port[rank][d]};
    }

  std::vector<route_state> packed;
  for (const rdt_vectors& vectors : choices.used) packed.push_back(code_.pack(vectors));
  for (const std::uint32_t choice : choices.choice) source_.push_back(packed[choice]);

  const unsigned classes = rdt_vc_classes(method);
  for (unsigned a = 0; a < 2; ++a) {
    floats_[a] = vc_class(method == rdt_method::floating4 ? a : 0, classes, vcs);
    last_[a] = vc_class(classes - 2 + a, classes, vcs);
    for (unsigned dl = 0; dl < 2; ++dl)
      upper_[a][dl] = method == rdt_method::floating4 ? vc_class(2 * a + dl, 4, vcs) : vc_class(dl, 2, vcs);
  }
}

unsigned rdt_routing::route(const route_request& request, route_option* options) const {
  place at{request.node & (size_ - 1), request.node >> log_size_, 0, request.state};
  at.class_number = class_of_[at.y & 3][at.x & 3];
  const port_id local_port = local_port_[at.class_number];
  if (request.node == request.destination) {
    options[0] = {local_port, all_vcs_, 0};
    return 1;
  }
  if (request.in_port == local_port) {
    const unsigned dx = (request.destination - at.x) & (size_ - 1);
    const unsigned dy = ((request.destination >> log_size_) - at.y) & (size_ - 1);
    at.state = source_[(((at.class_number << log_size_) + dy) << log_size_) + dx];
  }
  if (at.state >> first_vector_bit == 0) {
    options[0] = move_last(at, request.destination);
    return 1;
  }
  rdt_stage stage{rdt_stage::after_ring, (at.state & ascended_bit) != 0, false};
  if (request.in_port < 4)
    stage = {rdt_stage::in_float, stage.ascended, (at.state & ascending_bit) != 0};
  else if (request.in_port == local_port)
    stage.at = rdt_stage::injected;
  const rdt_rank_set wanted = code_.ranks(at.state);
  if (const unsigned rank = plan_.rank_taken(stage, at.class_number, wanted); rank != 0) {
    options[0] = move_in_ring(at, rank);
    return 1;
  }
  return float_on(at, stage, wanted, request.destination, options);
}

route_option rdt_routing::move_in_ring(const place& at, unsigned rank) const {
  const rdt_vector_code::hop& hop = code_.next(at.state, rank);
  const bool dl = (at.state & dateline_bit) != 0 || crosses_zero(at, rank, hop.direction);
  const vc_mask vcs = upper_[(at.state & ascended_bit) != 0][dl];
  route_state then = code_.with(at.state, rank, hop.then) & ~dateline_bit;
  if (!hop.ends_ring && dl) then |= dateline_bit;
  if (then >> first_vector_bit == 0) then = 0;
  return {steps_[rank][hop.direction].port, vcs, then};
}

unsigned rdt_routing::float_on(const place& at, const rdt_stage& stage, rdt_rank_set wanted,
                               node_id destination, route_option* options) const {
  const unsigned span = code_.span(at.state);
  const unsigned v0_x = destination - at.x - span;
  const unsigned v0_y = (destination >> log_size_) - at.y - (span >> 8);
  rdt_float_hops hops = plan_.next(stage, at.class_number, wanted, v0_x, v0_y);
  if (deterministic()) hops &= ~hops + 1;

  const route_state vectors = at.state & ~(ascended_bit | ascending_bit);
  unsigned count = 0;
  for (; hops != 0; hops &= hops - 1) {
    const auto hop = static_cast<unsigned>(__builtin_ctz(hops));
    const unsigned direction = hop % 4;
    rdt_stage then = stage;
    plan_.float_to(then, at.class_number, neighbour_[at.class_number][direction], wanted, hop >= 4);
    options[count++] = {steps_[0][direction].port, floats_[then.ascended],
                        vectors | (then.ascended ? ascended_bit : 0) | (then.ascending ? ascending_bit : 0)};
  }
  return count;
}

route_option rdt_routing::move_last(const place& at, node_id destination) const {
  const unsigned dx = (destination - at.x) & (size_ - 1);
  const unsigned dy = ((destination >> log_size_) - at.y) & (size_ - 1);
  const unsigned offset = dx != 0 ? dx : dy;
  const unsigned direction = (dx != 0 ? h_plus : v_plus) + (offset > size_ / 2 ? 1 : 0);
  const bool dl = (at.state & dateline_bit) != 0 || crosses_zero(at, 0, direction);
  const bool ends = offset == 1 || offset == size_ - 1;
  return {steps_[0][direction].port, last_[dl], dl && !ends ? dateline_bit : 0};
}

}  // namespace

unsigned rdt_vc_classes(rdt_method method) {
  switch (method) {
    case rdt_method::vector:
      return 2;
    case rdt_method::floating:
    case rdt_method::floating3:
      return 3;
    case rdt_method::floating4:
      return 4;
  }
  return 0;
}

rdt_reduction rdt_default_reduction(rdt_method method) {
  const bool as_printed = method == rdt_method::vector || method == rdt_method::floating;
  return as_printed ? rdt_reduction::nearest : rdt_reduction::cheapest;
}

std::shared_ptr<const routing_function> make_rdt_routing(const rdt_shape& shape, rdt_method method,
                                                         rdt_reduction reduction, unsigned vcs) {
  if (shape.perfect) method = rdt_method::vector;
  rdt_float_plan plan(shape, method);
  const source_choices choices = choose_reductions(shape, method, reduction, plan);
  return std::make_shared<rdt_routing>(shape, method, vcs, std::move(plan), choices);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/drawn_routing.h"

#include <algorithm>
#include <utility>

#include "base/bits_for.h"
#include "topologies/path.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using function_pointer = std::shared_ptr<const routing_function>;

/// What both have: VCs in two halves, and a mark of their own below the route state of the function in use.
class half_and_half : public routing_function {
 public:
  /// @param marks  how many there are
  half_and_half(std::shared_ptr<const netlist> wiring, unsigned vcs, route_state marks)
      : wiring_(std::move(wiring)), vcs_(all_vcs(vcs)), half_(vcs / 2), mark_bits_(bits_for(marks)) {}

 protected:
  route_state mark_of(route_state state) const { return state & ((route_state{1} << mark_bits_) - 1); }
  bool is_injected(const route_request& request) const {
    return wiring_->is_local(request.node, request.in_port);
  }

  enum class halves { lower, upper, both };

  /// What `function` answers, for the VCs of its half; `mark` goes with the head.
  unsigned ask(const routing_function& function, route_request request, halves which, route_state mark,
               route_option* options) const {
    request.in_vc = static_cast<std::uint8_t>(is_injected(request) ? 0 : request.in_vc % half_);
    request.state = is_injected(request) ? 0 : request.state >> mark_bits_;
    const unsigned count = function.route(request, options);
    for (unsigned k = 0; k < count; ++k) {
      route_option& o = options[k];
      const unsigned of_half = o.vcs;
      o.vcs = static_cast<vc_mask>((which == halves::upper ? 0 : of_half) |
                                   (which == halves::lower ? 0 : of_half << half_));
      if (wiring_->is_local(request.node, o.out_port)) o.vcs = vcs_;
      o.state = o.state << mark_bits_ | mark;
    }
    return count;
  }

  const std::shared_ptr<const netlist> wiring_;
  const vc_mask vcs_;
  const unsigned half_;
  const unsigned mark_bits_;
};

/// The mark is the terminal whose router comes first, or `straight` behind it.
class valiant final : public half_and_half {
 public:
  valiant(std::shared_ptr<const netlist> wiring, function_pointer half, unsigned vcs, bool by_queues)
      : half_and_half(wiring, vcs, wiring->terminal_count() + 1),
        inner_(std::move(half)),
        straight_(wiring->terminal_count()),
        by_queues_(by_queues) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const route_state mark = mark_of(request.state);
    if (mark >= straight_) {  // greater: of a state that was altered
      const halves same = request.in_vc < half_ ? halves::lower : halves::upper;
      return ask(*inner_, request, same, straight_, options);
    }
    const bool injected = is_injected(request);
    if (injected && (request.node == exit_of(mark) || request.node == exit_of(request.destination)))
      return ask(*inner_, request, halves::both, straight_, options);
    if (request.node == exit_of(mark))
      return ask(*inner_, started_anew(request), halves::upper, straight_, options);
    unsigned count = 0;
    if (by_queues_ && injected) count = ask(*inner_, request, halves::both, straight_, options);
    route_request first = request;
    first.destination = mark;
    return count + ask(*inner_, first, halves::lower, mark, options + count);
  }
  unsigned state_bits() const override { return mark_bits_ + inner_->state_bits(); }
  route_state injection_states() const override { return straight_; }
  unsigned options_at_most() const override { return by_queues_ ? 2 : 1; }
  bool compares_queues() const override { return by_queues_; }

  void weigh(const route_request& request, unsigned, unsigned* weights) const override {
    const terminal_id source = wiring_->entering(request.node, request.in_port);
    const terminal_id between = mark_of(request.state);
    weights[0] = links(source, request.destination);
    weights[1] = links(source, between) + links(between, request.destination);
  }

 private:
  node_id exit_of(terminal_id t) const { return wiring_->terminal(t).exit; }

  route_request started_anew(route_request request) const {
    request.in_port = wiring_->local_port(request.node);
    return request;
  }

  unsigned links(terminal_id from, terminal_id to) const {
    return routed_distance(*wiring_, *inner_, from, to, half_);
  }

  const function_pointer inner_;
  const route_state straight_;
  const bool by_queues_;
};

/// The mark is 0 for the lower half, 1 for the upper one.
class o1turn final : public half_and_half {
 public:
  o1turn(std::shared_ptr<const netlist> wiring, function_pointer lower, function_pointer upper, unsigned vcs)
      : half_and_half(std::move(wiring), vcs, 2), inner_{std::move(lower), std::move(upper)} {}

  unsigned route(const route_request& request, route_option* options) const override {
    const route_state mark = mark_of(request.state);
    return ask(*inner_[mark], request, mark == 0 ? halves::lower : halves::upper, mark, options);
  }
  unsigned state_bits() const override {
    return mark_bits_ + std::max(inner_[0]->state_bits(), inner_[1]->state_bits());
  }
  route_state injection_states() const override { return 2; }

 private:
  const function_pointer inner_[2];
};

}  // namespace

function_pointer make_valiant(std::shared_ptr<const netlist> wiring, function_pointer half, unsigned vcs,
                              bool by_queues) {
  return std::make_shared<valiant>(std::move(wiring), std::move(half), vcs, by_queues);
}

function_pointer make_o1turn(std::shared_ptr<const netlist> wiring, function_pointer lower,
                             function_pointer upper, unsigned vcs) {
  return std::make_shared<o1turn>(std::move(wiring), std::move(lower), std::move(upper), vcs);
}

}  // namespace toriscope

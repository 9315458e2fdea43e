// SPDX-License-Identifier: Apache-2.0
#include "router/router.h"

#include "router/common_shapes.h"
#include "router/pipelines/configurable.h"
#include "router/pipelines/four_stage.h"
#include "router/pipelines/paper2009.h"
#include "router/pipelines/single_cycle.h"

namespace toriscope {

router::router(node_id node, unsigned ports, network_state& network, const router_kind& kind,
               unsigned local_ports, unsigned inputs)
    : state_(node, ports, network, kind, local_ports, inputs) {
  if (!kind.config.has_fast_path()) configurable_ = make_one<configurable_pipeline>(network.memory, state_);
}

// --- behaviour ---

[[gnu::always_inline]] inline bool router::step_as(router_shape n, cycle_t now, arrival_mask arrivals) {
  for (const unsigned p : bits_of(credits_of(arrivals))) state_.take_credits(n, p, now);
  for (const unsigned p : bits_of(flits_of(arrivals))) state_.take_flit(n, p, now);
  if (state_.busy_outputs) state_.end_busy(now);
  if (state_.flits > 0) {
    if (configurable_)
      configurable_->step(now);
    else if (state_.kind.config.pipeline == pipeline::four_stage)
      step_four_stage(state_, n, now);
    else if (state_.kind.config.pipeline == pipeline::single_cycle)
      step_single_cycle(state_, n, now);
    else
      step_paper2009(state_, now);
  }
  if (state_.has_drained) state_.free_drained();
  return (state_.flits | state_.busy_outputs.mask()) != 0;
}

bool router::step(cycle_t now, arrival_mask arrivals) {
  return in_shape(
      state_.shape, [ this, now, arrivals ](router_shape n)
                        __attribute__((always_inline)) { return step_as(n, now, arrivals); });
}

void router::close_output(port_id p) {
  if (!state_.dropped)
    state_.dropped = make_one<dropped_packets>(state_.network.memory, state_.network.memory, state_.ports);
  state_.dropped->dead.add(p);
  state_.plain = false;
}

// --- observers ---

std::uint32_t router::front_age(port_id p, unsigned v, cycle_t now) const {
  return static_cast<std::uint32_t>(now) - state_.in_vc(p, v).front_since;
}

cycle_t router::last_taken(port_id p, unsigned v, cycle_t now) const {
  const cycle_t front = now - front_age(p, v, now);
  const auto after = static_cast<std::uint16_t>(state_.in_vc(p, v).taken_at - front);
  const bool before = after >= 0x8000 && occupancy(p, v) < state_.depth;
  return before ? front - (0x10000u - after) : front + after;
}

vc_state router::input_state(port_id p, unsigned v) const {
  const unsigned i = state_.shape.number(p, v);
  const input_sets& in = state_.in_sets[state_.shape.group(i)];
  const vc_numbers it = state_.shape.only(i);
  if ((in.active | in.granted) & it) return vc_state::active;
  if ((in.to_allocate | in.routed) & it) return vc_state::waiting_vc;
  return in.to_route & it ? vc_state::routing : vc_state::idle;
}

const route_option* router::options(port_id p, unsigned v, unsigned& count) const {
  count = state_.in_vc(p, v).option_count;
  return state_.options(state_.shape.number(p, v));
}

std::uint64_t router::flits_sent(port_id p) const {
  const output_unit& unit = state_.out[p];
  if (!unit.out) return 0;
  std::uint64_t waiting = 0;
  for (unsigned ahead = unit.out->delay_cycles() + 1; ahead <= unit.out->reach_cycles(); ++ahead)
    waiting += unit.out->shown(state_.network.now + ahead).valid();
  return unit.granted - waiting;
}

bool router::has_flits_in_output_registers() const {
  for (unsigned p = 0; p < state_.ports; ++p)
    if (state_.out[p].granted != flits_sent(static_cast<port_id>(p))) return true;
  return false;
}

}  // namespace toriscope

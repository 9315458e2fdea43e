// SPDX-License-Identifier: Apache-2.0
// The state of routers and network interfaces as bytes, at the end of a cycle.
#include "router/class_queues.h"
#include "router/network_archive.h"
#include "router/network_interface.h"
#include "router/pipelines/configurable.h"
#include "router/router.h"

namespace toriscope {

void router::archive(network_archive& s) {
  state_.archive(s);
  if (configurable_) configurable_->archive(s);
}

void router_state::archive(network_archive& s) {
  state_archive& a = s.values;
  vc_numbers inputs[router_shape::most_groups], outputs[router_shape::most_groups];
  port_set narrow;
  for (unsigned p = 0; p < ports; ++p) {
    if (out[p].flit_cycles > 1) narrow.add(p);
    for (unsigned v = 0; v < vcs; ++v) {
      const unsigned i = shape.number(p, v);
      if (in[p].in) inputs[shape.group(i)] |= shape.only(i);
      if (out[p].out) outputs[shape.group(i)] |= shape.only(i);
    }
  }
  for (unsigned g = 0; g < shape.groups; ++g) {
    input_sets& is = in_sets[g];
    for (vc_numbers* set : {&is.occupied, &is.open, &is.to_route, &is.routed, &is.to_allocate, &is.granted, &is.active,
                            &is.with_credit})
      a.subset(*set, inputs[g]);
    a.require(!(is.to_route & is.routed) && !((is.to_route | is.routed) & is.to_allocate) &&
                  !((is.to_route | is.routed | is.to_allocate) & (is.granted | is.active)) &&
                  !(is.granted & is.active) && !((is.to_route | is.routed | is.to_allocate) - is.occupied),
              "a VC is in two states");
    const vc_numbers owners = is.granted | is.active;
    a.require(!(is.with_credit - owners) && !(owners - is.occupied - is.open) && !(is.open - is.occupied - owners),
              "a VC has no packet");
    std::uint64_t passed = ~is.behind_pointer.mask();
    a.word(passed);
    is.behind_pointer = vc_numbers(~passed);
    output_sets& os = out_sets[g];
    for (vc_numbers* set : {&os.free, &os.draining, &os.full}) a.subset(*set, outputs[g]);
    a.require(!(os.free & os.draining), "a VC is in two states");
  }
  a.subset(busy_outputs, narrow);
  a.number(va_worthwhile);
  for (unsigned p = 0; p < ports; ++p) archive_output(s, p);
  if (dropped) archive_dropped(s);
  if (a.reads()) flits = 0;
  vc_numbers owned[router_shape::most_groups];
  for (unsigned g = 0; g < shape.groups; ++g) {
    if (a.reads()) flits += static_cast<std::uint32_t>(out_sets[g].full.size());
    for (const unsigned place : inputs[g]) archive_input(s, g * 64 + place, owned);
  }
  for (unsigned g = 0; g < shape.groups; ++g)
    a.require(!((outputs[g] - out_sets[g].free - out_sets[g].draining) - owned[g]), "an output VC has no owner");
}

void router_state::archive_output(network_archive& s, unsigned p) {
  state_archive& a = s.values;
  output_unit& unit = out[p];
  if (!unit.out) return;
  a.number(unit.granted);
  a.below(unit.sa_last, shape.groups * 64);
  a.below(unit.lt_pointer, vcs + 1);
  if (busy_outputs.has(p)) a.number(unit.free_from);
  for (unsigned v = 0; v < vcs; ++v) {
    const unsigned j = shape.number(p, v);
    a.below(out_vcs[j].va_pointer, shape.groups * 64 + 1);
    if (unit.credits_in) a.below(credits[j], unit.depth_behind + 1u);
    if (!(out_sets[shape.group(j)].full & shape.only(j))) continue;
    a.require(out_buffers && v < s.vcs_behind(node, p), "an output VC without a buffer holds a flit");
    s.flit(out_buffers[j], v);
  }
}

void router_state::archive_dropped(network_archive& s) {
  for (unsigned p = 0; p < ports; ++p) {
    s.values.subset(dropped->vcs[p], in_port(&input_sets::active, p) - in_port(&input_sets::with_credit, p));
    if (s.reads() && dropped->vcs[p]) dropped->busy.add(p);
  }
}

void router_state::archive_input(network_archive& s, unsigned i, vc_numbers* owned) {
  state_archive& a = s.values;
  const input_sets& sets = in_sets[shape.group(i)];
  const auto is_in = [&](vc_numbers set) { return static_cast<bool>(set & shape.only(i)); };
  input_vc& vc = in_vcs[i];
  a.below(vc.va_pointer, vcs + 1);
  if (is_in(sets.occupied)) {
    s.buffer(vc.buffer, slots + vc.first_slot, slot_mask, depth, shape.vc(i));
    a.require(!vc.buffer.empty(), "a VC is occupied without a flit");
    s.low_bits(vc.front_since);
    s.low_bits(vc.taken_at);
    if (a.reads()) flits += vc.buffer.size();
    a.require(!is_in(sets.to_route | sets.routed | sets.to_allocate) || front(i).head(), "a packet has lost its head");
    a.require(is_in(sets.to_route | sets.routed | sets.to_allocate | sets.granted | sets.active),
              "a packet is in no state");
    a.require(is_in(sets.open) != vc.buffer.at(slots + vc.first_slot, slot_mask, vc.buffer.size() - 1).tail(),
              "a packet has lost its tail");
  }
  const bool drops = dropped && dropped->vcs[shape.port(i)].has(shape.vc(i));
  if (drops && is_in(sets.occupied)) s.headless(front(i));
  if (!drops && is_in(sets.routed | sets.to_allocate | sets.granted | sets.active)) {
    a.below(vc.option_count, network.options_per_vc + 1);
    a.require(vc.option_count > 0, "a routed head has no way on");
    for (unsigned k = 0; k < vc.option_count; ++k) {
      route_option& option = options(i)[k];
      a.below(option.out_port, ports);
      a.require(out[option.out_port].out, "a route leads to a port that is none");
      a.below(option.vcs, std::uint64_t{1} << s.vcs_behind(node, option.out_port));
      a.require(option.vcs != 0, "a route offers no VC");
      a.below(option.state, std::uint64_t{1} << network.layout.state_bits());
    }
  }
  if (drops || !is_in(sets.granted | sets.active)) return;
  a.below(vc.output, ports * shape.slice());
  const unsigned j = vc.output;
  a.require(shape.vc(j) < vcs && out[shape.port(j)].out && shape.vc(j) < s.vcs_behind(node, shape.port(j)) &&
                !(owned[shape.group(j)] & shape.only(j)) &&
                !((out_sets[shape.group(j)].free | out_sets[shape.group(j)].draining) & shape.only(j)),
            "two packets own an output VC");
  owned[shape.group(j)] |= shape.only(j);
  a.require(out_buffers || is_in(sets.with_credit) == (credits[j] > 0), "a VC without a credit has one");
  if (!a.reads()) return;
  out_vcs[j].owner = static_cast<std::uint16_t>(i);
  owners[shape.port(j) * shape.groups + shape.group(i)] |= shape.only(i);
}

void configurable_pipeline::archive(network_archive& s) {
  for (unsigned g = 0; g < n_.groups; ++g)
    for (const unsigned place : router_.in_sets[g].routed | router_.in_sets[g].granted)
      s.low_bits(waits_since_[g * 64 + place]);
  const unsigned input_vcs = router_.ports * n_.slice();
  const arbiter_kind arbiter = router_.kind.config.arbiter;
  const allocator_shape switches{arbiter, router_.ports, router_.vcs, router_.ports, true};
  va_->archive(s.values, {arbiter, input_vcs, router_.vcs, input_vcs, false});
  sa_->archive(s.values, switches);
  if (speculative_sa_) speculative_sa_->archive(s.values, switches);
}

void network_interface::archive(network_archive& s) {
  state_archive& a = s.values;
  a.number(flits_sent_);
  for (unsigned v = 0; v < network_.config.vcs; ++v) {
    a.below(credits_[v], 65);
    if (credits_[v] == 0) with_credit_.remove(v);
    packet_id packet = arriving_[v].body.valid() ? network_.packet_of(arriving_[v].body) : no_packet;
    s.arriving(packet);
    if (packet == no_packet) continue;
    a.below(arriving_[v].flits, network_.packets[packet].flits);
    s.count(packet, arriving_[v].flits);
    arriving_[v].body = network_.layout.body(0, network_.layout.tag_of(packet), false);
  }
  if (options_ && options_->classes) {
    options_->classes->archive(s, terminal_);
  } else {
    s.queue(queue_, terminal_, 0);
    if (a.reads())
      wanted_ = queue_.length == 0 ? vc_set() : queue_.sent > 0 ? vc_set::of(queue_.vc) : network_.all_vcs();
  }
  if (options_ && options_->reception) options_->reception->archive(s);
}

void class_queues::archive(network_archive& s, terminal_id terminal) {
  s.values.below(class_pointer_, network_.message_classes + 1);
  if (s.reads()) length_ = 0, busy_ = {};
  for (unsigned m = 0; m < network_.message_classes; ++m) {
    source_queue& q = queues_[m];
    s.queue(q, terminal, m);
    if (!s.reads()) continue;
    length_ += q.length;
    if (q.sent > 0) busy_.add(q.vc);
  }
}

void reception_buffer::archive(network_archive& s) {
  s.values.subset(admitted_, network_.all_vcs());
  for (unsigned v = 0; v < network_.config.vcs; ++v) {
    s.buffer(vcs_[v], slots(v), mask_, depth_, v);
    if (vcs_[v].empty()) continue;
    if (s.reads()) occupied_.add(v);
    s.low_bits(taken_at_[v]);
  }
}

}  // namespace toriscope

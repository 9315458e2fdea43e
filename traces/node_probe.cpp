// SPDX-License-Identifier: Apache-2.0
#include "traces/node_probe.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "traces/signal_value.h"

namespace toriscope {
namespace {

constexpr std::uint16_t unread_credits = 0xffff;

/// The place of a signal in its group.
std::size_t place_of(signal_kind kind) {
  switch (kind) {
    case signal_kind::state:
    case signal_kind::owner:
    case signal_kind::staged:
    case signal_kind::queue:
      return 0;
    case signal_kind::occupancy:
    case signal_kind::credits:
    case signal_kind::staged_tag:
    case signal_kind::sending:
      return 1;
    case signal_kind::assigned:
    case signal_kind::buffer:
    case signal_kind::sending_vc:
      return 2;
    case signal_kind::front_kind:
    case signal_kind::buffer_tag:
      return 3;
    case signal_kind::front_tag:
      return 4;
    default:
      return 5;
  }
}

}  // namespace

node_probe::node_probe(const network& net, node_id n)
    : net_(net), node_(n), core_(net.at(n).core()), layout_(net.layout()) {}

void node_probe::add(const wave_signal& s, wave_values::variable v) {
  const std::size_t place = place_of(s.kind);
  switch (s.kind) {
    case signal_kind::staged:
    case signal_kind::staged_tag:
      if (staged_.empty() || staged_.back().port != s.port) staged_.push_back({s.port});
      if (auto& flits = staged_.back().flits; flits.empty() || flits.back().ahead != s.vc + 1u)
        flits.push_back({{}, s.vc + 1u});
      staged_.back().flits.back().variables[place] = v;
      break;
    case signal_kind::queue:
    case signal_kind::sending:
    case signal_kind::sending_vc: {
      const network_interface& ni = net_.at(node_).ni_of(net_.wiring().entering(node_, s.port));
      if (interfaces_.empty() || interfaces_.back().interface != &ni) interfaces_.push_back({{}, &ni});
      interfaces_.back().variables[place] = v;
      break;
    }
    case signal_kind::credits:
      credits_.resize(std::size_t{core_->port_count()} << core_->shape().shift, unread_credits);
      [[fallthrough]];
    default:
      if (s.outgoing)
        group_of(outputs_, s).variables[place] = v;
      else
        group_of(inputs_, s).variables[place] = v;
  }
}

template <class Group>
Group& node_probe::group_of(vc_groups<Group>& groups, const wave_signal& s) {
  const router_shape& shape = core_->shape();
  const unsigned number = shape.number(s.port, s.vc);
  groups.shown[shape.group(number)] |= shape.only(number);
  groups.read[shape.group(number)] |= shape.only(number);
  if (groups.vcs.size() <= number) groups.vcs.resize(number + 1);
  return groups.vcs[number];
}

bool node_probe::read(wave_values& file) {
  file_ = &file;
  changed_ = false;
  if (core_) {
    for (unsigned g = 0; g < core_->shape().groups; ++g) {
      const vc_numbers in_use = core_->numbers_in_use(g);
      for (const unsigned place : (in_use | inputs_.read[g]) & inputs_.shown[g]) read_input(g * 64 + place);
      inputs_.read[g] = in_use;
      const vc_numbers held = core_->numbers_held(g);
      for (const unsigned place : (held | outputs_.read[g]) & outputs_.shown[g]) read_output(g * 64 + place);
      outputs_.read[g] = held;
    }
    if (!credits_.empty() &&
        std::memcmp(credits_.data(), core_->credits_by_number(), credits_.size() * sizeof credits_[0]) != 0)
      read_credits();
  }
  for (staged_port& port : staged_)
    if (!port.at_rest || port.granted != core_->flits_granted(port.port)) read_staged(port);
  for (const interface_group& i : interfaces_) {
    const bool sends = i.interface->is_sending();
    set(i.variables[0], std::min<std::uint64_t>(i.interface->queue_length(), 0xffffffffu));
    set(i.variables[1], sends ? layout_.tag_of(i.interface->current_packet()) : wave_values::none);
    set(i.variables[2], sends ? i.interface->sending_vc() : wave_values::none);
  }
  return changed_;
}

void node_probe::read_input(unsigned number) {
  const group<6>& vc = inputs_.vcs[number];
  const auto p = static_cast<port_id>(core_->shape().port(number));
  const unsigned v = core_->shape().vc(number);
  const std::optional<output_vc_ref> to = core_->assigned(p, v);
  const flit_word front = core_->front(p, v);
  const bool head = front.valid() && front.head();
  set(vc.variables[0], static_cast<std::uint64_t>(core_->input_state(p, v)));
  set(vc.variables[1], core_->occupancy(p, v));
  set(vc.variables[2], to ? to->port * core_->vc_count() + to->vc : wave_values::none);
  set(vc.variables[3], value_of(signal_kind::flit_kind, front, layout_));
  set(vc.variables[4], value_of(signal_kind::flit_tag, front, layout_));
  set(vc.variables[5], head ? layout_.destination(front) : wave_values::none);
}

void node_probe::read_staged(staged_port& port) {
  port.granted = core_->flits_granted(port.port);
  port.at_rest = true;
  for (staged_group& s : port.flits) {
    const flit_word f = core_->output_register(port.port, s.ahead);
    port.at_rest = port.at_rest && !f.valid();
    if (f == s.read) continue;
    s.read = f;
    set(s.variables[0], f.bits);
    set(s.variables[1], value_of(signal_kind::flit_tag, f, layout_));
  }
}

void node_probe::read_credits() {
  const std::uint16_t* const now = core_->credits_by_number();
  const router_shape& shape = core_->shape();
  const auto four = [](const std::uint16_t* credits) {
    std::uint64_t word;
    std::memcpy(&word, credits, sizeof word);
    return word;
  };
  for (unsigned i = 0; i < credits_.size();) {
    if (i + 4 <= credits_.size() && four(&credits_[i]) == four(now + i)) {
      i += 4;
      continue;
    }
    if (credits_[i] != now[i] && i < outputs_.vcs.size())
      set(outputs_.vcs[i].variables[1], core_->credits(static_cast<port_id>(shape.port(i)), shape.vc(i)));
    credits_[i] = now[i];
    ++i;
  }
}

void node_probe::read_output(unsigned number) {
  const group<4>& vc = outputs_.vcs[number];
  const auto p = static_cast<port_id>(core_->shape().port(number));
  const unsigned v = core_->shape().vc(number);
  const int owner = core_->output_owner(p, v);
  const flit_word buffer = core_->output_buffer(p, v);
  set(vc.variables[0], owner < 0 ? wave_values::none : static_cast<std::uint64_t>(owner));
  set(vc.variables[2], buffer.bits);
  set(vc.variables[3], value_of(signal_kind::flit_tag, buffer, layout_));
}

}  // namespace toriscope

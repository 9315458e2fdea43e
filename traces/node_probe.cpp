// SPDX-License-Identifier: Apache-2.0
#include "traces/node_probe.h"

#include <algorithm>
#include <optional>

#include "traces/signal_value.h"

namespace toriscope {
namespace {

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

/// The VCs of port p, the last one or a new one.
template <class Groups>
auto& groups_of(std::vector<Groups>& ports, port_id p, unsigned vcs) {
  if (ports.empty() || ports.back().port != p) ports.push_back({{p, vc_set::below(vcs)}});
  ports.back().vcs.resize(vcs);
  return ports.back().vcs;
}

}  // namespace

node_probe::node_probe(const network& net, node_id n)
    : net_(net), node_(n), core_(net.at(n).core()), layout_(net.layout()) {}

void node_probe::add(const wave_signal& s, wave_file::variable v) {
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
    default:
      if (s.outgoing)
        groups_of(outputs_, s.port, core_->vc_count())[s.vc].variables[place] = v;
      else
        groups_of(inputs_, s.port, core_->vc_count())[s.vc].variables[place] = v;
  }
}

bool node_probe::read(wave_file& file) {
  file_ = &file;
  changed_ = false;
  for (input_port& port : inputs_) {
    const vc_set in_use = core_->in_use(port.port);
    for (const unsigned v : in_use | port.read) read_input(port.vcs[v], port.port, v);
    port.read = in_use;
  }
  for (output_port& port : outputs_) {
    read_credits(port);
    const vc_set in_use = core_->owned(port.port) | core_->buffered(port.port);
    for (const unsigned v : in_use | port.read) read_output(port.vcs[v], port.port, v);
    port.read = in_use;
  }
  for (staged_port& port : staged_)
    if (!port.at_rest || port.granted != core_->flits_granted(port.port)) read_staged(port);
  for (const interface_group& i : interfaces_) {
    const bool sends = i.interface->is_sending();
    set(i.variables[0], std::min<std::uint64_t>(i.interface->queue_length(), 0xffffffffu));
    set(i.variables[1], sends ? layout_.tag_of(i.interface->current_packet()) : wave_file::none);
    set(i.variables[2], sends ? i.interface->sending_vc() : wave_file::none);
  }
  return changed_;
}

void node_probe::read_input(const input_vc_group& vc, port_id p, unsigned v) {
  const std::optional<output_vc_ref> to = core_->assigned(p, v);
  const flit_word front = core_->front(p, v);
  const bool head = front.valid() && front.head();
  set(vc.variables[0], static_cast<std::uint64_t>(core_->input_state(p, v)));
  set(vc.variables[1], core_->occupancy(p, v));
  set(vc.variables[2], to ? to->port * core_->vc_count() + to->vc : wave_file::none);
  set(vc.variables[3], value_of(signal_kind::flit_kind, front, layout_));
  set(vc.variables[4], value_of(signal_kind::flit_tag, front, layout_));
  set(vc.variables[5], head ? layout_.destination(front) : wave_file::none);
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

void node_probe::read_credits(output_port& port) {
  for (unsigned v = 0; v < port.vcs.size(); ++v) {
    const unsigned credits = core_->credits(port.port, v);
    if (credits == port.credits[v]) continue;
    port.credits[v] = static_cast<std::uint8_t>(credits);
    set(port.vcs[v].variables[1], credits);
  }
}

void node_probe::read_output(const output_vc_group& vc, port_id p, unsigned v) {
  const int owner = core_->output_owner(p, v);
  const flit_word buffer = core_->output_buffer(p, v);
  set(vc.variables[0], owner < 0 ? wave_file::none : static_cast<std::uint64_t>(owner));
  set(vc.variables[2], buffer.bits);
  set(vc.variables[3], value_of(signal_kind::flit_tag, buffer, layout_));
}

}  // namespace toriscope

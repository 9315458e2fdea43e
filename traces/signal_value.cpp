// SPDX-License-Identifier: Apache-2.0
#include "traces/signal_value.h"

#include <algorithm>
#include <optional>

namespace toriscope {
namespace {

/// The number p*V + v of a VC.
std::uint64_t number_of(unsigned port, unsigned vc, const router& core) {
  return port * core.vc_count() + vc;
}

std::uint64_t interface_value(const network& net, const wave_signal& s) {
  const network_interface& ni = net.at(s.node).ni_of(net.wiring().entering(s.node, s.port));
  if (s.kind == signal_kind::queue) return std::min<std::uint64_t>(ni.queue_length(), 0xffffffffu);
  if (!ni.is_sending()) return wave_values::none;
  return s.kind == signal_kind::sending ? net.layout().tag_of(ni.current_packet()) : ni.sending_vc();
}

}  // namespace

std::uint64_t value_of(const network& net, const wave_signal& s) {
  const node& n = net.at(s.node);
  if (s.kind >= signal_kind::queue) return interface_value(net, s);
  const router& core = *n.core();
  const flit_layout& layout = net.layout();
  switch (s.kind) {
    case signal_kind::state:
      return static_cast<std::uint64_t>(core.input_state(s.port, s.vc));
    case signal_kind::occupancy:
      return core.occupancy(s.port, s.vc);
    case signal_kind::front_kind:
      return value_of(signal_kind::flit_kind, core.front(s.port, s.vc), layout);
    case signal_kind::front_tag:
      return value_of(signal_kind::flit_tag, core.front(s.port, s.vc), layout);
    case signal_kind::front_destination: {
      const flit_word f = core.front(s.port, s.vc);
      return f.valid() && f.head() ? layout.destination(f) : wave_values::none;
    }
    case signal_kind::credits:
      return core.credits(s.port, s.vc);
    case signal_kind::assigned: {
      const std::optional<output_vc_ref> to = core.assigned(s.port, s.vc);
      return to ? number_of(to->port, to->vc, core) : wave_values::none;
    }
    case signal_kind::owner: {
      const int owner = core.output_owner(s.port, s.vc);
      return owner < 0 ? wave_values::none : static_cast<std::uint64_t>(owner);
    }
    case signal_kind::staged:
      return core.output_register(s.port, s.vc + 1u).bits;
    case signal_kind::staged_tag:
      return value_of(signal_kind::flit_tag, core.output_register(s.port, s.vc + 1u), layout);
    case signal_kind::buffer:
      return core.output_buffer(s.port, s.vc).bits;
    case signal_kind::buffer_tag:
      return value_of(signal_kind::flit_tag, core.output_buffer(s.port, s.vc), layout);
    default:
      return wave_values::none;
  }
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_signals.h"

#include <algorithm>
#include <iterator>

#include "base/bits_for.h"
#include "network/distributed/partition_boundary.h"
#include "topologies/wire_place.h"
#include "traces/wave_format.h"

namespace toriscope {
namespace {

using colour = wave_colour;
using display = wave_display;

/// In the order of the enumeration.
constexpr signal_traits all_traits[] = {
    {"flit", colour::green, display::detail_in_hex, 1, 1},
    {"kind", colour::green, display::open, 0.15, 3},
    {"vc", colour::green, display::open, 0.15, 1.5},
    {"tag", colour::green, display::open, 0.15, 1.5},
    {"state", colour::normal, display::open, 0, 3},
    {"occupancy", colour::yellow, display::open, 0.5, 2},
    {"front_kind", colour::normal, display::detail, 0.15, 3},
    {"front_tag", colour::normal, display::detail, 0.15, 1.5},
    {"front_destination", colour::normal, display::detail, 0, 2},
    {"credits", colour::yellow, display::open, 0.5, 2},
    {"assigned", colour::orange, display::open, 0, 2},
    {"owner", colour::orange, display::open, 0, 2},
    {"staged", colour::red, display::detail_in_hex, 1, 1},
    {"staged_tag", colour::red, display::open, 0.15, 1.5},
    {"buffer", colour::red, display::detail_in_hex, 1, 1},
    {"buffer_tag", colour::red, display::open, 0.15, 1.5},
    {"queue", colour::violet, display::open, 0, 2},
    {"sending", colour::violet, display::open, 0, 2},
    {"sending_vc", colour::violet, display::open, 0, 2},
};
static_assert(std::size(all_traits) == static_cast<std::size_t>(signal_kind::sending_vc) + 1);

/// Bits of the largest value of a signal.
unsigned width_for(std::uint64_t largest) { return std::max(1u, bits_for(largest + 1)); }

/// Lists the signals of one node.
class node_catalogue {
 public:
  node_catalogue(network& net, node_id n, const wave_options& options)
      : net_(net),
        node_(n),
        options_(options),
        core_(!is_here(net, n) || net.at(n).core()),
        local_(net.wiring().local_port(n)),
        tag_(net.layout().tag_bits()),
        kind_(net.kinds().of(n)),
        reference_(width_for(std::max(1u, net.wiring().port_count(n)) * net.config().router.vcs - 1)) {}

  std::vector<wave_signal> list() {
    const netlist& wiring = net_.wiring();
    const auto ports = static_cast<port_id>(wiring.port_count(node_));
    const auto enters = [&](port_id p) {
      return p < local_ ? wiring.ports(node_)[p].in != no_link : wiring.entering(node_, p) != no_terminal;
    };
    for (port_id p = 0; p < ports; ++p)
      if (enters(p)) add_input(p);
    for (port_id p = 0; p < ports; ++p)
      if (p < local_ ? wiring.ports(node_)[p].out != no_link : wiring.leaving(node_, p) != no_terminal)
        add_output(p);
    outgoing_ = false;
    for (port_id p = local_; p < ports; ++p) {
      if (!options_.ni || !enters(p)) continue;
      add(signal_kind::queue, p, 0, 32);
      add(signal_kind::sending, p, 0, tag_);
      add(signal_kind::sending_vc, p, 0, flit_word::vc_bits);
    }
    return std::move(signals_);
  }

 private:
  void add_input(port_id p) {
    if (options_.links) add_link(p);
    for (unsigned v = 0; core_ && v < kind_.config.vcs; ++v) {
      if (options_.vcs) {
        add(signal_kind::state, p, v, 2);
        add(signal_kind::occupancy, p, v, width_for(kind_.config.depth));
      }
      if (options_.alloc) add(signal_kind::assigned, p, v, reference_);
      if (options_.vcs) {
        add(signal_kind::front_kind, p, v, 2);
        add(signal_kind::front_tag, p, v, tag_);
        add(signal_kind::front_destination, p, v, std::max(1u, net_.layout().destination_bits()));
      }
    }
  }

  void add_output(port_id p) {
    outgoing_ = true;
    if (options_.links && p >= local_) add_link(p);
    if (!core_) return;
    const unsigned granted_ahead = options_.alloc ? kind_.timing.send_ahead : 0;
    for (unsigned later = 0; later < granted_ahead; ++later) {
      add(signal_kind::staged, p, later, 64);
      add(signal_kind::staged_tag, p, later, tag_);
    }
    const node_id behind = wire_at(net_.wiring(), wire_out_of(net_.wiring(), node_, p)).to;
    const router_config& config = net_.kinds().of(behind).config;
    for (unsigned v = 0; v < config.vcs; ++v) {
      if (options_.alloc) add(signal_kind::owner, p, v, reference_);
      if (options_.vcs && p < local_) add(signal_kind::credits, p, v, width_for(config.depth));
      if (options_.alloc && config.has_output_buffers()) {
        add(signal_kind::buffer, p, v, 64);
        add(signal_kind::buffer_tag, p, v, tag_);
      }
    }
  }

  void add_link(port_id p) {
    add(signal_kind::flit, p, 0, 64);
    add(signal_kind::flit_kind, p, 0, 2);
    add(signal_kind::flit_vc, p, 0, flit_word::vc_bits);
    add(signal_kind::flit_tag, p, 0, tag_);
  }

  void add(signal_kind kind, port_id p, unsigned v, unsigned width) {
    signals_.push_back(
        {node_, kind, p, static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(width), outgoing_});
  }

 private:
  network& net_;
  const node_id node_;
  const wave_options& options_;
  const bool core_;  ///< its router is the model's
  const port_id local_;
  const unsigned tag_;
  const router_kind& kind_;
  const unsigned reference_;
  bool outgoing_ = false;
  std::vector<wave_signal> signals_;
};

}  // namespace

const signal_traits& traits_of(signal_kind kind) { return all_traits[static_cast<std::size_t>(kind)]; }

flit_kind kind_of(flit_word f) {
  if (f.head()) return f.tail() ? flit_kind::single : flit_kind::head;
  return f.tail() ? flit_kind::tail : flit_kind::body;
}

bool is_here(network& net, node_id n) { return !net.border() || net.border()->own(n); }

std::string node_name(const network& net, node_id n) { return std::string(net.name()) + '.' + net.wiring().path(n); }

std::vector<wave_signal> signals_of(network& net, node_id n, const wave_options& options) {
  return node_catalogue(net, n, options).list();
}

std::string scope_of(const network& net, const wave_signal& s) {
  const std::string port = (s.outgoing ? "out_" : "in_") + net.wiring().port_name(s.node, s.port);
  switch (s.kind) {
    case signal_kind::queue:
    case signal_kind::sending:
    case signal_kind::sending_vc:
      if (net.wiring().local_ports(s.node) == 1) return "ni";
      return "ni" + std::to_string(s.port - net.wiring().local_port(s.node));
    case signal_kind::flit:
    case signal_kind::flit_kind:
    case signal_kind::flit_vc:
    case signal_kind::flit_tag:
      return port;
    case signal_kind::staged:
    case signal_kind::staged_tag:
      return s.vc == 0 ? port : port + ".ahead" + std::to_string(s.vc + 1);
    default:
      return port + ".vc" + std::to_string(s.vc);
  }
}

bool share_scope(const wave_signal& a, const wave_signal& b) {
  // As scope_of: the kinds of a link, of a flit about to be sent, of an interface, and of a VC.
  const auto type = [](const wave_signal& s) {
    if (s.on_link()) return 0;
    if (s.kind == signal_kind::staged || s.kind == signal_kind::staged_tag) return s.vc == 0 ? 0 : 1;
    return s.kind >= signal_kind::queue ? 2 : 3;
  };
  return a.node == b.node && a.port == b.port && a.outgoing == b.outgoing && type(a) == type(b) &&
         (type(a) == 0 || a.vc == b.vc);
}

flit_link& link_of(network& net, const wave_signal& s) {
  if (s.port < net.wiring().local_port(s.node)) return net.link_at(net.wiring().ports(s.node)[s.port].in);
  return s.outgoing ? net.ejection_link(net.wiring().leaving(s.node, s.port))
                    : net.injection_link(net.wiring().entering(s.node, s.port));
}

}  // namespace toriscope

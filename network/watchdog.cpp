// SPDX-License-Identifier: Apache-2.0
#include "network/watchdog.h"

#include <algorithm>
#include <string>

#include "base/bit_set.h"
#include "network/wait_graph.h"
#include "topologies/wire_place.h"

namespace toriscope {
namespace {

/// The terminal whose interface a place is in.
terminal_id terminal_at(const netlist& wiring, const wait_place& place) {
  return wiring.entering(place.node, static_cast<port_id>(wiring.local_port(place.node) + place.port));
}

/// Finds vertices and waits in the state of a network, or of the part of it that is here.
class wait_collector {
 public:
  wait_collector(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                 const network_state& network, cycle_t done)
      : wiring_(wiring), nodes_(nodes), wires_(wires), network_(network), done_(done) {
    list_occupied_vcs();
    list_interfaces();
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) add_waits(i);
  }

  const std::vector<wait_vertex>& vertices() const { return vertices_; }
  const std::vector<wait_arc>& waits() const { return waits_; }

 private:
  using kind = wait_place::kind;

  void list_occupied_vcs() {
    for (node_id n = 0; n < nodes_.size(); ++n) {
      const router* const core = nodes_[n] ? nodes_[n]->core() : nullptr;
      if (!core || core->flits() == 0) continue;
      for (port_id p = 0; p < core->port_count(); ++p)
        for (std::uint8_t v = 0; v < core->vc_count(); ++v) {
          if (core->occupancy(p, v) == 0) continue;
          const packet_id packet = network_.packet_of(core->front(p, v));
          if (!network_.packets.has(packet)) continue;  // of a state that was altered
          const packet_record& record = network_.packets[packet];
          vertices_.push_back({{n, p, v, kind::input_vc},
                               false,
                               packet,
                               record.source,
                               record.destination,
                               done_ - core->front_age(p, v, done_),
                               last_to_come(wire_into(wiring_, n, p), v, core->last_taken(p, v, done_))});
        }
    }
  }

  /// Reception buffers and source queues wait for each other only where there is a gate.
  void list_interfaces() {
    if (!network_.limited_reception) return;
    for (terminal_id t = 0; t < wiring_.terminal_count(); ++t) {
      const netlist_terminal at = wiring_.terminal(t);
      if (!nodes_[at.node]) continue;
      const network_interface& ni = interface_of(t);
      for (std::uint8_t v = 0; v < network_.config.vcs; ++v)
        if (ni.reception()->occupancy(v) > 0) {
          const packet_id packet = ni.reception()->packet_at(v);
          const packet_record& record = network_.packets[packet];
          vertices_.push_back({{at.node, number_of(at), v, kind::reception},
                               false,
                               packet,
                               record.source,
                               record.destination,
                               0,
                               last_to_come(wires_.ejection(t), v, ni.reception()->last_taken(v))});
        }
      for (std::uint8_t m = 0; m < network_.message_classes; ++m)
        if (const std::uint64_t packets = ni.classes() ? ni.classes()->length(m) : ni.queue_length())
          vertices_.push_back({{at.node, number_of(at), m, kind::source_queue}, false, packets});
    }
  }

  const network_interface& interface_of(terminal_id t) const {
    return nodes_[wiring_.terminal(t).node]->ni_of(t);
  }
  /// Of a terminal, at its node.
  port_id number_of(const netlist_terminal& at) const {
    return static_cast<port_id>(at.port - wiring_.local_port(at.node));
  }
  terminal_id terminal_at(const wait_place& here) const { return toriscope::terminal_at(wiring_, here); }

  /// The cycle in which the last flit comes to VC v behind a wire, those on their way included.
  cycle_t last_to_come(std::size_t wire, unsigned v, cycle_t taken) const {
    const flit_wire& w = wires_.flit(wire);
    for (unsigned ahead = w.reach_cycles(); ahead > 0; --ahead)
      if (const flit_word f = w.shown(done_ + ahead); f.valid() && f.vc() == v) return done_ + ahead;
    return taken;
  }

  void can_move(std::uint32_t i) { vertices_[i].can_move = true; }

  void waits_for(std::uint32_t i, node_id n, unsigned port, unsigned vc, bool credit, kind what) {
    const wait_place to{n, static_cast<port_id>(port), static_cast<std::uint8_t>(vc), what};
    waits_.push_back({i, to.key(), credit});
  }

  void add_waits(std::uint32_t i) {
    const wait_place here = vertices_[i].place;
    if (here.what == kind::reception) return wait_for_admission(i, here);
    if (here.what == kind::source_queue) return wait_for_injection(i, here);
    const router& core = *nodes_[here.node]->core();
    switch (core.input_state(here.port, here.vc)) {
      case vc_state::waiting_vc:
        wait_for_output_vcs(i, here, core);
        return;
      case vc_state::active: {
        if (core.is_discarding(here.port, here.vc)) {
          can_move(i);
          return;
        }
        const output_vc_ref out = *core.assigned(here.port, here.vc);
        const bool stuck_buffer = core.output_buffer(out.port, out.vc).valid();
        if (network_.config.has_output_buffers() && !stuck_buffer)
          can_move(i);
        else
          wait_for_credit(i, here.node, core, out.port, out.vc);
        return;
      }
      case vc_state::idle:
      case vc_state::routing:
        can_move(i);
        return;
    }
  }

  void wait_for_output_vcs(std::uint32_t i, const wait_place& here, const router& core) {
    unsigned count = 0;
    const route_option* const options = core.options(here.port, here.vc, count);
    for (unsigned k = 0; k < count; ++k)
      for (const unsigned v : bits_of(options[k].vcs)) {
        const port_id p = options[k].out_port;
        const int owner = core.output_owner(p, v);
        if (owner >= 0) {
          const unsigned vcs = core.vc_count();
          waits_for(i, here.node, static_cast<unsigned>(owner) / vcs, static_cast<unsigned>(owner) % vcs,
                    false, kind::input_vc);
        } else if (core.is_draining(p, v) || core.output_buffer(p, v).valid()) {
          wait_for_credit(i, here.node, core, p, v);
        } else {
          can_move(i);
        }
      }
  }

  void wait_for_admission(std::uint32_t i, const wait_place& here) {
    const reception_buffer& buffer = *interface_of(terminal_at(here)).reception();
    std::uint32_t queues = 0;
    if (!buffer.admitted(here.vc) && network_.gate) {
      const packet_id packet = buffer.packet_at(here.vc);
      queues = network_.gate->waits_for_queues(packet, network_.packets[packet]);
    }
    if (!queues) can_move(i);
    for (const unsigned m : bits_of(queues) & bits_of::below(network_.message_classes))
      waits_for(i, here.node, here.port, m, false, kind::source_queue);
  }

  /// A source queue waits for a slot in the router's local input port.
  void wait_for_injection(std::uint32_t i, const wait_place& here) {
    const network_interface& ni = interface_of(terminal_at(here));
    const class_queues* const classes = ni.classes();
    const bool under_way = classes ? classes->current_packet(here.vc) != no_packet : ni.is_sending();
    if (under_way) return wait_for_slot(i, here, classes ? classes->sending_vc(here.vc) : ni.sending_vc());
    const vc_set all = vc_set::below(wires_.vcs(wires_.injection(terminal_at(here))));  // of its router
    for (const unsigned v : classes ? classes->startable(here.vc) & all : all) wait_for_slot(i, here, v);
    if (!network_.shared_classes) return;
    for (unsigned m = 0; m < network_.message_classes; ++m)  // a VC with a packet of another class under way
      if (classes && m != here.vc && classes->current_packet(m) != no_packet)
        waits_for(i, here.node, here.port, m, false, kind::source_queue);
  }

  void wait_for_slot(std::uint32_t i, const wait_place& here, unsigned v) {
    const terminal_id t = terminal_at(here);
    if (interface_of(t).credits(v) > 0 || credit_comes(*wires_.credit(wires_.injection(t)), v))
      can_move(i);
    else
      waits_for(i, here.node, wiring_.terminal(t).port, v, true, kind::input_vc);
  }

  bool credit_comes(const credit_wire& credits, unsigned v) const {
    for (unsigned ahead = 1; ahead <= credits.delay_cycles(); ++ahead)
      if (vc_set(credits.shown(done_ + ahead).vcs).has(v)) return true;
    return false;
  }

  /// `i` needs a slot behind output VC (p, v).
  void wait_for_credit(std::uint32_t i, node_id n, const router& core, port_id p, unsigned v) {
    const bool local = wiring_.is_local(n, p);
    const bool unlimited = local && !network_.limited_reception;
    if (unlimited || (core.credits(p, v) > 0 && !core.is_draining(p, v))) {
      can_move(i);
      return;
    }
    const terminal_id t = local ? wiring_.leaving(n, p) : no_terminal;
    const link_id l = local ? no_link : wiring_.ports(n)[p].out;
    if (credit_comes(*wires_.credit(local ? wires_.ejection(t) : l), v))
      can_move(i);
    else if (local)
      waits_for(i, wiring_.terminal(t).node, number_of(wiring_.terminal(t)), v, true, kind::reception);
    else
      waits_for(i, wiring_.link(l).to, wiring_.link(l).to_port, v, true, kind::input_vc);
  }

  const netlist& wiring_;
  const std::vector<node*>& nodes_;
  wire_table& wires_;
  const network_state& network_;
  const cycle_t done_;
  std::vector<wait_vertex> vertices_;
  std::vector<wait_arc> waits_;
};

std::string describe_packet(const wait_vertex& channel, const netlist& wiring) {
  return "packet " + std::to_string(channel.packet) + ", " + wiring.terminal_address(channel.source) +
         " -> " + wiring.terminal_address(channel.destination);
}

std::string describe_interface(const wait_vertex& channel, const netlist& wiring) {
  const wait_place& at = channel.place;
  const std::string name = wiring.terminal_address(terminal_at(wiring, at));
  const std::string module = " (" + wiring.name() + "." + wiring.path(at.node) + "): ";
  if (at.what == wait_place::kind::reception)
    return name + " reception vc" + std::to_string(at.vc) + module + describe_packet(channel, wiring) +
           ", is not admitted";
  return name + " source queue of class " + std::to_string(at.vc) + module + std::to_string(channel.packet) +
         " packets cannot be sent";
}

/// It may be in another part of the network.
std::string describe(const wait_vertex& channel, const netlist& wiring) {
  const wait_place& at = channel.place;
  if (at.what != wait_place::kind::input_vc) return describe_interface(channel, wiring);
  const port_range ports = wiring.ports(at.node);
  node_id from = at.node;
  std::string port = wiring.port_name(at.node, at.port);
  if (at.port < ports.size()) {
    const netlist_link& link = wiring.link(ports[at.port].in);
    from = link.from;
    port = wiring.port_name(from, link.from_port);
  }
  return wiring.address(from) + " " + port + " vc" + std::to_string(at.vc) + " (" + wiring.name() + "." +
         wiring.path(from) + "): held by " + describe_packet(channel, wiring);
}

std::optional<network_failure> deadlock_in(const wait_graph& graph, const netlist& wiring,
                                           const network_state& network, cycle_t done) {
  const std::vector<bool> dead = graph.dead();
  const auto stuck = std::count(dead.begin(), dead.end(), true);
  if (stuck == 0) return std::nullopt;

  network_failure failure;
  failure.what = network_failure::kind::deadlock;
  const wait_graph::knot first = graph.first_knot(dead);
  if (first.since > done) return std::nullopt;  // its last flit is on its way; the next look finds it
  failure.cycle = done;
  failure.since = first.since;
  const std::vector<wait_vertex> cycle = graph.cycle(first);
  const bool protocol = std::any_of(cycle.begin(), cycle.end(), [](const wait_vertex& v) {
    return v.place.what != wait_place::kind::input_vc;
  });
  failure.message = (protocol ? "protocol deadlock since cycle " : "deadlock since cycle ") +
                    std::to_string(first.since) + ": " + std::to_string(stuck) + " VCs" +
                    (protocol ? ", reception buffers and source queues" : "") + " will never move again; ";
  if (!protocol)
    failure.message += std::to_string(cycle.size()) + " channels wait for each other in a cycle";
  else
    failure.message +=
        "packets wait to be admitted until a source queue at their destination sends, and that queue waits "
        "for VCs that such packets hold";
  if (protocol && network.message_classes > 1 && network.shared_classes)
    failure.message += " (message classes with VCs of their own would not)";
  failure.message += "; found in cycle " + std::to_string(done);
  for (const wait_vertex& channel : cycle) {
    failure.detail.push_back(describe(channel, wiring));
    failure.nodes.push_back(channel.place.node);
  }
  std::sort(failure.nodes.begin(), failure.nodes.end());
  failure.nodes.erase(std::unique(failure.nodes.begin(), failure.nodes.end()), failure.nodes.end());
  return failure;
}

}  // namespace

bool any_front_flit_waits(const std::vector<node*>& nodes, cycle_t done, cycle_t cycles) {
  for (const node* n : nodes) {
    const router* const core = n ? n->core() : nullptr;
    if (!core || core->flits() == 0) continue;
    for (port_id p = 0; p < core->port_count(); ++p)
      for (unsigned v = 0; v < core->vc_count(); ++v)
        if (core->occupancy(p, v) > 0 && core->front_age(p, v, done) >= cycles) return true;
  }
  return false;
}

std::optional<network_failure> find_deadlock(const netlist& wiring, const std::vector<node*>& nodes,
                                             wire_table& wires, const network_state& network, cycle_t done,
                                             const part_sharer& share) {
  const wait_collector here(wiring, nodes, wires, network, done);
  const wait_graph graph = share ? joined_wait_graph(share(stall_text(here.vertices(), here.waits())))
                                 : wait_graph(here.vertices(), here.waits());
  return deadlock_in(graph, wiring, network, done);
}

}  // namespace toriscope

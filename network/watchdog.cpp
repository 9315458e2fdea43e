// SPDX-License-Identifier: Apache-2.0
#include "network/watchdog.h"

#include <algorithm>
#include <limits>
#include <string>

#include "router/round_robin.h"

namespace toriscope {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// Where packets wait.
struct place {
  enum class kind {
    input_vc,      ///< of a router
    reception,     ///< a VC's reception buffer
    source_queue,  ///< of a message class
  };
  node_id node;
  port_id port;     ///< input_vc
  std::uint8_t vc;  ///< source_queue: the class
  kind what = kind::input_vc;
};

/// A wait: `from` waits for `to`, because `to` has no free slot (credit) or owns what `from` wants.
struct wait_edge {
  std::uint32_t from, to;
  bool credit;
};

class wait_for_graph {
 public:
  wait_for_graph(const netlist& wiring, const std::vector<node*>& nodes, wire_table& wires,
                 const chip_context& chip, cycle_t done)
      : wiring_(wiring), nodes_(nodes), wires_(wires), chip_(chip), done_(done) {
    number_occupied_vcs();
    number_interfaces();
    can_move_.assign(places_.size(), false);
    for (std::uint32_t i = 0; i < places_.size(); ++i) add_waits(i);
  }

  /// The VCs that will never move again.
  std::vector<bool> dead() const {
    std::vector<wait_edge> by_target = edges_;
    std::sort(by_target.begin(), by_target.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
    std::vector<bool> alive = can_move_;
    std::vector<std::uint32_t> work;
    for (std::uint32_t i = 0; i < alive.size(); ++i)
      if (alive[i]) work.push_back(i);
    while (!work.empty()) {
      const std::uint32_t target = work.back();
      work.pop_back();
      auto edge = std::lower_bound(by_target.begin(), by_target.end(), target,
                                   [](const wait_edge& e, std::uint32_t t) { return e.to < t; });
      for (; edge != by_target.end() && edge->to == target; ++edge)
        if (!alive[edge->from]) {
          alive[edge->from] = true;
          work.push_back(edge->from);
        }
    }
    alive.flip();
    return alive;
  }

  /// The channels of a cycle of waits among the dead, in waiting order: the places that somebody lacks credit
  /// for, and the source queues.
  std::vector<place> cycle(const std::vector<bool>& dead) const {
    std::vector<std::uint32_t> first_edge(places_.size(), nobody);
    for (std::uint32_t e = 0; e < edges_.size(); ++e)
      if (first_edge[edges_[e].from] == nobody) first_edge[edges_[e].from] = e;
    std::uint32_t at = static_cast<std::uint32_t>(std::find(dead.begin(), dead.end(), true) - dead.begin());
    for (std::size_t steps = 0; steps < places_.size(); ++steps)
      at = edges_[first_edge[at]].to;  // into the cycle
    std::vector<place> channels;
    const std::uint32_t start = at;
    do {
      const wait_edge& wait = edges_[first_edge[at]];
      at = wait.to;
      if (wait.credit || places_[at].what != place::kind::input_vc) channels.push_back(places_[at]);
    } while (at != start);
    return channels;
  }

 private:
  void number_occupied_vcs() {
    first_.reserve(nodes_.size() + 1);
    first_.push_back(0);
    for (node_id n = 0; n < nodes_.size(); ++n) {
      const router* const core = nodes_[n]->core();
      first_.push_back(first_.back() +
                       (core && core->flits() > 0 ? core->port_count() * core->vc_count() : 0));
    }
    index_.assign(first_.back(), nobody);
    for (node_id n = 0; n < nodes_.size(); ++n) {
      if (first_[n] == first_[n + 1]) continue;
      const router& core = *nodes_[n]->core();
      for (port_id p = 0; p < core.port_count(); ++p)
        for (std::uint8_t v = 0; v < core.vc_count(); ++v)
          if (core.occupancy(p, v) > 0) {
            index_[first_[n] + p * core.vc_count() + v] = static_cast<std::uint32_t>(places_.size());
            places_.push_back({n, p, v});
          }
    }
  }

  /// Reception buffers and source queues wait for each other only where there is a gate.
  void number_interfaces() {
    if (!chip_.limited_reception) return;
    const unsigned vcs = chip_.config.vcs;
    const unsigned classes = chip_.message_classes;
    reception_.assign(nodes_.size() * vcs, nobody);
    queues_.assign(nodes_.size() * classes, nobody);
    for (node_id n = 0; n < nodes_.size(); ++n) {
      const network_interface& ni = nodes_[n]->ni();
      for (std::uint8_t v = 0; v < vcs; ++v)
        if (ni.reception()->occupancy(v) > 0) {
          reception_[n * vcs + v] = static_cast<std::uint32_t>(places_.size());
          places_.push_back({n, 0, v, place::kind::reception});
        }
      for (std::uint8_t m = 0; m < classes; ++m)
        if (queued(ni, m) > 0) {
          queues_[n * classes + m] = static_cast<std::uint32_t>(places_.size());
          places_.push_back({n, 0, m, place::kind::source_queue});
        }
    }
  }

  static std::uint64_t queued(const network_interface& ni, unsigned m) {
    return ni.classes() ? ni.classes()->length(m) : ni.queue_length();
  }

  std::uint32_t index_of(node_id n, unsigned p, unsigned v) const {
    return first_[n] == first_[n + 1] ? nobody : index_[first_[n] + p * chip_.config.vcs + v];
  }

  void waits_for(std::uint32_t from, std::uint32_t to, bool credit) {
    if (to == nobody)
      can_move_[from] = true;  // nothing stands there: it will come free
    else
      edges_.push_back({from, to, credit});
  }

  void add_waits(std::uint32_t i) {
    const place here = places_[i];
    if (here.what == place::kind::reception) return wait_for_admission(i, here);
    if (here.what == place::kind::source_queue) return wait_for_injection(i, here);
    const router& core = *nodes_[here.node]->core();
    switch (core.input_state(here.port, here.vc)) {
      case vc_state::waiting_vc:
        wait_for_output_vcs(i, here, core);
        return;
      case vc_state::active: {
        if (core.is_discarding(here.port, here.vc)) {
          can_move_[i] = true;
          return;
        }
        const output_vc_ref out = *core.assigned(here.port, here.vc);
        const bool stuck_buffer = core.output_buffer(out.port, out.vc).valid();
        if (chip_.config.pipeline == pipeline::paper2009 && !stuck_buffer)
          can_move_[i] = true;
        else
          wait_for_credit(i, here.node, core, out.port, out.vc);
        return;
      }
      case vc_state::idle:
      case vc_state::routing:
        can_move_[i] = true;
        return;
    }
  }

  void wait_for_output_vcs(std::uint32_t i, const place& here, const router& core) {
    unsigned count = 0;
    const route_option* const options = core.options(here.port, here.vc, count);
    for (unsigned k = 0; k < count; ++k)
      for (const unsigned v : bits_of(options[k].vcs)) {
        const port_id p = options[k].out_port;
        const int owner = core.output_owner(p, v);
        if (owner >= 0) {
          const unsigned vcs = core.vc_count();
          waits_for(
              i, index_of(here.node, static_cast<unsigned>(owner) / vcs, static_cast<unsigned>(owner) % vcs),
              false);
        } else if (core.is_draining(p, v) || core.output_buffer(p, v).valid()) {
          wait_for_credit(i, here.node, core, p, v);
        } else {
          can_move_[i] = true;
        }
      }
  }

  void wait_for_admission(std::uint32_t i, const place& here) {
    const reception_buffer& buffer = *nodes_[here.node]->ni().reception();
    std::uint32_t queues = 0;
    if (!buffer.admitted(here.vc) && chip_.gate) {
      const packet_id packet = buffer.packet_at(here.vc);
      queues = chip_.gate->waits_for_queues(packet, chip_.packets[packet]);
    }
    if (!queues) can_move_[i] = true;
    for (const unsigned m : bits_of(queues & ((1u << chip_.message_classes) - 1)))
      waits_for(i, queues_[here.node * chip_.message_classes + m], false);
  }

  /// A source queue waits for a slot in the router's local input port.
  void wait_for_injection(std::uint32_t i, const place& here) {
    const network_interface& ni = nodes_[here.node]->ni();
    const class_queues* const classes = ni.classes();
    const bool under_way = classes ? classes->sending(here.vc) != no_packet : ni.is_sending();
    if (under_way)
      return wait_for_slot(i, here.node, classes ? classes->sending_vc(here.vc) : ni.sending_vc());
    const vc_mask all = chip_.all_vcs();
    for (const unsigned v : bits_of(classes ? classes->startable(here.vc) : all))
      wait_for_slot(i, here.node, v);
    if (!chip_.shared_classes) return;
    for (unsigned m = 0; m < chip_.message_classes; ++m)  // a VC with a packet of another class under way
      if (classes && m != here.vc && classes->sending(m) != no_packet)
        waits_for(i, queues_[here.node * chip_.message_classes + m], false);
  }

  void wait_for_slot(std::uint32_t i, node_id n, unsigned v) {
    if (nodes_[n]->ni().credits(v) > 0 || credit_comes(*wires_.credit(wires_.injection(n)), v))
      can_move_[i] = true;
    else
      waits_for(i, index_of(n, wiring_.local_port(n), v), true);
  }

  bool credit_comes(const credit_wire& credits, unsigned v) const {
    for (unsigned ahead = 1; ahead <= credits.delay_cycles(); ++ahead)
      if (credits.shown(done_ + ahead).vcs >> v & 1u) return true;
    return false;
  }

  /// `i` needs a slot behind output VC (p, v).
  void wait_for_credit(std::uint32_t i, node_id n, const router& core, port_id p, unsigned v) {
    const bool local = p == wiring_.local_port(n);
    const bool unlimited = local && !chip_.limited_reception;
    if (unlimited || (core.credits(p, v) > 0 && !core.is_draining(p, v))) {
      can_move_[i] = true;
      return;
    }
    const link_id l = local ? no_link : wiring_.ports(n)[p].out;
    if (credit_comes(*wires_.credit(local ? wires_.ejection(n) : l), v))
      can_move_[i] = true;
    else if (local)
      waits_for(i, reception_[n * chip_.config.vcs + v], true);
    else
      waits_for(i, index_of(wiring_.link(l).to, wiring_.link(l).to_port, v), true);
  }

  const netlist& wiring_;
  const std::vector<node*>& nodes_;
  wire_table& wires_;
  const chip_context& chip_;
  const cycle_t done_;
  std::vector<std::uint32_t> first_;      ///< of each node's VCs in index_
  std::vector<std::uint32_t> index_;      ///< into places_
  std::vector<std::uint32_t> reception_;  ///< into places_, by node and VC
  std::vector<std::uint32_t> queues_;     ///< into places_, by node and class
  std::vector<place> places_;
  std::vector<bool> can_move_;
  std::vector<wait_edge> edges_;
};

std::string describe_packet(packet_id packet, const netlist& wiring, const chip_context& chip) {
  const packet_record& record = chip.packets[packet];
  return "packet " + std::to_string(packet) + ", " + wiring.address(record.source) + " -> " +
         wiring.address(record.destination);
}

std::string describe_interface(const place& at, const netlist& wiring, const std::vector<node*>& nodes,
                               const chip_context& chip) {
  const network_interface& ni = nodes[at.node]->ni();
  const std::string module = " (" + wiring.name() + "." + wiring.path(at.node) + "): ";
  if (at.what == place::kind::reception)
    return wiring.address(at.node) + " reception vc" + std::to_string(at.vc) + module +
           describe_packet(ni.reception()->packet_at(at.vc), wiring, chip) + ", is not admitted";
  return wiring.address(at.node) + " source queue of class " + std::to_string(at.vc) + module +
         std::to_string(ni.classes() ? ni.classes()->length(at.vc) : ni.queue_length()) +
         " packets cannot be sent";
}

std::string describe(const place& channel, const netlist& wiring, const std::vector<node*>& nodes,
                     const chip_context& chip) {
  if (channel.what != place::kind::input_vc) return describe_interface(channel, wiring, nodes, chip);
  const port_range ports = wiring.ports(channel.node);
  node_id from = channel.node;
  std::string port = "local";
  if (channel.port < ports.size()) {
    const netlist_link& link = wiring.link(ports[channel.port].in);
    from = link.from;
    port = wiring.port_name(from, link.from_port);
  }
  const flit_word front = nodes[channel.node]->core()->front(channel.port, channel.vc);
  const packet_id packet = chip.packet_of(front);
  return wiring.address(from) + " " + port + " vc" + std::to_string(channel.vc) + " (" + wiring.name() + "." +
         wiring.path(from) + "): held by " + describe_packet(packet, wiring, chip);
}

}  // namespace

bool somebody_waits(const std::vector<node*>& nodes, cycle_t done, cycle_t cycles) {
  for (const node* n : nodes) {
    const router* const core = n->core();
    if (!core || core->flits() == 0) continue;
    for (port_id p = 0; p < core->port_count(); ++p)
      for (unsigned v = 0; v < core->vc_count(); ++v)
        if (core->occupancy(p, v) > 0 && core->front_age(p, v, done) >= cycles) return true;
  }
  return false;
}

std::optional<network_failure> find_deadlock(const netlist& wiring, const std::vector<node*>& nodes,
                                             wire_table& wires, const chip_context& chip, cycle_t done) {
  const wait_for_graph graph(wiring, nodes, wires, chip, done);
  const std::vector<bool> dead = graph.dead();
  const auto stuck = std::count(dead.begin(), dead.end(), true);
  if (stuck == 0) return std::nullopt;

  network_failure failure;
  failure.what = network_failure::kind::deadlock;
  failure.cycle = done;
  const std::vector<place> cycle = graph.cycle(dead);
  const bool protocol =
      std::any_of(cycle.begin(), cycle.end(), [](const place& p) { return p.what != place::kind::input_vc; });
  failure.message = (protocol ? "protocol deadlock in cycle " : "deadlock in cycle ") + std::to_string(done) +
                    ": " + std::to_string(stuck) + " VCs" +
                    (protocol ? ", reception buffers and source queues" : "") + " will never move again; ";
  if (!protocol)
    failure.message += std::to_string(cycle.size()) + " channels wait for each other in a circle";
  else
    failure.message +=
        "packets wait to be admitted until a source queue at their destination sends, and that queue waits "
        "for VCs that such packets hold";
  if (protocol && chip.message_classes > 1 && chip.shared_classes)
    failure.message += " (message classes with VCs of their own would not)";
  for (const place& channel : cycle) {
    failure.detail.push_back(describe(channel, wiring, nodes, chip));
    failure.nodes.push_back(channel.node);
  }
  std::sort(failure.nodes.begin(), failure.nodes.end());
  failure.nodes.erase(std::unique(failure.nodes.begin(), failure.nodes.end()), failure.nodes.end());
  return failure;
}

}  // namespace toriscope

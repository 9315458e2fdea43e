// SPDX-License-Identifier: Apache-2.0
// See reference_network.h.
#include "testbenches/reference/reference_network.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "testbenches/reference/reference_reachability.h"

namespace toriscope::reference {

namespace {

constexpr std::uint64_t credits_from = std::uint64_t{1} << 32;

std::string numbered(const char* what, std::uint64_t number) { return what + std::to_string(number); }

void check(const network_config& config) {
  const router_config& router = config.router;
  if (router.vcs < 1 || router.vcs > flit_word::max_vcs) throw std::invalid_argument("vcs: 1..16");
  if (router.depth < 1 || router.depth > 64) throw std::invalid_argument("depth: 1..64");
  if (router.pipeline == pipeline::paper2009 && router.depth != 1)
    throw std::invalid_argument("paper2009: depth 1");
  if (config.injection_delay_cycles < 1 || config.ejection_delay_cycles < 1)
    throw std::invalid_argument("delay: >= 1");
  if (config.message_classes < 1 || (!config.shared_classes && router.vcs % config.message_classes != 0))
    throw std::invalid_argument("message classes: V is a multiple of N");
  if (router.pipeline != pipeline::paper2009) {
    const stage_counts stages = router.counts();
    if (stages.sa + stages.st < 1) throw std::invalid_argument("stages: sa + st >= 1");
    if (router.speculative && stages.va != 1) throw std::invalid_argument("speculation: va = 1");
  }
}

}  // namespace

network::network(sc_core::sc_module_name name, const netlist& wiring, const routing_function& routing,
                 const network_config& config, traffic_source& source)
    : sc_module(name),
      wiring_(wiring),
      routing_(routing),
      dead_links_(config.dead_links),
      route_vcs_(config.shared_classes ? config.router.vcs
                                       : config.router.vcs / std::max(1u, config.message_classes)),
      layout_(wiring.terminal_count(), routing.state_bits()),
      source_(source) {
  check(config);
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
  make_wires(config);
  for (node_id n = 0; n < wiring.node_count(); ++n) make_router(n, config);
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) make_interface(t, config);
}

// Wires: the links of the netlist, then an injection link per terminal, then an ejection link per terminal.
void network::make_wires(const network_config& config) {
  const auto add_wire = [&](unsigned delay, unsigned credit_delay, bool with_credits) {
    const std::uint64_t number = flit_wires_.size();
    flit_wires_.push_back(
        std::make_unique<wire<flit_word>>(numbered("flits_", number).c_str(), delay, number));
    credit_wires_.emplace_back();
    if (!with_credits) return;
    credit_wires_.back() =
        std::make_unique<wire<credit_word>>(numbered("credits_", number).c_str(),
                                            credit_delay + config.credit_delay_cycles, number + credits_from);
  };
  // "The flit is shown, whole, D + F - 1 cycles after it was sent"; "Credits are not slowed down."
  for (const netlist_link& link : wiring_.links())
    add_wire(link.delay_cycles + link.flit_cycles - 1u, link.delay_cycles, true);
  const unsigned injection = config.injection_delay_cycles;
  const unsigned ejection = config.ejection_delay_cycles;
  for (terminal_id t = 0; t < wiring_.terminal_count(); ++t) add_wire(injection, injection, true);
  for (terminal_id t = 0; t < wiring_.terminal_count(); ++t)
    add_wire(ejection, ejection, config.limited_reception);
}

// "A node may have VCs, a depth and a pipeline of its own"
router_config network::router_at(node_id n, const network_config& config) const {
  router_config here = config.router;
  if (!wiring_.has_node_values()) return here;
  const own_node_values& own = wiring_.node_values(n);
  if (own.vcs > 0) here.vcs = own.vcs;
  if (own.depth > 0) here.depth = own.depth;
  if (own.pipeline == "single_cycle") here.pipeline = pipeline::single_cycle;
  if (own.pipeline == "four_stage") here.pipeline = pipeline::four_stage;
  return here;
}

void network::make_router(node_id n, const network_config& config) {
  const port_range ports = wiring_.ports(n);
  // The wires by port; no_wire: that side is not there.
  constexpr std::size_t no_wire = ~std::size_t{0};
  std::vector<std::size_t> in, out;
  for (const netlist_port& port : ports) {
    in.push_back(port.in == no_link ? no_wire : port.in);
    out.push_back(port.out == no_link ? no_wire : port.out);
  }
  const std::size_t links = wiring_.links().size();
  for (unsigned p = wiring_.local_port(n); p < wiring_.port_count(n); ++p) {
    const terminal_id enters = wiring_.entering(n, static_cast<port_id>(p));
    const terminal_id leaves = wiring_.leaving(n, static_cast<port_id>(p));
    in.push_back(enters == no_terminal ? no_wire : links + enters);
    out.push_back(leaves == no_terminal ? no_wire : links + wiring_.terminal_count() + leaves);
  }

  router_setting setting;
  setting.first_local = static_cast<unsigned>(ports.size());
  setting.node = n;
  setting.config = router_at(n, config);
  setting.most_vcs = config.router.vcs;
  setting.local_credits = config.limited_reception;
  setting.route_vcs = route_vcs_;
  for (const netlist_port& port : ports) {
    setting.out.emplace_back();
    if (port.out == no_link) continue;
    const router_config behind = router_at(wiring_.link(port.out).to, config);
    setting.out.back().vcs = behind.vcs;
    setting.out.back().depth = behind.depth;
    setting.out.back().flit_cycles = wiring_.link(port.out).flit_cycles;
    for (const dead_link& dead : dead_links_) {
      if (dead.link == port.out)
        setting.out.back().dead_from = std::min(setting.out.back().dead_from, dead.from_cycle);
    }
  }
  outgoing_link local;
  local.vcs = setting.config.vcs;
  local.depth = setting.config.depth;
  setting.out.resize(out.size(), local);
  routers_.push_back(
      std::make_unique<router>(numbered("router_", n).c_str(), setting, routing_, layout_, *this));
  router& here = *routers_.back();
  here.clk(clk);

  const auto bind_in = [&](unsigned p, std::size_t number) {
    here.flit_in[p](flit_wires_[number]->output());
    here.credit_out[p](credit_wires_[number]->input());
  };
  const auto credits_to_nobody = [&]() -> sc_core::sc_signal<credit_word>& {
    credits_to_nobody_.push_back(std::make_unique<sc_core::sc_signal<credit_word>>());
    return *credits_to_nobody_.back();
  };
  for (unsigned p = 0; p < out.size(); ++p) {
    if (in[p] != no_wire) {
      bind_in(p, in[p]);
    } else {
      here.flit_in[p](no_flit_);
      here.credit_out[p](credits_to_nobody());
    }
    if (out[p] != no_wire) {
      here.flit_out[p](flit_wires_[out[p]]->input());
    } else {
      flits_to_nobody_.push_back(std::make_unique<sc_core::sc_signal<flit_word>>());
      here.flit_out[p](*flits_to_nobody_.back());
    }
    if (out[p] != no_wire && credit_wires_[out[p]])
      here.credit_in[p](credit_wires_[out[p]]->output());
    else
      here.credit_in[p](no_credit_);
  }
}

void network::make_interface(terminal_id t, const network_config& config) {
  const std::size_t injection = wiring_.links().size() + t;
  const std::size_t ejection = injection + wiring_.terminal_count();
  interface_setting end;
  end.terminal = t;
  const router_config here = router_at(wiring_.terminal(t).node, config);
  end.vcs = here.vcs;
  end.depth = here.depth;
  const router_config there = router_at(wiring_.terminal(t).exit, config);
  end.received_vcs = there.vcs;
  end.received_depth = there.depth;
  end.message_classes = config.message_classes;
  end.shared_classes = config.shared_classes;
  end.limited_reception = config.limited_reception;
  interfaces_.push_back(std::make_unique<interface>(numbered("interface_", t).c_str(), end, layout_, *this));
  interface& ni = *interfaces_.back();
  ni.clk(clk);
  ni.injection(flit_wires_[injection]->input());
  ni.injection_credit(credit_wires_[injection]->output());
  ni.ejection(flit_wires_[ejection]->output());
  if (config.limited_reception) {
    ni.ejection_credit(credit_wires_[ejection]->input());
  } else {
    credits_to_nobody_.push_back(std::make_unique<sc_core::sc_signal<credit_word>>());
    ni.ejection_credit(*credits_to_nobody_.back());
  }
}

void network::cycle() {
  for (const auto& w : flit_wires_) w->cycle();
  for (const auto& w : credit_wires_) {
    if (w) w->cycle();
  }
}

bool network::is_dead(link_id link, cycle_t now) const {
  return std::any_of(dead_links_.begin(), dead_links_.end(),
                     [&](const dead_link& dead) { return dead.link == link && now >= dead.from_cycle; });
}

bool network::connects(terminal_id source, terminal_id destination, route_state drawn, cycle_t now) const {
  if (dead_links_.empty()) return true;
  return leads_to(wiring_, routing_, route_vcs_, source, destination, drawn,
                  [&](link_id link) { return is_dead(link, now); });
}

// "number s + 1 of SplitMix64 with seed 0; h, its upper 32 bits, gives the state floor(h n / 2^32)"
static route_state drawn_route(std::uint64_t number, std::uint64_t states) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<route_state>((z / 0x100000000u) * states / 0x100000000u);
}

// "the k-th packet from a to b, from 0 on, gets (d + k) mod n; d is what number a T + b would draw"
route_state network::state_at_injection(std::uint64_t number, const packet& made) {
  const std::uint64_t states = routing_.injection_states();
  if (!routing_.takes_states_in_turn()) return drawn_route(number, states);
  const std::uint64_t k = packets_of_pair_[{made.source, made.destination}]++;
  const std::uint64_t pair = std::uint64_t{made.source} * wiring_.terminal_count() + made.destination;
  return static_cast<route_state>((drawn_route(pair, states) + k) % states);
}

void network::create_packets(cycle_t now) {
  if (now < next_to_ask_) return;
  next_to_ask_ = now + 1;
  std::vector<packet_request> requests;
  source_.packets_at(now, requests);
  for (const packet_request& request : requests) {
    const std::size_t number = packets_.size();
    packet made;
    made.source = request.source;
    made.destination = request.destination;
    made.flits = request.flits;
    made.created = now;
    made.message_class = request.message_class;
    const route_state state = state_at_injection(number, made);
    made.refused = !connects(request.source, request.destination, state, now);
    packets_.push_back(made);
    if (made.refused) {
      ++packets_refused_;
      if (sink_) sink_->packet_refused(number, record_of(made));
      continue;
    }
    flits_created_ += request.flits;
    const std::uint64_t tag = layout_.tag_of(number);
    if (!under_way_.emplace(tag, number).second) throw std::logic_error("two packets with one tag");
    interfaces_.at(request.source)
        ->enqueue(request.message_class, request.destination, request.flits, tag, state);
  }
}

std::size_t network::number_of(std::uint64_t tag) const {
  const auto found = under_way_.find(tag);
  if (found == under_way_.end()) throw std::logic_error("a packet arrived that no node sent");
  return found->second;
}

std::uint64_t network::sequence_number(std::uint64_t tag) const { return number_of(tag); }

packet_record network::record_of(const packet& p) {
  packet_record record;
  record.created = p.created;
  record.source = p.source;
  record.destination = p.destination;
  record.flits = p.flits;
  record.message_class = p.message_class & 15u;
  return record;
}

bool network::admit_packet(std::uint64_t tag, cycle_t now) {
  const std::size_t number = number_of(tag);
  return !gate_ || gate_->admit(number, record_of(packets_[number]), now);
}

void network::packet_sent(std::uint64_t tag, cycle_t now) {
  const std::size_t number = number_of(tag);
  if (gate_) gate_->packet_sent(number, record_of(packets_[number]), now);
}

void network::receive_packet(std::uint64_t tag, terminal_id at, cycle_t now) {
  const std::size_t number = number_of(tag);
  packet& done = packets_[number];
  under_way_.erase(tag);
  if (done.destination != at) throw std::logic_error("a packet at the wrong node");
  done.arrived = true;
  done.received = now;
  ++packets_received_;
  packet_hash_ += mix(done.source, done.destination, done.created, done.received);
  if (sink_) sink_->packet_received(number, record_of(done), now);
}

void network::discard_packet(std::uint64_t tag, node_id at, cycle_t now) {
  const std::size_t number = number_of(tag);
  packet& lost = packets_[number];
  lost.discarded = true;
  lost.discarded_at = at;
  lost.discarded_in = now;
  ++packets_discarded_;
  // The reference model does not say which port the packet would have liked best.
  if (sink_) sink_->packet_discarded(number, record_of(lost), at, 0, now);
}

std::uint64_t network::cut_pairs(cycle_t now) const {
  std::uint64_t pairs = 0;
  for (terminal_id from = 0; from < wiring_.terminal_count(); ++from) {
    for (terminal_id to = 0; to < wiring_.terminal_count(); ++to) {
      bool cut = from != to;
      for (route_state drawn = 0; cut && drawn < routing_.injection_states(); ++drawn)
        cut = !connects(from, to, drawn, now);
      if (cut) ++pairs;
    }
  }
  return pairs;
}

std::uint64_t network::flits_injected() const {
  std::uint64_t sum = 0;
  for (const auto& ni : interfaces_) sum += ni->flits_sent();
  return sum;
}

std::uint64_t network::flits_ejected() const {
  std::uint64_t sum = 0;
  for (const auto& ni : interfaces_) sum += ni->flits_received();
  return sum;
}

std::uint64_t network::wire_hash() const {
  std::uint64_t sum = 0;
  for (const auto& w : flit_wires_) sum += w->hash();
  for (const auto& w : credit_wires_) {
    if (w) sum += w->hash();
  }
  return sum;
}

}  // namespace toriscope::reference

// SPDX-License-Identifier: Apache-2.0
// See textbook_network.h.
#include "testbenches/textbook/textbook_network.h"

#include <stdexcept>
#include <string>

namespace toriscope::textbook {

namespace {

constexpr std::uint64_t credits_from = std::uint64_t{1} << 32;

std::string numbered(const char* what, std::uint64_t number) { return what + std::to_string(number); }

}  // namespace

network::network(sc_core::sc_module_name name, const netlist& wiring, const routing_function& routing,
                 const network_config& config, traffic_source& source)
    : sc_module(name), layout_(wiring.node_count(), routing.state_bits()), source_(source) {
  const router_config& chip = config.router;
  if (chip.vcs < 1 || chip.vcs > flit_word::max_vcs) throw std::invalid_argument("vcs: 1..16");
  if (chip.depth < 1 || chip.depth > 64) throw std::invalid_argument("depth: 1..64");
  if (chip.pipeline == pipeline::paper2009 && chip.depth != 1)
    throw std::invalid_argument("paper2009: depth 1");
  if (config.injection_delay_cycles < 1 || config.ejection_delay_cycles < 1)
    throw std::invalid_argument("delay: >= 1");

  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();

  const node_id nodes = wiring.node_count();
  const std::size_t links = wiring.links().size();

  // Wires: the links of the netlist, then an injection link and an ejection link per node.
  const auto add_wire = [&](unsigned delay, bool with_credits) {
    const std::uint64_t number = flit_wires_.size();
    flit_wires_.push_back(
        std::make_unique<wire<flit_word>>(numbered("flits_", number).c_str(), delay, number));
    credit_wires_.emplace_back();
    if (!with_credits) return;
    credit_wires_.back() = std::make_unique<wire<credit_word>>(
        numbered("credits_", number).c_str(), delay + config.credit_delay_cycles, number + credits_from);
  };
  for (const netlist_link& link : wiring.links()) add_wire(link.delay_cycles, true);
  for (node_id n = 0; n < nodes; ++n) add_wire(config.injection_delay_cycles, true);
  for (node_id n = 0; n < nodes; ++n) add_wire(config.ejection_delay_cycles, false);

  for (node_id n = 0; n < nodes; ++n) {
    const port_range ports = wiring.ports(n);
    const unsigned local = static_cast<unsigned>(ports.size());
    routers_.push_back(
        std::make_unique<router>(numbered("router_", n).c_str(), n, local + 1, routing, layout_, chip));
    router& here = *routers_.back();
    here.clk(clk);

    const auto bind_in = [&](unsigned p, std::size_t number) {
      here.flit_in[p](flit_wires_[number]->output());
      here.credit_out[p](credit_wires_[number]->input());
    };
    const auto bind_no_credit_out = [&](unsigned p) {
      credits_to_nobody_.push_back(std::make_unique<sc_core::sc_signal<credit_word>>());
      here.credit_out[p](*credits_to_nobody_.back());
    };
    for (unsigned p = 0; p < local; ++p) {
      if (ports[p].in != no_link) {
        bind_in(p, ports[p].in);
      } else {
        here.flit_in[p](no_flit_);
        bind_no_credit_out(p);
      }
      if (ports[p].out != no_link) {
        here.flit_out[p](flit_wires_[ports[p].out]->input());
        here.credit_in[p](credit_wires_[ports[p].out]->output());
      } else {
        flits_to_nobody_.push_back(std::make_unique<sc_core::sc_signal<flit_word>>());
        here.flit_out[p](*flits_to_nobody_.back());
        here.credit_in[p](no_credit_);
      }
    }
    const std::size_t injection = links + n;
    const std::size_t ejection = links + nodes + n;
    bind_in(local, injection);
    here.flit_out[local](flit_wires_[ejection]->input());
    here.credit_in[local](no_credit_);

    interfaces_.push_back(
        std::make_unique<interface>(numbered("interface_", n).c_str(), n, layout_, chip, *this));
    interface& ni = *interfaces_.back();
    ni.clk(clk);
    ni.injection(flit_wires_[injection]->input());
    ni.injection_credit(credit_wires_[injection]->output());
    ni.ejection(flit_wires_[ejection]->output());
  }
}

void network::cycle() {
  for (const auto& w : flit_wires_) w->cycle();
  for (const auto& w : credit_wires_) {
    if (w) w->cycle();
  }
}

void network::create_packets(cycle_t now) {
  if (now < next_to_ask_) return;
  next_to_ask_ = now + 1;
  std::vector<packet_request> requests;
  source_.packets_at(now, requests);
  for (const packet_request& request : requests) {
    const std::uint64_t tag = layout_.tag_of(packets_.size());
    if (!under_way_.emplace(tag, packets_.size()).second) throw std::logic_error("two packets with one tag");
    packets_.push_back({request.source, request.destination, request.flits, now, false, 0});
    flits_created_ += request.flits;
    interfaces_.at(request.source)->enqueue(request.destination, request.flits, tag);
  }
}

void network::receive_packet(std::uint64_t tag, node_id at, cycle_t now) {
  const auto found = under_way_.find(tag);
  if (found == under_way_.end()) throw std::logic_error("a packet that nobody sent");
  packet& done = packets_[found->second];
  under_way_.erase(found);
  if (done.destination != at) throw std::logic_error("a packet at the wrong node");
  done.arrived = true;
  done.received = now;
  ++packets_received_;
  packet_hash_ += mix(done.source, done.destination, done.created, done.received);
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

}  // namespace toriscope::textbook

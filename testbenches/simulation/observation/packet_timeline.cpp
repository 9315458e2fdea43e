// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/packet_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "testbenches/simulation/observation/stall_text.h"

namespace toriscope {
namespace {

/// Appends a cycle to a list of waits; cycles in sequence with the same words are one entry.
void add(std::vector<story_wait>& waits, cycle_t cycle, const std::string& reason, const std::string& text) {
  if (!waits.empty() && waits.back().reason == reason && waits.back().text == text)
    ++waits.back().cycles;
  else
    waits.push_back({cycle, 1, reason, text});
}

/// The same, wherever in the list the entry with these words is.
void gather(std::vector<story_wait>& waits, cycle_t cycle, const std::string& reason,
            const std::string& text) {
  const auto same = std::find_if(waits.begin(), waits.end(),
                                 [&](const story_wait& w) { return w.reason == reason && w.text == text; });
  if (same != waits.end())
    ++same->cycles;
  else
    waits.push_back({cycle, 1, reason, text});
}

cycle_t sum_of(const std::vector<story_wait>& waits) {
  return std::accumulate(waits.begin(), waits.end(), cycle_t{0},
                         [](cycle_t sum, const story_wait& w) { return sum + w.cycles; });
}

}  // namespace

packet_timeline::packet_timeline(packet_id packet, const netlist& wiring, const network_config& config,
                           router_observer& observer)
    : packet_(packet), wiring_(wiring), config_(config), observer_(observer) {
  interface_.delay = config.injection_delay_cycles;
  observer.listen(*this);
  observer.keep_owners();
}

void packet_timeline::stepped(const router_step& step) {
  // Where it is discarded in the cycle in which it comes to a router, that is known before this step of the router.
  if ((is_over() && !(discarded_ && step.now == discarded_cycle_)) || !find_record(step)) return;
  if (step.node->id() == wiring_.terminal(record_.source).node) see_interface(step);
  for (const flit_event& e : step.arrivals)
    if (e.packet == packet_ && e.flit.head()) {
      timeline_hop hop;
      hop.node = step.node->id();
      hop.in_port = e.port;
      hop.in_vc = e.flit.vc();
      hop.shown = step.now;
      hops_.push_back(std::move(hop));
      stations_.resize(hops_.size() * stations_per_hop());
    }
  for (std::size_t h = 0; h < hops_.size(); ++h)
    if (hops_[h].node == step.node->id()) {
      station* const in = &stations_[h * stations_per_hop()];
      see_hop(step, hops_[h], *in, observer_.has_output_buffers() ? in + 1 : nullptr);
    }
}

/// The record lives from the creation of the packet on; the first step after it finds it.
bool packet_timeline::find_record(const router_step& step) {
  if (known_) return true;
  const packet_table& packets = step.node->network().packets;
  if (packets.created() <= packet_) return false;
  record_ = packets[packet_];
  return known_ = true;
}

void packet_timeline::see_interface(const router_step& step) {
  for (const flit_event& e : step.injected) {
    if (e.port != wiring_.terminal(record_.source).port) continue;
    if (e.packet == packet_) {
      if (e.flit.head()) injection_vc_ = e.flit.vc();
      interface_.passed.push_back(step.now);
    } else if (interface_.passed.empty() &&
               step.node->network().packets[e.packet].message_class == record_.message_class) {
      interface_.stalls[step.now] = {"source_queue",
                                     fmt::format("in the source queue behind packet {}", e.packet)};
    } else {
      interface_.stalls[step.now] = {"injection",
                                     fmt::format("the interface sent a flit of packet {}", e.packet)};
    }
  }
}

void packet_timeline::see_hop(const router_step& step, timeline_hop& hop, station& in, station* out) {
  if (in.passed.size() < record_.flits)
    for (const front_event& e : step.fronts)
      if (e.port == hop.in_port && e.vc == hop.in_vc) see_front(step, e, hop, in);
  if (out) see_buffered(step, hop, *out);
  for (const flit_event& e : step.sent)
    if (e.packet == packet_ && e.port == hop.out_port) {
      if (e.flit.head() && !hop.is_sent) {
        hop.is_sent = true;
        hop.sent = step.now;
        hop.out_vc = static_cast<int>(e.flit.vc());
      }
      if (out) out->passed.push_back(step.now);
    }
}

void packet_timeline::see_front(const router_step& step, const front_event& e, timeline_hop& hop,
                                station& in) {
  const cycle_t now = step.now;
  if (e.packet != packet_) {
    if (!hop.is_routed)
      add(hop.waits, now, "behind", fmt::format("behind packet {} in its VC", e.packet));
    return;
  }
  const probed_node& node = *step.node;
  if (e.routed) {
    unsigned options = 0;
    node.watched().options(e.port, e.vc, options);
    hop.is_routed = true;
    hop.routed = now;
    hop.stage_cycles = observer_.timing(node.id()).router_cycles(options);
  }
  if (e.granted_vc) {
    hop.is_granted = true;
    hop.granted = now;
    hop.out_port = e.out_port;
    hop.out_vc = e.out_vc;
    hop.link_cycles = node.wires(static_cast<port_id>(e.out_port)).out->delay_cycles();
    const bool buffers = observer_.has_output_buffers();
    in.delay = observer_.timing(node.id()).switch_to_sent + (buffers ? 0 : hop.link_cycles);
    if (buffers) (&in + 1)->delay = hop.link_cycles;
  }
  if (e.fate == stall_cause::moved) {
    if (e.flit.head()) {
      hop.is_switched = true;
      hop.switched = now;
    }
    in.passed.push_back(now);
  } else if (is_stall(e.fate)) {
    const std::string text = stall_text(wiring_, observer_, step, e, false);
    if (e.flit.head())
      add(hop.waits, now, name_of(e.fate), text);
    else
      in.stalls[now] = {name_of(e.fate), text};
  }
}

/// paper2009: flits of the packet in the buffer of the output VC.
void packet_timeline::see_buffered(const router_step& step, timeline_hop& hop, station& out) {
  for (const front_event& e : step.buffered) {
    if (e.packet != packet_ || e.port != hop.out_port || !is_stall(e.fate)) continue;
    const std::string text = stall_text(wiring_, observer_, step, e, true);
    if (e.flit.head())
      add(hop.waits, step.now, name_of(e.fate), text);
    else
      out.stalls[step.now] = {name_of(e.fate), text};
  }
}

void packet_timeline::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  if (id != packet_) return;
  record_ = record;
  known_ = received_ = true;
  received_cycle_ = received;
  finish();
}

void packet_timeline::packet_refused(packet_id id, const packet_record& record) {
  if (id != packet_) return;
  record_ = record;
  known_ = refused_ = true;
}

void packet_timeline::packet_discarded(packet_id id, const packet_record& record, node_id, port_id wanted,
                                    cycle_t discarded) {
  if (id != packet_) return;
  record_ = record;
  known_ = discarded_ = true;
  discarded_cycle_ = discarded;
  wanted_port_ = wanted;
  finish();
}

void packet_timeline::end(const packet_table& packets) {
  if (is_over() || packets.created() <= packet_) return;
  if (!known_) record_ = packets[packet_];
  known_ = true;
  finish();
}

packet_timeline::station& packet_timeline::station_at(std::size_t index) {
  return index == 0 ? interface_ : stations_[index - 1];
}

void packet_timeline::finish() {
  // The source queue of its class: while the interface sends others of that, up to the last flit of them, the packet
  // is behind them; from then on it is the first, and waits for flits of other classes or for a credit.
  cycle_t first = record_.created;
  for (const auto& [cycle, n] : interface_.stalls) {
    if (n.reason != "source_queue") continue;
    for (; first <= cycle; ++first) add(interface_waits_, first, n.reason, n.text);
  }
  const note no_credit{"injection", "no credit on any VC of the injection link"};
  if (head_sent())
    for (; first < head_sent_cycle(); ++first) {
      const auto other = interface_.stalls.find(first);
      const note& why = other == interface_.stalls.end() ? no_credit : other->second;
      add(interface_waits_, first, why.reason, why.text);
    }
  if (!received_) return;

  const std::size_t last = stations_.size();
  const std::vector<cycle_t> passed = station_at(last).passed;
  for (std::size_t i = 1; i < passed.size(); ++i)
    for (cycle_t t = passed[i - 1] + 1; t < passed[i]; ++t) trace_back(last, t);
  const cycle_t taken = passed.back() + station_at(last).delay;
  for (cycle_t t = taken; t < received_cycle_; ++t)
    add(reception_waits_, t, "reception", "the interface of the destination did not take the packet");
}

/// No flit of the packet passed this station in this cycle: why?
void packet_timeline::trace_back(std::size_t index, cycle_t cycle) {
  for (;; --index) {
    const station& at = station_at(index);
    const auto found = at.stalls.find(cycle);
    std::vector<story_wait>& waits =
        index == 0 ? interface_waits_ : hops_[(index - 1) / stations_per_hop()].behind;
    if (found != at.stalls.end()) return gather(waits, cycle, found->second.reason, found->second.text);
    if (index == 0)
      return gather(waits, cycle, "injection", fmt::format("no credit on injection VC {}", injection_vc_));
    cycle -= station_at(index - 1).delay;
  }
}

cycle_t packet_timeline::no_wait_cycles() const {
  cycle_t sum = config_.injection_delay_cycles + record_.flits - 1;
  for (const timeline_hop& hop : hops_) sum += hop.stage_cycles + hop.link_cycles;
  return sum;
}

cycle_t packet_timeline::wait_cycles() const {
  cycle_t sum = sum_of(interface_waits_) + sum_of(reception_waits_);
  for (const timeline_hop& hop : hops_) sum += sum_of(hop.waits) + sum_of(hop.behind);
  return sum;
}

}  // namespace toriscope

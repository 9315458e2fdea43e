// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/timeline_text.h"

#include <fmt/format.h>

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

std::string cycles(cycle_t n) { return fmt::format("{} cycle{}", n, n == 1 ? "" : "s"); }

std::string at_node(const netlist& wiring, node_id n) {
  const std::string address = wiring.address(n), path = wiring.path(n);
  return address + fmt::format(" (node {}{})", n, path == address ? "" : ", " + path);
}

std::string at_terminal(const netlist& wiring, terminal_id t) {
  if (wiring.has_plain_terminals()) return at_node(wiring, t);
  const std::string address = wiring.terminal_address(t), path = wiring.terminal_path(t);
  return address + fmt::format(" (terminal {}{})", t, path == address ? "" : ", " + path);
}

void append_waits(std::string& text, const std::vector<story_wait>& waits, const char* whose) {
  for (const story_wait& w : waits)
    text += fmt::format("{:>10}  {}{}: {}\n", "", whose, cycles(w.cycles), w.text);
}

/// Those in the source queue as one; the others each.
void append_interface_waits(std::string& text, const std::vector<story_wait>& waits) {
  std::vector<story_wait> others;
  cycle_t queued = 0;
  unsigned packets = 0;
  for (const story_wait& w : waits)
    if (w.reason == "source_queue") {
      queued += w.cycles;
      ++packets;
    } else {
      others.push_back(w);
    }
  if (packets == 1)
    others = waits;
  else if (packets > 1)
    text += fmt::format("{:>10}  waited {}: in the source queue behind {} packets\n", "", cycles(queued),
                        packets);
  append_waits(text, others, "waited ");
}

void append_line(std::string& text, cycle_t cycle, const std::string& what) {
  text += fmt::format("{:>10}  {}\n", cycle, what);
}

void append_hop(std::string& text, const packet_timeline& timeline, std::size_t number) {
  const netlist& wiring = timeline.wiring();
  const timeline_hop& hop = timeline.hops()[number];
  std::string title = fmt::format("router {}: {}, in {} VC {}", number + 1, at_node(wiring, hop.node),
                                  wiring.port_name(hop.node, hop.in_port), hop.in_vc);
  if (hop.out_port >= 0)
    title += ", out " + wiring.port_name(hop.node, static_cast<port_id>(hop.out_port)) +
             (hop.out_vc >= 0 ? fmt::format(" VC {}", hop.out_vc) : "");
  text += title + "\n";
  std::string stages = "shown";
  if (hop.is_routed) stages += fmt::format("; RC {}", hop.routed);
  if (hop.is_granted) stages += fmt::format(", VA {}", hop.granted);
  if (hop.is_switched) stages += fmt::format(", SA {}", hop.switched);
  if (hop.is_sent) stages += fmt::format(", sent {}", hop.sent);
  append_line(text, hop.shown, stages);
  append_waits(text, hop.waits, "waited ");
  append_waits(text, hop.behind, "flits behind the head: ");
}

json as_json(const std::vector<story_wait>& waits) {
  json list = json::array();
  for (const story_wait& w : waits)
    list.push_back({{"from", w.from}, {"cycles", w.cycles}, {"reason", w.reason}, {"text", w.text}});
  return list;
}

template <class Value>
json when(bool known, const Value& value) {
  return known ? json(value) : json();
}

json as_json(const netlist& wiring, const timeline_hop& hop) {
  json j;
  j["node"] = hop.node;
  j["address"] = wiring.address(hop.node);
  j["in_port"] = wiring.port_name(hop.node, hop.in_port);
  j["in_vc"] = hop.in_vc;
  j["out_port"] =
      hop.out_port >= 0 ? json(wiring.port_name(hop.node, static_cast<port_id>(hop.out_port))) : json();
  j["out_vc"] = when(hop.out_vc >= 0, hop.out_vc);
  j["shown"] = hop.shown;
  j["rc"] = when(hop.is_routed, hop.routed);
  j["va"] = when(hop.is_granted, hop.granted);
  j["sa"] = when(hop.is_switched, hop.switched);
  j["sent"] = when(hop.is_sent, hop.sent);
  j["stage_cycles"] = when(hop.is_routed, hop.stage_cycles);
  j["link_cycles"] = when(hop.is_granted, hop.link_cycles);
  j["waits"] = as_json(hop.waits);
  j["waits_behind_head"] = as_json(hop.behind);
  return j;
}

}  // namespace

std::string timeline_text(const packet_timeline& timeline, std::optional<std::uint64_t> zero_load,
                          cycle_t cycles_done) {
  const netlist& wiring = timeline.wiring();
  const packet_record& r = timeline.record();
  std::string text =
      fmt::format("packet {}: {} flit{} from {} to {}\n", timeline.packet(), r.flits, r.flits == 1 ? "" : "s",
                  at_terminal(wiring, r.source), at_terminal(wiring, r.destination));
  if (timeline.received()) {
    text += fmt::format("latency {} = {} without any wait + {} of waiting", timeline.latency(),
                        timeline.no_wait_cycles(), timeline.wait_cycles());
    if (zero_load) text += fmt::format("; {} in an empty network", *zero_load);
    text += '\n';
  }
  text += '\n';
  append_line(text, r.created, "created");
  if (timeline.refused()) return text + "rejected: no route over working links leads to its destination\n";
  append_interface_waits(text, timeline.interface_waits());
  if (timeline.head_sent())
    append_line(text, timeline.head_sent_cycle(), fmt::format("head sent on VC {}", timeline.injection_vc()));
  else
    text += fmt::format("{:>10}  still in the source queue\n", "");
  for (std::size_t h = 0; h < timeline.hops().size(); ++h) append_hop(text, timeline, h);
  if (!timeline.received()) {
    if (timeline.discarded())
      append_line(text, timeline.discarded_cycle(),
                  fmt::format("discarded: all route options are dead; its destination is {}",
                              wiring.port_name(timeline.hops().back().node, timeline.wanted_port())));
    else
      text += fmt::format("not received in the {} cycles of the run\n", cycles_done);
    return text;
  }
  text += fmt::format("{}\n", at_terminal(wiring, r.destination));
  append_line(text, timeline.head_received_cycle(), "head received");
  append_waits(text, timeline.reception_waits(), "waited ");
  append_line(text, timeline.received_cycle(), "tail received");
  const auto sum = timeline.no_wait_cycles() + timeline.wait_cycles();
  if (sum != timeline.latency())
    text += fmt::format("the waits found do not add up: {} cycles are explained, the latency is {}\n", sum,
                        timeline.latency());
  return text;
}

json timeline_json(const packet_timeline& timeline, std::optional<std::uint64_t> zero_load) {
  const packet_record& r = timeline.record();
  const bool received = timeline.received();
  json j;
  j["packet"] = timeline.packet();
  j["source"] = r.source;
  j["destination"] = r.destination;
  j["flits"] = r.flits;
  j["created"] = r.created;
  j["received"] = when(received, timeline.received_cycle());
  j["refused"] = timeline.refused();
  j["discarded"] = when(timeline.discarded(), timeline.discarded_cycle());
  j["latency"] = received ? json(timeline.latency()) : json();
  j["no_wait"] = received ? json(timeline.no_wait_cycles()) : json();
  j["waits"] = received ? json(timeline.wait_cycles()) : json();
  j["zero_load"] = zero_load ? json(*zero_load) : json();
  j["interface"]["head_sent"] = timeline.head_sent() ? json(timeline.head_sent_cycle()) : json();
  j["interface"]["vc"] = when(timeline.head_sent(), timeline.injection_vc());
  j["interface"]["waits"] = as_json(timeline.interface_waits());
  j["hops"] = json::array();
  for (const timeline_hop& hop : timeline.hops()) j["hops"].push_back(as_json(timeline.wiring(), hop));
  j["head_received"] = received ? json(timeline.head_received_cycle()) : json();
  j["reception"] = as_json(timeline.reception_waits());
  return j;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/explain_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>

#include "base/whole_number.h"
#include "base/words.h"
#include "testbenches/program/run_options.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/observation/timeline_text.h"
#include "testbenches/simulation/simulation.h"
#include "topologies/path.h"

namespace toriscope {
namespace {

packet_id packet_number(const std::string& text) {
  packet_id number = 0;
  if (!to_number(text, number))
    throw std::invalid_argument("--packet: '" + text + "' is not a packet number; expected a whole number from 0 on");
  return number;
}

/// Ends the run with the cycle in which the packet arrives, or is lost.
class pause_at_the_end final : public packet_sink {
 public:
  explicit pause_at_the_end(packet_id packet) : packet_(packet) {}
  void packet_received(packet_id id, const packet_record&, cycle_t) override { pause(id); }
  void packet_refused(packet_id id, const packet_record&) override { pause(id); }
  void packet_discarded(packet_id id, const packet_record&, node_id, port_id, cycle_t) override { pause(id); }

 private:
  void pause(packet_id id) const {
    if (id == packet_) sc_core::sc_pause();
  }
  const packet_id packet_;
};

/// The zero-load latency, where the packet went the way that the model knows: by first options.
std::optional<std::uint64_t> zero_load_of(const simulation& s, const network& net,
                                          const packet_timeline& timeline) {
  if (!timeline.received()) return std::nullopt;
  const packet_record& r = timeline.record();
  const route_state drawn = drawn_state(timeline.packet(), net.routing().injection_states());
  const std::vector<hop> way =
      walk(net.wiring(), net.routing(), r.source, r.destination, net.config().router.vcs, drawn);
  if (way.size() + 1 != timeline.hops().size()) return std::nullopt;
  for (std::size_t h = 0; h < way.size(); ++h)
    if (way[h].node != timeline.hops()[h].node ||
        static_cast<int>(way[h].out_port) != timeline.hops()[h].out_port)
      return std::nullopt;
  return s.zero_load().latency(r.source, r.destination, r.flits, drawn);
}

}  // namespace

void add_explain_options(CLI::App& explain, explain_choices& choices) {
  add_deadlock_check_settings(explain, choices.deadlock);
  explain_outputs& o = choices.outputs;
  text_options options(explain, "Output");
  options.add("--packet", o.packet, "N", "number of the packet in order of creation, from 0 on");
  options.add("--json", o.json, "FILE", "the timeline as JSON; - is standard output");
  options.add_flag("--quiet", o.quiet, "print neither text nor progress");
  explain.footer(
      "explain simulates until the packet has arrived, and prints every hop: when it arrived, what it waited for and\n"
      "for how long, and the zero-load latency.\n\n"
      "Examples:\n  toriscope explain --packet 100\n"
      "  toriscope explain --topology torus:8x8 --rate 0.3 --packet-flits 4 --packet 2000 --json -");
}

std::string idle_in_timeline(const parameter& p, const run_request&, const explain_choices&) {
  return p.path == "network.wire_hash" ? "on the timeline of a packet, which has no hashes; leave it out" : "";
}

int explain_command(const run_request& request, const explain_choices& choices) {
  const explain_outputs& o = choices.outputs;
  if (o.packet.empty())
    throw std::invalid_argument("explain needs --packet N, a packet's number in order of creation, from 0 on");
  const packet_id number = packet_number(o.packet);
  if (request.config.fidelity == fidelity::transaction)
    throw std::invalid_argument(
        "--fidelity transaction: explain shows flits, which the transaction level does not have; use "
        "--fidelity cycle");
  // Never destroyed, as in run_command.cpp.
  simulation& s = *new simulation(request.config, request.given);
  const std::string report = s.deadlock_report(choices.deadlock);
  check_writable(o.json);
  router_observer observer(s.wiring(), s.config().network);
  packet_timeline timeline(number, s.wiring(), s.config().network, observer);
  pause_at_the_end pause(number);
  s.elaborate(probe_all(observer));
  network& net = s.net();
  net.add_sink(&timeline);
  net.add_sink(&pause);
  progress shown(!o.quiet);
  s.run(shown, [&] { return !timeline.is_over(); });
  timeline.end(net.packets());
  if (!timeline.created()) {
    const std::uint64_t created = net.packets().created();
    throw std::invalid_argument(fmt::format(
        "--packet: packet {} is not created in the {} cycles of this run; {}", number, net.cycles_done(),
        created ? fmt::format("it creates 0 to {}", created - 1) : "it creates none"));
  }
  const std::optional<std::uint64_t> zero_load = zero_load_of(s, net, timeline);
  write_text(o.json, timeline_json(timeline, zero_load).dump(2) + "\n");
  if (!o.quiet && o.json != "-")
    write_stdout(timeline_text(timeline, zero_load, net.cycles_done()) + report + "\n");
  if (!s.failure()) return fine;
  std::fprintf(stderr, "toriscope: %s\n", one_line(s.failure()->message).c_str());
  return check_failed;
}

}  // namespace toriscope

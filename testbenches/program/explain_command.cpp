// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/explain_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/json.h"
#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "testbenches/program/run_options.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/configuration/parameter_effects.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/observation/timeline_text.h"
#include "testbenches/simulation/simulation.h"
#include "testbenches/simulation/traffic/node_address.h"
#include "topologies/path.h"
#include "traces/gtkw.h"

namespace toriscope {
namespace {

constexpr std::size_t most_packets = 100;
constexpr cycle_t cycles_around = 10;  // of the waveform

packet_id packet_number(const std::string& text) {
  packet_id number = 0;
  if (!to_number(text, number))
    throw std::invalid_argument("--packet: '" + text +
                                "' is not a packet number; expected a whole number from 0 on");
  return number;
}

/// Ends the run with the cycle in which one of the packets arrives, or is lost.
class pause_at_the_end final : public packet_sink {
 public:
  explicit pause_at_the_end(const std::vector<packet_id>& packets) : packets_(packets) {}
  void packet_received(packet_id id, const packet_record&, cycle_t) override { pause(id); }
  void packet_refused(packet_id id, const packet_record&) override { pause(id); }
  void packet_discarded(packet_id id, const packet_record&, node_id, port_id, cycle_t) override { pause(id); }

 private:
  void pause(packet_id id) const {
    if (std::find(packets_.begin(), packets_.end(), id) != packets_.end()) sc_core::sc_pause();
  }
  const std::vector<packet_id>& packets_;
};

/// The same network and traffic once more, in a process of its own: one process elaborates one network.
measured_process run_beside(const simulation& s, const deadlock_check_settings& deadlock,
                            std::vector<std::string> more) {
  more.insert(more.begin(), {own_program(), "run", "--config", "-", "--quiet", "--failure-wave", "none"});
  if (deadlock.allow_deadlock) more.emplace_back("--allow-deadlock");
  if (deadlock.no_cache) more.emplace_back("--no-cache");
  process_settings settings;
  settings.input = as_tree(s.config()).dump();
  return run_measured(more, settings);
}

/// Of the packets created in the measured cycles and received, those that --slowest, --from and --to ask for.
std::vector<packet_id> chosen_packets(const simulation& s, const explain_choices& choices) {
  const explain_outputs& o = choices.outputs;
  std::size_t count = 1;
  if (!o.slowest.empty() && (!to_number(o.slowest, count) || count == 0 || count > most_packets))
    throw std::invalid_argument(
        fmt::format("--slowest: '{}' is not a number of packets; expected a whole number from 1 to {}",
                    o.slowest, most_packets));
  const auto address_of = [&](const std::string& text) {
    return text.empty() ? text : s.wiring().terminal_address(parse_terminal(text, s.wiring()));
  };
  const std::string from = address_of(o.from), to = address_of(o.to);
  const scratch_directory scratch;
  const std::string file = scratch.file("packets.csv"), results = scratch.file("results.json");
  const measured_process run = run_beside(s, choices.deadlock, {"--packet-stats", file, "--json", results});
  if (run.status != fine && run.status != check_failed) throw std::runtime_error(run.last_words());

  struct received {
    cycle_t latency;
    packet_id packet;
  };
  std::vector<received> found;
  cycle_t first = s.config().measurement.warmup_cycles, cycles = s.config().measurement.measure_cycles;
  if (s.config().measurement.precision > 0) {
    const nlohmann::json run_told = nlohmann::json::parse(text_of_file(results, "the results"));
    const nlohmann::json& window = run_told.at("results").at("precision");
    cycles = window.at("measured_cycles");
    if (cycles > 0) first = window.at("warmup_cycles");  // unknown before there is a window
  }
  std::istringstream lines(text_of_file(file, "the list of packets"));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    const std::vector<std::string> cells = split(line, ',');
    packet_id packet = 0;
    cycle_t created = 0, arrived = 0;
    to_number(cells.at(0), packet);
    to_number(cells.at(5), created);
    to_number(cells.at(7), arrived);
    const bool measured = created >= first && created - first < cycles;
    if (measured && (from.empty() || cells[1] == from) && (to.empty() || cells[2] == to))
      found.push_back({arrived - created, packet});
  }
  if (found.empty())
    throw std::invalid_argument(
        fmt::format("no packet{}{} of the measured cycles is received; choose others, or more --cycles",
                    from.empty() ? "" : " from " + from, to.empty() ? "" : " to " + to));
  const bool by_latency = !o.slowest.empty();
  std::sort(found.begin(), found.end(), [&](const received& a, const received& b) {
    return by_latency && a.latency != b.latency ? a.latency > b.latency : a.packet < b.packet;
  });
  std::vector<packet_id> packets;
  for (std::size_t i = 0; i < std::min(count, found.size()); ++i) packets.push_back(found[i].packet);
  return packets;
}

std::vector<packet_id> packets_of(const simulation& s, const explain_choices& choices) {
  const explain_outputs& o = choices.outputs;
  const bool chosen = !o.slowest.empty() || !o.from.empty() || !o.to.empty();
  if (chosen && !o.packet.empty())
    throw std::invalid_argument(
        "--packet names one packet; leave out --slowest, --from and --to, or --packet");
  return chosen ? chosen_packets(s, choices) : std::vector<packet_id>{packet_number(o.packet)};
}

/// The ports on the packet's way, in order, with a marker where each router is shown the head.
void write_wave(const simulation& s, const explain_choices& choices, const packet_timeline& timeline,
                cycle_t cycles_done) {
  const std::string& file = choices.outputs.wave;
  const netlist& wiring = s.wiring();
  std::string places;
  std::vector<std::string> options{"--wave-only", "--wave-in-order", "--wave-file", file};
  for (const timeline_hop& hop : timeline.hops()) {
    const std::string node = wiring.name() + '.' + wiring.path(hop.node) + '.';
    places += (places.empty() ? "" : ",") + node + "in_" + wiring.port_name(hop.node, hop.in_port);
    if (hop.out_port >= 0)
      places += "," + node + "out_" + wiring.port_name(hop.node, static_cast<port_id>(hop.out_port));
    options.insert(options.end(), {"--wave-mark", std::to_string(hop.shown)});
  }
  if (places.empty())
    throw std::invalid_argument("--wave: the packet has not left its source; there is no way to show");
  const cycle_t first = timeline.record().created;
  const cycle_t last = timeline.received() ? timeline.received_cycle() : cycles_done;
  options.insert(options.end(),
                 {"--wave", fmt::format("{}@{}:{}", places, first - std::min(first, cycles_around),
                                        last + cycles_around)});
  const measured_process run = run_beside(s, choices.deadlock, options);
  if (run.status != fine && run.status != check_failed) throw std::runtime_error(run.last_words());
}

/// The zero-load latency, where the packet went the way that the model knows: by first options.
std::optional<std::uint64_t> zero_load_of(const simulation& s, const network& net,
                                          const packet_timeline& timeline) {
  if (!timeline.received()) return std::nullopt;
  const packet_record& r = timeline.record();
  const route_state drawn = injection_rule(net.routing()).of(timeline.packet(), r);
  const std::vector<hop> way =
      walk(net.wiring(), net.routing(), r.source, r.destination, net.config().router.vcs, drawn);
  if (way.size() + 1 != timeline.hops().size()) return std::nullopt;
  const auto leaves_as = [](const hop& h, const timeline_hop& told) {
    return static_cast<int>(h.out_port) == told.out_port;
  };
  if (!std::equal(way.begin(), way.end(), timeline.hops().begin(), leaves_as)) return std::nullopt;
  return s.zero_load().latency(r.source, r.destination, r.flits, drawn);
}

}  // namespace

void add_explain_options(CLI::App& explain, explain_choices& choices) {
  add_deadlock_check_settings(explain, choices.deadlock);
  explain_outputs& o = choices.outputs;
  text_options options(explain, "Output");
  options.add("--packet", o.packet, "N", "number of the packet in order of creation, from 0 on");
  options.add("--slowest", o.slowest, "N",
              "the N measured packets of the highest latency; with --from and --to of those between them");
  options.add("--from", o.from, "TERMINAL", "the first measured packet from there: a number or an address");
  options.add("--to", o.to, "TERMINAL", "the first measured packet to there");
  options.add("--json", o.json, "FILE", "the timeline as JSON; - is standard output");
  options.add(
      "--wave", o.wave, "FILE",
      "waveform of the ports on the packet's way, in order, with a marker at each router; of several packets "
      "the first one's");
  options.add_flag("--quiet", o.quiet, "print neither text nor progress");
  explain.footer(
      "explain simulates until the packet has arrived, and prints every hop: when it arrived, what it waited "
      "for and\n"
      "for how long, and the zero-load latency. For --slowest, --from and --to it first runs the whole "
      "simulation once to\n"
      "find the packets, for --wave once more.\n\n"
      "Examples:\n  toriscope explain --packet 100\n"
      "  toriscope explain --topology torus:8x8 --rate 0.3 --slowest 3 --wave slowest.vcd\n"
      "  toriscope explain --topology mesh:4x4 --rate 0.1 --from 0 --to 15\n"
      "  toriscope explain --topology torus:8x8 --rate 0.3 --packet-flits 4 --packet 2000 --json -");
}

std::string idle_in_timeline(const parameter& p, const run_request& request, const explain_choices&) {
  if (p.path == "measurement.clock_ghz" || is_only_printed(p, request.config))
    return "on the timeline of a packet, which is in cycles; leave it out";
  return p.path == "network.wire_hash" ? "on the timeline of a packet, which has no hashes; leave it out"
                                       : "";
}

int explain_command(const run_request& request, const explain_choices& choices) {
  const explain_outputs& o = choices.outputs;
  if (o.packet.empty() && o.slowest.empty() && o.from.empty() && o.to.empty())
    throw std::invalid_argument(
        "explain needs --packet N, a packet's number in order of creation, from 0 on, or --slowest N, --from "
        "or --to");
  if (request.config.fidelity == fidelity::transaction)
    throw std::invalid_argument(
        "--fidelity transaction: explain shows flits, which the transaction level does not have; use "
        "--fidelity cycle");
  // Never destroyed, as in run_command.cpp.
  simulation& s = *new simulation(request.config, request.given);
  const std::string report = s.deadlock_report(choices.deadlock);
  refuse_stdout("--wave", "a waveform", o.wave);
  if (o.wave == "none") throw std::invalid_argument("--wave: none; expected a file, or leave it out");
  check_outputs({{"--json", o.json},
                 {"--wave", o.wave},
                 {"the GTKWave save file", gtkw_name(o.wave)}});
  const std::vector<packet_id> packets = packets_of(s, choices);
  router_observer observer(s.wiring(), s.config().network);
  std::vector<std::unique_ptr<packet_timeline>> timelines;
  for (const packet_id packet : packets)
    timelines.push_back(std::make_unique<packet_timeline>(packet, s.wiring(), s.config().network, observer));
  pause_at_the_end pause(packets);
  s.elaborate(probe_all(observer));
  network& net = s.net();
  for (const auto& timeline : timelines) net.add_sink(timeline.get());
  net.add_sink(&pause);
  progress shown(!o.quiet);
  s.run(shown, [&] {
    return std::any_of(timelines.begin(), timelines.end(), [](const auto& t) { return !t->is_over(); });
  });
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const auto& timeline : timelines) {
    timeline->end(net.packets());
    if (!timeline->created()) {
      const std::uint64_t created = net.packets().created();
      throw std::invalid_argument(fmt::format(
          "--packet: packet {} is not created in the {} cycles of this run; {}", timeline->packet(),
          net.cycles_done(), created ? fmt::format("it creates 0 to {}", created - 1) : "it creates none"));
    }
    const std::optional<std::uint64_t> zero_load = zero_load_of(s, net, *timeline);
    text += (text.empty() ? "" : "\n") + timeline_text(*timeline, zero_load, net.cycles_done());
    all.push_back(timeline_json(*timeline, zero_load));
  }
  write_text(o.json, (o.slowest.empty() ? all[0] : nlohmann::ordered_json{{"packets", all}}).dump(2) + "\n");
  if (!o.quiet && !is_stdout(o.json)) write_stdout(text + report + "\n");
  if (!o.wave.empty()) write_wave(s, choices, *timelines[0], net.cycles_done());
  if (!s.failure()) return fine;
  tell(s.failure()->message);
  return check_failed;
}

}  // namespace toriscope

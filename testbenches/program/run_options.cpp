// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope run` beyond those of the network and its traffic.
#include "testbenches/program/run_options.h"

#include <stdexcept>

#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"

namespace toriscope {

void add_deadlock_check_settings(CLI::App& run, deadlock_check_settings& v) {
  text_options options(run, "Deadlock");
  options.add_flag("--allow-deadlock", v.allow_deadlock, "run a VC rule that is known to be cyclic");
  options.add_flag("--no-cache", v.no_cache, "neither read nor write the cache of deadlock proofs");
}

void add_run_options(CLI::App& run, run_choices& choices) {
  add_deadlock_check_settings(run, choices.deadlock);
  add_rtl_options(run, choices.rtl);
  add_router_option(run, choices.rtl);
  run_outputs& o = choices.outputs;
  text_options results(run, "Results");
  results.add("--json", o.json, "FILE", "configuration and results as JSON; - is standard output");
  results.add("--csv", o.csv, "FILE", "the same as CSV: a line of names and a line of values");
  results.add_flag("--observe", o.observe,
                   "count inside the routers: stall reasons, link use, events; adds them to the results");
  results.add("--link-stats", choices.link_stats, "FILE",
              "use of every link, injection port and ejection port as CSV; with --observe of every VC, and what "
              "flits waited for, as CSV or .json");
  results.add("--packet-stats", o.packet_stats, "FILE",
              "every packet received as CSV: source, destination, cycles, hops, with --observe what it "
              "waited for; .gz and .zst "
              "are compressed");
  results.add("--transactions", o.transactions, "FILE.ftr",
              "every packet, and its hops with what they waited for, as transactions for Surfer and other viewers");
  results.add("--transaction-detail", o.transaction_detail, "KIND",
              "packets: packets only; hops: and their hops; relations: and relations from packets to hops [hops]");
  results.add("--time-series", o.time_series, "FILE",
              "offered and accepted load, backlog and mean latency of every interval of the run, as CSV");
  results.add("--time-step", o.time_step, "CYCLES", "length of these intervals [100]");
  results.add_flag("--json-links", o.json_links,
                   "add the use of every link, injection port and ejection port to --json (for draw --use)");
  results.add("--stalls", o.stalls, "FILE", "stall reasons of every input VC, in cycles: CSV or .json");
  results.add("--events", o.events, "FILE", "events of every router, for energy models: CSV or .json");
  if (run.get_name() == "run") {  // traces that are recorded or replayed have no state
    text_options states(run, "State");
    states.add("--save-state", o.save_state, "CYCLE:FILE",
               "save the state of the run after CYCLE cycles; every:CYCLES:FILE: again and again, the last one stays");
    states.add("--from-state", o.from_state, "FILE",
               "go on from such a file: the rest is as if the run had not stopped");
  }
  results.add_flag("--quiet", o.quiet, "print neither the table nor progress");
  text_options waves(run, "Waveforms");
  waves.add("--wave", o.wave, "GLOB@FROM:TO",
            "waveform of the modules whose names match, in these cycles, one window: 'ttn.bm_0_0.*@2000:2400'");
  waves.add("--wave-file", o.wave_file, "FILE",
            "where it goes, with a .gtkw file beside it: FST, about a sixth of the size, when the name ends in .fst, "
            "else VCD [toriscope.vcd]");
  waves.add("--wave-groups", o.wave_groups, "LIST", "signals in it: links,vcs,alloc,ni or all [all]");
  waves.add("--failure-wave", o.failure_wave, "FILE",
            "waveform around a deadlock or broken invariant; none: none [toriscope-failure.vcd]");
  waves.add_flag("--observe-links", o.watch_links,
                 "read every link in every cycle, as a SystemC process would; changes no result, costs time");
  run.footer(
      "Without options run simulates ttn:2,2,0 under uniform traffic. It warms up, measures, and drains until all\n"
      "measured packets have arrived.\n\n"
      "Examples:\n"
      "  toriscope run --topology torus:8x8 --traffic transpose --rate 0.2 --json results.json\n"
      "  toriscope run --topology mesh:8x8 --vcs 2 --depth 4 --packet 4 --rate 0.1 --wave 'mesh.*@100:200'\n"
      "  toriscope run --topology torus:8x8 --rate 0.3 --observe --link-stats links.csv --stalls stalls.csv\n"
      "  toriscope run --topology torus:8x8 --stages rc=1,va=1,sa=1,st=2 --speculative --sa-allocator islip\n"
      "  toriscope run --topology torus:8x8 --routing adaptive --vc-reallocation atomic\n"
      "  toriscope run --topology torus:8x8 --link-delay linear:0.5 --link-width 32 --fail-link 9.x+@500\n"
      "  toriscope run --topology torus:8x8 --traffic-mode request_reply --message-classes 2 --rate 0.2\n"
      "  toriscope run --topology ttn:2,2,0 --rtl 'ttn.bm_0_0.*'\n"
      "  toriscope run --topology torus:8x8 --rate 0.2 --cycles 100000 --save-state every:20000:run.state\n"
      "  toriscope run --topology torus:8x8 --rate 0.2 --cycles 100000 --from-state run.state\n"
      "  mpirun -n 4 toriscope run --topology torus:256x256 --rate 0.02");
  // Former names of --link-stats, the second one with --observe.
  text_options former(run, "");
  former.add("--link-csv", o.link_csv, "FILE", "");
  former.add("--link-usage", o.link_usage, "FILE", "");
  // For a second run, after a failure or of explain:
  run.add_option("--wave-mark", o.wave_marks)->group("");
  run.add_flag("--wave-in-order", o.wave_in_order)->group("");
  run.add_flag("--wave-only", o.wave_only)->group("");
}

void apply(const run_choices& choices, run_request& request) {
  request.deadlock = choices.deadlock;
  request.rtl = choices.rtl;
  request.outputs = choices.outputs;
  run_outputs& o = request.outputs;
  if (choices.link_stats.empty() || o.wave_only) return;
  std::string& file = wants_observation(o) ? o.link_usage : o.link_csv;
  if (!file.empty())
    throw std::invalid_argument("--link-stats is given twice: --link-csv and --link-usage are its former names");
  file = choices.link_stats;
  if (&file == &o.link_csv && is_json_name(file))
    throw std::invalid_argument("--link-stats " + file + " needs --observe; add it, or use a name that ends in .csv");
}

}  // namespace toriscope

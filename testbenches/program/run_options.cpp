// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope run` beyond those of the network and its traffic.
#include "testbenches/program/run_options.h"

#include "testbenches/program/text_options.h"

namespace toriscope {

void add_verdict_settings(CLI::App& run, verdict_settings& v) {
  text_options options(run, "Deadlock");
  options.add_flag("--allow-deadlock", v.allow_deadlock, "run a VC rule that is known to be cyclic");
  options.add_flag("--no-cache", v.no_cache, "neither read nor write remembered verdicts on deadlock");
}

void add_run_options(CLI::App& run, run_choices& choices) {
  add_verdict_settings(run, choices.deadlock);
  add_rtl_options(run, choices.rtl);
  add_router_option(run, choices.rtl);
  run_outputs& o = choices.outputs;
  text_options options(run, "Output");
  options.add("--json", o.json, "FILE", "configuration and results as JSON; - is standard output");
  options.add_flag("--json-links", o.json_links,
                   "add the use of every link (flits/cycle and busy) and of every injection and ejection port to the JSON");
  options.add("--csv", o.csv, "FILE", "the same as CSV, a line of names and a line of values");
  options.add("--link-csv", o.link_csv, "FILE", "use of every link, injection port and ejection port as CSV");
  options.add_flag("--observe", o.observe,
                   "count stall reasons, use of links and events; adds them to the results");
  options.add("--link-usage", o.link_usage, "FILE",
              "use of every link and VC, and what flits waited for: CSV or .json");
  options.add("--stalls", o.stalls, "FILE", "stall reasons of every input VC, in cycles: CSV or .json");
  options.add("--events", o.events, "FILE", "events of every router, for energy models: CSV or .json");
  options.add_flag("--quiet", o.quiet, "neither table nor progress line");
  options.add("--wave", o.wave, "GLOB@FROM:TO", "waveform of the names that match, in these cycles");
  options.add("--wave-file", o.wave_file, "FILE", "where to [toriscope.vcd]; a .gtkw file stands beside it");
  options.add("--wave-groups", o.wave_groups, "LIST", "links,vcs,alloc,ni or all [all]");
  options.add(
      "--failure-wave", o.failure_wave, "FILE",
      "waveform of the time around a deadlock or broken invariant [toriscope-failure.vcd]; none: none");
  options.add_flag("--watch-links", o.watch_links,
                   "look at every link, as a process that reads it would; changes no result, costs time");
  // For the second run after a failure:
  run.add_option("--wave-mark", o.wave_mark)->group("");
  run.add_flag("--wave-only", o.wave_only)->group("");
}

void apply(const run_choices& choices, run_request& request) {
  request.deadlock = choices.deadlock;
  request.rtl = choices.rtl;
  request.outputs = choices.outputs;
}

}  // namespace toriscope

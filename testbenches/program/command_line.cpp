// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <stdexcept>

#include "testbenches/program/catalogue.h"
#include "testbenches/program/parameters.h"
#include "topologies/nearest_name.h"

namespace toriscope {
namespace {

const char* const version = "toriscope " TORISCOPE_VERSION;

std::string group_of(const parameter& p) {
  std::string group = p.path.substr(0, p.path.find('.'));
  group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
  return group;
}

/// What the user typed, before it is known what it means.
struct raw_options {
  std::map<std::string, std::string> values;  ///< by option
  std::map<std::string, bool> flags;
  std::string config_file;
};

/// Whether a command takes the parameter: `run` and `explain` take all, others those that make a topology,
/// `analyze` also those of the traffic matrix.
bool takes(const CLI::App& command, const parameter& p) {
  const std::string& name = command.get_name();
  return name == "run" || name == "explain" || p.makes_topology || (name == "analyze" && p.makes_load);
}

/// The option of a parameter; some have two names. `explain --packet N` is the number of a packet.
std::string option_of(const CLI::App& command, const parameter& p) {
  if (p.option == "message-classes") return "--message-classes,--classes";
  if (p.option != "packet") return "--" + p.option;
  return command.get_name() == "explain" ? "--packet-flits" : "--packet,--packet-flits";
}

void add_parameters(CLI::App& run, raw_options& raw) {
  const run_config defaults;
  for (const parameter& p : parameters()) {
    if (!takes(run, p)) continue;
    const std::string name = option_of(run, p);
    if (p.what == parameter::kind::flag) {
      run.add_flag(name, raw.flags[p.option], p.description)->group(group_of(p));
      continue;
    }
    const nlohmann::ordered_json value = p.get(defaults);
    std::string shown = value.is_string() ? value.get<std::string>() : value.is_array() ? "" : value.dump();
    if (p.option == "link-delay") shown = "1";
    const std::string description = shown.empty() ? p.description : p.description + " [" + shown + "]";
    CLI::Option* option = run.add_option(name, raw.values[p.option], description);
    option->type_name(p.argument)->group(group_of(p));
    // A list may be given in pieces; of anything else the last one counts.
    option->multi_option_policy(p.what == parameter::kind::texts ? CLI::MultiOptionPolicy::Join
                                                                 : CLI::MultiOptionPolicy::TakeLast);
    if (p.what == parameter::kind::texts) option->delimiter(',');
  }
}

void add_config_file(CLI::App& run, raw_options& raw) {
  run.add_option("--config", raw.config_file, "configuration file (JSON), overridden by options")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_deadlock_settings(CLI::App& run, verdict_settings& v) {
  run.add_flag("--allow-deadlock", v.allow_deadlock, "run a VC rule that is known to be cyclic")
      ->group("Deadlock");
  run.add_flag("--no-cache", v.no_cache, "neither read nor write remembered verdicts on deadlock")
      ->group("Deadlock");
}

void add_outputs(CLI::App& run, run_outputs& o) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* description) {
    run.add_option(name, value, description)
        ->type_name(type)
        ->group("Output")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  };
  add("--json", o.json, "FILE", "configuration and results as JSON; - is standard output");
  add("--csv", o.csv, "FILE", "the same as CSV, a line of names and a line of values");
  add("--link-csv", o.link_csv, "FILE", "utilisation of every link as CSV");
  run.add_flag("--observe", o.observe,
               "count stall reasons, use of links and events; adds them to the results")
      ->group("Output");
  add("--link-usage", o.link_usage, "FILE",
      "use of every link and VC, and what flits waited for: CSV or .json");
  add("--stalls", o.stalls, "FILE", "stall reasons of every input VC, in cycles: CSV or .json");
  add("--events", o.events, "FILE", "events of every router, for energy models: CSV or .json");
  run.add_flag("--quiet", o.quiet, "neither table nor progress line")->group("Output");
  add("--wave", o.wave, "GLOB@FROM:TO", "waveform of the names that match, in these cycles");
  add("--wave-file", o.wave_file, "FILE", "where to [toriscope.vcd]; a .gtkw file stands beside it");
  add("--wave-groups", o.wave_groups, "LIST", "links,vcs,alloc,ni or all [all]");
  add("--failure-wave", o.failure_wave, "FILE",
      "waveform of the time before a deadlock or broken invariant [toriscope-failure.vcd]; none: none");
  run.add_flag("--watch-links", o.watch_links,
               "look at every link, as a process that reads it would; changes no result, costs time")
      ->group("Output");
  run.add_flag("--wave-only", o.wave_only)->group("");  // for the second run after a failure
}

void add_explain_outputs(CLI::App& explain, explain_outputs& o) {
  explain.add_option("--packet", o.packet, "number of the packet, in order of creation from 0 on")
      ->type_name("N")
      ->group("Output")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  explain.add_option("--json", o.json, "the story as JSON; - is standard output")
      ->type_name("FILE")
      ->group("Output")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  explain.add_flag("--quiet", o.quiet, "neither text nor progress line")->group("Output");
}

[[noreturn]] void refuse_extra(const std::string& extra, const CLI::App& app) {
  if (extra.rfind("-", 0) != 0)
    throw std::invalid_argument("unexpected argument '" + extra + "'; see toriscope --help");
  const std::string name = extra.substr(0, extra.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& long_name : option->get_lnames())
      if (long_name != "wave-only") known.push_back("--" + long_name);
  const std::string nearest = nearest_name(name, known);
  throw std::invalid_argument(
      "unknown option '" + name + "'; " +
      (nearest.empty() ? "see toriscope " + app.get_name() + " --help" : "did you mean '" + nearest + "'?"));
}

/// CLI11 takes the next option for the value of one whose value is missing.
void refuse_missing_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->results())
      if (option->get_items_expected_max() > 0 && value.rfind("--", 0) == 0)
        throw std::invalid_argument(option->get_name() + " needs a value, and '" + value + "' follows");
}

/// The configuration that file and options ask for.
run_request request_of(const CLI::App& run, const raw_options& raw) {
  run_request request;
  std::vector<std::string> given;
  if (run.count("--config") > 0) set_from_file(raw.config_file, request.config, &given);
  for (const parameter& p : parameters()) {
    if (!takes(run, p)) continue;
    const std::string names = option_of(run, p);
    const std::string name = names.substr(0, names.find(','));
    if (run.count(name) == 0) continue;
    std::string text;
    if (p.what == parameter::kind::flag) {
      text = raw.flags.at(p.option) ? "true" : "false";
    } else {
      text = raw.values.at(p.option);
      std::replace(text.begin(), text.end(), '\n', ',');
    }
    try {
      set_from_text(p, request.config, text);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(name + ": " + error.what());
    }
    given.push_back(p.path);
  }
  const auto is_given = [&](const char* path) {
    return std::find(given.begin(), given.end(), path) != given.end();
  };
  // The papers' router has no other depth than 1: it need not be asked for.
  if (request.config.network.router.pipeline == pipeline::paper2009 && !is_given("router.depth_flits"))
    request.config.network.router.depth = 1;
  request.given = {is_given("measurement.warmup_cycles"), is_given("measurement.measure_cycles"),
                   is_given("router.regrant")};
  return request;
}

}  // namespace

command parse_command_line(const std::vector<std::string>& arguments) {
  CLI::App app("Cycle-exact simulation of routers for hierarchical interconnection networks", "toriscope");
  app.set_version_flag("--version", version);
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.footer(
      "Examples:\n  toriscope run\n  toriscope run --topology torus:8x8 --traffic transpose --rate 0.2 "
      "--json -\n"
      "  toriscope run --topology torus:8x8 --stages rc=1,va=1,sa=1,st=2 --speculative --sa-allocator islip "
      "--iterations 2\n"
      "  toriscope explain --packet 100\n  toriscope analyze --topology ttn:2,3,0\n  toriscope prove "
      "--topology ttn:2,3,1\n  toriscope bench --quick\n "
      " toriscope list\n  toriscope describe "
      "topology ttn");

  CLI::App* run = app.add_subcommand("run", "simulate a network and print what was measured");
  run->allow_extras();
  raw_options raw;
  run_outputs outputs;
  verdict_settings deadlock;
  add_config_file(*run, raw);
  add_deadlock_settings(*run, deadlock);
  add_outputs(*run, outputs);
  add_parameters(*run, raw);

  CLI::App* explain = app.add_subcommand(
      "explain", "the life of one packet: every hop, what it waited for, and for how long");
  explain->allow_extras();
  raw_options explain_raw;
  explain_outputs explain_outputs;
  add_config_file(*explain, explain_raw);
  add_deadlock_settings(*explain, deadlock);
  add_explain_outputs(*explain, explain_outputs);
  add_parameters(*explain, explain_raw);

  CLI::App* analyze = app.add_subcommand(
      "analyze",
      "distances, connectivity, bisection, wires and channel loads of a network, without running it");
  analyze->allow_extras();
  raw_options analyze_raw;
  analyze_outputs analyze_outputs;
  add_config_file(*analyze, analyze_raw);
  add_analyze_outputs(*analyze, analyze_outputs);
  add_parameters(*analyze, analyze_raw);

  CLI::App* draw = app.add_subcommand("draw", "a picture of a network as SVG, level by level");
  draw->allow_extras();
  raw_options draw_raw;
  draw_outputs draw_outputs;
  add_config_file(*draw, draw_raw);
  add_draw_outputs(*draw, draw_outputs);
  add_parameters(*draw, draw_raw);

  CLI::App* prove = app.add_subcommand(
      "prove", "whether a routing with its VC rule is free of deadlock: a proof, or the cycle");
  prove->allow_extras();
  raw_options prove_raw;
  prove_outputs prove_outputs;
  add_config_file(*prove, prove_raw);
  add_prove_outputs(*prove, prove_outputs);
  add_parameters(*prove, prove_raw);

  bench_request bench_asked;
  CLI::App* bench = add_bench(app, bench_asked);

  std::string list_kind;
  CLI::App* list =
      app.add_subcommand("list", "topologies, routings, VC rules, patterns, pipelines ... a line each");
  list->allow_extras();
  list->add_option("KIND", list_kind, "only of this kind");

  std::string kind;
  std::string name;
  CLI::App* describe = app.add_subcommand("describe", "all there is to say about one of them");
  describe->allow_extras();
  describe
      ->add_option("KIND", kind,
                   "topology, routing, vc_rule, pattern, arrival, pipeline, regrant, allocator, arbiter, "
                   "figure, parameter")
      ->required();
  describe->add_option("NAME", name, "as toriscope list has it")->required();

  command result;
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success&) {
    // Help or the version was asked for.
    result.what = command::what::print;
    const bool version_asked = app.count("--version") > 0;
    result.text = version_asked ? std::string(version) + "\n" : app.help();
    return result;
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw std::invalid_argument(text + "; see toriscope --help");
  }

  refuse_missing_values(*run);
  refuse_missing_values(*explain);
  refuse_missing_values(*analyze);
  refuse_missing_values(*draw);
  refuse_missing_values(*prove);
  refuse_missing_values(*bench);
  for (const CLI::App* sub : {run, explain, analyze, draw, prove, bench, list, describe})
    if (!sub->remaining().empty()) refuse_extra(sub->remaining().front(), *sub);
  if (!app.remaining().empty()) {
    const std::string extra = app.remaining().front();
    if (extra.rfind("-", 0) == 0) refuse_extra(extra, app);
    throw std::invalid_argument(unknown_name(
        "command", extra, {"run", "explain", "analyze", "draw", "prove", "bench", "list", "describe"}));
  }

  if (run->parsed()) {
    result.what = command::what::run;
    result.request = request_of(*run, raw);
    result.request.deadlock = deadlock;
    result.request.outputs = outputs;
    result.request.arguments = arguments;
    return result;
  }
  if (explain->parsed()) {
    if (explain->count("--packet") == 0)
      throw std::invalid_argument("explain needs --packet N, the number of a packet in order of creation");
    result.what = command::what::explain;
    result.request = request_of(*explain, explain_raw);
    result.request.deadlock = deadlock;
    result.explain = explain_outputs;
    return result;
  }
  if (analyze->parsed()) {
    result.what = command::what::analyze;
    result.request = request_of(*analyze, analyze_raw);
    result.analyze = analyze_outputs;
    result.analyze.traffic_given = analyze->count("--traffic") > 0;
    return result;
  }
  if (draw->parsed()) {
    result.what = command::what::draw;
    result.request = request_of(*draw, draw_raw);
    result.draw = draw_outputs;
    return result;
  }
  if (prove->parsed()) {
    result.what = command::what::prove;
    result.request = request_of(*prove, prove_raw);
    result.prove = prove_outputs;
    return result;
  }
  if (bench->parsed()) {
    result.what = command::what::bench;
    result.bench = bench_asked;
    return result;
  }
  result.what = command::what::print;
  result.text = list->parsed()       ? list_text(list_kind)
                : describe->parsed() ? describe_text(kind, name)
                                     : app.help();
  return result;
}

}  // namespace toriscope

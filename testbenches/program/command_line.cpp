// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/nearest_name.h"
#include "base/words.h"
#include "rtl_models/user_rtl/first_wrapper.h"
#include "testbenches/program/analyze_command.h"
#include "testbenches/program/bench_command.h"
#include "testbenches/program/catalogue.h"
#include "testbenches/program/cosim_command.h"
#include "testbenches/program/draw_command.h"
#include "testbenches/program/explain_command.h"
#include "testbenches/program/export_command.h"
#include "testbenches/program/former_names.h"
#include "testbenches/program/help_formatter.h"
#include "testbenches/program/network_options.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/prove_command.h"
#include "testbenches/program/record_command.h"
#include "testbenches/program/replay_command.h"
#include "testbenches/program/report_command.h"
#include "testbenches/program/reproduce_command.h"
#include "testbenches/program/run_options.h"
#include "testbenches/program/sweep_command.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/distributed/process_team.h"

namespace toriscope {
namespace {

/// Places count where delays follow from lengths.
template <class Choices>
std::string idle_in_run(const parameter& p, const run_request& request, const Choices&) {
  const auto& delays = request.config.topology.link_delay_cycles;
  const std::string& equal = request.config.topology.equal;
  const bool by_length = begins_with(equal, "wires") || request.config.topology.pitch_mm > 0;
  if (p.path != "topology.layout" || by_length ||
      std::any_of(delays.begin(), delays.end(),
                  [](const std::string& d) { return begins_with(d, "linear") || begins_with(d, "log"); }))
    return "";
  return "without delays by wire length; add --link-delay linear:1 or --pitch MM, or leave it out";
}

const char* const version = "toriscope " TORISCOPE_VERSION;

[[noreturn]] void refuse_extra(const std::string& extra, const CLI::App& app) {
  if (!begins_with(extra, "-"))
    throw std::invalid_argument("unexpected argument '" + extra + "'; " +
                                (extra.find(':') != std::string::npos && app.get_option_no_throw("--topology")
                                     ? "did you mean --topology " + extra + "?"
                                     : "see toriscope " + app.get_name() + " --help"));
  const std::string name = extra.substr(0, extra.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& long_name : option->get_lnames())
      if (!option->get_group().empty()) known.push_back("--" + long_name);
  const std::string command = app.get_parent() ? app.get_name() + " " : "";
  throw std::invalid_argument(unknown_name("option", name, known, "see toriscope " + command + "--help"));
}

/// CLI11 takes the next option for the value of one whose value is missing, and an empty text for a value.
void refuse_missing_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->results()) {
      if (option->get_items_expected_max() > 0 && begins_with(value, "--"))
        throw std::invalid_argument(option->get_name() + " needs a value, but '" + value + "' follows");
      if (option->get_items_expected_min() > 0 && value.empty())
        throw std::invalid_argument(option->get_name() + " needs a value, but an empty text is given");
    }
}

/// CLI11 takes [d] for a list where an option has several values. All that report has without a dash are paths.
bool is_path_in_brackets(const std::string& command, const std::string& word) {
  return command == "report" && !word.empty() && word.front() == '[' && word.back() == ']';
}

std::vector<std::string> with_present_names(std::vector<std::string> arguments) {
  for (std::string& word : arguments) {
    word = with_present_option(word);
    if (is_path_in_brackets(arguments.front(), word)) word = "./" + word;
  }
  return arguments;
}

/// The program and its commands.
class command_line {
 public:
  /// @param team  the ranks that mpirun started; null: it did not
  command_line(std::vector<std::string> arguments, process_team* team);

  /// @throws std::invalid_argument one line
  void parse();
  /// Does what was asked for. @throws as the commands do
  int run() const;

 private:
  struct entry {
    CLI::App* app;
    std::function<int()> action;
    bool under_mpi = false;  ///< several ranks can do it together
  };

  /// A command. Its options are declared when it is asked for: a sweep starts thousands of runs.
  /// @param declare  adds the options and returns the action
  entry& add(const char* name, const char* description,
             std::function<std::function<int()>(CLI::App&)> declare);
  /// @param act  (request) -> exit status
  template <class Request>
  void add_with(const char* name, const char* description, void (*add_options)(CLI::App&, Request&),
                int (*act)(const Request&));
  /// A command about a network. `Choices` are what its own options set, by add_options(app, choices).
  /// @param act  (request, choices) -> exit status
  /// @param idle  why the command has no use for a parameter; null: it has one for all that it declares
  template <class Choices, class Act>
  void add_for_network(const char* name, const char* description, declared_parameters declared,
                       void (*add_options)(CLI::App&, Choices&),
                       std::string (*idle)(const parameter&, const run_request&, const Choices&), Act act);
  void add_catalogue();

  /// The command that was asked for; null: none.
  const entry* asked_for() const;
  void refuse_the_rest() const;

  int show(const std::string& text) const;
  /// One rank warns, and the run before a second one for the sake of a waveform.
  bool warns() const;

  const std::vector<std::string> arguments_;
  process_team* const team_;
  CLI::App app_;
  std::deque<entry> commands_;  ///< which stay where they are
  std::string text_;  ///< help or version, if that was asked for
};

int print(const std::string& text) {
  write_stdout(text);
  return fine;
}

command_line::command_line(std::vector<std::string> arguments, process_team* team)
    : arguments_(with_present_names(std::move(arguments))),
      team_(team),
      app_("Cycle-exact simulation of routers for hierarchical interconnection networks", "toriscope") {
  app_.set_version_flag("--version", version);
  app_.require_subcommand(0, 1);
  app_.allow_extras();
  app_.formatter(std::make_shared<help_formatter>());
  app_.get_formatter()->column_width(34);
  app_.footer(
      "First steps:\n"
      "  toriscope run                                       a TTN of 256 routers under uniform traffic: table of "
      "results\n"
      "  toriscope list                                      topologies, routings, VC rules, traffic patterns\n"
      "  toriscope describe topology ttn                     arguments, examples and source of one of them\n"
      "  toriscope COMMAND --help                            all options of a command, and examples\n\n"
      "Simulate:\n"
      "  toriscope run --topology torus:8x8 --traffic transpose --rate 0.2 --json results.json\n"
      "  toriscope run --topology mesh:8x8 --vcs 2 --depth 4 --packet 4 --wave 'mesh.*@100:200'\n"
      "  toriscope run --topology torus:8x8 --stages rc=1,va=1,sa=1,st=2 --speculative --sa-allocator islip\n"
      "  toriscope run --topology htn:4,4,2,1 --routing ls+cs --gateways nearest\n"
      "  toriscope run --topology file:my_network.json       your own netlist and routes (docs/custom_network.md)\n"
      "  toriscope explain --packet 100                      what packet 100 waited for, hop by hop\n"
      "  toriscope record --topology ttn:2,2,0 --rate 0.02 --output packets.zst\n"
      "  toriscope replay packets.zst --topology torus:16x16 the same packets on another network\n\n"
      "Compare networks:\n"
      "  toriscope sweep --topology torus:8x8 --topology mesh:8x8 --traffic uniform,transpose --out results\n"
      "  toriscope report results -o report.html             latency and throughput curves on one page\n\n"
      "Analyze and prove:\n"
      "  toriscope analyze --topology ttn:2,3,0 --traffic uniform\n"
      "  toriscope prove --topology ttn:2,3,1                a proof of freedom from deadlock, or the cycle\n"
      "  toriscope draw --topology ttn:2,2,0 --output ttn.svg\n\n"
      "RTL:\n"
      "  toriscope run --topology ttn:2,2,0 --rtl '*.bm_0_0.*'\n"
      "  toriscope cosim --topology torus:4x4 --rtl '*'      every pin of model and RTL, compared in every cycle\n"
      "  toriscope export --topology ttn:2,2,0 --sv ttn_rtl\n\n"
      "Options may be set in a JSON file (--config FILE); --json writes the complete configuration of a run, which\n"
      "--config reads. Exit status: 0 fine; 1 a check failed (deadlock, broken invariant, difference); 2 bad "
      "input.\n"
      "Documentation: docs/README.md, or README.md at the top of the sources.");

  namespace set = parameter_set;
  add_for_network<run_choices>("run", "simulate a network and print its latency and throughput", {set::all},
                               add_run_options, idle_in_run<run_choices>,
                               [this](run_request request, const run_choices& choices) {
                                 apply(choices, request);
                                 request.team = team_;
                                 return run_command(request);
                               });
  commands_.back().under_mpi = true;
  add_for_network<record_choices>("record", "simulate, and write every packet to a trace", {set::all},
                                  add_record_options, idle_in_run<record_choices>,
                                  [](run_request request, const record_choices& choices) {
                                    apply(choices, request);
                                    return run_command(request);
                                  });
  add_for_network<replay_choices>(
      "replay", "simulate the packets of a trace, on the recorded network or on another one",
      {set::network | set::outstanding | set::measurement | set::pitch | set::threads}, add_replay_options,
      idle_in_run<replay_choices>,
      [](const run_request& request, const replay_choices&) { return run_command(request); });
  add_for_network<explain_choices>("explain",
                                   "show the timeline of one packet: every hop, and what it waited for",
                                   {set::all & ~set::threads}, add_explain_options, idle_in_timeline, explain_command);
  add_for_network<cosim_choices>(
      "cosim", "simulate model and RTL on the same inputs, and compare every output pin in every cycle",
      {set::all & ~set::threads}, add_cosim_options, nullptr, cosim_command);
  add_for_network<analyze_outputs>(
      "analyze", "compute distances, connectivity, bisection, wire lengths and channel loads",
      {set::topology | set::layout | set::pitch | set::channel_load | set::zero_load, set::zero_load},
      add_analyze_outputs, idle_in_analysis, analyze_command);
  add_for_network<draw_outputs>("draw", "draw a network as SVG, level by level",
                                {set::topology | set::layout}, add_draw_outputs, idle_in_drawing,
                                draw_command);
  add_for_network<export_outputs>("export", "export route tables, or the whole network as SystemVerilog",
                                  {set::network | set::pitch}, add_export_outputs, idle_in_export, export_command);
  add_for_network<prove_outputs>(
      "prove", "prove that a routing with its VC rule is free of deadlock, or show the cycle",
      {set::topology | set::flows}, add_prove_outputs, nullptr, prove_command);

  add("sweep", "run many simulations: latency against load and saturation throughput of many networks",
      [](CLI::App& app) {
        const auto choices = std::make_shared<sweep_choices>();
        add_sweep_options(app, *choices);
        const auto network = std::make_shared<network_options>(
            app, declared_parameters{set::all & ~set::load_point & ~set::threads, 0, true});
        return [choices, network] { return sweep_command(*choices, network->choices()); };
      });
  add_with("report", "make one HTML page of results: charts, link use, verdicts; figures for papers",
           add_report_options, report_command);
  add_with("bench", "measure the speed and memory of simulations on this machine", add_bench_options, bench_command);
  add_with("reproduce", "compare every table, figure and claim of the papers with simulation", add_reproduce_options,
           reproduce_command);
  add_catalogue();
}

command_line::entry& command_line::add(const char* name, const char* description,
                                       std::function<std::function<int()>(CLI::App&)> declare) {
  CLI::App* const app = app_.add_subcommand(name, description);
  app->allow_extras();
  entry& added = commands_.emplace_back(entry{app, {}, false});
  app->preparse_callback([&added, declare](std::size_t) { added.action = declare(*added.app); });
  return added;
}

template <class Request>
void command_line::add_with(const char* name, const char* description, void (*add_options)(CLI::App&, Request&),
                            int (*act)(const Request&)) {
  add(name, description, [add_options, act](CLI::App& app) {
    const auto request = std::make_shared<Request>();
    add_options(app, *request);
    return [act, request] { return act(*request); };
  });
}

/// What a command is asked for.
template <class Choices>
run_request request_of(const network_options& network, const Choices&) {
  return network.request();
}
/// The trace has its say, too.
run_request request_of(const network_options& network, const replay_choices& choices) {
  return replay_request(network, choices);
}

template <class Choices, class Act>
void command_line::add_for_network(const char* name, const char* description, declared_parameters declared,
                                   void (*add_options)(CLI::App&, Choices&),
                                   std::string (*idle)(const parameter&, const run_request&, const Choices&),
                                   Act act) {
  add(name, description, [this, declared, add_options, idle, act](CLI::App& app) {
    const auto choices = std::make_shared<Choices>();
    add_options(app, *choices);
    const auto network = std::make_shared<network_options>(app, declared);
    return [this, network, choices, idle, act] {
      run_request request = request_of(*network, *choices);
      request.arguments = arguments_;
      refuse_idle_options(request, [&](const parameter& p) { return idle ? idle(p, request, *choices) : ""; });
      if (warns()) warn_of_idle_keys(request);
      return act(request, *choices);
    };
  });
}

void command_line::add_catalogue() {
  add("list", "list topologies, routings, VC rules, patterns, pipelines ..., a line each", [](CLI::App& app) {
    const auto kind = std::make_shared<std::string>();
    app.add_option("KIND", *kind, "only this kind: topologies, routings, vc_rules, patterns, figures, parameters ...");
    app.footer("Examples:\n  toriscope list\n  toriscope list vc_rules\n  toriscope list parameters");
    return [kind] { return print(list_text(*kind)); };
  });
  add("describe", "describe one topology, routing, VC rule, pattern, figure, parameter ...", [](CLI::App& app) {
    const auto kind = std::make_shared<std::string>();
    const auto name = std::make_shared<std::string>();
    app.add_option("KIND", *kind,
                   "topology, routing, vc_rule, pattern, arrival, pipeline, vc_reallocation, allocator, "
                   "arbiter, figure, parameter; rtl: the module of a description (docs/your_own_rtl.md)")
        ->required();
    app.add_option("NAME", *name, "name, as toriscope list shows it; rtl: the description")->required();
    const auto wrapper = std::make_shared<bool>(false);
    app.add_flag(
        "--wrapper", *wrapper,
        "rtl: writes a first wrapper with plain pins (TOP_pins.sv) and its description (TOP_pins.json)");
    app.footer(
        "Examples:\n  toriscope describe topology ttn\n  toriscope describe vc_rule level_descending\n"
        "  toriscope describe parameter depth\n  toriscope describe figure latency.p99\n"
        "  toriscope describe rtl my_router.json --wrapper");
    return [kind, name, wrapper] {
      if (*kind == "rtl") return print(*wrapper ? first_wrapper(*name).write() : describe_ports(*name));
      if (*wrapper) throw std::invalid_argument("--wrapper goes with toriscope describe rtl FILE");
      return print(describe_text(*kind, *name));
    };
  });
}

void command_line::parse() {
  try {
    app_.parse(std::vector<std::string>(arguments_.rbegin(), arguments_.rend()));
  } catch (const CLI::Success&) {
    text_ = app_.count("--version") > 0 ? std::string(version) + "\n" : app_.help();
    return;
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    const entry* const command = asked_for();
    throw std::invalid_argument(text + "; see toriscope " + (command ? command->app->get_name() + " " : "") + "--help");
  }
  refuse_the_rest();
}

void command_line::refuse_the_rest() const {
  std::vector<std::string> names;
  for (const entry& e : commands_) {
    refuse_missing_values(*e.app);
    if (!e.app->remaining().empty()) refuse_extra(e.app->remaining().front(), *e.app);
    names.push_back(e.app->get_name());
  }
  if (app_.remaining().empty()) return;
  const std::string extra = app_.remaining().front();
  if (begins_with(extra, "-")) refuse_extra(extra, app_);
  throw std::invalid_argument(unknown_name("command", extra, names));
}

bool command_line::warns() const {
  const auto again = [](const std::string& a) { return a == "--wave-only" || a == "--difference-window"; };
  return (!team_ || team_->leads()) && std::none_of(arguments_.begin(), arguments_.end(), again);
}

const command_line::entry* command_line::asked_for() const {
  const auto found =
      std::find_if(commands_.begin(), commands_.end(), [](const entry& e) { return e.app->parsed(); });
  return found == commands_.end() ? nullptr : &*found;
}

int command_line::show(const std::string& text) const {
  if (team_) team_->agree("", text);  // another rank may be about to run
  return !team_ || team_->leads() ? print(text) : fine;
}

int command_line::run() const {
  if (!text_.empty()) return show(text_);
  const entry* const command = asked_for();
  if (!command) return show(app_.help());
  if (team_ && !command->under_mpi)
    throw std::invalid_argument(
        "only 'toriscope run' supports mpirun; start 'toriscope " + command->app->get_name() +
        "' without it");
  return command->action();
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments) {
  const auto run = [&](process_team* team) {
    command_line line(arguments, team);
    line.parse();
    return line.run();
  };
  if (process_team::started() == 1) return run(nullptr);
  return run_on_ranks([&](process_team& team) { return run(&team); });
}

}  // namespace toriscope

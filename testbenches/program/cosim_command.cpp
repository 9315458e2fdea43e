// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/cosim_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/checked_json.h"
#include "base/json.h"
#include "base/scratch_directory.h"
#include "base/words.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/user_rtl/router_adapter.h"
#include "testbenches/program/failure_wave.h"
#include "testbenches/program/rtl_waves.h"
#include "testbenches/program/run_options.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/cosim/bit_fault.h"
#include "testbenches/simulation/cosim/lockstep_probe.h"
#include "testbenches/simulation/cosim/port_pairs.h"
#include "testbenches/simulation/simulation.h"
#include "traces/gtkw.h"
#include "traces/wave_writer.h"

namespace toriscope {
namespace {

using nlohmann::ordered_json;

constexpr cycle_t cycles_before_difference = 50;
constexpr cycle_t cycles_after_difference = 10;

ordered_json as_json(const pin_difference& d, const netlist& wiring, const flit_layout& layout) {
  const char* const pins[] = {"flit_o", "credit_o", "assertion"};
  return {{"cycle", d.cycle},
          {"node", wiring.name() + "." + wiring.path(d.node)},
          {"port", d.port < wiring.port_count(d.node) ? wiring.port_name(d.node, d.port) : ""},
          {"pin", pins[static_cast<int>(d.what)]},
          {"model", d.model},
          {"rtl", d.rtl},
          {"text", to_string(d, wiring, layout)}};
}

/// One co-simulation, from its parts to its report.
class cosimulation {
 public:
  cosimulation(const run_request& request, const cosim_choices& choices)
      : choices_(choices),
        arguments_(request.arguments),
        // Never destroyed, as in run_command.cpp.
        s_(*new simulation(request.config, request.given)),
        deadlock_report_(choices.window.empty() ? s_.deadlock_report(choices.deadlock) : "") {
    if (choices_.rtl.nodes.empty())
      throw std::invalid_argument(
          "cosim needs --rtl GLOB, the nodes that have RTL beside the model ('*': all)");
    refuse_stdout("--difference-wave", "a waveform", choices_.wave_file);
    const std::string wave = choices_.wave_file == "none" ? "" : choices_.wave_file;
    check_outputs(
        {{"--json", choices_.json}},
        {{"--difference-wave", wave}, {"the GTKWave save file of --difference-wave", gtkw_name(wave)}});
    check_wave_with_rtl(choices_.wave_file);
    if (choices_.rtl.router.empty())
      build_ours();
    else
      build_described();
    if (choices_.injects_fault) {
      const cycle_t warmup = s_.config().measurement.warmup_cycles;
      fault_ = std::make_unique<bit_fault>(choices_.fault, s_.wiring(), lockstep_->nodes(), warmup);
      lockstep_->interfere([this](const probed_node& n, rtl_router& rtl, cycle_t now) {
        (*fault_)(n, static_cast<built_router&>(rtl), now);
      });
    }
    s_.elaborate(lockstep_->factory());
  }

  void run() {
    const std::unique_ptr<wave_writer> wave = make_wave();
    progress shown(!choices_.quiet && choices_.window.empty());
    s_.run(shown, [&] { return lockstep_->mismatches() == 0 || s_.net().cycles_done() < last_cycle(); });
    lockstep_->finish(s_.net().cycles_done());
    if (wave) {
      wave->close();
      inside_->merge();
      if (pairs_ && pairs_->close()) add_pairs();
      inside_->finish();
    }
    if (fault_ && fault_->done().empty())
      throw std::invalid_argument(
          fmt::format("--inject-fault: the run ends after {} cycles, before the bit flips; it flips "
                      "from cycle {} on",
                      s_.net().cycles_done(), fault_->cycle()));
  }

  int report() {
    const bool equal = lockstep_->mismatches() == 0 && !s_.failure();
    if (!choices_.window.empty()) return equal ? fine : check_failed;
    write_text(choices_.json, json());
    if (!choices_.quiet && !is_stdout(choices_.json)) write_stdout(text());
    if (s_.failure()) {
      tell(s_.failure()->message);
      for (const std::string& line : s_.failure()->detail) tell_more(line);
    }
    if (lockstep_->first()) tell_difference();
    return equal ? fine : check_failed;
  }

 private:
  void build_ours() {
    built_routers::options how;
    how.with_registers = choices_.injects_fault;
    how.with_trace = choices_.injects_fault || !choices_.window.empty();
    rtl_ = build_rtl_of(s_, choices_.rtl, how);
    line_ = rtl_line(*rtl_, s_.wiring());
    lockstep_ = std::make_unique<lockstep_probe>(
        s_.wiring(), rtl_->nodes(), [this](const node_context& context) { return rtl_->make(context.id); },
        cycles_after_difference);
  }

  void build_described() {
    if (choices_.injects_fault)
      throw std::invalid_argument(
          "--inject-fault knows the registers of toriscope's own router only; leave out "
          "--rtl-router, or put a fault into its sources");
    std::function<void(const user_rtl_made&)> traced;
    if (!choices_.window.empty()) traced = [this](const user_rtl_made& made) { traced_.push_back(made); };
    described_ = std::make_unique<user_rtl_routers>(
        described_routers_of(s_, choices_.rtl, router_description::read(choices_.rtl.router), traced));
    line_ = rtl_line(choices_.rtl, *described_, s_.wiring());
    const int seed = seed_of(choices_.rtl);
    const auto make = [this, seed](const node_context& context) {
      const std::string obstacle =
          obstacle_to_user_rtl(context.wiring, context.id, context.network.compares_queues);
      if (!obstacle.empty()) throw std::invalid_argument(name_of(context.id) + ": " + obstacle);
      return described_->make(context, seed);
    };
    lockstep_ =
        std::make_unique<lockstep_probe>(s_.wiring(), described_->nodes(), make, cycles_after_difference);
  }

  cycle_t last_cycle() const { return lockstep_->first()->cycle + cycles_after_difference; }

  /// The second run after a difference: a waveform of both sides.
  std::unique_ptr<wave_writer> make_wave() {
    if (choices_.window.empty()) return nullptr;
    wave_options options;
    parse_wave_spec(choices_.window, options);
    options.file = choices_.wave_file;
    options.marks = {options.to - cycles_after_difference};
    inside_ = std::make_unique<rtl_waves>(options);
    wave_file_ = options.file;
    const std::string& network = s_.wiring().name();
    for (const user_rtl_made& made : traced_)
      inside_->trace(network, s_.wiring().path(made.node), made,
                     described_->description().flow == router_description::flow_control::credit);
    if (rtl_)
      for (const node_id n : rtl_->nodes())
        inside_->trace(network, s_.wiring().path(n), static_cast<built_router&>(lockstep_->rtl_of(n)));
    for (const node_id n : lockstep_->nodes())
      if (options.globs.front() == name_of(n))
        pairs_ = std::make_unique<port_pairs>(scratch_.file("pairs.vcd"), s_.wiring(), s_.net().layout(), n,
                                              options.from, options.to, *lockstep_);
    return std::make_unique<wave_writer>(s_.net(), options);
  }

  std::string name_of(node_id n) const { return s_.wiring().name() + '.' + s_.wiring().path(n); }

  void add_pairs() const {
    const std::string save_file = gtkw_name(wave_file_);
    if (!std::filesystem::is_regular_file(wave_file_) || !std::filesystem::exists(save_file))
      return;  // a pipe
    const vcd_merged pairs =
        merge_vcd({wave_file_, ""}, {scratch_.file("pairs.vcd"), "compared"}, wave_file_);
    const std::optional<pin_difference>& d = lockstep_->first();
    pairs_
        ->rows(pairs.variables,
               d ? fmt::format("first difference: cycle {}, at the marker", d->cycle) : "no difference")
        .put_on_top_of(save_file);
  }

  void tell_difference() {
    const pin_difference& d = *lockstep_->first();
    tell("first difference: " + to_string(d, s_.wiring(), s_.net().layout()));
    if (choices_.wave_file == "none") return;
    const cycle_t from = d.cycle - std::min(d.cycle, cycles_before_difference);
    const std::string spec =
        fmt::format("{}@{}:{}", name_of(d.node), from, d.cycle + cycles_after_difference);
    const std::string error =
        run_again(arguments_, {"--difference-wave", choices_.wave_file, "--difference-window", spec},
                  choices_.wave_file);
    if (error.empty())
      tell_more(fmt::format("waveform of cycles {} of this node, model and RTL: {}",
                            spec.substr(spec.rfind('@') + 1), choices_.wave_file));
    else
      tell_more("no waveform: " + error);
  }

  std::string json() const {
    const std::optional<pin_difference>& d = lockstep_->first();
    ordered_json tree = {
        {"cycles", s_.net().cycles_done()},
        {"rtl_nodes", lockstep_->nodes().size()},
        {"rtl_router_cycles", lockstep_->router_cycles()},
        {"pins_compared", lockstep_->pins_compared()},
        {"mismatches", lockstep_->mismatches()},
        {"first_mismatch", d ? as_json(*d, s_.wiring(), s_.net().layout()) : ordered_json(nullptr)}};
    if (fault_) tree["fault"] = fault_->done();
    tree.update(parse_json(toriscope::as_json(s_.results()), "the results"));
    return tree.dump(2) + "\n";
  }

  std::string text() const {
    return s_.headline() + line_ + deadlock_report_ + "\n\n" +
           fmt::format("{} cycles, {} RTL router-cycles, {} pins compared: {}\n", s_.net().cycles_done(),
                       lockstep_->router_cycles(), lockstep_->pins_compared(),
                       lockstep_->mismatches() == 0 ? "no difference"
                                                    : fmt::format("{} mismatches", lockstep_->mismatches())) +
           (fault_ ? "injected: " + fault_->done() + "\n" : "");
  }

  const cosim_choices& choices_;
  const std::vector<std::string>& arguments_;
  simulation& s_;
  const std::string deadlock_report_;
  std::unique_ptr<built_routers> rtl_;           ///< toriscope's own
  std::unique_ptr<user_rtl_routers> described_;  ///< or a user's
  std::vector<user_rtl_made> traced_;
  std::string line_;
  std::unique_ptr<lockstep_probe> lockstep_;
  std::unique_ptr<bit_fault> fault_;
  std::unique_ptr<rtl_waves> inside_;
  std::string wave_file_;
  const scratch_directory scratch_;
  std::unique_ptr<port_pairs> pairs_;
};

}  // namespace

void add_cosim_options(CLI::App& cosim, cosim_choices& choices) {
  add_deadlock_check_settings(cosim, choices.deadlock);
  add_rtl_options(cosim, choices.rtl);
  add_router_option(cosim, choices.rtl);
  auto* const fault = cosim.add_option_function<std::string>(
      "--inject-fault",
      [&choices](const std::string& text) {
        choices.injects_fault = true;
        choices.fault = text;
      },
      "flip one bit inside the RTL, to check that the comparison fails [first node, after the warm-up]");
  fault->type_name("[NODE@CYCLE]")->group("RTL")->expected(0, 1);
  text_options options(cosim, "Output");
  options.add("--json", choices.json, "FILE",
              "counts, configuration and results as JSON; - is standard output");
  options.add_flag("--quiet", choices.quiet, "print neither text nor progress");
  options.add("--difference-wave", choices.wave_file, "FILE",
              "waveforms around the first difference; none: none [toriscope-difference.vcd]");
  cosim.add_option("--difference-window", choices.window)
      ->group("");  // for the second run after a difference
  cosim.footer(
      "cosim simulates model and RTL on the same inputs and ends 10 cycles after the first difference. "
      "Status 0: no\n"
      "difference. 1: a difference, of which it leaves a waveform, or a deadlock. It needs Verilator. With "
      "--rtl-router\n"
      "your router is compared: it must do what docs/model.md says, cycle by cycle.\n\n"
      "Examples:\n  toriscope cosim --topology torus:4x4 --rtl '*' --pipeline single_cycle\n"
      "  toriscope cosim --topology torus:4x4 --rtl torus.node_1_1 --inject-fault --json -");
}

int cosim_command(const run_request& request, const cosim_choices& choices) {
  cosimulation both(request, choices);
  both.run();
  return both.report();
}

}  // namespace toriscope

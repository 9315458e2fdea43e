// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/sweep_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "base/measured_process.h"
#include "base/text_file.h"
#include "base/whole_number.h"
#include "base/words.h"
#include "testbenches/experiments/sweep/job_pool.h"
#include "testbenches/experiments/sweep/slurm_script.h"
#include "testbenches/experiments/sweep/sweep_directory.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/run_command.h"
#include "testbenches/program/text_options.h"
#include "testbenches/program/text_output.h"

namespace toriscope {
namespace {

std::size_t whole_option(const std::string& option, const std::string& text, std::size_t least,
                         std::size_t most) {
  std::size_t value = 0;
  if (!to_number(text, value) || value < least || value > most)
    throw std::invalid_argument(
        fmt::format("{}: '{}' must be a whole number from {} to {}", option, text, least, most));
  return value;
}

/// The list of an option that is given several times.
std::string in_one(std::string pieces) {
  std::replace(pieces.begin(), pieces.end(), '\n', ',');
  return pieces;
}

sweep_plan plan_of(const sweep_choices& c, sweep_plan::choices values) {
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) values.push_back({name, {text}});
  };
  add("rates", in_one(c.rates));
  add("seeds", in_one(c.seeds));
  add("tolerance", c.tolerance);
  add("confidence", c.confidence);
  add("confirm", c.confirm);
  if (c.observe) values.push_back({"observe", {}});
  if (c.allow_deadlock) values.push_back({"allow-deadlock", {}});
  return sweep_plan::from(values, c.plan.empty() ? "" : text_of_file(c.plan, "plan " + c.plan), c.plan);
}

job_settings jobs_of(const sweep_choices& c) {
  job_settings settings;
  settings.jobs = static_cast<unsigned>(c.jobs.empty() ? 0 : whole_option("--jobs", c.jobs, 1, 4096));
  if (!c.timeout.empty())
    settings.timeout_seconds = static_cast<double>(whole_option("--timeout", c.timeout, 1, 1000000000));
  settings.progress = !c.quiet;
  return settings;
}

curve_searches searches_of(const sweep_plan& plan) {
  curve_searches list;
  for (const curve& c : plan.curves()) list.push_back(std::make_unique<curve_search>(c, plan.settings()));
  return list;
}

std::vector<point_search*> pointers(const curve_searches& searches) {
  std::vector<point_search*> list;
  for (const auto& s : searches) list.push_back(s.get());
  return list;
}

/// @returns an exit status
int report_failures(const std::vector<failed_point>& failures, const std::string& out) {
  for (const failed_point& f : failures)
    tell(fmt::format("point {}: {}: {}", f.hash, f.reason, f.command), std::string::npos);
  if (failures.empty()) return fine;
  tell(fmt::format("{}: no tables; missing points: {}; the same command tries them again", out,
                   failures.size()));
  return check_failed;
}

int print_number_of_units(const sweep_plan& plan) {
  for (std::size_t unit = 0; unit < plan.units(); ++unit)
    std::fprintf(stderr, "%zu: %s\n", unit, plan.unit_text(unit).c_str());
  write_stdout(std::to_string(plan.units()) + "\n");
  return fine;
}

int write_slurm_script(const sweep_choices& c, const sweep_plan& plan, const job_settings& jobs) {
  std::string out = std::filesystem::absolute(c.out).lexically_normal().string();
  if (out.size() > 1 && out.back() == '/') out.pop_back();
  // A line break would end a comment of the script, and #SBATCH takes no quoted names.
  if (one_line(out, out.size()) != out || out.find_first_of("\"\\%") != std::string::npos)
    throw std::invalid_argument("--out '" + out +
                                "': with --slurm, expected a directory without control characters, \", \\ and %");
  const sweep_directory directory(out, plan, sweep_directory::share::some);
  slurm_array array{own_program(), out, plan.units(), std::max(jobs.jobs, 1U), ""};
  if (!c.timeout.empty()) array.more_options = " --timeout " + c.timeout;
  std::filesystem::create_directories(out + ".logs");
  write_text_file(out + ".plan.json", plan.text());  // a task that waits must not take up another plan of the directory
  write_text_file(out + ".sbatch", slurm_script(array));
  write_stdout(fmt::format("{} units; submit them by\n  sbatch {}\n", plan.units(),
                           quoted_for_shell(out + ".sbatch")));
  return fine;
}

/// Whether the results that there are say that the curve of this unit ends below its load.
bool ends_below(const sweep_plan& plan, std::size_t unit, const result_store& store) {
  curve_search known(plan.curves()[plan.curve_of(unit)], plan.settings());
  take_from_store({&known}, store);
  const std::vector<load_figures> loads = known.loads();
  return known.done() && (loads.empty() || loads.back().rate < plan.rate_of(unit));
}

/// One unit of a job array.
std::vector<failed_point> run_unit(const sweep_plan& plan, std::size_t unit, const job_pool& pool,
                                   const result_store& store) {
  curve_search search(plan.curves()[plan.curve_of(unit)], plan.settings());
  if (!plan.unit_is_point()) return pool.run({&search}, store);
  if (ends_below(plan, unit, store)) return {};
  point_list one({*search.point_at(plan.rate_of(unit), plan.seed_of(unit))});
  return pool.run({&one}, store);
}

int run_one_unit(const sweep_choices& c, const sweep_plan& plan, const job_settings& jobs) {
  const std::size_t unit = whole_option("--point", c.point, 0, plan.units() - 1);
  const sweep_directory directory(c.out, plan, sweep_directory::share::some);
  const std::vector<failed_point> failures = run_unit(plan, unit, job_pool(jobs), directory.store());
  if (!failures.empty()) return report_failures(failures, c.out);
  // The process that finds all results there writes the tables.
  const curve_searches all = searches_of(plan);
  if (take_from_store(pointers(all), directory.store())) directory.finish(all);
  return fine;
}

int run_all(const sweep_choices& c, const sweep_plan& plan, const job_settings& jobs) {
  const sweep_directory directory(c.out, plan, sweep_directory::share::alone);
  const curve_searches searches = searches_of(plan);
  const std::vector<failed_point> failures = job_pool(jobs).run(pointers(searches), directory.store());
  if (!failures.empty()) return report_failures(failures, c.out);
  directory.finish(searches);
  if (!c.quiet)
    write_stdout(curves_text(searches) +
                 fmt::format("tables: {0}/curves.csv {0}/points.csv {0}/sweep.json\n", c.out));
  return fine;
}

}  // namespace

void add_sweep_options(CLI::App& sweep, sweep_choices& c) {
  text_options options(sweep, "Sweep");
  options.add("--plan", c.plan, "FILE", "plan as JSON (docs/sweeps.md); options override it");
  options.add("--out", c.out, "DIR", "directory for results; the same command resumes a sweep that was stopped");
  options.add("--rates,--rate", c.rates, "LIST",
              "loads: first:last:step or a list; auto: search for saturation throughput and knee [auto]");
  options.add("--seeds,--seed", c.seeds, "LIST", "seeds of the runs at each load: first:last or a list [1:3]");
  for (const char* list : {"--rates", "--seeds"})  // as those of networks
    sweep.get_option(list)->multi_option_policy(CLI::MultiOptionPolicy::Join);
  options.add("--tolerance", c.tolerance, "PART",
              "relative distance of the two loads between which saturation and knee lie, at most [0.02]");
  options.add("--confidence", c.confidence, "P",
              "run more seeds where they disagree, until stable or unstable has this confidence [majority]");
  options.add("--confirm", c.confirm, "N",
              "run the saturation throughput found once more with a window N times as long, which must be stable; "
              "1: do not [8]");
  options.add_flag("--observe", c.observe, "observe the highest stable load: link use and stall reasons");
  options.add_flag("--allow-deadlock", c.allow_deadlock, "run VC rules that are known to be cyclic");
  options.add("--jobs", c.jobs, "N", "simulations at a time [the number of processors]");
  options.add("--timeout", c.timeout, "SECONDS",
              "a simulation that takes longer is stopped and run again [86400]");
  options.add("--point", c.point, "K", "only unit K of the sweep, from 0 on, for job arrays");
  options.add_flag("--list", c.list, "print the number of units, and on standard error a line for each");
  options.add_flag("--slurm", c.slurm, "write DIR.sbatch, a Slurm job array, instead of running");
  options.add_flag("--quiet", c.quiet, "print neither progress nor the table");
  sweep.footer(
      "An option given several times, or with commas, means each of its values in turn. sweep writes curves.csv,\n"
      "points.csv and sweep.json, which report reads.\n\n"
      "Examples:\n"
      "  toriscope sweep --topology torus:8x8 --topology mesh:8x8 --traffic uniform,transpose --out results\n"
      "  toriscope sweep --topology torus:8x8 --rates 0.05:0.5:0.05 --seeds 1:5 --out results\n"
      "  toriscope sweep --plan plan.json --out results --slurm");
}

int sweep_command(const sweep_choices& c,
                  const std::vector<std::pair<std::string, std::vector<std::string>>>& values) {
  const sweep_plan plan = plan_of(c, values);
  refuse_idle_options(plan, values, c.plan);
  if (!c.confirm.empty() && !plan.confirms())
    throw std::invalid_argument(
        "--confirm has no effect with fixed --rates or --precision; leave one of them out");
  if (!c.point.empty() && (c.list || c.slurm))
    throw std::invalid_argument(fmt::format("--point has no effect with {}; leave one of them out",
                                            c.list ? "--list" : "--slurm"));
  if (c.list && c.slurm)
    throw std::invalid_argument("--slurm has no effect with --list; leave one of them out");
  const job_settings jobs = jobs_of(c);  // before anything is written
  if (c.list) return print_number_of_units(plan);
  if (c.out.empty()) throw std::invalid_argument("sweep needs --out DIR, the directory for its results");
  if (c.slurm) return write_slurm_script(c, plan, jobs);
  return c.point.empty() ? run_all(c, plan, jobs) : run_one_unit(c, plan, jobs);
}

}  // namespace toriscope

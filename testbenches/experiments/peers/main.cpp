// SPDX-License-Identifier: Apache-2.0
// compare_peers: toriscope beside a BookSim2 and a Noxim that the user brings, on the same work in the same
// run.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "testbenches/experiments/peers/booksim.h"
#include "testbenches/experiments/peers/comparison.h"
#include "testbenches/experiments/peers/cross_check.h"
#include "testbenches/experiments/peers/noxim.h"
#include "testbenches/experiments/peers/own_simulator.h"

namespace toriscope {
namespace {

struct options {
  std::string booksim;
  std::string noxim;
  std::string noxim_power;
  std::string program;
  std::string json;
  std::vector<std::string> sizes = {"8", "64"};
  unsigned repeats = 0;
  bool quick = false;
  bool cross_check = false;
  std::vector<std::string> only;
};

/// What to run: the periods cost each peer a second or two a run at 8x8, and half a minute at 64x64.
std::vector<comparison_cell> booksim_cells() {
  return {{true, 8, .02, false, 20000, 15}, {true, 8, .1, false, 6000, 15},  {true, 8, .2, false, 3000, 15},
          {true, 8, 1, true, 1500, 15},     {true, 64, .02, false, 300, 40}, {true, 64, .05, false, 300, 40}};
}
/// Noxim's 64x64 saturates below .02.
std::vector<comparison_cell> noxim_cells() {
  return {{false, 8, .02, false, 10000, 30},
          {false, 8, .1, false, 5000, 30},
          {false, 8, 1, true, 3000, 30, true},
          {false, 64, .01, false, 300, 100}};
}

void tell(const std::string& line) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "%s ...\n", line.c_str());
}

/// A lone packet now and then: what the contracts of time say, peer beside toriscope.
struct zero_load {
  std::string what;
  double theirs = 0;
  double expected = 0;
  bool agrees() const { return std::abs(theirs - expected) < 0.01; }
};

workload lone_packets() {
  workload w;
  w.k = 8;
  w.traffic = "neighbour";
  w.rate_flits_per_node_cycle = 0.002;
  w.warmup_cycles = 500;
  w.measured_cycles = 10000;
  return w;
}

zero_load check_booksim(booksim& peer, own_simulator& own) {
  const workload w = lone_packets();
  return {"BookSim2, torus 8x8, three routers: least packet latency, beside toriscope with D = 2 everywhere",
          peer.run(w).latency_min, own.run(w).latency_min};
}

zero_load check_noxim(noxim& peer) {
  workload w = lone_packets();
  w.wraps = false;
  return {
      "Noxim, mesh 8x8, corner to corner, 15 routers: delay of a head, two cycles a router by its handshake",
      peer.run(w).latency_mean, 30};
}

options parse(int argc, char** argv) {
  options o;
  CLI::App app(
      "compare_peers: what a flit-hop costs toriscope and the simulators that you bring: CPU time, user and "
      "system,\n"
      "net of start-up, at equal accepted load, in alternating repeats. Uniform traffic in packets of 16 "
      "flits,\n"
      "4 VCs of 8 flits, dimension order. A flit-hop is a flit that passes a router: flits ejected times the "
      "routers\n"
      "on their paths.\n",
      "compare_peers");
  app.add_option("--booksim", o.booksim, "BookSim2's program, built with -O3")->type_name("PATH");
  app.add_option("--noxim", o.noxim, "Noxim's program, built with -O3")->type_name("PATH");
  app.add_option("--noxim-power", o.noxim_power, "Noxim's power.yaml [beside its program]")
      ->type_name("FILE");
  app.add_option("--toriscope", o.program, "the toriscope program [beside this one]")->type_name("PATH");
  app.add_option("--sizes", o.sizes, "8, 64 or both: nodes in a dimension [8,64]")
      ->type_name("K,...")
      ->delimiter(',')
      ->check(CLI::IsMember({"8", "64"}));
  app.add_option("--repeats", o.repeats, "of every pair of runs [5; 3 at 64x64; 1 with --quick]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", o.json, "all figures as JSON; - is standard output, without the table")
      ->type_name("FILE");
  app.add_flag("--cross-check", o.cross_check,
               "whether BookSim2 and toriscope agree, instead of what they cost: zero-load latency of every "
               "pair,\n"
               "saturation under six patterns, mesh and torus 8x8 (docs/booksim_cross_check.md)");
  app.add_option("--only", o.only, "of the cross-check: mesh/pairs, torus/uniform ... [all of it]")
      ->type_name("PART,...")
      ->delimiter(',')
      ->check(CLI::IsMember(cross_check_parts()));
  app.add_flag("--quick", o.quick, "a tenth of the run lengths, once: whether it works, not how fast");
  app.footer(
      "Exit status: 0 all targets met, 1 a target missed or a check failed, 2 bad usage or a simulator that "
      "fails.\n"
      "Examples:\n"
      "  compare_peers --booksim booksim2/src/booksim --sizes 8\n"
      "  compare_peers --booksim booksim2/src/booksim --cross-check --json agree.json\n"
      "  compare_peers --booksim booksim2/src/booksim --noxim noxim/bin/noxim --json ratios.json   (some 20 "
      "minutes)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success&) {
    std::fputs(app.help().c_str(), stdout);
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    throw std::runtime_error(std::string(error.what()) + "; see compare_peers --help");
  }
  if (o.booksim.empty() && o.noxim.empty())
    throw std::runtime_error("give --booksim PATH or --noxim PATH, or both; see compare_peers --help");
  if (o.cross_check && o.booksim.empty())
    throw std::runtime_error("--cross-check needs --booksim PATH; see compare_peers --help");
  if (o.program.empty())
    o.program = (std::filesystem::path(own_program()).parent_path() / "toriscope").string();
  if (!o.noxim.empty() && o.noxim_power.empty()) {
    o.noxim_power = (std::filesystem::absolute(o.noxim).parent_path() / "power.yaml").string();
    if (!std::filesystem::exists(o.noxim_power))
      throw std::runtime_error("Noxim needs its power.yaml, and there is no " + o.noxim_power +
                               "; give --noxim-power FILE");
  }
  if (!o.noxim_power.empty()) o.noxim_power = std::filesystem::absolute(o.noxim_power).string();
  return o;
}

/// To a file, to standard output as -, or nowhere.
void write_json(const nlohmann::ordered_json& all, const std::string& path) {
  if (path.empty()) return;
  const std::string text = all.dump(2) + "\n";
  if (path == "-") {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (!out || std::fputs(text.c_str(), out) < 0 || std::fclose(out) != 0)
    throw std::runtime_error("cannot write " + path);
}

class comparison_run {
 public:
  explicit comparison_run(const options& o) : o_(o), table_(o.json != "-") {}

  bool all_well() const { return well_; }

  void peer(simulator& peer, simulator& own, const std::vector<comparison_cell>& cells) {
    for (const comparison_cell& cell : cells) {
      if (std::find(o_.sizes.begin(), o_.sizes.end(), std::to_string(cell.k)) == o_.sizes.end()) continue;
      const unsigned repeats = o_.repeats > 0 ? o_.repeats : o_.quick ? 1 : cell.k > 8 ? 3 : 5;
      const cell_result r = compare(peer, own, cell, repeats, o_.quick ? .1 : 1, tell);
      well_ = well_ && r.met() && r.loads_agree();
      cells_.push_back(as_json(r));
      show((first_ ? table_head() : "") + table_line(r));
      first_ = false;
    }
  }

  void check(const zero_load& z) {
    well_ = well_ && z.agrees();
    checks_.push_back(
        {{"what", z.what}, {"measured", z.theirs}, {"expected", z.expected}, {"agrees", z.agrees()}});
    show(fmt::format("{}: {:g} cycles, expected {:g}: {}\n", z.what, z.theirs, z.expected,
                     z.agrees() ? "the same machine" : "DIFFERS: these are other machines"));
  }

  void write() const { write_json({{"zero_load", checks_}, {"comparison", cells_}}, o_.json); }

 private:
  void show(const std::string& text) const {
    if (!table_) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  const options& o_;
  bool table_;
  bool first_ = true;
  bool well_ = true;
  nlohmann::ordered_json checks_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json cells_ = nlohmann::ordered_json::array();
};

int run_cross_check(const options& o, const std::string& directory) {
  booksim peer(o.booksim, directory);
  cross_check_settings settings;
  settings.program = o.program;
  settings.directory = directory;
  settings.only = o.only;
  if (o.repeats > 0) settings.seeds = o.repeats;
  if (o.quick) {
    settings.steps = 20;
    settings.seeds = 1;
    settings.pair_runs = 2;
    settings.warmup = settings.measured = 1000;
  }
  cross_check check(peer, settings, tell);
  const bool well = check.run([&](const std::string& text) {
    if (o.json == "-") return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  });
  write_json(check.as_json(), o.json);
  return well ? 0 : 1;
}

int run(int argc, char** argv) {
  const options o = parse(argc, argv);
  const scratch_directory place;  // of the peers' files
  if (o.cross_check) return run_cross_check(o, place.path());
  comparison_run run(o);
  // BookSim's channel of one cycle is D = 2, and its uniform traffic includes the own node (booksim.h).
  own_simulator like_booksim(o.program, 2, true);
  own_simulator like_noxim(o.program, 1, false);
  std::unique_ptr<booksim> first;
  std::unique_ptr<noxim> second;
  if (!o.booksim.empty()) {
    first = std::make_unique<booksim>(o.booksim, place.path());
    run.check(check_booksim(*first, like_booksim));
  }
  if (!o.noxim.empty()) {
    second =
        std::make_unique<noxim>(std::filesystem::absolute(o.noxim).string(), o.noxim_power, place.path());
    run.check(check_noxim(*second));
  }
  if (first) run.peer(*first, like_booksim, booksim_cells());
  if (second) run.peer(*second, like_noxim, noxim_cells());
  run.write();
  return run.all_well() ? 0 : 1;
}

}  // namespace
}  // namespace toriscope

int main(int argc, char** argv) {
  try {
    return toriscope::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare_peers: %s\n", error.what());
    return 2;
  }
}

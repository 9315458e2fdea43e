// SPDX-License-Identifier: Apache-2.0
// What a waveform of everything costs: `run` of TTN(2,2,0) with all its signals as VCD and as FST, in turn with the
// same run without a waveform. CPU time (user and system, all threads) and wall-clock time of whole processes.
//
//   wave_file_bench TORISCOPE [REPEATS]   leaves with 1 when FST takes more than 10 times the CPU or 8 times the
//                                         wall-clock time of the run without it (target: 5; docs/performance.md), or a
//                                         sixth of the VCD's bytes
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/measured_process.h"
#include "base/scratch_directory.h"

namespace toriscope {
namespace {

constexpr double cpu_limit = 10, wall_limit = 8, wall_target = 5, size_limit = 6;

struct costs {
  std::vector<double> cpu_s, wall_s;
};

/// @param file  of the waveform; empty: none
void run(const std::string& program, const std::string& file, costs& all) {
  std::vector<std::string> arguments{program, "run",     "--topology", "ttn:2,2,0", "--rate",
                                     "0.015", "--quiet", "--no-cache", "--cycles",  "10000"};
  if (!file.empty()) arguments.insert(arguments.end(), {"--wave", "*", "--wave-file", file});
  const auto start = std::chrono::steady_clock::now();
  const measured_process done = run_measured(arguments);
  if (done.status != 0) throw std::runtime_error("a run failed: " + done.last_words());
  all.wall_s.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  all.cpu_s.push_back(done.cpu_seconds);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

int compare(const std::string& program, unsigned repeats) {
  const scratch_directory place;
  const std::string vcd_file = place.file("w.vcd"), fst_file = place.file("w.fst");
  costs none, vcd, fst;
  for (unsigned i = 0; i < repeats; ++i) {
    run(program, "", none);
    run(program, vcd_file, vcd);
    run(program, fst_file, fst);
  }
  const auto print = [&](const char* name, const costs& c) {
    fmt::print("  {:<12} {:.3f} s CPU, {:4.1f} times; {:.3f} s wall clock, {:4.1f} times\n", name,
               median(c.cpu_s), median(c.cpu_s) / median(none.cpu_s), median(c.wall_s),
               median(c.wall_s) / median(none.wall_s));
  };
  fmt::print("all signals of ttn:2,2,0, load .015, 10,000 cycles; medians of {}\n", repeats);
  print("no waveform", none);
  print("VCD", vcd);
  print("FST", fst);
  const auto bytes = [](const std::string& file) {
    return static_cast<double>(std::filesystem::file_size(file));
  };
  const double smaller = bytes(vcd_file) / bytes(fst_file);
  fmt::print(
      "FST has 1/{:.1f} of the VCD's {:.1f} MB; limits: {} times the CPU, {} times the wall clock (target: {}), 1/{}\n",
      smaller, bytes(vcd_file) / 1e6, cpu_limit, wall_limit, wall_target, size_limit);
  return median(fst.cpu_s) <= cpu_limit * median(none.cpu_s) &&
                 median(fst.wall_s) <= wall_limit * median(none.wall_s) && smaller >= size_limit
             ? 0
             : 1;
}

}  // namespace
}  // namespace toriscope

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: wave_file_bench TORISCOPE [REPEATS]\n");
    return 2;
  }
  try {
    return toriscope::compare(argv[1], argc > 2 ? static_cast<unsigned>(std::max(1, std::atoi(argv[2]))) : 7);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wave_file_bench: %s\n", error.what());
    return 2;
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/failure_wave.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/measured_process.h"
#include "testbenches/program/run_command.h"

namespace toriscope {
namespace {

constexpr std::size_t max_shown_nodes = 64;
constexpr cycle_t cycles_before = 100;
constexpr cycle_t cycles_after = 50;

}  // namespace

std::string failure_wave_spec(const network& net, const network_failure& failure, cycle_t first) {
  std::string spec;
  for (std::size_t i = 0; i < std::min(failure.nodes.size(), max_shown_nodes); ++i)
    spec += (spec.empty() ? "" : ",") + net.wiring().name() + "." + net.wiring().path(failure.nodes[i]);
  const cycle_t from = std::max(first, failure.since - std::min(failure.since, cycles_before));
  const cycle_t to = std::min(failure.since + cycles_after, failure.cycle);
  return spec + "@" + std::to_string(from) + ":" + std::to_string(to);
}

std::string leave_failure_wave(const std::vector<std::string>& arguments, const std::string& spec,
                               cycle_t mark, const std::string& file) {
  return run_again(arguments,
                   {"--wave", spec, "--wave-groups", "all", "--wave-file", file, "--wave-mark",
                    std::to_string(mark), "--wave-only"},
                   file);
}

std::uint64_t file_number(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return 0;
  static std::uint64_t pipes_and_devices = ~std::uint64_t{};
  return S_ISREG(found.st_mode) ? found.st_ino : pipes_and_devices--;
}

held_file::held_file(const std::string& path) : name_(path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ >= 0) name_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

held_file::~held_file() {
  if (file_ >= 0) close(file_);
}

std::string run_again(const std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::string& file) {
  std::vector<std::string> all = {own_program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), more.begin(), more.end());
  const std::uint64_t before = file_number(file);
  try {
    const measured_process run = run_measured(all);
    if (run.status > 128) return "the second run was killed";
    if (file_number(file) != before && run.status != bad_input) return {};
    const std::string why = run.last_words();
    return why.empty() ? "the second run left no waveform" : why;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace toriscope

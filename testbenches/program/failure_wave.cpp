// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/failure_wave.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace toriscope {
namespace {

constexpr std::size_t most_nodes = 64;
constexpr cycle_t cycles_before = 100;
constexpr cycle_t cycles_after = 50;

}  // namespace

std::string failure_wave_spec(const network& net, const network_failure& failure) {
  std::string spec;
  for (std::size_t i = 0; i < std::min(failure.nodes.size(), most_nodes); ++i)
    spec += (spec.empty() ? "" : ",") + net.wiring().name() + "." + net.wiring().path(failure.nodes[i]);
  if (spec.empty()) spec = "*";
  const cycle_t from = failure.since > cycles_before ? failure.since - cycles_before : 0;
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

std::string run_again(const std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::string& file) {
  std::vector<std::string> all = {"toriscope"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), more.begin(), more.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &silent, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&silent);
  if (error != 0) return std::string("the program cannot be run again: ") + std::strerror(error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::string("the second run is lost: ") + std::strerror(errno);
  if (!WIFEXITED(status)) return "the second run was killed";
  if (access(file.c_str(), R_OK) != 0) return "the second run left no waveform";
  return {};
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/measured_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace toriscope {
namespace {

using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Into files, not pipes: the child never waits for us.
file scratch() {
  file made(std::tmpfile(), std::fclose);
  if (!made) throw std::runtime_error(std::string("no temporary file: ") + std::strerror(errno));
  return made;
}

std::string contents(std::FILE* in) {
  std::rewind(in);
  std::string text;
  char block[4096];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, in)) > 0;) text.append(block, n);
  return text;
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t newline = text.find_last_of('\n', end);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return text.substr(begin, end - begin + 1);
}

}  // namespace

std::string measured_process::last_words() const {
  const std::string from_err = last_line(err);
  return from_err.empty() ? last_line(out) : from_err;
}

measured_process run_measured(const std::vector<std::string>& arguments, const std::string& directory) {
  const std::string& program = arguments.at(0);
  std::error_code ignored;
  if (!std::filesystem::exists(program, ignored))
    throw std::runtime_error("cannot run '" + program + "': there is no such file");
  if (std::filesystem::is_directory(program, ignored) || access(program.c_str(), X_OK) != 0)
    throw std::runtime_error("cannot run '" + program + "': it is not a program");
  const std::string absolute = std::filesystem::absolute(program).string();

  std::vector<std::string> kept = arguments;
  std::vector<char*> argv;
  for (std::string& argument : kept) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const file out = scratch();
  const file err = scratch();

  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(fileno(out.get()), STDOUT_FILENO);
    dup2(fileno(err.get()), STDERR_FILENO);
    if (directory.empty() || chdir(directory.c_str()) == 0) execv(absolute.c_str(), argv.data());
    std::fprintf(stderr, "cannot be run: %s\n", std::strerror(errno));
    std::fflush(stderr);
    std::_Exit(127);
  }
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0)
    if (errno != EINTR) throw std::runtime_error(std::string("a child is lost: ") + std::strerror(errno));

  measured_process result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  result.max_rss_bytes = static_cast<double>(used.ru_maxrss) * 1024;  // Linux: in KiB
  result.out = contents(out.get());
  result.err = contents(err.get());
  return result;
}

std::string own_program() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw std::runtime_error("cannot find the program itself: " + error.message());
  return path.string();
}

}  // namespace toriscope

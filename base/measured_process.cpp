// SPDX-License-Identifier: Apache-2.0
#include "base/measured_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/words.h"

namespace toriscope {
namespace {

constexpr int cannot_start = 127;  // as shells have it

/// In memory, not a pipe: the child never waits for us, and needs no disk.
int scratch(const std::string& content = {}) {
  const int made = memfd_create("text", MFD_CLOEXEC);
  const bool whole =
      made >= 0 && write(made, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  if (!whole || lseek(made, 0, SEEK_SET) != 0)
    throw std::runtime_error(std::string("no memory for the output of a process: ") + std::strerror(errno));
  return made;
}

void close_files(std::initializer_list<int*> files) {
  for (int* file : files)
    if (*file >= 0) close(std::exchange(*file, -1));
}

std::string contents(int in) {
  std::string text;
  char block[4096];
  for (ssize_t n; (n = pread(in, block, sizeof block, static_cast<off_t>(text.size()))) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  return text;
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// Our environment, for exec. @param temporary  TMPDIR=..., or nullptr for ours
std::vector<char*> environment_with(char* temporary) {
  std::vector<char*> variables;
  for (char** variable = environ; *variable; ++variable)
    if (!temporary || std::strncmp(*variable, "TMPDIR=", 7) != 0) variables.push_back(*variable);
  if (temporary) variables.push_back(temporary);
  variables.push_back(nullptr);
  return variables;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t newline = text.find_last_of('\n', end);
  const std::size_t begin = text.find_first_not_of(" \t", newline + 1);  // npos is -1
  return text.substr(begin, end - begin + 1);
}

/// In the child: makes it a process group, which is killed once the other end of this pipe is closed.
void guard_own_group(int pipe) {
  setpgid(0, 0);
  const pid_t between = fork();
  if (between != 0) {
    waitpid(between, nullptr, 0);
    return;
  }
  // Twice, as the program may wait for all children of its own.
  if (fork() != 0) std::_Exit(0);
  dup2(pipe, STDIN_FILENO);
  close_range(STDOUT_FILENO, ~0u, 0);
  char nothing = 0;
  while (read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
  }
  kill(0, SIGKILL);
  std::_Exit(0);
}

}  // namespace

std::string measured_process::last_words() const {
  const std::string from_err = last_line(err);
  const std::string line = from_err.empty() ? last_line(out) : from_err;
  if (line.empty()) return status > 128 ? "no message; killed by signal " + std::to_string(status - 128) : "no message";
  const std::string name = "toriscope: ";
  return begins_with(line, name) ? line.substr(name.size()) : line;
}

running_process::running_process(const std::vector<std::string>& arguments,
                                 const process_settings& settings) {
  const std::string& program = arguments.at(0);
  std::error_code ignored;
  if (!settings.search && !std::filesystem::exists(program, ignored))
    throw std::runtime_error("cannot run '" + program + "': there is no such file");
  if (!settings.search &&
      (std::filesystem::is_directory(program, ignored) || access(program.c_str(), X_OK) != 0))
    throw std::runtime_error("cannot run '" + program + "': it is not a program");
  std::vector<std::string> words = arguments;
  if (!settings.search) words[0] = std::filesystem::absolute(program).string();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string temporary = "TMPDIR=" + settings.temporary;
  std::vector<char*> variables = environment_with(settings.temporary.empty() ? nullptr : temporary.data());
  int input = settings.input.empty() ? open("/dev/null", O_RDONLY | O_CLOEXEC) : scratch(settings.input);
  out_ = scratch();
  err_ = scratch();
  int guard[2] = {-1, -1};
  if (settings.with_offspring && pipe2(guard, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("no pipe for a process: ") + std::strerror(errno));
  guard_ = guard[1];
  const pid_t parent = getpid();
  child_ = fork();
  const int error = errno;
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) std::_Exit(cannot_start);
    if (settings.with_offspring) guard_own_group(guard[0]);
    become(argv.data(), variables.data(), settings, input);
  }
  close_files({&input, &guard[0]});
  if (child_ > 0) return;
  close_files({&out_, &err_, &guard_});
  throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(error));
}

/// In the child.
void running_process::become(char* const* argv, char* const* environment, const process_settings& settings,
                             int input) const {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(input, STDIN_FILENO);
  dup2(out_, STDOUT_FILENO);
  dup2(settings.one_output ? out_ : err_, STDERR_FILENO);
  if (settings.directory.empty() || chdir(settings.directory.c_str()) == 0)
    settings.search ? execvpe(argv[0], argv, environment) : execve(argv[0], argv, environment);
  std::fprintf(stderr, "cannot be run: %s\n", std::strerror(errno));
  std::_Exit(cannot_start);
}

running_process::~running_process() { kill_it(); }

void running_process::kill_it() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
  }
  close_files({&out_, &err_, &guard_});
}

running_process::running_process(running_process&& other) noexcept { *this = std::move(other); }

running_process& running_process::operator=(running_process&& other) noexcept {
  std::swap(child_, other.child_);
  std::swap(out_, other.out_);
  std::swap(err_, other.err_);
  std::swap(guard_, other.guard_);
  return *this;
}

/// @param options  of wait4
std::optional<measured_process> running_process::ended(int options) {
  if (child_ < 0)
    throw std::logic_error("a child that has ended is asked again");  // wait4(-1) takes any child
  int status = 0;
  rusage used{};
  pid_t child = 0;
  while ((child = wait4(child_, &status, options, &used)) < 0)
    if (errno != EINTR) throw std::runtime_error(std::string("a child is lost: ") + std::strerror(errno));
  if (child == 0) return std::nullopt;
  return finished(status, used);
}

measured_process running_process::wait() { return *ended(0); }

std::optional<measured_process> running_process::poll() { return ended(WNOHANG); }

std::optional<measured_process> running_process::wait_at_most(double seconds) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(100);
  for (;;) {
    if (std::optional<measured_process> result = poll()) return result;
    if (clock::now() >= end) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(20000));
  }
  kill_it();
  return std::nullopt;
}

measured_process running_process::finished(int status, const rusage& used) {
  child_ = -1;
  measured_process result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  result.max_rss_bytes = static_cast<double>(used.ru_maxrss) * 1024;  // Linux: in KiB
  result.out = contents(out_);
  result.err = contents(err_);
  close_files({&out_, &err_, &guard_});
  return result;
}

measured_process run_measured(const std::vector<std::string>& arguments, const process_settings& settings) {
  return running_process(arguments, settings).wait();
}

measured_process run_tool(const std::vector<std::string>& arguments, const std::string& temporary) {
  process_settings settings;
  settings.temporary = temporary;
  settings.search = true;
  settings.one_output = true;
  settings.with_offspring = true;
  return run_measured(arguments, settings);
}

std::string own_program() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw std::runtime_error("cannot find the program itself: " + error.message());
  return path.string();
}

}  // namespace toriscope

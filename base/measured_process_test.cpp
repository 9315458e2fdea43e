// SPDX-License-Identifier: Apache-2.0
#include "base/measured_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "base/error_of_test.h"
#include "base/resources.h"
#include "base/scratch_directory.h"

namespace toriscope::measured_process_test {
namespace {

measured_process shell(const std::string& command, const process_settings& settings = {}) {
  return run_measured({"/bin/sh", "-c", command}, settings);
}

TEST(measured_process, keeps_status_output_and_cost) {
  const measured_process done = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");
  EXPECT_EQ(done.last_words(), "err");
  measured_process silent;
  silent.status = 137;
  EXPECT_EQ(silent.last_words(), "no message; killed by signal 9");
  silent.status = 129;
  EXPECT_EQ(silent.last_words(), "no message; killed by signal 1");
  silent.status = 128;
  EXPECT_EQ(silent.last_words(), "no message");
  silent.err = "first\n \ttoriscope: why  \n\n";
  EXPECT_EQ(silent.last_words(), "why");
  silent.err = " \n";
  silent.out = "nothing\n  on standard output\n";
  EXPECT_EQ(silent.last_words(), "on standard output");
  EXPECT_EQ(shell("printf x").out, "x");
  EXPECT_GT(done.max_rss_bytes, 0);
  EXPECT_EQ(shell("kill -9 $$").status, 128 + SIGKILL);
  EXPECT_EQ(shell("head -c 10000000 /dev/zero").out.size(), 10000000u);
}

/// The kernel adds the same times to those of all children, each cut to microseconds.
TEST(measured_process, costs_the_time_of_the_program_and_of_the_kernel_for_it) {
  const auto of_children = [] {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return used;
  };
  const auto seconds = [](const timeval& from, const timeval& to) {
    return static_cast<double>(to.tv_sec - from.tv_sec) + static_cast<double>(to.tv_usec - from.tv_usec) / 1e6;
  };
  const rusage before = of_children();
  const measured_process done =
      shell("head -c 300000000 /dev/zero > /dev/null; i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done");
  const rusage after = of_children();
  const double in_program = seconds(before.ru_utime, after.ru_utime);
  const double in_kernel = seconds(before.ru_stime, after.ru_stime);
  EXPECT_GT(in_program, 1e-3);
  EXPECT_GT(in_kernel, 1e-3);
  EXPECT_NEAR(done.cpu_seconds, in_program + in_kernel, 1e-5);
  EXPECT_GT(done.max_rss_bytes, 5e5);
  EXPECT_LT(done.max_rss_bytes, 1e9) << "a shell and head";
  EXPECT_EQ(std::fmod(done.max_rss_bytes, static_cast<double>(sysconf(_SC_PAGESIZE))), 0) << "whole pages";
}

TEST(measured_process, takes_input_and_directory) {
  process_settings settings;
  settings.directory = "/";
  settings.input = std::string(1000000, 'x');
  EXPECT_EQ(shell("pwd; wc -c", settings).out, "/\n1000000\n");
  EXPECT_EQ(shell("wc -c").out, "0\n");
  settings.directory = "/no/such";
  const measured_process nowhere = shell("echo out", settings);
  EXPECT_EQ(nowhere.status, 127);
  EXPECT_EQ(nowhere.out, "");
  EXPECT_EQ(nowhere.err, "cannot be run: No such file or directory\n");
}

TEST(measured_process, is_looked_for_here_wherever_it_runs) {
  const scratch_directory scratch;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path());
  std::filesystem::create_symlink("/bin/sh", "shell");
  process_settings settings;
  settings.directory = "/";
  std::string out;
  const std::string error = error_of([&] { out = run_measured({"./shell", "-c", "pwd"}, settings).out; });
  std::filesystem::current_path(before);
  EXPECT_EQ(error, "none");
  EXPECT_EQ(out, "/\n");
}

TEST(measured_process, inherits_the_environment_and_no_file_of_ours) {
  const char* const known = std::getenv("TMPDIR");
  const std::string before = known ? known : "";
  setenv("TMPDIR", "/ours", 1);
  setenv("TORISCOPE_PROCESS_TEST", "kept", 1);
  EXPECT_EQ(shell("printf %s $TMPDIR").out, "/ours");
  const std::string variables = "\n" + run_tool({"env"}, "/some/where").out;
  known ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_THAT(variables, testing::HasSubstr("\nTMPDIR=/some/where\n"));
  EXPECT_THAT(variables, testing::Not(testing::HasSubstr("\nTMPDIR=/ours\n"))) << "one value";
  EXPECT_THAT(variables, testing::HasSubstr("\nTORISCOPE_PROCESS_TEST=kept\n"));

  // What this program was given without a mark that closes it is given on.
  std::set<int> expected = {0, 1, 2};
  for (int file = 3; file < 1000; ++file)
    if (const int flags = fcntl(file, F_GETFD); flags >= 0 && (flags & FD_CLOEXEC) == 0)
      expected.insert(file);
  std::istringstream files(shell("ls /proc/$$/fd; :").out);
  EXPECT_EQ(std::set<int>(std::istream_iterator<int>(files), {}), expected);
}

TEST(measured_process, leaves_no_file_open_and_no_child) {
  const auto lowest_free = [] {
    const int file = dup(0);
    close(file);
    return file;
  };
  const int before = lowest_free();
  shell("echo out");
  EXPECT_EQ(run_tool({"cat"}).out, "");
  EXPECT_EQ(lowest_free(), before);
  // Where there is no standard input, what a program reads has its number.
  process_settings settings;
  settings.input = "text";
  const int input = fcntl(0, F_DUPFD_CLOEXEC, 10);
  close(0);
  const std::string error = error_of([&] { shell(":", settings); });
  const int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(after);
  dup2(input, 0);
  close(input);
  EXPECT_EQ(error, "none");
  EXPECT_EQ(after, 0);
  if (const char* const children = "/proc/thread-self/children"; std::filesystem::exists(children)) {
    EXPECT_EQ(run_tool({"cat", children}).out, "") << "what guards a tool is none of its own";
  }
}

TEST(measured_process, has_no_signals_blocked) {
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &one, &before);
  const std::string blocked = shell("grep SigBlk /proc/self/status").out;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(blocked, "SigBlk:\t0000000000000000\n");
}

TEST(measured_process, that_another_waits_for_is_lost) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);  // children are not waited for
  const std::string error = error_of([] { shell(":"); });
  std::signal(SIGCHLD, before);
  EXPECT_EQ(error, "a child is lost: No child processes");
}

TEST(measured_process, goes_on_when_its_handle_moves) {
  process_settings settings;
  settings.with_offspring = true;
  const std::vector<std::string> program = {"/bin/sh", "-c", "sleep 0.3; echo out; echo err >&2; exit 3"};
  std::optional<running_process> first(std::in_place, program, settings);
  running_process second = std::move(*first);
  first.reset();
  const measured_process done = second.wait();
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");
}

TEST(measured_process, one_output_in_order) {
  process_settings settings;
  settings.one_output = true;
  const measured_process done = shell("echo a; echo b >&2; echo c", settings);
  EXPECT_EQ(done.out, "a\nb\nc\n");
  EXPECT_EQ(done.err, "");
}

TEST(measured_process, looks_for_tools) {
  EXPECT_EQ(run_tool({"echo", "a b", ""}).out, "a b \n");
  EXPECT_EQ(run_tool({"sh", "-c", "printf %s \"$TMPDIR\""}, "/some/where").out, "/some/where");
  const measured_process none = run_tool({"there_is_no_such_tool"});
  EXPECT_EQ(none.status, 127);
  EXPECT_THAT(none.out, testing::HasSubstr("No such file"));
}

TEST(measured_process, says_what_cannot_be_run) {
  for (const auto& [program, why] : {std::pair{"/no/such", "cannot run '/no/such': there is no such file"},
                                     {"/", "cannot run '/': it is not a program"},
                                     {"/etc/passwd", "cannot run '/etc/passwd': it is not a program"}}) {
    try {
      run_measured({program});
      FAIL() << program;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), why);
    }
  }
}

TEST(measured_process, is_waited_for_no_longer_than_asked) {
  running_process quick({"/bin/sh", "-c", "echo done"});
  const std::optional<measured_process> done = quick.wait_at_most(60);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "done\n");
  EXPECT_THROW(quick.poll(), std::logic_error) << "its number can be another process's by now";

  const auto start = std::chrono::steady_clock::now();
  running_process slow({"/bin/sh", "-c", "sleep 1000"});
  EXPECT_FALSE(slow.poll());
  const double used = cpu_seconds();
  EXPECT_FALSE(slow.wait_at_most(0.3));
  EXPECT_LT(cpu_seconds() - used, 0.2) << "who asks again and again needs a processor for .3 s";
  EXPECT_THROW(slow.poll(), std::logic_error) << "it is no more";
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(100));
}

bool is_alive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z";
}

/// The process that writes its number into the file.
pid_t number_in(const std::string& path) {
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (pid_t number = 0; std::ifstream(path) >> number) return number;
}

bool ends_soon(pid_t process) {
  for (int i = 0; i < 3000 && is_alive(process); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !is_alive(process);
}

TEST(measured_process, dies_with_its_handle_and_with_its_parent) {
  const scratch_directory scratch;
  const std::string file = scratch.file("number");
  const std::vector<std::string> sleeper = {
      "/bin/sh", "-c", "echo $$ > " + file + ".new; mv " + file + ".new " + file + "; exec sleep 1000"};
  pid_t child = 0;
  {
    const running_process handle(sleeper);
    child = number_in(file);
    EXPECT_TRUE(is_alive(child));
  }
  EXPECT_FALSE(is_alive(child));
  EXPECT_EQ(waitpid(child, nullptr, 0), -1) << "it has been waited for";

  std::remove(file.c_str());
  const pid_t parent = fork();
  if (parent == 0) {
    running_process handle(sleeper);
    handle.wait();
    std::_Exit(0);
  }
  child = number_in(file);
  EXPECT_TRUE(is_alive(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(ends_soon(child));
}

TEST(measured_process, a_tool_takes_what_it_has_started_with_it) {
  const scratch_directory scratch;
  const std::string file = scratch.file("number");
  const std::string starts = "sleep 1000 & echo $! > " + file + ".new; mv " + file + ".new " + file + "; ";
  const pid_t parent = fork();
  if (parent == 0) {
    run_tool({"sh", "-c", starts + "wait"}, scratch.path());
    std::_Exit(0);
  }
  pid_t started = number_in(file);
  EXPECT_TRUE(is_alive(started));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(ends_soon(started)) << "its caller was killed";

  std::remove(file.c_str());
  EXPECT_EQ(run_tool({"sh", "-c", starts + "exit 3"}, scratch.path()).status, 3);
  EXPECT_TRUE(ends_soon(number_in(file))) << "it has ended";
}

}  // namespace
}  // namespace toriscope::measured_process_test

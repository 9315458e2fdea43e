// SPDX-License-Identifier: Apache-2.0
// See child_process.h.
#include "testbenches/reference/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace toriscope::reference {

namespace {

[[noreturn]] void work_as_child(const std::function<std::string()>& work, unsigned seconds, int pipe_end) {
  alarm(seconds);
  std::string text;
  try {
    text = work();
  } catch (const std::exception& e) {
    text = std::string("exception: ") + e.what();
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(pipe_end, text.data() + done, text.size() - done);
    if (n <= 0) std::_Exit(2);
    done += static_cast<std::size_t>(n);
  }
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace

std::string run_in_child(const std::function<std::string()>& work, unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0) return std::string("no pipe: ") + std::strerror(errno);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return std::string("no child process: ") + std::strerror(errno);
  if (child == 0) {
    close(ends[0]);
    work_as_child(work, seconds, ends[1]);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(ends[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    text += std::string("the child died: ") + strsignal(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    text += "the child left with status " + std::to_string(WEXITSTATUS(status));
  }
  return text;
}

}  // namespace toriscope::reference

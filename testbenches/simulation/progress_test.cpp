// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace toriscope {
namespace {

/// What is written to standard error while that is a terminal; nothing where no terminal can be made, as in a plain
/// chroot.
std::optional<std::string> shown_on_a_terminal(const std::function<void()>& act) {
  int terminal = -1, program = -1;
  if (openpty(&terminal, &program, nullptr, nullptr, nullptr) != 0) return std::nullopt;
  const int before = dup(STDERR_FILENO);
  dup2(program, STDERR_FILENO);
  act();
  dup2(before, STDERR_FILENO);
  close(before);
  (void)!write(program, "$", 1);  // the end
  std::string text;
  for (char c = 0; read(terminal, &c, 1) == 1 && c != '$';) text += c;
  close(program);
  close(terminal);
  return text;
}

void pass(unsigned milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

TEST(progress, is_a_line_that_goes_when_the_run_is_over) {
  const std::optional<std::string> text = shown_on_a_terminal([] {
    progress line(true);
    pass(1);
    line.update("warm-up", 0, 1000, 7, 64);
    line.update("warm-up", 1, 1000, 7, 64);  // a few times per second at most
    pass(210);
    line.update("measure", 500, 1000, 12345, 64);
  });
  if (!text) GTEST_SKIP() << "no pseudo-terminals";
  EXPECT_THAT(*text, testing::MatchesRegex(
                        "\rwarm-up cycle 0 of 1000  7 flits in flight  0 M router-cycles/s  0 s left"
                        "(\rwarm-up cycle 1 of .*)?"  // where the machine was as slow as that
                        "\rmeasure cycle 500 of 1000  12345 flits in flight  [0-9.e-]+ M router-cycles/s  "
                        "[0-9]+ s left *\r *\r"));
}

TEST(progress, is_removed_once) {
  const std::optional<std::string> text = shown_on_a_terminal([] {
    progress line(true);
    line.clear();  // there is none so far
    pass(1);
    line.update("measure", 0, 1000, 7, 64);
    line.clear();
    line.clear();
  });
  if (!text) GTEST_SKIP() << "no pseudo-terminals";
  const std::string line = "measure cycle 0 of 1000  7 flits in flight  0 M router-cycles/s  0 s left";
  EXPECT_EQ(*text, "\r" + line + "\r" + std::string(line.size(), ' ') + "\r");
}

TEST(progress, is_written_a_few_times_per_second_however_often_it_is_updated) {
  const std::optional<std::string> text = shown_on_a_terminal([] {
    progress line(true);
    pass(1);
    for (unsigned done = 0; done < 40; ++done) line.update("drain", done, 40, 0, 64);
  });
  if (!text) GTEST_SKIP() << "no pseudo-terminals";
  std::size_t lines = 0;
  for (std::size_t at = text->find("drain"); at != std::string::npos; at = text->find("drain", at + 1)) ++lines;
  EXPECT_GE(lines, 1u);
  EXPECT_LT(lines, 20u) << "even a machine that takes 3 s for them writes 16";
}

TEST(progress, is_shown_only_where_it_is_asked_for_and_on_a_terminal) {
  const std::optional<std::string> unwanted = shown_on_a_terminal([] {
    progress line(false);
    pass(1);
    line.update("measure", 500, 1000, 12345, 64);
  });
  EXPECT_EQ(unwanted.value_or(""), "");
  testing::internal::CaptureStderr();  // a file
  {
    progress line(true);
    pass(1);
    line.update("measure", 500, 1000, 12345, 64);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace toriscope

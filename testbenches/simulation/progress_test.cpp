// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <optional>

#include "base/scratch_directory.h"
#include "base/test_terminal.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope::progress_test {
namespace {

/// What is written to standard error while that is a terminal; nothing where no terminal can be made, as in a plain
/// chroot.
std::optional<std::string> shown_on_a_terminal(const std::function<void()>& act) {
  test_terminal terminal;
  if (!terminal.made()) return std::nullopt;
  const int before = dup(STDERR_FILENO);
  dup2(terminal.file(), STDERR_FILENO);
  act();
  dup2(before, STDERR_FILENO);
  close(before);
  return terminal.text();
}

double time_of_day = 1000;
double now() { return time_of_day; }
void pass(double seconds) { time_of_day += seconds; }

TEST(progress, is_a_line_that_goes_when_the_run_is_over) {
  const std::optional<std::string> text = shown_on_a_terminal([] {
    progress line(true, now);
    line.update("warm-up", 0, 1000, 7, 64);  // no time has passed
    pass(0.0625);
    line.update("warm-up", 1, 1000, 7, 64);
    pass(0.125);
    line.update("warm-up", 2, 1000, 7, 64);  // a few times per second at most
    pass(0.125);
    line.update("measure", 500, 1000, 12345, 64);
    pass(1);
    line.update("batch", 900, without_end, 3, 64, 500);
  });
  if (!text) GTEST_SKIP() << "no pseudo-terminals";
  EXPECT_THAT(*text,
              testing::MatchesRegex(
                  "\rwarm-up cycle 1 of 1000  7 flits in flight  0.00102 M router-cycles/s  62 s left"
                  "\rmeasure cycle 500 of 1000  12345 flits in flight  0.102 M router-cycles/s  0 s left"
                  "\rbatch cycle 900  3 flits in flight  0.0195 M router-cycles/s"
                  " *\r *\r"));
}

TEST(progress, is_removed_once) {
  const std::optional<std::string> text = shown_on_a_terminal([] {
    progress line(true, now);
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
    progress line(true, now);
    for (unsigned done = 0; done < 40; ++done) {
      pass(0.0625);
      line.update("drain", done, 40, 0, 64);
    }
  });
  if (!text) GTEST_SKIP() << "no pseudo-terminals";
  std::size_t lines = 0;
  for (std::size_t at = text->find("drain"); at != std::string::npos; at = text->find("drain", at + 1))
    ++lines;
  EXPECT_EQ(lines, 10u) << "in 2.5 s";
}

/// A cycle of 4 million nodes in 1.25 s; 20 are left.
TEST(progress, is_as_fast_as_the_cycles_so_far) {
  const std::optional<std::string> text = shown_on_a_terminal([&] {
    progress line(true, now);
    pass(1.25);
    line.update("drain", 1, 21, 0, 4000000);
  });
  if (!text) GTEST_SKIP() << "no pseudo-terminals";
  EXPECT_THAT(*text, testing::StartsWith(
                         "\rdrain cycle 1 of 21  0 flits in flight  3.2 M router-cycles/s  25 s left\r"));
}

/// 7 flits are injected in the 64 cycles of the first step: 4 of them are received, 3 are on a long link.
TEST(progress, of_a_run_has_its_phase_its_cycles_and_its_flits_and_goes_with_the_run) {
  const scratch_directory scratch;
  std::ofstream(scratch.file("packets")) << "0 0 1 3\n0 1 1 4\n";
  const auto shown = [&](const std::string& measurement) {
    const named_config named = config_from_text(
        R"({"topology": {"spec": "mesh:2x1", "link_delay_cycles": [900]}, "traffic": {"file": ")" +
            scratch.file("packets") + R"("}, "measurement": {)" + measurement + "}}",
        "test.json");
    simulation run(named.config, named.given);
    run.leave_kernel();
    run.elaborate();
    return shown_on_a_terminal([&] {
      progress line(true, now);
      pass(1);
      run.run(line);
      (void)!write(STDERR_FILENO, "#", 1);
    });
  };
  const auto warmup = shown(R"("warmup_cycles": 100, "measure_cycles": 1000)"),
             window = shown(R"("warmup_cycles": 0, "measure_cycles": 1000, "drain_cycles": 0)");
  if (!warmup || !window) GTEST_SKIP() << "no pseudo-terminals";
  EXPECT_THAT(
      *warmup,
      testing::MatchesRegex(
          "\rwarm-up cycle 64 of 1100  3 flits in flight  0.000128 M router-cycles/s  16 s left\r *\r#"));
  EXPECT_THAT(
      *window,
      testing::MatchesRegex(
          "\rmeasure cycle 64 of 1000  3 flits in flight  0.000128 M router-cycles/s  15 s left\r *\r#"));
}

TEST(progress, is_shown_only_where_it_is_asked_for_and_on_a_terminal) {
  const std::optional<std::string> unwanted = shown_on_a_terminal([] {
    progress line(false, now);
    pass(1);
    line.update("measure", 500, 1000, 12345, 64);
  });
  EXPECT_EQ(unwanted.value_or(""), "");
  testing::internal::CaptureStderr();  // a file
  {
    progress line(true, now);
    pass(1);
    line.update("measure", 500, 1000, 12345, 64);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace toriscope::progress_test

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "testbenches/simulation/statistics/measurement.h"

namespace toriscope {

progress::progress(bool wanted, double (*now)())
    : shown_(wanted && isatty(STDERR_FILENO) == 1), now_(now), started_(now()) {}

void progress::update(const char* phase, cycle_t done, cycle_t last, std::uint64_t flits_in_flight,
                      std::uint64_t nodes, cycle_t first) {
  if (!shown_) return;
  const double now = now_();
  if (now - last_update_ < 0.2 || now == started_) return;
  last_update_ = now;
  const double cycles_per_second = static_cast<double>(done - first) / (now - started_);
  std::string line = fmt::format("{} cycle {}", phase, done);
  if (last < without_end) line += fmt::format(" of {}", last);
  line += fmt::format("  {} flits in flight  {:.3g} M router-cycles/s", flits_in_flight,
                      cycles_per_second * static_cast<double>(nodes) / 1e6);
  if (last < without_end)
    line += fmt::format("  {:.0f} s left",
                        cycles_per_second > 0 ? static_cast<double>(last - done) / cycles_per_second : 0);
  std::fprintf(stderr, "\r%-*s", static_cast<int>(width_), line.c_str());
  std::fflush(stderr);
  width_ = line.size();
}

void progress::clear() {
  if (width_ == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
  std::fflush(stderr);
  width_ = 0;
}

}  // namespace toriscope

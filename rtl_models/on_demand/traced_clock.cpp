// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/on_demand/traced_clock.h"

#include <algorithm>
#include <utility>

#include "rtl_models/rtl_router.h"

namespace toriscope {

void traced_clock::trace(const std::string& file, cycle_t from, cycle_t to,
                         std::function<void(std::uint64_t ps)> also) {
  file_ = file;
  from_ = std::max(from, cycle_t{1});  // what edge 0 samples has no time before it
  to_ = to;
  also_ = std::move(also);
}

void traced_clock::end_trace() {
  file_.clear();
  also_ = {};
  instance_.close_trace();
}

void traced_clock::dump(std::uint64_t ps) {
  instance_.dump_trace(ps);
  if (also_) also_(ps);
}

void traced_clock::edge() {
  const cycle_t cycle = edges_ / per_cycle_;
  const std::uint64_t now_ps = edges_ * cycle_ps / per_cycle_;
  const bool traced = !file_.empty() && cycle >= from_ && cycle <= to_;
  if (traced && !std::exchange(open_, true)) instance_.open_trace(file_);
  ++edges_;
  clk_.set(0);
  instance_.evaluate();
  if (traced) dump(now_ps - cycle_ps / per_cycle_ / 2);
  clk_.set(1);
  try {
    instance_.evaluate();
  } catch (const rtl_assertion&) {
    if (traced) dump(now_ps);
    throw;
  }
  if (traced) dump(now_ps);
}

}  // namespace toriscope

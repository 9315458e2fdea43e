// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_writer.h"

#include <stdexcept>

#include "traces/wave_recorder.h"
#include "traces/wave_selection.h"

namespace toriscope {

wave_writer::wave_writer(network& net, const wave_options& options) {
  if (options.to < options.from)
    throw std::invalid_argument("the wave window " + std::to_string(options.from) + ':' +
                                std::to_string(options.to) + " ends before it begins");
  recorder_ = std::make_unique<wave_recorder>(net, select_signals(net, options), options);
  if (net.cycles_done() >= options.from) recorder_->begin();
  net.clock_of_links().listen(*recorder_);
}

wave_writer::~wave_writer() {
  if (closed_) return;
  try {
    close();
  } catch (const std::exception& error) {
    SC_REPORT_WARNING("/toriscope/traces/write", error.what());
  }
}

void wave_writer::close() { close(recorder_->cycles_done(), false); }

void wave_writer::close(cycle_t cycles, bool half_a_cycle_later) {
  closed_ = true;
  recorder_->end(cycles - 1, half_a_cycle_later);
  if (!recorder_->begun()) return recorder_->discard();
  if (!recorder_->error().empty()) throw std::runtime_error(recorder_->error());
}

bool wave_writer::begun() const { return recorder_->begun(); }
const std::string& wave_writer::error() const { return recorder_->error(); }
const std::vector<wave_signal>& wave_writer::signals() const { return recorder_->signals(); }
std::vector<std::string> wave_writer::files() const { return recorder_->files(); }

}  // namespace toriscope

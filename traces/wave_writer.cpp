// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_writer.h"

#include <algorithm>
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

void wave_writer::close() {
  closed_ = true;
  if (!recorder_->begun()) return recorder_->discard();
  recorder_->end();
  if (!recorder_->error().empty()) throw std::runtime_error(recorder_->error());
}

bool wave_writer::begun() const { return recorder_->begun(); }
const std::string& wave_writer::error() const { return recorder_->error(); }
std::size_t wave_writer::signal_count() const { return recorder_->signals().size(); }
const std::vector<wave_signal>& wave_writer::signals() const { return recorder_->signals(); }
std::vector<std::string> wave_writer::files() const { return recorder_->files(); }

std::vector<std::string> leave_wave(network& net, const network_failure& failure, const std::string& file) {
  wave_options options;
  options.file = file;
  options.from = net.cycles_done();
  options.to = net.cycles_done();
  options.globs.clear();
  std::vector<node_id> nodes = failure.nodes;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<wave_signal> signals;
  for (const node_id n : nodes) {
    options.globs.emplace_back(net.at(n).name());
    const std::vector<wave_signal> of_node = signals_of(net, n, options);
    signals.insert(signals.end(), of_node.begin(), of_node.end());
  }
  wave_recorder recorder(net, std::move(signals), options);
  recorder.begin();
  // One cycle long, or there would be nothing to see.
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  recorder.end_at(now + std::max<std::uint64_t>(1, now / std::max<cycle_t>(1, net.cycles_done())));
  if (!recorder.error().empty()) throw std::runtime_error(recorder.error());
  return recorder.files();
}

}  // namespace toriscope

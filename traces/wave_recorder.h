// SPDX-License-Identifier: Apache-2.0
// The working part of a wave_writer: from listeners and observers to VCD variables. Not for users.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/gtkw.h"
#include "traces/vcd_file.h"
#include "traces/wave_signals.h"

namespace toriscope {

class wave_recorder final : public cycle_listener {
 public:
  /// Writes the header.
  wave_recorder(network& net, std::vector<wave_signal> signals, const wave_options& options);

  /// Dumps everything and begins to listen: from now on the file holds what happens.
  void begin();
  /// Ends the files at the present time; errors are kept in error().
  void end();
  void discard() { vcd_.discard(); }

  bool begun() const { return vcd_.begun(); }
  const std::string& error() const { return error_.empty() ? vcd_.error() : error_; }
  const std::vector<wave_signal>& signals() const { return signals_; }
  std::vector<std::string> files() const;

  void cycle_done(cycle_t done) override;

 private:
  static constexpr vcd_file::variable no_variable = ~vcd_file::variable{0};

  /// Hears one link; a variable for each kind of signal on a link, or no_variable.
  struct ear final : link_listener<flit_word> {
    ear(wave_recorder& r, wave_signal s) : recorder(r), place(s) { variables.fill(no_variable); }
    void word_shown(cycle_t now, flit_word word) override;

    wave_recorder& recorder;
    wave_signal place;
    std::array<vcd_file::variable, 4> variables;
  };
  /// A signal that is read from a node.
  struct probe {
    wave_signal signal;
    vcd_file::variable variable;
  };
  struct probe_range {
    std::size_t first = 0, last = 0;
  };

  std::uint64_t present_time() const;
  void declare();
  void note_activity();
  /// Returns whether something has changed.
  bool read_node(const probe_range& range);
  void show(const ear& e, flit_word word);
  void set(vcd_file::variable v, std::uint64_t value);
  bool listening() const { return begun() && !ended_; }

  network& net_;
  const std::vector<wave_signal> signals_;
  const cycle_t from_, to_;
  const std::vector<cycle_t> marks_;
  vcd_file vcd_;
  vcd_file::variable cycle_ = no_variable;
  std::vector<bool> active_;  ///< by signal: there is something to see
  std::deque<ear> ears_;
  std::vector<probe> probes_;
  std::unordered_map<node_id, probe_range> nodes_;

  bool ended_ = false;
  bool dumping_ = false;
  gtkw_times times_;
  std::string error_;
  std::vector<std::string> beside_;  ///< files written beside the VCD
};

}  // namespace toriscope

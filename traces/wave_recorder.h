// SPDX-License-Identifier: Apache-2.0
// The working part of a wave_writer: from listeners and observers to variables of a waveform file. Not for users.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "traces/gtkw.h"
#include "traces/node_probe.h"
#include "traces/wave_file.h"
#include "traces/wave_share.h"
#include "traces/wave_signals.h"

namespace toriscope {

class wave_recorder final : public cycle_listener {
 public:
  /// Writes the header.
  wave_recorder(network& net, std::vector<wave_signal> signals, const wave_options& options);

  /// Dumps everything and begins to listen: from now on the file holds what happens.
  void begin();
  /// Ends the files at the present time; of several ranks that have gone beyond cycle `last`, at its edge, or half a
  /// cycle later. Errors are kept in error().
  void end(cycle_t last, bool half_a_cycle_later = false);
  void discard();

  cycle_t cycles_done() const { return net_.cycles_done(); }
  bool begun() const { return file_ ? file_->begun() : share_ ? share_->begun() : begun_; }
  const std::string& error() const { return error_.empty() && file_ ? file_->error() : error_; }
  const std::vector<wave_signal>& signals() const { return signals_; }
  std::vector<std::string> files() const;

  void cycle_done(cycle_t done) override;

 private:
  void note(cycle_t done);
  static constexpr wave_values::variable no_variable = ~wave_values::variable{0};

  /// Hears one link; a variable for each kind of signal on a link, or no_variable.
  struct ear final : link_listener<flit_word> {
    ear(wave_recorder& r, wave_signal s) : recorder(r), place(s) { variables.fill(no_variable); }
    void word_shown(cycle_t now, flit_word word) override;

    wave_recorder& recorder;
    wave_signal place;
    std::array<wave_values::variable, 4> variables;
  };
  std::uint64_t present_time() const;
  wave_values::variable add(const std::string& scope, const std::string& name, unsigned width, bool own);
  void declare();
  void stop_listening();
  /// Of several ranks: into the file of the one that leads.
  void show(const wave_batch& changes);
  void write_files();
  /// What takes memory, after the end: the link clock keeps its listeners.
  void release();
  void note_activity();
  /// @returns whether something has changed
  bool show(const ear& e, flit_word word);
  /// Something else than the cycle has changed, at present.
  void note_change(std::uint64_t time);
  bool listening() const { return values_->begun() && !ended_; }

  network& net_;
  const std::vector<wave_signal> signals_;
  const cycle_t from_, to_;
  const std::vector<cycle_t> marks_;
  std::unique_ptr<wave_file> file_;    ///< null: another rank writes it, or it is released
  std::unique_ptr<wave_share> share_;  ///< of several ranks; null: the whole network is here
  wave_values* values_ = nullptr;      ///< of these two the one that is told of changes
  wave_values::variable cycle_ = no_variable;
  std::vector<bool> active_;  ///< by signal: there is something to see
  std::deque<ear> ears_;
  std::vector<node_probe> probes_;
  std::vector<node_id> probed_;          ///< the nodes of the probes
  std::vector<std::uint32_t> probe_of_;  ///< by node: 1 + the number of its probe, or 0

  bool begun_ = false;    ///< when it was released
  bool ended_ = false;    ///< hears no more
  bool written_ = false;
  gtkw_times times_;
  std::array<std::uint64_t, 128> time_of_{};  ///< of several ranks: by cycle, longer than any window
  std::string error_;
  std::vector<std::string> files_;  ///< that are written
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Writes the waveform of a network: an event-driven VCD, and a GTKWave save file beside it (traces/gtkw.h).
//
//   cost      nothing is polled: a link is printed when it shows another word, the state of a node when the
//             node was stepped. Links are observed, and nodes watched, only from the beginning of the window
//             on
//   times     a value that is visible from the update phase of an edge on stands at the time of that edge, as
//             sc_trace has it: what cycle t finds (flits on links, state of routers) stands left of edge t.
//             The signal `cycle` is that t
//   window    from:to shows what the cycles from .. to find; the file ends at edge `to`. A run that ends
//             before that ends the file; one that never reaches `from` leaves none
//   results   hashes and figures of a run do not depend on what is traced
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "traces/wave_options.h"
#include "traces/wave_signals.h"

namespace toriscope {

class wave_writer {
 public:
  /// Before simulation starts; the writer must live as long as the simulation goes on.
  /// @throws std::invalid_argument when a pattern matches nothing, or the window is empty
  /// @throws std::runtime_error    when the file cannot be written
  wave_writer(network& net, const wave_options& options);
  /// Closes the file; an error is then a SystemC warning only.
  ~wave_writer();
  wave_writer(const wave_writer&) = delete;
  wave_writer& operator=(const wave_writer&) = delete;

  /// Ends the files, if the end of the window has not yet done so, and gives them their names. Of several ranks all
  /// call it; the one that leads has the files. @param cycles  of the run, which ranks may have gone beyond
  /// @param half_a_cycle_later  it ended half a cycle after its last edge
  /// @throws std::runtime_error the first error in writing, one line; then no file is left
  void close(cycle_t cycles, bool half_a_cycle_later);
  void close();

  /// Whether the window has begun: if not when the simulation is over, close() leaves no file.
  bool begun() const;
  /// The first error in writing so far; empty when there was none. A run may look at it now and then.
  const std::string& error() const;
  /// The signals chosen, by node; `cycle` not counted.
  const std::vector<wave_signal>& signals() const;
  /// The files there are after close(): the VCD, the save file, the texts for enums.
  std::vector<std::string> files() const;

 private:
  std::unique_ptr<class wave_recorder> recorder_;
  bool closed_ = false;
};

}  // namespace toriscope

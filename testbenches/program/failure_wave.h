// SPDX-License-Identifier: Apache-2.0
// A waveform of the time around a failure. Runs are deterministic, so the program runs itself again with the
// same arguments and with waves on for the nodes concerned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/failure.h"
#include "network/network.h"

namespace toriscope {

/// The window that is shown, around network_failure::since: "ttn.bm_0_0.node_1_2,...@FROM:TO".
/// @param first  FROM at least
std::string failure_wave_spec(const network& net, const network_failure& failure, cycle_t first);

/// Another one after output was written to this path: output_file.h makes a new file. 0: there is none.
std::uint64_t file_number(const std::string& path);

/// What a file holds now, for a second run: also when another file has taken its name.
class held_file {
 public:
  /// @param path  empty: none; one that cannot be opened, a pipe or a device is not held
  explicit held_file(const std::string& path);
  ~held_file();
  held_file(const held_file&) = delete;
  held_file& operator=(const held_file&) = delete;
  /// Its name while this process lives; of a file that is not held the path.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int file_ = -1;
};

/// Runs the program again with `arguments` (without its name) and `more`, silently.
/// @returns an error in words; empty when it has left `file`
std::string run_again(const std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::string& file);

/// Runs the program again with `arguments` (without its name) and leaves the waveform in `file`, marked at
/// cycle `mark`.
/// @returns an error in words; empty when the file is there
std::string leave_failure_wave(const std::vector<std::string>& arguments, const std::string& spec,
                               cycle_t mark, const std::string& file);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// `toriscope cosim`: a run in which chosen routers have RTL beside them that gets the same inputs, and every
// output pin is compared in every cycle.
#pragma once

#include <string>

#include "testbenches/program/rtl_choice.h"
#include "testbenches/program/run_command.h"

namespace toriscope {

struct cosim_choices {
  deadlock_check_settings deadlock;
  rtl_choice rtl;
  bool injects_fault = false;
  std::string fault;  ///< "NODE@CYCLE", or parts of it (testbenches/simulation/cosim/bit_fault.h)
  std::string json;
  bool quiet = false;
  std::string wave_file = "toriscope-difference.vcd";  ///< "none": none
  std::string window;  ///< "NODE@FROM:TO": run again for the sake of this waveform
};

void add_cosim_options(CLI::App& cosim, cosim_choices& choices);

/// @returns fine when model and RTL are equal, else check_failed. @throws std::exception one line
int cosim_command(const run_request& request, const cosim_choices& choices);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// `toriscope run`: one simulation with its output files, its waveform and its exit status.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbenches/program/rtl_choice.h"
#include "testbenches/simulation/configuration/run_config.h"
#include "testbenches/simulation/deadlock_check.h"

namespace toriscope {

class process_team;

/// Exit statuses of the program.
enum exit_status : int { fine = 0, check_failed = 1, bad_input = 2 };

/// What is not part of the configuration: what to show and where to write. "-" is standard output.
struct run_outputs {
  std::string json;
  bool json_links = false;  ///< with the use of every link and port in it
  std::string csv;
  std::string link_csv;
  bool observe = false;    ///< count inside the routers, and add sums and the busiest links to the results
  std::string link_usage;  ///< this, and the two below: ".json" is JSON, all else CSV
  std::string stalls;
  std::string events;
  bool watch_links = false;  ///< look at every link, as a process that reads it would
  bool quiet = false;        ///< neither table nor progress line
  std::string record;        ///< a trace of all packets created
  std::string packet_stats;  ///< a line of CSV for each packet received
  std::string transactions;  ///< an FTR file of packets and hops
  std::string transaction_detail = "hops";  ///< as typed
  std::string time_series;   ///< a line of CSV for each `time_step` cycles
  std::string time_step = "100";  ///< as typed
  std::string save_state;    ///< "CYCLE:FILE" or "every:CYCLES:FILE"
  std::string from_state;    ///< goes on from this file
  std::string wave;          ///< "GLOB@FROM:TO"; empty: no waveform
  std::string wave_groups = "all";
  std::string wave_file = "toriscope.vcd";
  std::string failure_wave = "toriscope-failure.vcd";  ///< of the cycles around a failure; "none": none
  std::vector<cycle_t> wave_marks;                     ///< marked in the waveform, which opens at the first
  bool wave_in_order = false;  ///< the save file has the modules in the order of --wave
  bool wave_only = false;  ///< run again for the sake of its waveform: no other output
};

struct run_request {
  run_config config;
  explicit_parameters given;
  std::vector<std::string> options;         ///< paths of the parameters named on the command line
  std::map<std::string, std::string> keys;  ///< of those in the configuration file, as it has them, by path
  std::string config_file;                  ///< empty: none
  std::vector<std::string> ignored;         ///< keys of it that the command does not take
  deadlock_check_settings deadlock;
  rtl_choice rtl;
  run_outputs outputs;
  std::vector<std::string> arguments;  ///< the program's, to run it again
  process_team* team = nullptr;  ///< several ranks simulate the network together; null: this process alone
};

/// Whether counters inside the routers are needed.
bool wants_observation(const run_outputs& o);

/// Writes at most one line to stderr when the input is bad. @returns an exit_status
int run_command(const run_request& request);

}  // namespace toriscope

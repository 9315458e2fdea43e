// SPDX-License-Identifier: Apache-2.0
// Two simulators on the same work in the same run: repeats alternate (A B A B), and every cost is the
// difference of two run lengths, so that start-up and report cancel.
//
//   flit-hop  a flit that passes a router: flits ejected times routers on their paths (links crossed + 1)
//   cost      CPU time, user and system, of the child process, per flit-hop
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbenches/experiments/peers/simulator.h"

namespace toriscope {

/// One line of the comparison.
struct comparison_cell {
  bool wraps = true;
  unsigned k = 8;
  double rate_flits_per_node_cycle = 0;
  bool saturated = false;       ///< offered more than either accepts: loads are told, not compared
  std::uint64_t period = 1000;  ///< cycles of the peer: warm-up of one, runs of one and of four periods
  double target = 0;            ///< least ratio
  /// Ours is offered what the peer accepted: for a peer that saturates far below us.
  bool own_at_peer_load = false;

  std::string name() const;
};

/// One simulator in one cell, over all repeats.
struct cell_figures {
  std::vector<double> ns_per_flit_hop;  ///< a value per repeat
  double accepted = 0;                  ///< flits/node/cycle, mean of the repeats
  double visits_per_flit = 0;
  double latency_mean = 0;
  double packets = 0;  ///< that the loads are known from
};

struct cell_result {
  comparison_cell cell;
  std::string peer;
  cell_figures theirs;
  cell_figures ours;
  std::vector<double> ratios;  ///< theirs over ours, of neighbouring runs
  double load_difference = 0;  ///< of the accepted loads, relative
  double load_tolerance = 0;   ///< 2 %, or three standard deviations where the runs are short
  bool loads_agree() const;
  double ratio() const;  ///< median
  bool met() const { return ratio() >= cell.target; }
};

/// @param scale  all run lengths times this
/// @throws std::runtime_error in a line; also when a run is too short for its CPU time to be measured
cell_result compare(simulator& peer, simulator& own, const comparison_cell& cell, unsigned repeats,
                    double scale, const std::function<void(const std::string&)>& tell);

double median(std::vector<double> values);

/// The line of the table for people; table_head() stands above.
std::string table_head();
std::string table_line(const cell_result& r);
nlohmann::ordered_json as_json(const cell_result& r);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// One run: network, traffic, clock and measurement put together from a configuration.
//
// SystemC elaborates once per process: make one simulation, run it once. The network has the name of its
// topology, the clock is "clk", a cycle 1 ns.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "network/network.h"
#include "testbenches/simulation/configuration/run_config.h"
#include "testbenches/simulation/deadlock_check.h"
#include "testbenches/simulation/distributed/distributed_run.h"
#include "testbenches/simulation/progress.h"
#include "testbenches/simulation/statistics/link_use.h"
#include "testbenches/simulation/statistics/lost_packets.h"
#include "testbenches/simulation/statistics/message_statistics.h"
#include "testbenches/simulation/statistics/report.h"
#include "testbenches/simulation/statistics/warmup_watch.h"
#include "testbenches/simulation/traffic/batch_source.h"
#include "testbenches/simulation/traffic/dependency_source.h"
#include "testbenches/simulation/traffic/recording_source.h"
#include "testbenches/simulation/traffic/request_reply_source.h"

namespace toriscope {

class simulation {
 public:
  /// Checks the configuration, makes topology and traffic, but no SystemC objects yet.
  /// @param given  what the user asked for: other defaults fit a file of packets, and adaptive routing
  /// @throws std::invalid_argument one line with all that is wrong
  simulation(const run_config& config, const explicit_parameters& given);
  ~simulation();

  /// Writes every packet created to `file`, which outlives the run; to be called before elaborate().
  void record_to(packet_writer& file);
  /// Before elaborate(): the network is simulated by several ranks together, of which this is one. Results are
  /// those of all on rank 0.
  void share(process_transport& transport);
  /// Builds the network. @throws std::invalid_argument
  /// @param factory  makes other nodes than the model's (network.h); probe_all() lets a probe watch all
  /// routers
  void elaborate(const network::node_factory& factory = {});
  /// What carries the packets, at either fidelity, after elaborate().
  packet_network& carrier();
  /// The network flit by flit, after elaborate(). @throws std::logic_error at the transaction level
  network& net();

  /// Runs warm-up, measurement and drain.
  /// @param checkpoint  called now and then; returns false to stop
  void run(progress& shown, const std::function<bool()>& checkpoint = {});

  /// Why the run failed: a deadlock, a broken invariant; null when it did not.
  const network_failure* failure() const;
  report results() const;
  /// Figures per link, injection port and ejection port as CSV, a line each.
  std::string link_table() const;
  /// How much links and ports were used in the window.
  link_use use() const;
  /// What is known about deadlock, a line or more without the last end (deadlock_summary.h); before the run, for it may refuse
  /// it.
  std::string deadlock_verdict(const verdict_settings& settings) const;
  /// One line: what was run.
  std::string headline() const;
  /// A line for people about a result that is not what they wanted; empty when there is none.
  std::string advice() const;
  /// With all that was left to defaults resolved.
  const run_config& config() const { return config_; }
  const netlist& wiring() const { return *network_.wiring; }
  const routing_function& routing() const { return *network_.routing; }
  const zero_load_model& zero_load() const { return *model_; }

 private:
  struct modules;

  void make_source(const explicit_parameters& given);
  void make_file_source(const explicit_parameters& given);
  /// All is measured; --cycles, if given, is the time after which it is given up.
  void plan_to_the_end(const explicit_parameters& given);
  /// How many nodes send to themselves, a line; empty when that is no more than a few packets.
  std::string self_traffic_line() const;
  std::string limit_of(node_id source) const;
  bool all_created() const { return !dependent_ || dependent_->all_created(); }
  void run_to_the_end(progress& shown, const std::function<bool()>& checkpoint);
  void run_window(progress& shown, const std::function<bool()>& checkpoint);
  /// Finds the end of the warm-up, and measures until the mean latency is known as well as asked for.
  void run_until_precise(progress& shown, const std::function<bool()>& checkpoint);
  /// Runs the measured cycles, and the drain. @returns whether the run may go on
  bool run_measured(progress& shown, const std::function<bool()>& checkpoint);
  source_load load_of_sources() const;
  void pause();
  run_totals own_totals() const;
  bool complete() const;
  traffic_counts counts() const;
  /// Runs up to the end of this many cycles, or less when the network fails or `checkpoint` says so.
  bool run_to(cycle_t cycles, const char* phase, progress& shown, const std::function<bool()>& checkpoint);
  void add_performance(report& r) const;

  run_config config_;
  topology network_;
  std::unique_ptr<traffic_source> source_;
  std::shared_ptr<const traffic_pattern> pattern_;  ///< null: packets from a file
  request_reply_source* request_reply_ = nullptr;   ///< the source, when it is one
  batch_source* batch_ = nullptr;                   ///< likewise
  dependency_source* dependent_ = nullptr;          ///< likewise
  std::unique_ptr<reply_slots> slots_;              ///< gate of the replies in a file
  std::unique_ptr<recording_source> recorder_;      ///< stands before the source
  cycle_t end_limit_ =
      0;  ///< a run until all has been delivered may take so many cycles; 0: it is another one
  std::unique_ptr<packet_sink> last_;             ///< stops such a run
  std::unique_ptr<message_statistics> messages_;  ///< request_reply
  std::unique_ptr<zero_load_model> model_;
  std::unique_ptr<measurement> measurement_;
  std::unique_ptr<warmup_watch> warmup_;  ///< with --precision
  lost_packets lost_;
  std::unique_ptr<distributed_run> ranks_;  ///< null: the whole network is here
  std::unique_ptr<modules> modules_;
  run_totals totals_;  ///< of the run that is over
  bool foreign_routers_ = false;
  foreign_contents left_in_rtl_;  ///< when the run is over
  std::unique_ptr<network_failure> late_failure_;
  std::uint64_t resident_before_ = 0;
  std::uint64_t resident_elaborated_ = 0;
  double elaborate_seconds_ = 0;
};

}  // namespace toriscope

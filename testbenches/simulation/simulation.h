// SPDX-License-Identifier: Apache-2.0
// One run: network, traffic, clock and measurement put together from a configuration.
//
//   use   simulation run(config);  run.elaborate();  run.run();  as_json(run.results())
//   once  SystemC elaborates once per process: make one simulation, run it once. leave_kernel() lifts that limit: any
//         number of simulations, each run once, with the same results
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbenches/simulation/configuration/resolved_run.h"
#include "testbenches/simulation/deadlock_check.h"
#include "testbenches/simulation/distributed/distributed_run.h"
#include "testbenches/simulation/progress.h"
#include "testbenches/simulation/simulated_network.h"
#include "testbenches/simulation/state_file.h"
#include "testbenches/simulation/statistics/link_use.h"
#include "testbenches/simulation/statistics/lost_packets.h"
#include "testbenches/simulation/statistics/report.h"
#include "testbenches/simulation/statistics/time_series.h"
#include "testbenches/simulation/statistics/warmup_watch.h"
#include "testbenches/simulation/traffic/recording_source.h"
#include "testbenches/simulation/workloads/workload.h"

namespace toriscope {

class simulation {
 public:
  /// Checks the configuration, makes topology and traffic, but no SystemC objects yet.
  /// @param given  what the user asked for: other defaults fit a file of packets, and adaptive routing
  /// @throws std::invalid_argument one line with all that is wrong
  explicit simulation(const run_config& config, const explicit_parameters& given = {});
  ~simulation();

  /// Writes every packet created to `file`, which outlives the run; to be called before elaborate().
  void record_to(packet_writer& file);
  /// The packets are those of a trace that tells what some are after, which a recording does not.
  bool workload_has_causes() const;
  /// Load, backlog and latency every `interval` cycles (time_series.h); to be called before elaborate().
  /// @returns what the run fills
  const time_series& watch_over_time(cycle_t interval);
  /// Before elaborate(): the network is simulated by several ranks together, of which this is one. Results are
  /// those of all on rank 0.
  void share(process_transport& transport);
  /// Before elaborate(): no SystemC kernel runs for this simulation. Nodes of other makers are then not possible.
  void leave_kernel();
  /// Why the state of the run cannot be saved, and no run can go on from one; empty: it can.
  /// @param shared  several ranks simulate the network
  std::string has_no_state(bool shared = false) const;
  /// Before run(): saves the state when `cycle` cycles are done, and then every `interval` cycles; 0: once.
  /// @param path  replaced each time
  void save_state(cycle_t cycle, cycle_t interval, const std::string& path);
  /// Before elaborate(): the run goes on from a state that was saved. @throws std::invalid_argument in one line
  void go_on_from(const std::string& path);
  /// The cycles done before this run; 0: it begins.
  cycle_t resumed_at() const { return resumed_.cycle; }
  /// The cycles of the run that is over, those before included.
  cycle_t cycles() const { return totals_.cycles; }
  /// What must be the same on all ranks, before elaborate().
  std::string input() const;
  /// The last cycle after which the state was saved; 0: none was.
  cycle_t saved_at() const { return saved_at_; }
  /// Builds the network. @throws std::invalid_argument
  /// @param factory  makes other nodes than the model's (network.h); probe_all() lets a probe watch all
  /// routers
  void elaborate(const network::node_factory& factory = {});
  /// The network at either fidelity, after elaborate().
  packet_network& packet_net();
  /// The network flit by flit, after elaborate(). @throws std::logic_error at the transaction level
  network& net();

  /// Without a kernel, instead of run(), for those who bring their own packets: what SystemC objects must be made in
  /// later, the cycles before `cycles`, and the traffic of the configuration, to be attached before the first cycle.
  const simulation_context& context() const { return *context_; }
  void step_to(cycle_t cycles) { net_->run_to(cycles); }
  void attach_traffic();
  traffic_source& traffic() { return workload_->source(); }

  /// Runs warm-up, measurement and drain.
  /// @param checkpoint  called now and then; returns false to stop
  void run(progress& shown, std::function<bool()> checkpoint = {});
  void run();

  /// Why the run failed: a deadlock, a broken invariant; null when it did not.
  const network_failure* failure() const;
  report results() const;
  /// Figures per link, injection port and ejection port as CSV, a line each.
  std::string link_table() const;
  /// How much links and ports were used in the window.
  link_use use() const;
  /// What is known about deadlock, a line or more without the last end (deadlock_check.h). Call it before
  /// the run: it may throw.
  std::string deadlock_report(const deadlock_check_settings& settings) const;
  /// One line: what was run.
  std::string headline() const;
  /// One line of advice on an unexpected result; empty when there is none.
  std::string advice() const;
  /// With all that was left to defaults resolved.
  const run_config& config() const { return run_.config; }
  const topology& made() const { return run_.network; }
  const netlist& wiring() const { return *run_.network.wiring; }
  const routing_function& routing() const { return *run_.network.routing; }
  const zero_load_model& zero_load() const { return *model_; }

 private:
  using condition = std::function<bool()>;

  std::string limit_of(terminal_id source) const;
  std::vector<std::string> limits_of_flows() const;
  void attach_measurement();
  void run_all();
  void run_until_delivered(const run_to_the_end& end);
  void run_window();
  /// Finds the end of the warm-up, and measures until the mean latency is known as well as asked for.
  void run_until_precise();
  /// Runs the measured cycles, and the drain. @returns whether the run may go on
  bool run_measured();
  run_totals own_totals() const;
  cycle_t least_cycles() const;
  cycle_t last_ended() const;
  run_counts counts() { return {*measurement_, workload_->of_flows(), lost_}; }
  bool complete() const;
  /// Runs up to the end of this many cycles, or less when the network fails or `go_on` says so.
  bool run_to(cycle_t cycles, const char* phase, const condition& go_on);
  bool run_to(cycle_t cycles, const char* phase) { return run_to(cycles, phase, checkpoint_); }
  void add_performance(report& r) const;
  /// The state of all of it. Reading: after elaborate().
  void archive(state_archive& a);
  void save_if_due();
  void write_state(const state_file& saved) const;
  bool was_over_before(cycle_t cycle);
  void resume();
  std::string read_state();

  resolved_run run_;
  std::string files_;  ///< of a run whose state is saved or was: hashes of the files that it names, before the run
  std::unique_ptr<workload> workload_;
  std::unique_ptr<recording_source> recorder_;  ///< stands before the source
  std::unique_ptr<packet_sink> last_;           ///< watches a run to the end
  cycle_t last_ended_ = 0;                      ///< of a run to the end on ranks: a packet
  std::unique_ptr<zero_load_model> model_;
  std::unique_ptr<measurement> measurement_;
  std::unique_ptr<warmup_watch> warmup_;  ///< with --precision
  lost_packets lost_;
  std::unique_ptr<time_series> series_;     ///< null: not asked for
  std::unique_ptr<distributed_run> ranks_;  ///< null: the whole network is here
  std::unique_ptr<simulation_context> context_;  ///< null: SystemC's own, with its kernel
  std::unique_ptr<simulated_network> net_;
  progress* shown_ = nullptr;  ///< while it runs
  condition checkpoint_;       ///< likewise
  run_totals totals_;          ///< of the run that is over
  cycle_t next_save_ = ~cycle_t{0};
  cycle_t save_interval_ = 0;
  std::string save_path_;
  cycle_t saved_at_ = 0;
  state_file resumed_;         ///< until it has been read; its cycle stays
  std::string resumed_path_;   ///< empty: the run begins
  std::uint64_t resumed_hops_ = 0;  ///< flits times routers passed before, on this rank
  bool foreign_routers_ = false;
  std::unique_ptr<network_failure> late_failure_;
  std::uint64_t resident_before_ = 0;
  std::uint64_t resident_elaborated_ = 0;
  double elaborate_seconds_ = 0;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// A network that is stepped from outside (include/toriscope/c_api.h), or run as a whole: a simulation without
// SystemC's kernel, with packets that are injected, those that have ended, statistics, watches and a waveform.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "include/toriscope/c_api.h"
#include "testbenches/c_api/outside_node.h"
#include "testbenches/c_api/signal_watch.h"
#include "testbenches/simulation/simulation.h"
#include "traces/wave_writer.h"

namespace toriscope {

class stepped_network final : private traffic_source, private packet_sink {
 public:
  /// @param outside  the nodes whose routers the caller steps, as --rtl names them; empty: none
  /// @throws std::invalid_argument one line
  stepped_network(const std::string& json, bool with_traffic, bool allow_deadlock,
                  const std::string& outside = "");
  ~stepped_network() override;

  const simulation& run() const { return run_; }
  const packet_network& net() const { return *net_; }

  /// @returns the number of the packet. @throws std::invalid_argument
  packet_id inject(const packet_request& request);
  void step(cycle_t cycles);
  bool idle() const { return net_->idle() && injected_.empty(); }
  bool receive(toriscope_packet& packet);

  toriscope_statistics statistics_so_far() const;
  void clear_statistics();

  /// Of a network that has done no cycle. One that throws on its way leaves no results, and is not repeated.
  /// @throws std::logic_error
  void run_as_configured();
  /// @throws std::logic_error  no run has ended
  std::string results() const;

  /// The words on the links of a router's port.
  struct port_words {
    flit_word flit;
    credit_word credits;
  };
  /// The nodes that patterns name, in ascending order; until the next call. @throws std::invalid_argument
  const std::vector<node_id>& nodes(const std::string& patterns);
  /// What the next cycle shows it. @throws std::invalid_argument, std::logic_error at the transaction level
  port_words shown(node_id n, port_id p);
  /// What it sent in the last cycle done. @throws likewise
  port_words sent(node_id n, port_id p);
  /// Why that is not what the router sent in the last cycle done; empty: it is. @throws likewise
  std::string difference(node_id n, port_id p, flit_word flit, std::uint32_t credits);
  /// What an outside router sends in the next cycle. @throws std::invalid_argument
  void drive(node_id n, port_id p, const port_words& words);

  signal_watch& signals();
  void watch(const std::string& pattern, toriscope_watcher watcher, void* user);
  /// From the present cycle on, if the window begins earlier. @throws std::invalid_argument, std::logic_error
  void wave_on(const std::string& spec, const std::string& file);
  void wave_off();

 private:
  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  cycle_t next_packet_cycle(cycle_t from) const override;
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_refused(packet_id id, const packet_record& record) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t discarded) override;
  void end(packet_id id, const packet_record& record, cycle_t ended, unsigned fate);
  void begin();
  /// @throws std::logic_error  a watcher has called it
  /// @throws std::logic_error  a watcher calls what it may not do
  void not_in_watcher(const char* may_not) const;
  /// Steps through `advance`, which nothing that it calls may do again. @throws std::logic_error
  template <class Advance>
  void advance(Advance advance);
  network& flits();
  void elaborate_around(const std::string& outside);
  /// The wires into a port and out of it; no_wire: it has no such side. @throws std::invalid_argument
  std::pair<wire_id, wire_id> wires_of(node_id n, port_id p);

  simulation run_;
  packet_network* net_ = nullptr;
  std::vector<node_id> outside_;
  std::string patterns_;  ///< of named_
  std::vector<node_id> named_;
  std::vector<outside_node*> outside_nodes_;  ///< likewise
  const bool with_traffic_;
  bool begun_ = false;  ///< a cycle has been asked for
  bool busy_ = false;   ///< one is being done
  bool has_run_ = false;      ///< a run has begun
  bool has_results_ = false;  ///< it has ended
  std::vector<packet_request> injected_;  ///< to be created in the next cycle
  std::unordered_set<packet_id> own_;     ///< injected and not ended; with traffic, where others end, too
  std::deque<toriscope_packet> ended_;
  toriscope_statistics sums_{};  ///< what no counter of the network has
  network_counters before_;      ///< at clear_statistics()
  cycle_t cleared_ = 0;
  std::unique_ptr<signal_watch> signals_;
  std::vector<std::unique_ptr<wave_writer>>
      waves_;  ///< all but the last are closed; the network calls them still
  bool wave_is_on_ = false;
};

}  // namespace toriscope

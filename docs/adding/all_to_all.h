// SPDX-License-Identifier: Apache-2.0
// A workload in 30 lines: an exchange between all nodes.
#pragma once

#include "testbenches/simulation/workloads/workload.h"

namespace toriscope {

/// Every node sends a packet to every other; the time until all have arrived counts.
class all_to_all final : public workload, private traffic_source {
 public:
  explicit all_to_all(workload_setup made_from) : workload(std::move(made_from)) {}

  traffic_source& source() override { return *this; }
  measurement_config measured() const override { return measured_throughout(); }
  std::optional<run_to_the_end> to_the_end() const override {
    return run_to_the_end{"exchange", max_cycles()};
  }
  statistics figures(cycle_t cycles, const network_counters& counters) const override {
    return end_figures("exchange", std::uint64_t{nodes()} * (nodes() - 1), cycles, counters);
  }
  std::string headline() const override { return "every node sends a packet to every other\n"; }

 private:
  node_id nodes() const { return setup().wiring->terminal_count(); }
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (node_id step = 1; now == 0 && step < nodes(); ++step)
      for (node_id from = 0; from < nodes(); ++from) out.push_back({from, (from + step) % nodes(), /*flits*/ 4});
  }
  cycle_t next_packet_cycle(cycle_t from) const override { return from == 0 ? 0 : ~cycle_t{0}; }
};

inline std::unique_ptr<workload> make_all_to_all(workload_setup setup) {
  return std::make_unique<all_to_all>(std::move(setup));
}

}  // namespace toriscope

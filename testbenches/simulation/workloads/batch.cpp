// SPDX-License-Identifier: Apache-2.0
// A number of packets of every node, all ready in cycle 0; the time to deliver them is what counts.
#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "testbenches/simulation/traffic/batch_source.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

/// Of all nodes; they are created at once, and each takes some 80 bytes.
constexpr std::uint64_t most_packets = 100'000'000;

class batch final : public patterned_workload {
 public:
  explicit batch(workload_setup setup)
      : patterned_workload(std::move(setup)),
        source_(nodes(), shared_pattern(),
                {traffic().batch_packets, packet_lengths(traffic().packet_flits), traffic().seed}) {
    if (source_.packets() > most_packets)
      throw std::invalid_argument(
          fmt::format("batch: {} packets from each of {} nodes are {} in cycle 0; at most {}",
                      traffic().batch_packets, nodes(), source_.packets(), most_packets));
  }

  traffic_source& source() override { return source_; }
  std::string has_no_state() const override { return ""; }  // all packets were created in cycle 0
  measurement_config measured() const override { return measured_throughout(); }
  std::optional<run_to_the_end> to_the_end() const override { return run_to_the_end{"batch", max_cycles()}; }
  statistics figures(cycle_t cycles, const network_counters& counters) const override {
    return end_figures("batch", source_.packets(), cycles, counters);
  }
  std::string headline() const override {
    return fmt::format("batch: {} packets of {} flits from each node, {} traffic, seed {}\n",
                       traffic().batch_packets, traffic().packet_flits, traffic().pattern, traffic().seed) +
           remark();
  }

 private:
  batch_source source_;
};

}  // namespace

std::unique_ptr<workload> make_batch(workload_setup setup) { return std::make_unique<batch>(std::move(setup)); }

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Flows of a file: packets that come at the rate of their flow, whatever happens to those before them.
#include <fmt/format.h>

#include "base/words.h"
#include "testbenches/simulation/statistics/flow_statistics.h"
#include "testbenches/simulation/traffic/flow_file.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

class flows final : public workload {
 public:
  explicit flows(workload_setup setup)
      : workload(std::move(setup)),
        flows_(read_flows({traffic(), this->setup().network.message_classes, this->setup().flit_bits},
                          *this->setup().wiring)),
        source_(flows_, traffic().seed, this->setup().measurement.warmup_cycles,
                this->setup().measurement.measure_cycles),
        statistics_(flows_, source_, this->setup().measurement.warmup_cycles,
                    this->setup().measurement.measure_cycles) {}

  traffic_source& source() override { return source_; }
  std::string has_no_state() const override { return ""; }
  void archive(state_archive& a, cycle_t now, const packet_table& packets) override {
    source_.archive(a, now, packets);
    statistics_.archive(a);
  }
  void attach(packet_network& net) override { net.add_sink(&statistics_); }
  source_load load() const override {
    double packets = 0, burst = 0;  // per cycle, of all sources; the mean over the packets
    for (const flow& f : flows_) {
      const double of_flow = f.rate / f.lengths.mean() * static_cast<double>(f.from.size());
      packets += of_flow;
      burst += of_flow * (f.arrivals == arrival_kind::on_off ? f.mean_burst_packets : 1);
    }
    return {source_load::kind::counted, 0, packets > 0 ? burst / packets : 1};
  }
  statistics figures(cycle_t, const network_counters&) const override { return statistics_.figures(); }
  flow_statistics* of_flows() override { return &statistics_; }
  std::string headline() const override {
    double rate = 0;
    for (const flow& f : flows_) rate += f.rate * static_cast<double>(f.from.size());
    return fmt::format("flows of {} ({}), {:.4g} flits/cycle together, seed {}", one_line(traffic().flows),
                       flows_.size(), rate, traffic().seed) +
           window_in_words();
  }

 private:
  const std::vector<flow> flows_;
  flow_source source_;
  flow_statistics statistics_;
};

}  // namespace

std::unique_ptr<workload> make_flows(workload_setup setup) {
  return std::make_unique<flows>(std::move(setup));
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The packets of a file, each as soon as those that it depends on have been received.
#include <fmt/format.h>

#include "base/words.h"
#include "testbenches/simulation/traffic/dependency_source.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

class dependent_trace final : public workload {
 public:
  explicit dependent_trace(workload_setup setup)
      : workload(std::move(setup)),
        source_(std::make_unique<byte_source>(traffic().file), *this->setup().wiring,
                {this->setup().network.message_classes, this->setup().flit_bits}, traffic().outstanding) {}

  traffic_source& source() override { return source_; }
  bool has_causes() const override { return source_.has_causes(); }
  std::string has_no_state() const override { return ""; }
  void archive(state_archive& a, cycle_t now, const packet_table& packets) override {
    source_.archive(a, now, packets);
  }
  void attach(packet_network& net) override { net.add_sink(&source_); }
  measurement_config measured() const override { return measured_throughout(); }
  std::optional<run_to_the_end> to_the_end() const override { return run_to_the_end{"replay", max_cycles()}; }
  bool all_created() const override { return source_.all_created(); }
  statistics figures(cycle_t cycles, const network_counters& counters) const override {
    return end_figures("replay", source_.packets(), cycles, counters);
  }
  std::string headline() const override {
    return fmt::format(
        "packets from {}, when those that they depend on have been received; else {} of a source under way\n",
        one_line(traffic().file), traffic().outstanding);
  }

 private:
  dependency_source source_;
};

}  // namespace

std::unique_ptr<workload> make_dependent_trace(workload_setup setup) {
  return std::make_unique<dependent_trace>(std::move(setup));
}

}  // namespace toriscope

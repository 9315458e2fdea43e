// SPDX-License-Identifier: Apache-2.0
// Packets that come at a rate, whatever happens to those before them.
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

class open_loop final : public patterned_workload {
 public:
  explicit open_loop(workload_setup setup)
      : patterned_workload(std::move(setup)), source_(nodes(), shared_pattern(), settings()) {}

  traffic_source& source() override { return source_; }
  std::string has_no_state() const override { return ""; }
  void archive(state_archive& a, cycle_t now, const packet_table&) override { source_.archive(a, now); }
  source_load load() const override {
    const bool known = setup().network.dead_links.empty();
    return {known ? source_load::kind::known : source_load::kind::counted,
            traffic().rate_flits_per_node_cycle / setup().network.message_classes, mean_burst()};
  }
  std::string headline() const override { return arrivals_in_words() + window_in_words() + remark(); }

 private:
  synthetic_source::config settings() const {
    synthetic_source::config settings = source_settings();
    settings.message_classes = setup().network.message_classes;
    return settings;
  }

  synthetic_source source_;
};

}  // namespace

std::unique_ptr<workload> make_open_loop(workload_setup setup) {
  return std::make_unique<open_loop>(std::move(setup));
}

}  // namespace toriscope

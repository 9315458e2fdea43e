// SPDX-License-Identifier: Apache-2.0
// Requests that are answered by replies; a node with enough of its requests unanswered creates none.
#include <fmt/format.h>

#include "testbenches/simulation/statistics/message_statistics.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

class request_reply final : public patterned_workload {
 public:
  explicit request_reply(workload_setup setup)
      : patterned_workload(std::move(setup)),
        source_(nodes(), shared_pattern(),
                {source_settings(), traffic().outstanding, traffic().service_cycles,
                 packet_lengths(traffic().reply_flits), traffic().reply_queue}),
        messages_(this->setup().measurement) {
    source_.set_sink(&messages_);
  }

  traffic_source& source() override { return source_; }
  source_load load() const override { return {source_load::kind::limited, 0, mean_burst()}; }
  std::string has_no_state() const override { return ""; }
  void archive(state_archive& a, cycle_t now, const packet_table& packets) override {
    source_.archive(a, now, packets);
    messages_.archive(a);
  }
  void attach(packet_network& net) override {
    net.add_sink(&source_);
    net.add_sink(&messages_);
    net.set_gate(&source_);
  }
  statistics figures(cycle_t, const network_counters&) const override {
    statistics list = messages_.figures();
    list.push_back({"requests.created", "", "in all cycles", source_.requests_created()});
    list.push_back({"requests.held_back", "",
                    "in all cycles: not created, because --outstanding were unanswered",
                    source_.requests_held_back()});
    return list;
  }
  std::string headline() const override {
    return fmt::format("request-reply ({}), {} outstanding, service {} cycles, replies of {} flits\n",
                       setup().network.shared_classes ? "shared VCs" : "disjoint VC sets",
                       traffic().outstanding, traffic().service_cycles, traffic().reply_flits) +
           arrivals_in_words() + window_in_words() + remark();
  }
  const request_reply_source* answers() const override { return &source_; }

 private:
  request_reply_source source_;
  message_statistics messages_;
};

}  // namespace

std::unique_ptr<workload> make_request_reply(workload_setup setup) {
  return std::make_unique<request_reply>(std::move(setup));
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The packets of a file in their cycles.
#include <algorithm>

#include "base/words.h"
#include "testbenches/simulation/traffic/trace_file_source.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

constexpr cycle_t time_to_arrive = 1000;  // after the last packet of the file

/// A reply that is never sent gives its slot back.
class refused_replies final : public packet_sink {
 public:
  explicit refused_replies(reply_slots& slots) : slots_(slots) {}
  void packet_received(packet_id, const packet_record&, cycle_t) override {}
  void packet_refused(packet_id id, const packet_record& record) override {
    slots_.packet_sent(id, record, record.created);
  }

 private:
  reply_slots& slots_;
};

class timed_trace final : public workload {
 public:
  explicit timed_trace(workload_setup setup)
      : workload(std::move(setup)),
        source_(traffic().file, *this->setup().wiring,
                {this->setup().network.message_classes, this->setup().flit_bits}) {
    if (traffic().reply_queue == 0 ||
        this->setup().network.message_classes != request_reply_source::message_classes)
      return;
    slots_ = std::make_unique<reply_slots>(this->setup().wiring->terminal_count(), traffic().reply_queue);
    source_.set_reply_slots(slots_.get());
    refused_ = std::make_unique<refused_replies>(*slots_);
  }

  traffic_source& source() override { return source_; }
  bool has_causes() const override { return source_.has_causes(); }
  std::string has_no_state() const override { return ""; }
  bool has_state_by_node() const override { return slots_ != nullptr; }
  void archive(state_archive& a, cycle_t now, const packet_table&) override {
    if (a.reads()) source_.skip_to(now);
    if (slots_) slots_->archive(a);
  }
  void attach(packet_network& net) override {
    if (!slots_) return;
    net.set_gate(slots_.get());
    net.add_sink(refused_.get());
  }
  /// Unless the user says otherwise, all packets of the file are measured, and the window leaves them time to
  /// arrive.
  measurement_config measured() const override {
    measurement_config m = setup().measurement;
    if (!setup().warmup_named) m.warmup_cycles = 0;
    if (!setup().cycles_named)
      m.measure_cycles = std::max(m.measure_cycles, source_.last_cycle() + time_to_arrive);
    return m;
  }
  source_load load() const override { return {source_load::kind::counted}; }
  std::string headline() const override {
    return "packets from " + one_line(traffic().file) + window_in_words();
  }

 private:
  trace_file_source source_;
  std::unique_ptr<reply_slots> slots_;
  std::unique_ptr<refused_replies> refused_;
};

}  // namespace

std::unique_ptr<workload> make_timed_trace(workload_setup setup) {
  return std::make_unique<timed_trace>(std::move(setup));
}

}  // namespace toriscope

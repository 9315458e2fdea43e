// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/flow_source.h"

#include "base/text_hash.h"
#include "testbenches/simulation/traffic/traffic_pattern.h"

namespace toriscope {
namespace {

/// Destinations of a flow; its sources are numbered 0, 1 ...
class flow_pattern final : public traffic_pattern {
 public:
  explicit flow_pattern(const flow& f) : flow_(f) {}

  node_id destination(node_id source, random_stream& random) const override {
    const terminal_id from = flow_.from[source];
    const auto drawn = static_cast<std::size_t>(random.below(flow_.destinations_of(from)));
    const auto own =
        static_cast<std::size_t>(std::lower_bound(flow_.to.begin(), flow_.to.end(), from) - flow_.to.begin());
    const bool is_there = own < flow_.to.size() && flow_.to[own] == from;
    return flow_.to[drawn + (is_there && drawn >= own ? 1 : 0)];
  }

 private:
  const flow& flow_;
};

}  // namespace

flow_source::flow_source(const std::vector<flow>& flows, std::uint64_t seed, cycle_t first, cycle_t cycles)
    : flows_(flows), first_cycle_(first), cycles_(cycles), offered_(flows.size()) {
  for (const flow& f : flows) {
    synthetic_source::config settings;
    settings.rate_flits_per_node_cycle = f.rate;
    settings.lengths = f.lengths;
    settings.arrivals = f.arrivals;
    settings.seed = mix_text(f.name, mix(seed));
    settings.mean_burst_packets = f.mean_burst_packets;
    next_.emplace(0, static_cast<flow_number>(sources_.size()));
    sources_.push_back(std::make_unique<synthetic_source>(static_cast<node_id>(f.from.size()),
                                                          std::make_shared<flow_pattern>(f), settings));
  }
}

void flow_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  const bool counts = now - first_cycle_ < cycles_;
  while (!next_.empty() && next_.top().first <= now) {
    const flow_number number = next_.top().second;
    next_.pop();
    const flow& f = flows_[number];
    std::size_t i = out.size();
    sources_[number]->packets_at(now, out);
    for (; i < out.size(); ++i) {
      out[i].source = f.from[out[i].source];
      out[i].message_class = f.message_class;
      flow_of_.push_back(number);
      if (!counts) continue;
      ++offered_[number].packets;
      offered_[number].flits += out[i].flits;
    }
    const cycle_t next = sources_[number]->next_packet_cycle(now + 1);
    if (next != never) next_.emplace(next, number);
  }
}

cycle_t flow_source::next_packet_cycle(cycle_t from) const {
  return next_.empty() ? never : std::max(from, next_.top().first);
}

flow_source::flow_number flow_source::take(packet_id id) {
  const flow_number number = std::exchange(flow_of_[id - first_packet_], taken);
  for (; !flow_of_.empty() && flow_of_.front() == taken; flow_of_.pop_front()) ++first_packet_;
  return number;
}

void flow_source::archive(state_archive& a, cycle_t now, const packet_table& packets) {
  if (a.reads()) next_ = {};
  for (flow_number f = 0; f < sources_.size(); ++f) {
    sources_[f]->archive(a, now);
    a.number(offered_[f].packets);
    a.number(offered_[f].flits);
    const cycle_t next = a.reads() ? sources_[f]->next_packet_cycle(now) : never;
    if (next != never) next_.emplace(next, f);
  }
  if (a.reads()) {
    first_packet_ = packets.first_kept();
    flow_of_.assign(packets.created() - first_packet_, taken);
  }
  packets.for_each_alive(
      [&](packet_id id, const packet_record&) { a.below(flow_of_[id - first_packet_], sources_.size()); });
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// A traffic source whose packets are written to a trace on their way into the network. Replies are written with
// the request that they answer.
#pragma once

#include <vector>

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/request_reply_source.h"
#include "traces/packets/packet_writer.h"

namespace toriscope {

class recording_source final : public traffic_source {
 public:
  /// All outlive this. @param replies  the same source, when it answers requests; else null
  recording_source(traffic_source& source, const request_reply_source* replies, packet_writer& file)
      : source_(source), replies_(replies), file_(file) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    const std::size_t before = out.size();
    source_.packets_at(now, out);
    trace_packet packet;
    packet.cycle = now;
    for (std::size_t i = before; i < out.size(); ++i) {
      packet.source = out[i].source;
      packet.destination = out[i].destination;
      packet.flits = out[i].flits;
      packet.message_class = out[i].message_class;
      packet.after.clear();
      if (replies_ && i - before < replies_->answered_now().size()) {
        packet.after.push_back(replies_->answered_now()[i - before]);
        packet.delay = replies_->service_cycles();
      }
      file_.write(packet);
    }
  }
  cycle_t next_packet_cycle(cycle_t from) const override { return source_.next_packet_cycle(from); }
  void share_draws(unsigned shares) override { source_.share_draws(shares); }
  void draw_ahead(unsigned share) override { source_.draw_ahead(share); }

 private:
  traffic_source& source_;
  const request_reply_source* const replies_;
  packet_writer& file_;
};

}  // namespace toriscope

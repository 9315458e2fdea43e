// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/request_reply_source.h"

#include <algorithm>
#include <utility>

namespace toriscope {

request_reply_source::request_reply_source(node_id nodes, std::shared_ptr<const traffic_pattern> pattern,
                                           const config& settings)
    : settings_(settings),
      demand_(nodes, std::move(pattern), settings.requests),
      outstanding_(nodes),
      slots_(nodes, settings.reply_queue) {
  // Replies draw from streams of their own, so that the requests drawn do not depend on the network.
  for (node_id n = 0; n < nodes; ++n) server_random_.emplace_back(~settings.requests.seed, n);
}

void request_reply_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  create_replies(now, out);
  drawn_.clear();
  demand_.packets_at(now, drawn_);
  for (packet_request& request : drawn_) {
    if (outstanding_[request.source] >= settings_.outstanding) {
      ++held_back_;
      continue;
    }
    request.message_class = request_class;
    ++outstanding_[request.source];
    ++requests_;
    ++next_;
    if (sink_) sink_->request_created(now);
    out.push_back(request);
  }
}

void request_reply_source::create_replies(cycle_t now, std::vector<packet_request>& out) {
  answered_now_.clear();
  const auto due = in_service_.find(now);
  if (due == in_service_.end()) return;
  std::sort(due->second.begin(), due->second.end(),
            [](const served& a, const served& b) { return a.request < b.request; });
  for (const served& s : due->second) {
    slots_.reply_created(s.server);
    asked_[next_++] = s.asked;
    answered_now_.push_back(s.request);
    out.push_back({s.server, s.client, settings_.reply_lengths.draw(server_random_[s.server]),
                   static_cast<std::uint8_t>(reply_class)});
  }
  in_service_.erase(due);
}

void request_reply_source::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  if (record.message_class == request_class) {
    in_service_[received + service_cycles()].push_back(
        {id, record.destination, record.source, record.created});
    return;
  }
  --outstanding_[record.destination];
  ++answered_;
  const auto asked = asked_.find(id);
  if (sink_) sink_->request_answered(asked->second, received);
  asked_.erase(asked);
}

void request_reply_source::lose(packet_id id, const packet_record& record) {
  const bool request = record.message_class == request_class;
  --outstanding_[request ? record.source : record.destination];
  const auto asked = asked_.find(id);
  if (sink_) sink_->request_lost(request ? record.created : asked->second);
  if (!request) asked_.erase(asked);
}

void request_reply_source::packet_refused(packet_id id, const packet_record& record) {
  packet_sent(id, record, record.created);  // it never will be: its place is free again
  if (record.message_class == request_class) --requests_;
  lose(id, record);
}

void request_reply_source::archive(state_archive& a, cycle_t now, const packet_table& packets) {
  demand_.archive(a, now);
  slots_.archive(a);
  for (unsigned& count : outstanding_) a.below(count, settings_.outstanding + 1u);
  for (random_stream& random : server_random_) random.archive(a);
  for (std::uint64_t* const count : {&requests_, &held_back_, &answered_}) a.number(*count);
  next_ = packets.created();
  packets.for_each_alive([&](packet_id id, const packet_record& record) {
    if (record.message_class == reply_class) a.number(asked_[id]);
  });
  const std::size_t cycles = a.size(in_service_.size());
  auto due = in_service_.begin();
  for (std::size_t i = 0; i < cycles; ++i) {
    cycle_t created = a.reads() ? now : due->first;
    a.number(created);
    a.require(created >= now && created <= now + service_cycles(), "a reply is created too soon or too late");
    std::vector<served>& requests = a.reads() ? in_service_[created] : (due++)->second;
    requests.resize(a.size(requests.size()));
    for (served& s : requests) {
      a.number(s.request);
      a.below(s.server, outstanding_.size());
      a.below(s.client, outstanding_.size());
      a.number(s.asked);
    }
  }
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "links/link_clock.h"

#include <algorithm>

namespace toriscope {

link_clock::link_clock(const char* name) : sc_core::sc_prim_channel(name), due_(2) {}

void link_clock::edge() {
  edge_ = true;
  if (in_kernel()) request_update();
}

std::uint64_t link_clock::time_stamp() const {
  if (in_kernel()) return sc_core::sc_time_stamp().value();
  return visible_ == 0 ? 0 : (visible_ - 1) * period_;
}

void link_clock::reserve_delay(unsigned delay_cycles) {
  std::size_t size = due_.size();
  while (size < std::size_t{delay_cycles} + 2) size *= 2;
  if (size == due_.size()) return;
  std::vector<std::vector<clocked_link*>> wider(size);
  for (std::size_t ahead = 0; ahead < due_.size(); ++ahead)
    wider[(visible_ + ahead) & (size - 1)] = std::move(due(visible_ + ahead));
  due_ = std::move(wider);
}

void link_clock::refresh_at(clocked_link& channel, cycle_t shown, unsigned part) {
  if (in_parts_)
    refreshed_by_[part].emplace_back(shown, &channel);
  else
    due(shown).push_back(&channel);
}

void link_clock::begin_parts(unsigned parts) {
  refreshed_by_.resize(parts);
  in_parts_ = true;
}

void link_clock::end_parts() {
  in_parts_ = false;
  for (auto& of_part : refreshed_by_) {
    for (const auto& [shown, channel] : of_part) refresh_at(*channel, shown);
    of_part.clear();
  }
}

void link_clock::written(clocked_link& channel) {
  written_.push_back(&channel);
  if (in_kernel()) request_update();
}

void link_clock::update() {
  // Writes in the evaluation phase of edge t belong to cycle t. Later ones, before edge t+1, still do: the
  // register behind the written signal samples it at edge t+1.
  const cycle_t sampled = edge_ ? visible_ : visible_ - 1;
  if (edge_)
    for (clocked_link* channel : driven_) channel->sample(sampled);
  else
    for (clocked_link* channel : written_) channel->sample(sampled);
  written_.clear();
  if (edge_) {
    ++visible_;
    if (before_links_) before_links_->cycle_done(visible_ - 1);
  }

  // A refresh may ask for another one, in the next cycle at the earliest.
  refreshing_.clear();
  std::swap(refreshing_, due(visible_));
  for (clocked_link* channel : refreshing_) channel->refresh(visible_);

  if (edge_) {
    edge_ = false;
    for (std::size_t i = 0, count = listeners_.size(); i < count; ++i)  // a listener may add others
      listeners_[i]->cycle_done(visible_ - 1);
  }
}

}  // namespace toriscope

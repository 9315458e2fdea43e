// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/observation/packet_waits.h"

namespace toriscope {
namespace {

template <class Visit>
void for_each_stall(Visit visit) {
  for (std::size_t i = 0; i < front_fates; ++i)
    if (is_stall(static_cast<stall_cause>(i))) visit(static_cast<stall_cause>(i));
}

}  // namespace

void packet_waits::stepped(const router_step& step) {
  for (const auto* list : {&step.fronts, &step.buffered})
    for (const front_event& e : *list)
      if (is_stall(e.fate) && e.packet != no_packet) ++at(waits_[e.packet], e.fate);
}

std::string packet_waits::columns() {
  std::string text;
  for_each_stall([&](stall_cause f) { text += std::string(",wait_") + name_of(f); });
  return text;
}

std::string packet_waits::take(packet_id id) {
  const auto known = waits_.find(id);
  std::string text;
  for_each_stall(
      [&](stall_cause f) { text += ',' + std::to_string(known == waits_.end() ? 0 : at(known->second, f)); });
  if (known != waits_.end()) waits_.erase(known);
  return text;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/starvation.h"

namespace toriscope {

starvation_watch::starvation_watch(const node_context& context, const adapter_config& config)
    : context_(context),
      config_(config),
      open_cycles_(config.ports.size()),
      fronts_(std::size_t{context.wiring.port_count(context.id)} * config.vcs) {}

/// Where it may leave by one port only, those of that port.
std::uint64_t starvation_watch::open_cycles(const packet_inside& p) const {
  const bool one_way = !config_.own_routes && context_.network.options_per_vc == 1;
  return one_way ? open_cycles_[static_cast<std::size_t>(p.values[quantity::port])] : all_open_cycles_;
}

std::string starvation_watch::output_name(const packet_inside& p) const {
  return config_.ports[static_cast<std::size_t>(p.values[quantity::port])].text();
}

std::string starvation_watch::input_name(const packet_inside& p) const {
  for (const adapter_config::port& port : config_.ports)
    if (port.of_node == p.in_port) return port.text();
  return "?";
}

std::string starvation_watch::look(const packet_scoreboard& scoreboard, cycle_t now,
                                   const std::function<bool(const packet_inside&)>& comes) {
  std::vector<const packet_inside*> oldest(fronts_.size());
  scoreboard.for_each([&](const packet_inside& p) {
    const packet_inside*& here = oldest[p.in_port * config_.vcs + (config_.vcs > 1 ? p.in_vc : 0)];
    if (!here || p.since < here->since) here = &p;
  });
  for (std::size_t i = 0; i < fronts_.size(); ++i) {
    front& f = fronts_[i];
    const packet_inside* const p = oldest[i];
    if (!p || p->leaving || (p->entered < p->length && !comes(*p))) {
      f.packet = no_packet;
    } else if (f.packet != p->packet) {
      f = {p->packet, open_cycles(*p), scoreboard.finished()};
    } else if (open_cycles(*p) - f.open_cycles >= config_.patience_cycles &&
               scoreboard.finished() > f.finished) {
      return scoreboard.describe(*p) + " entered " + std::to_string(now - p->since) + " cycles ago by port " +
             input_name(*p) + " and is never served: its output port " + output_name(*p) + " was open in " +
             std::to_string(open_cycles(*p) - f.open_cycles) + " cycles since, and " +
             std::to_string(scoreboard.finished() - f.finished) + " other packets have left";
    }
  }
  return {};
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The last lines of a run: what its results mean for who reads them.
#include <fmt/format.h>

#include <algorithm>

#include "testbenches/simulation/simulation.h"

namespace toriscope {

std::string simulation::advice() const {
  std::string text = lost_.as_text(wiring());
  const node_contents& left = totals_.in_foreign_routers.all;
  if (left.packets > 0)
    text += fmt::format(
        "\n{} inside RTL routers when the run ended, the oldest, packet {}, in node {} since cycle {}.\n",
        left.packets == 1 ? "1 packet was" : fmt::format("{} packets were", left.packets), left.oldest,
        wiring().address(totals_.in_foreign_routers.node), left.since);
  if (failure() || measurement_->window_cycles() == 0) return text;
  const bool stable = measurement_->stable();
  if (!stable) {
    const backlog_growth grown = measurement_->growth();
    if (grown.sources > 0)
      text += fmt::format(
          "\nNot stable: the source queues of {} of {} nodes grow, fastest at node {}, by {:.3g} "
          "flits/cycle; latencies grow with the length of the run.\n",
          grown.sources, wiring().terminal_count(), wiring().terminal_address(grown.worst),
          grown.worst_growth);
    else if (grown.growing)
      text += fmt::format("\nNot stable: the source queues grow by {:.3g} flits/cycle in all; latencies grow with the "
                          "length of the run.\n",
                          std::max(grown.in_all, grown.growth));
    else
      text += fmt::format("\nNot stable: {} measured packet{} had not arrived at the end of the {}.\n",
                          measurement_->outstanding(), measurement_->outstanding() == 1 ? "" : "s",
                          workload_->to_the_end() ? "run" : "drain");
  }
  const link_use used = use();
  if (!stable)
    text += used.sentence() + "\n";
  else if (used.busy(used.busiest()) >= link_use::full)
    text += "\n" + used.sentence() + "\n";
  if (!warmup_ || measurement_->precise()) return text;
  const char* const why = measurement_->growth().growing ? "there is no steady state"
                          : !measurement_->complete()    ? "--drain is too short for that"
                          : !measurement_->warmed_up()   ? "--max-cycles is too short to see the warm-up end"
                                                         : "--max-cycles is too short for that";
  text += fmt::format("\nThe mean latency is not known to {:.3g} %: {}.\n",
                      100 * config().measurement.precision, why);
  return text;
}

}  // namespace toriscope

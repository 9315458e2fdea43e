// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_size.h"

#include <algorithm>
#include <cmath>

#include "traces/wave_selection.h"

namespace toriscope {
namespace {

/// Digits that are printed, on average: those of a flit word that is not idle, leading zeros left out of others.
double digits_of(const wave_signal& s) {
  if (s.width == 64) return 38;
  return s.kind == signal_kind::queue ? 2 : 0.7 * s.width;
}

}  // namespace

double expected_wave_bytes(const network& net, const std::vector<wave_signal>& signals,
                           const wave_activity& activity, double cycles) {
  const double identifier =
      std::max(1.0, std::ceil(std::log(static_cast<double>(signals.size() + 1)) / std::log(94)));
  const double header = 60.0 * static_cast<double>(signals.size());
  constexpr double cycle_and_time = 36;
  double per_cycle = cycle_and_time;
  for (const wave_signal& s : signals) {
    double flits = activity.flits_per_cycle(s.node, s.port, s.outgoing);
    const bool of_vc = !s.on_link() && s.kind != signal_kind::staged && s.kind != signal_kind::staged_tag &&
                       s.kind < signal_kind::queue;
    if (of_vc) flits /= net.config().router.vcs;
    const signal_traits& changes = traits_of(s.kind);
    const double all = std::min(1.0, flits * (changes.per_flit + changes.per_packet / activity.packet_flits));
    per_cycle += all * (3 + identifier + digits_of(s));
  }
  return header + per_cycle * cycles;
}

}  // namespace toriscope

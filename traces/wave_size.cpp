// SPDX-License-Identifier: Apache-2.0
#include "traces/wave_size.h"

#include <algorithm>
#include <cmath>

#include "traces/wave_selection.h"

namespace toriscope {
namespace {

/// Changes of a signal for each flit and each packet that passes, as counted in waves of tori and TTNs at loads
/// from 10 to 60 % of saturation.
struct changes {
  double per_flit;
  double per_packet;
};

changes changes_of(signal_kind kind) {
  switch (kind) {
    case signal_kind::flit:
    case signal_kind::staged:
    case signal_kind::buffer:
      return {1, 1};
    case signal_kind::flit_kind:
    case signal_kind::front_kind:
      return {0.15, 3};
    case signal_kind::flit_vc:
    case signal_kind::flit_tag:
    case signal_kind::staged_tag:
    case signal_kind::buffer_tag:
    case signal_kind::front_tag:
      return {0.15, 1.5};
    case signal_kind::occupancy:
    case signal_kind::credits:
      return {0.5, 2};
    case signal_kind::state:
      return {0, 3};
    default:
      return {0, 2};
  }
}

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
    const changes c = changes_of(s.kind);
    const double all = std::min(1.0, flits * (c.per_flit + c.per_packet / activity.packet_flits));
    per_cycle += all * (3 + identifier + digits_of(s));
  }
  return header + per_cycle * cycles;
}

}  // namespace toriscope

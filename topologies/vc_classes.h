// SPDX-License-Identifier: Apache-2.0
// VC classes: how a VC rule that needs C virtual channels is laid over V >= C of them (docs/model.md).
#pragma once

#include <stdexcept>
#include <string>

#include "topologies/route.h"

namespace toriscope {

/// VCs of a port, at most: a vc_mask has a bit for each.
inline constexpr unsigned max_vcs = 16;

/// All VCs of a port with `vcs` VCs, 1..16.
inline vc_mask all_vcs(unsigned vcs) { return vc_set::below(vcs).mask(); }

/// The VCs floor(cV/C) .. floor((c+1)V/C)-1 that class c of C owns on V VCs. Classes share no VC, leave none
/// out, and differ in size by at most one.
/// @throws std::invalid_argument when V < C, V > 16 or c >= C
inline vc_mask vc_class(unsigned c, unsigned classes, unsigned vcs) {
  if (vcs > max_vcs)
    throw std::invalid_argument(std::to_string(vcs) + " VCs; at most " + std::to_string(max_vcs) +
                                " are supported");
  if (classes == 0 || c >= classes)
    throw std::invalid_argument("VC class " + std::to_string(c) + " of " + std::to_string(classes));
  if (vcs < classes)
    throw std::invalid_argument("a VC rule with " + std::to_string(classes) + " classes needs at least " +
                                std::to_string(classes) + " VCs, not " + std::to_string(vcs));
  const unsigned first = c * vcs / classes;
  const unsigned end = (c + 1) * vcs / classes;
  return (vc_set::below(end) - vc_set::below(first)).mask();
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The timing of a router: the cycles between the steps of a flit that meets no other packet (docs/model.md, "Stages",
// "Speculation", "paper2009"). The engine, the zero-load formula, observers, waves and the transaction level read it
// here. The reference model and the RTL have their own.
//
//   head   shown, RC --rc--> VA --va--> SA --switch_to_sent--> sent --D--> shown by the next router
//   body   shown ---------------------> SA --switch_to_sent--> sent
//
// paper2009 has SW in place of SA, and LT is the sending.
#pragma once

#include <cstdint>

#include "router/router_config.h"

namespace toriscope {

struct pipeline_timing {
  explicit pipeline_timing(const router_config& config);

  unsigned rc = 0;              ///< of a head with one option; look-ahead included
  unsigned adaptive_rc = 0;     ///< of a head with several options
  unsigned va = 0;              ///< with speculation: of a head whose speculation failed
  unsigned head_va = 0;         ///< with speculation: of a head whose speculation succeeded, 0; else va
  unsigned switch_to_sent = 0;  ///< x; paper2009: from SW to LT
  unsigned send_ahead = 0;      ///< from a flit put on its link, and its credit taken, to sent

  unsigned routing_cycles(unsigned options) const { return options > 1 ? adaptive_rc : rc; }
  /// A head from shown to SA.
  unsigned head_cycles(unsigned options) const { return routing_cycles(options) + head_va; }
  /// A head from shown to sent: P - 1.
  unsigned router_cycles(unsigned options = 1) const { return head_cycles(options) + switch_to_sent; }
  /// From a credit taken until it can be taken again.
  /// @param link_delay    D, of the flit as of the credit
  /// @param credit_delay  of credits in addition
  std::uint64_t credit_loop(unsigned link_delay, unsigned credit_delay) const {
    return send_ahead + 2 * std::uint64_t{link_delay} + credit_delay;
  }
};

/// What a router is made as: those of a network are alike, but for a few with values of their own.
struct router_kind {
  explicit router_kind(const router_config& c) : config(c), timing(c) {}
  const router_config config;
  const pipeline_timing timing;
};

}  // namespace toriscope

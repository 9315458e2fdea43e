// SPDX-License-Identifier: Apache-2.0
// The pins of a user's router, for any simulator: what an adapter drives and looks at.
//
//   ports   numbered as that router numbers them
//   "back"  runs against the flits, a bit per VC (one bit if it has no VCs): ready with ready/valid, with
//           credits a pulse per slot that came free
#pragma once

#include <cstdint>

#include "rtl_models/user_rtl/wide_flit.h"

namespace toriscope {

class router_pins {
 public:
  virtual ~router_pins() = default;

  virtual void set_in(unsigned port, bool valid, const wide_flit& flit) = 0;
  virtual std::uint32_t in_back(unsigned port) const = 0;

  virtual bool out_valid(unsigned port) const = 0;
  virtual wide_flit out_flit(unsigned port) const = 0;
  virtual void set_out_back(unsigned port, std::uint32_t back) = 0;

  /// rtl_router::is_clocked_with_others()
  virtual bool is_clocked_with_others() const { return false; }

  /// Lets combinational logic settle, without a clock edge.
  virtual void eval() = 0;
  /// A rising clock edge; outputs have settled afterwards. @throws rtl_assertion
  virtual void clock_edge() = 0;
  /// The run is over; clock edges that come now are not part of it.
  virtual void run_ends() {}
};

}  // namespace toriscope

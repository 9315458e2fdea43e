// SPDX-License-Identifier: Apache-2.0
// An output port of a router: who owns its VCs, and how many free slots they have downstream.
#pragma once

#include <array>
#include <cstdint>

#include "links/delay_line.h"
#include "router/port_set.h"

namespace toriscope {

/// One VC of an output port.
struct output_vc {
  std::uint16_t va_pointer = 0;  ///< the input VC i = p*V + v that is granted first
  std::uint8_t owner_port = 0;   ///< the input VC that owns it, when not free
  std::uint8_t owner_vc = 0;
};

/// A cache line.
struct output_unit {
  flit_wire* out = nullptr;           ///< null: the port has no outgoing side
  credit_wire* credits_in = nullptr;  ///< null: unlimited credits (the local port)
  output_vc* vcs = nullptr;           ///< paper2009: behind them, a flit buffer for each VC
  std::uint64_t granted = 0;          ///< flits that SA (paper2009: LT) has let go since the start

  vc_set free;      ///< without an owner
  vc_set draining;  ///< vc_reallocation::atomic: the tail has left, credits are still out
  vc_set drained;   ///< the last credit came back in this cycle
  vc_set full;      ///< paper2009: the VC's buffer holds a flit
  vc_set filled;    ///< paper2009: ... since this cycle
  std::uint8_t sa_pointer = 0;
  std::uint8_t flit_cycles = 1;  ///< F: cycles that a flit occupies the link
  std::uint16_t free_from = 0;   ///< F > 1: low bits of the cycle from which on the port may be granted again
  std::uint8_t depth_behind = 0;  ///< slots of each VC downstream
  /// Free slots downstream; not counted where they are unlimited.
  std::array<std::uint8_t, flit_word::max_vcs> credits{};

  /// paper2009: the buffers of `vc_count` output VCs.
  flit_word* buffers(unsigned vc_count) const { return reinterpret_cast<flit_word*>(vcs + whole(vc_count)); }

  /// Makes the state of `vc_count` VCs, with or without buffers.
  void make_vcs(arena& memory, unsigned vc_count, bool with_buffers) {
    const std::size_t bytes =
        whole(vc_count) * sizeof(output_vc) + (with_buffers ? vc_count * sizeof(flit_word) : 0);
    vcs = static_cast<output_vc*>(memory.allocate(bytes, alignof(flit_word)));
    for (unsigned v = 0; v < vc_count; ++v) {
      new (vcs + v) output_vc();
      if (with_buffers) new (buffers(vc_count) + v) flit_word();
    }
  }

 private:
  /// Rounded up to what fills whole flit words.
  static unsigned whole(unsigned vc_count) { return (vc_count + 1) / 2 * 2; }
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// How transactions become packets, and how the sockets behave (docs/tlm.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/tlm/address_map.h"

namespace toriscope {

/// How an initiator socket calls the target at its node.
enum class target_call {
  blocking,      ///< b_transport
  non_blocking,  ///< nb_transport_fw and _bw
};

/// Which of the shapes that the base protocol allows our side of a non-blocking transaction takes.
enum class phase_style {
  full,   ///< each of the four phases is a call of its own
  early,  ///< a return value says it where that is possible: END_REQ, rejections, END_RESP
};

struct tlm_config {
  address_map map;
  unsigned header_flits = 1;   ///< of every packet: command, address, number, status
  unsigned flit_bytes = 8;     ///< payload bytes that a flit behind the header carries
  unsigned packet_bytes = 64;  ///< payload bytes of a packet, at most; a longer transfer takes several
  unsigned outstanding = 4;    ///< transactions of a target socket on their way; END_REQ is held beyond that
  unsigned target_outstanding = 1;  ///< transactions that a target is busy with at a time
  target_call call = target_call::blocking;
  phase_style phases = phase_style::full;
  /// Requests that may wait for a target before its node receives no more of them; the network is then
  /// stopped up behind them. 0: any number. Needs network_config::limited_reception.
  unsigned request_queue = 0;

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
  /// The lengths in flits of the packets that carry this many payload bytes; at least one packet.
  std::vector<std::uint32_t> packet_flits(std::uint64_t bytes) const;
};

}  // namespace toriscope

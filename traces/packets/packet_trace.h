// SPDX-License-Identifier: Apache-2.0
// What a packet trace says, in whatever format it is written (docs/packet_traces.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "links/flit.h"
#include "topologies/route.h"

namespace toriscope {

/// A packet of a trace.
struct trace_packet {
  std::uint64_t number = 0;  ///< its place in the file, from 0 on: what `after` of later packets refers to
  cycle_t cycle = 0;         ///< of its creation
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;
  std::uint8_t message_class = 0;
  std::vector<std::uint64_t>
      after;             ///< numbers of the packets whose reception it answers, each less than its own
  cycle_t delay = 0;     ///< from the last of these receptions to its creation
  cycle_t earliest = 0;  ///< it cannot be created before, whatever has been received
};

/// What a trace says about itself.
struct trace_header {
  bool recorded = false;  ///< written by packet_writer: in order of cycles, and with an end that is checked
  bool netrace = false;
  std::uint64_t nodes = 0;  ///< of the network it was recorded on; 0: not told
  std::string topology;     ///< its specification; empty: not told
  std::string command;      ///< the command line that made it; empty: not told
  std::string config;       ///< the effective configuration of that run, JSON on one line; empty: not told
};

constexpr cycle_t max_trace_cycles = cycle_t{1} << 48;
constexpr std::uint32_t max_trace_flits = 65535;
constexpr unsigned max_trace_classes = 16;
/// A packet may wait for at most this number of others.
constexpr std::size_t max_trace_causes = 4096;

}  // namespace toriscope

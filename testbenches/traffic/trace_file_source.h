// SPDX-License-Identifier: Apache-2.0
// Packets from a text file.
//
//   # cycle source destination length
//   0   0      17     16
//   0   12.03  00.00  4        a node is a number or, in hierarchical networks, an address
//
// '#' starts a comment; empty lines are skipped. Lines may stand in any order of cycles; packets of one cycle
// are created in the order of their lines. The last line must end with a newline: one that does not was
// probably cut off.
#pragma once

#include <algorithm>
#include <iosfwd>
#include <string>
#include <vector>

#include "network/traffic_source.h"
#include "topologies/netlist.h"

namespace toriscope {

class trace_file_source : public traffic_source {
 public:
  /// Reads the whole file. @throws std::invalid_argument with one line, "FILE:LINE: what is wrong; what is
  /// right"
  trace_file_source(const std::string& path, const netlist& wiring);
  /// @param name  of the file in errors
  trace_file_source(std::istream& in, const std::string& name, const netlist& wiring);

  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  cycle_t next_packet_cycle(cycle_t from) const override {
    return position_ < packets_.size() ? std::max(packets_[position_].cycle, from) : ~cycle_t{0};
  }

  std::size_t packets() const { return packets_.size(); }
  /// The cycle of the last packet; 0 when there is none.
  cycle_t last_cycle() const { return packets_.empty() ? 0 : packets_.back().cycle; }

 private:
  struct packet {
    cycle_t cycle;
    packet_request request;
  };
  void read(std::istream& in, const std::string& name, const netlist& wiring);

  std::vector<packet> packets_;  ///< in order of cycles
  std::size_t position_ = 0;
};

}  // namespace toriscope

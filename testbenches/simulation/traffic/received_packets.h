// SPDX-License-Identifier: Apache-2.0
// Packets as they are received, a line of CSV each: "packet,source,destination,class,flits,created,sent,received,hops".
// Cycles are those of creation, of the head sent by the source's network interface, and of the tail taken by the
// destination's; hops are links crossed. Lines stand in order of reception; packets refused or discarded are not among
// them. NAME.gz and NAME.zst are compressed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "router/packet_sink.h"
#include "topologies/netlist.h"
#include "traces/packets/byte_sink.h"

namespace toriscope {

class received_packets final : public packet_sink {
 public:
  /// Further columns: their names, and the values of a packet that has been received, a comma before each.
  struct more {
    std::string columns;
    std::function<std::string(packet_id)> values;
  };

  /// @throws std::runtime_error "cannot write PATH: reason"
  received_packets(const std::string& path, const netlist& wiring, more further = {});

  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  /// The file is complete. Without it there is none. @throws std::runtime_error "cannot write PATH: reason"
  void close() { file_.close(); }

 private:
  byte_sink file_;
  std::vector<std::string> terminals_;  ///< addresses
  more further_;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "network/packet_check.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toriscope {

void check_packet(const packet_request& packet, node_id nodes, unsigned message_classes) {
  if (packet.source < nodes && packet.destination < nodes && packet.flits > 0 &&
      packet.message_class < message_classes)
    return;
  const std::string which = "packet from node " + std::to_string(packet.source) + " to node " +
                            std::to_string(packet.destination) + ": ";
  if (packet.source >= nodes || packet.destination >= nodes)
    throw std::invalid_argument(which + "node " +
                                std::to_string(std::max(packet.source, packet.destination)) +
                                " does not exist; nodes are 0.." + std::to_string(nodes - 1));
  if (packet.flits == 0) throw std::invalid_argument(which + "0 flits; a packet has at least one");
  throw std::invalid_argument(
      which + "message class " + std::to_string(packet.message_class) + " does not exist; the network has " +
      std::to_string(message_classes) +
      (message_classes == 1 ? " (class 0)" : " (0.." + std::to_string(message_classes - 1) + ")"));
}

}  // namespace toriscope

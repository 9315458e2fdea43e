// SPDX-License-Identifier: Apache-2.0
// What a packet must be to be sent, at either fidelity.
#pragma once

#include "router/packet_table.h"

namespace toriscope {

/// @throws std::invalid_argument one line: the first thing that is wrong with the packet, and what would be
/// right
void check_packet(const packet_request& packet, node_id nodes, unsigned message_classes);

}  // namespace toriscope

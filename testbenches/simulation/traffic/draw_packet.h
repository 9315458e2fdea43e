// SPDX-License-Identifier: Apache-2.0
// A packet of synthetic traffic, drawn from the stream of its source: its length (if there are several), then
// its destination.
#pragma once

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "testbenches/simulation/traffic/traffic_pattern.h"

namespace toriscope {

inline packet_request draw_packet(node_id source, const packet_lengths& lengths,
                                  const traffic_pattern& pattern, random_stream& random) {
  packet_request request;
  request.source = source;
  request.flits = lengths.draw(random);
  request.destination = pattern.destination(source, random);
  return request;
}

}  // namespace toriscope

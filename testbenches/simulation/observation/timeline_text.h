// SPDX-License-Identifier: Apache-2.0
// The life of a packet as text for people and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "testbenches/simulation/observation/packet_timeline.h"

namespace toriscope {

/// @param zero_load   latency in an empty network, if it is known
/// @param cycles_done  at the end of the run
std::string timeline_text(const packet_timeline& timeline, std::optional<std::uint64_t> zero_load,
                          cycle_t cycles_done);

/// {"packet", "source", "destination", "flits", "created", "received", "latency", "no_wait", "waits",
///  "zero_load", "interface": {...}, "hops": [{...}], "reception": [...]}; what is not known is null.
nlohmann::ordered_json timeline_json(const packet_timeline& timeline, std::optional<std::uint64_t> zero_load);

}  // namespace toriscope

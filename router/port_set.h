// SPDX-License-Identifier: Apache-2.0
// Sets of ports of a router, beside those of VCs of a port.
#pragma once

#include <cstdint>

#include "base/bit_set.h"
#include "topologies/route.h"

namespace toriscope {

using port_set = bit_set<std::uint32_t>;

}  // namespace toriscope

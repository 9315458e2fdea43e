// SPDX-License-Identifier: Apache-2.0
#include "topologies/families.h"

namespace toriscope {

topology_family rdt_family() { return {}; }

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/families.h"

namespace toriscope {

topology_family htn_family() { return {}; }

}  // namespace toriscope

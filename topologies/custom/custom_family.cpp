// SPDX-License-Identifier: Apache-2.0
#include "topologies/families.h"

namespace toriscope {

topology_family custom_family() { return {}; }

}  // namespace toriscope

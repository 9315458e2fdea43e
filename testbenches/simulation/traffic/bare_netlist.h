// SPDX-License-Identifier: Apache-2.0
// For tests: nodes with addresses and a terminal each, and no links.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

inline std::shared_ptr<const netlist> bare_netlist(const std::string& name, std::vector<unsigned> radices,
                                                   std::vector<hierarchy_level> hierarchy) {
  auto net = std::make_shared<netlist>(name, std::move(radices), std::move(hierarchy));
  for (node_id n = 0; n < net->node_count(); ++n) net->add_node({});
  return net;
}

}  // namespace toriscope

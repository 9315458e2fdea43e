// SPDX-License-Identifier: Apache-2.0
// The families of topologies: kinds that share wiring or routing, with the routings and VC rules that are
// made for them. The registry is filled from here; each family has a directory of its own.
#pragma once

#include "topologies/registry.h"

namespace toriscope {

struct topology_family {
  std::vector<topology_kind> kinds;
  std::vector<routing_kind> routings;
  std::vector<vc_rule_kind> vc_rules;
};

topology_family cube_family();    ///< cubes/: mesh, torus, cmesh, ctorus, cube, ucube, hypercube, ccc
topology_family ttn_family();     ///< ttn/: ttn, tesh, sttn
topology_family htn_family();     ///< htn/: htn, mh3dt, h3dt
topology_family rdt_family();     ///< rdt/: rdt
topology_family graph_family();   ///< graphs/: to be analysed only
topology_family custom_family();  ///< custom/: file
topology_family switches_family();  ///< switches/: crossbar, fattree, butterfly, flatfly, dragonfly
topology_family chiplets_family();  ///< chiplets/: chiplets

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Every routing of every kind of network, in networks small enough to be simulated twice: what the tests of
// this folder go through. A routing that is not here fails routed_networks_test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "topologies/registry.h"

namespace toriscope {

struct routed_network {
  std::string spec;
  topology_options options;
};

std::vector<routed_network> routed_networks();

/// Whether its freedom from deadlock wants output VCs that are granted again when they have drained: routings
/// with an escape of some VCs (escape_proof.h).
bool wants_drained_vcs(const topology& made, unsigned vcs);

/// "htn:4,2,2,0 links U ties '' gates nearest routing ls rule safe 4 VCs".
std::string describe(const routed_network& n);

/// Whether TORISCOPE_LONG asks for the long tier.
bool is_long_tier();

void PrintTo(const routed_network& n, std::ostream* out);

/// "12_htn_4_2_2_0"
std::string name_of_test(const testing::TestParamInfo<routed_network>& info);

}  // namespace toriscope

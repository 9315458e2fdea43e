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

/// "htn:4,2,2,0 links U ties '' gates nearest routing ls rule safe 4 VCs".
std::string describe(const routed_network& n);

/// By link: the VCs that some packet may take.
std::vector<vc_mask> vcs_allowed(const topology& made, unsigned vcs);

void PrintTo(const routed_network& n, std::ostream* out);

/// "12_htn_4_2_2_0"
std::string name_of_test(const testing::TestParamInfo<routed_network>& info);
/// "3_torus_8x8": what GoogleTest takes for a name.
std::string indexed_test_name(std::size_t index, const std::string& words);

}  // namespace toriscope

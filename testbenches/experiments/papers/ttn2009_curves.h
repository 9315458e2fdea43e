// SPDX-License-Identifier: Apache-2.0
// The simulations behind Rahman et al. 2009, Sect. 5.4: 4096-node networks on the router of Sect. 5.2, which
// moves a flit from input to output buffer or to the next input in a cycle, with 4 VCs of a flit and packets
// of 16 flits.
//
//   latency     by the zero-load formula over the packets of a run in which they hardly ever meet
//   throughput  the largest load in a steady state: "the smallest rate of traffic for which some channel in
//               the network becomes saturated" (Sect. 5.1)
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

/// A traffic pattern of Sect. 5.4, by its figure.
struct ttn_traffic {
  std::string figure;   ///< "Fig. 8 (b)"
  std::string words;    ///< "5 % hot-spot traffic"
  option_list options;  ///< of run
};
/// Uniform first, complement by name.
const std::vector<ttn_traffic>& ttn_traffics();
const ttn_traffic& ttn_traffic_named(const std::string& words);

inline constexpr double ttn_low_load = .0005;

inline constexpr const char *ttn_q1 = "ttn:2,3,1", *tesh_q1 = "tesh:2,3,1", *ttn_q0 = "ttn:2,3,0",
                            *tesh_q0 = "tesh:2,3,0", *torus_4k = "torus:64x64", *mesh_4k = "mesh:64x64",
                            *mh3dt_4k = "mh3dt:4,4,2,2";

/// @param more  options that are not Sect. 5.2's: {"vcs", "1"}
wanted_curve latency_curve(const ttn_traffic& traffic, const std::string& network);
wanted_curve throughput_curve(const ttn_traffic& traffic, const std::string& network,
                              const option_list& more = {});

/// Cycles at zero load that TTN(2,3,1) takes in the mean at most, whatever its gates: 2 h + 33 (Sect. 5.2, packets of
/// 16 flits), with at most 4 links in each module on the way and the links between modules that the addresses ask
/// for, one way round the rings of four. Packets to a hot node stay in a Level-2 network and take fewer.
double max_cycles(const ttn_traffic& traffic);

}  // namespace toriscope

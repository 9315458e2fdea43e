// SPDX-License-Identifier: Apache-2.0
// The items of Rahman, Sato, Inoguchi 2012 (HTN): what is printed, as data, and how it is judged.
#pragma once

#include <vector>

#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

/// A row of Table I: HTN(4,4,2,1), 1024 nodes, 3 VCs, packets of 16 flits. [0] is DOR, [1] LS+CS.
struct htn_row {
  const char* words;     ///< "Perfect Shuffle"
  const char* figure;    ///< of its curves: "Fig. 9"
  const char* pattern;   ///< of toriscope
  double throughput[2];  ///< flits per node and cycle
  double latency[2];     ///< cycles, at that throughput
  double zero_load[2];   ///< cycles
  double percents[3];    ///< throughput enhancement, latency reduction, zero-load latency increase
};

const std::vector<htn_row>& htn_table1();
inline constexpr const char* htn_network = "htn:4,4,2,1";
/// "The centered 4 nodes that connect the sub-network module": a gate-plane node of each of the four middle
/// modules, a guess. Four neighbours within one module carry 20 % less.
inline constexpr const char* htn_hot_nodes = "11.011,12.011,21.011,22.011";
/// The same, of nodes that have gates: those that face the middle.
inline constexpr const char* htn_other_hot_nodes = "11.033,12.030,21.003,22.000";

void add_htn_text(paper& p);    ///< Sects. II and III, and the arithmetic of Table I
void add_htn_curves(paper& p);  ///< Table I and Figs. 5-9

}  // namespace toriscope

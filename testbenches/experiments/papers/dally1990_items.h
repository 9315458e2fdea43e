// SPDX-License-Identifier: Apache-2.0
// The items of Dally 1990: what is printed, as data, and how it is judged.
#pragma once

#include <vector>

#include "testbenches/experiments/papers/dally_contention.h"
#include "testbenches/experiments/papers/paper.h"

namespace toriscope {

/// A column of Table I: messages of 200 bits.
struct dally_column {
  unsigned n;
  unsigned k;
  double max_throughput;        ///< as a fraction of capacity, that is bits per node and cycle
  std::vector<double> latency;  ///< cycles, at .1, .2 and .3 bits per node and cycle

  dally::cube cube() const { return {static_cast<double>(k), static_cast<double>(n)}; }
  std::string name() const;  ///< "32-ary 2-cube", "binary 10-cube"
  bool of_4k() const;        ///< 4096 nodes, else 1024
};

const std::vector<dally_column>& dally_table1();
inline constexpr double dally_message_bits = 200;  ///< of Table I and Figs. 14-17
inline constexpr double dally_table1_loads[] = {.1, .2, .3};

void add_dally_equations(paper& p);  ///< Eq. 6-27, Figs. 6-10, Table I and the text
void add_dally_curves(paper& p);     ///< Figs. 14-17: the equations against our simulation

}  // namespace toriscope

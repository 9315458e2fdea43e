// SPDX-License-Identifier: Apache-2.0
// Dally 1990: its figures are lost in the copy at hand but for what the text and Table I say of them.
#include <fmt/format.h>

#include "testbenches/experiments/papers/dally1990_items.h"
#include "testbenches/experiments/papers/paper_registry.h"

namespace toriscope {

std::string dally_column::name() const {
  return k == 2 ? fmt::format("binary {}-cube", n) : fmt::format("{}-ary {}-cube", k, n);
}

bool dally_column::of_4k() const { return cube().nodes() == 4096; }

const std::vector<dally_column>& dally_table1() {
  static const std::vector<dally_column> columns = {
      {2, 32, .36, {46.1, 50.5, 59.3}}, {5, 4, .41, {128, 161, 221}},    {10, 2, .43, {233, 269, 317}},
      {2, 64, .35, {70.7, 73.1, 78.6}}, {3, 16, .31, {55.2, 70.3, 135}}, {4, 8, .31, {79.9, 112, 245}},
      {6, 4, .36, {135, 181, 287}},     {12, 2, .41, {241, 288, 357}},
  };
  return columns;
}

paper dally1990() {
  paper p{"dally1990", "Performance Analysis of k-ary n-cube Interconnection Networks",
          "W.J. Dally, IEEE Trans. Computers 39(6), 1990, pp. 775-785"};
  add_dally_equations(p);
  add_dally_curves(p);
  p.unjudged = {
      {"Sect. III: the traffic on the j-th channel of the spiral (lambda_Cj)", "ambiguous: i is not defined"},
      {"Eq. 19: T_c and T_p apart change the results little", "no number"},
      {"Eq. 25 and 26: with queues", "no number: nothing is printed of them"},
      {"Sect. III: all configurations of low latency have a reasonable pin count", "no number"},
      {"Conclusion: the Network Design Frame's latency of 1 microsecond", "technology"},
      {"Conclusion: three-dimensional packaging, fat trees, indirect networks", "no number"}};
  return p;
}

}  // namespace toriscope

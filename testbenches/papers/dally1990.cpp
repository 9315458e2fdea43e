// SPDX-License-Identifier: Apache-2.0
// Dally 1990: its figures are lost in the copy at hand but for what the text and Table I say of them.
#include <fmt/format.h>

#include "testbenches/papers/dally1990_items.h"
#include "testbenches/papers/paper_registry.h"

namespace toriscope {

std::string dally_column::name() const {
  return k == 2 ? fmt::format("binary {}-cube", n) : fmt::format("{}-ary {}-cube", k, n);
}

bool dally_column::of_4k() const { return cube().nodes() > 2048; }

const std::vector<dally_column>& dally_table1() {
  static const std::vector<dally_column> columns = {
      {2, 32, .36, {46.1, 50.5, 59.3}, {1, 1, 1}}, {5, 4, .41, {128, 161, 221}, {0, 0, 0}},
      {10, 2, .43, {233, 269, 317}, {0, 0, 0}},    {2, 64, .35, {70.7, 73.1, 78.6}, {1, 1, 1}},
      {3, 16, .31, {55.2, 70.3, 135}, {1, 1, 0}},  {4, 8, .31, {79.9, 112, 245}, {1, 0, 0}},
      {6, 4, .36, {135, 181, 287}, {0, 0, 0}},     {12, 2, .41, {241, 288, 357}, {0, 0, 0}},
  };
  return columns;
}

paper dally1990(effort how) {
  paper p{"dally1990", "Performance Analysis of k-ary n-cube Interconnection Networks",
          "W.J. Dally, IEEE Trans. Computers 39(6), 1990, pp. 775-785", dally_analytic_items()};
  simulated_items simulated = dally_simulated_items(how);
  p.curves = std::move(simulated.curves);
  for (paper_item& item : simulated.items) p.items.push_back(std::move(item));
  return p;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/rtl_figures.h"

#include <cmath>

namespace toriscope {

statistics rtl_figures(const foreign_contents& left) {
  const auto of_oldest = [&](std::uint64_t value) {
    return left.all.packets > 0 ? statistic::value_type(value) : statistic::value_type(std::nan(""));
  };
  return {
      {"rtl.packets_inside", "", "packets in RTL routers when the run ended", left.all.packets},
      {"rtl.flits_inside", "flits", "flits in RTL routers when the run ended", left.all.flits},
      {"rtl.oldest_node", "", "number of the node whose RTL holds the oldest of these packets",
       of_oldest(left.node)},
      {"rtl.oldest_since", "cycle", "from which on the oldest has been there", of_oldest(left.all.since)}};
}

}  // namespace toriscope

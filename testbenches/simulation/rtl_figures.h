// SPDX-License-Identifier: Apache-2.0
// What is inside RTL routers when a run is over, as figures of its results.
#pragma once

#include "network/silence.h"
#include "testbenches/simulation/statistics/statistic.h"

namespace toriscope {

/// rtl.packets_inside, rtl.flits_inside, and of the oldest packet rtl.oldest_node and rtl.oldest_since, which have
/// no value when nothing is inside.
statistics rtl_figures(const foreign_contents& left);

}  // namespace toriscope

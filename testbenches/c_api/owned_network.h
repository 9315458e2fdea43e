// SPDX-License-Identifier: Apache-2.0
// For tests: a network of the C interface that its owner destroys, and what it counts.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/json.h"
#include "include/toriscope/c_api.h"

namespace toriscope {

struct destroy {
  void operator()(toriscope_network* net) const { toriscope_destroy(net); }
};
using owned = std::unique_ptr<toriscope_network, destroy>;

inline owned made(const nlohmann::json& config, unsigned flags = 0) {
  owned net(toriscope_create(config.dump().c_str(), flags));
  EXPECT_TRUE(net) << toriscope_error();
  return net;
}

/// That the last call rejected what it was given. @param why  part of the error
inline void refuses(int status, const char* why) {
  EXPECT_EQ(status, TORISCOPE_BAD_INPUT);
  EXPECT_THAT(toriscope_error(), testing::HasSubstr(why));
}

inline toriscope_statistics statistics_of(const owned& net) {
  toriscope_statistics s{};
  EXPECT_NE(toriscope_get_statistics(net.get(), &s), TORISCOPE_BAD_INPUT);
  return s;
}

/// By wire.
inline std::vector<std::uint64_t> wire_flits_of(const owned& net) {
  std::vector<std::uint64_t> flits(toriscope_wire_flits(net.get(), nullptr, 0));
  toriscope_wire_flits(net.get(), flits.data(), flits.size());
  return flits;
}

}  // namespace toriscope

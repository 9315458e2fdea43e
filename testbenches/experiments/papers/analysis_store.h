// SPDX-License-Identifier: Apache-2.0
// Analyses of several networks, each done once.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "topologies/analysis/analysis.h"

namespace toriscope {

/// A network with what it leaves to choose; empty: the topology's default.
struct analysed_network {
  std::string spec;
  std::string links = "U";
  std::string routing{};
  bool routed = true;  ///< distances as routed are computed, too
};

class analysis_store {
 public:
  /// Degree, links, distances and the counted cut; with arc connectivity when `with_cuts`.
  /// @throws std::invalid_argument when there is no such network
  const network_analysis& of(const analysed_network& network, bool with_cuts = false);

 private:
  using key = std::tuple<std::string, std::string, std::string, bool, bool>;
  std::map<key, network_analysis> done_;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/dependency_sets.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace toriscope {

dependency_sets::dependency_sets(const netlist& net, unsigned vcs) : net_(net), vcs_(vcs) {
  std::size_t ports = 0;
  for (node_id node = 0; node < net.node_count(); ++node) ports = std::max(ports, net.ports(node).size());
  words_ = (ports * vcs + 63) / 64;
  const std::size_t channels = net.links().size() * vcs;
  if (channels >= ~std::uint32_t{0})
    throw std::logic_error("too many channels for a channel-dependency graph");
  channels_ = static_cast<std::uint32_t>(channels);
  bits_.resize(channels * words_);
}

std::size_t dependency_sets::dependencies() const {
  std::size_t sum = 0;
  for (const std::uint64_t word : bits_) sum += static_cast<unsigned>(__builtin_popcountll(word));
  return sum;
}

dependency_graph dependency_sets::graph() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(dependencies());
  for (std::uint32_t c = 0; c < channels_; ++c)
    for_each(c, [&](std::uint32_t to) { edges.emplace_back(c, to); });
  return dependency_graph(boost::edges_are_sorted, edges.begin(), edges.end(), channels_);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The channel-dependency graph as it is collected: for each channel a bit for each output VC of the node that
// its link leads to. A word per channel in most networks: 150 MB for TTN(2,5,0).
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/channel.h"

namespace toriscope {

/// Vertices are channels, link * VCs + vc.
using dependency_graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

class dependency_sets {
 public:
  /// @throws std::logic_error when there are too many channels to number
  dependency_sets(const netlist& net, unsigned vcs);

  /// `link` in VC `vc` depends on these VCs of an output port of the node that it leads to.
  void add(link_id link, unsigned vc, port_id out_port, vc_mask vcs) {
    std::uint64_t* set = &bits_[(std::size_t{link} * vcs_ + vc) * words_];
    const unsigned bit = out_port * vcs_;
    const unsigned at = bit % 64;
    set[bit / 64] |= std::uint64_t{vcs} << at;
    if (at + vcs_ > 64) set[bit / 64 + 1] |= std::uint64_t{vcs} >> (64 - at);
  }

  std::uint32_t channels() const { return channels_; }
  std::size_t dependencies() const;
  unsigned vcs() const { return vcs_; }

  /// Calls f(to) for all that channel `from` depends on, in order of output ports.
  template <class Function>
  void for_each(std::uint32_t from, Function f) const {
    const port_range ports = net_.ports(net_.link(from / vcs_).to);
    for (std::size_t word = 0; word < words_; ++word)
      for (std::uint64_t rest = bits_[from * words_ + word]; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<unsigned>(64 * word) + static_cast<unsigned>(__builtin_ctzll(rest));
        f(ports[bit / vcs_].out * vcs_ + bit % vcs_);
      }
  }

  dependency_graph graph() const;

  /// Whether both hold the same dependencies of the same network.
  bool operator==(const dependency_sets& other) const { return bits_ == other.bits_; }

 private:
  const netlist& net_;
  unsigned vcs_;
  std::uint32_t channels_ = 0;
  std::size_t words_ = 0;            ///< of a set
  std::vector<std::uint64_t> bits_;  ///< by channel: output VCs (port * V + vc) at the link's far end
};

}  // namespace toriscope

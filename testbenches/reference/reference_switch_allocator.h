// SPDX-License-Identifier: Apache-2.0
// A switch allocator of the reference router (docs/model.md, step SA and "Allocators"): matches input ports
// with output ports. A router with speculation has two of them.
//
//   contract   allocate() changes nothing; move() is called for each grant that counts
//   source     iSLIP: McKeown 1999
#pragma once

#include <cstdint>
#include <vector>

#include "router/router_config.h"
#include "testbenches/reference/reference_arbiter.h"

namespace toriscope::reference {

/// What an input VC wants.
struct switch_request {
  bool any = false;
  unsigned out_port = 0;
  std::uint64_t age = 0;  ///< sequence number of the packet
};

struct switch_grant {
  unsigned in_port = 0;
  unsigned in_vc = 0;
  unsigned out_port = 0;
  unsigned iteration = 0;  ///< in which it was granted; 0 for separable allocators
};

class switch_allocator {
 public:
  switch_allocator(const router_config& config, unsigned ports);

  /// @param requests  [port][vc]
  std::vector<switch_grant> allocate(const std::vector<std::vector<switch_request>>& requests) const;
  /// The flit goes: state moves.
  void move(const switch_grant& grant);

 private:
  using request_table = std::vector<std::vector<switch_request>>;

  std::vector<switch_grant> input_first(const request_table& requests) const;
  std::vector<switch_grant> output_first(const request_table& requests) const;
  std::vector<switch_grant> islip(const request_table& requests) const;
  /// The VC of a port that its VC arbiter takes of those that ask for one of `out_ports`.
  unsigned vc_for(const request_table& requests, unsigned in_port, const std::vector<bool>& out_ports) const;
  /// As a contender for an output port: an input port with the oldest of its packets that ask for it.
  void add_if_asking(std::vector<contender>& list, unsigned number, const std::vector<switch_request>& vcs,
                     unsigned out_port) const;

  const allocator_kind kind_;
  const unsigned iterations_;
  const unsigned ports_;
  const unsigned vcs_;
  std::vector<arbiter> vc_arbiters_;      // [input port], over VCs
  std::vector<arbiter> output_arbiters_;  // [output port], over input ports
  std::vector<arbiter> accept_arbiters_;  // [input port], over output ports; islip
};

}  // namespace toriscope::reference

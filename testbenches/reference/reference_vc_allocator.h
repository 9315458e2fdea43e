// SPDX-License-Identifier: Apache-2.0
// The VC allocator of the reference router (docs/model.md, step VA and "Allocators"): matches input VCs with
// free output VCs.
//
//   contract   allocate() is one cycle of VA; it moves the arbiters' state as the text says
//   source     iSLIP: McKeown 1999
#pragma once

#include <cstdint>
#include <vector>

#include "router/router_config.h"
#include "testbenches/reference/reference_arbiter.h"
#include "topologies/route.h"

namespace toriscope::reference {

/// What an input VC wants.
struct vc_request {
  bool any = false;
  std::vector<route_option> options;  ///< those over dead links left out
  std::uint64_t age = 0;              ///< sequence number of the packet
};

struct vc_grant {
  unsigned input = 0;  ///< p * V + v
  route_option option;
  unsigned out_vc = 0;  ///< of the port of the option
};

/// Output VCs that may be granted: [port][vc].
using free_vcs = std::vector<std::vector<bool>>;

/// The option within which an input VC asks: the first that has a free output VC in its set; null: none has.
const route_option* option_to_ask_for(const vc_request& request, const free_vcs& free);

class vc_allocator {
 public:
  /// @param out_vcs  of an output port, at most
  vc_allocator(const router_config& config, unsigned ports, unsigned out_vcs);

  /// @param requests  [p * V + v]
  std::vector<vc_grant> allocate(const std::vector<vc_request>& requests, free_vcs free);

 private:
  std::vector<vc_grant> input_first(const std::vector<vc_request>& requests, const free_vcs& free);
  std::vector<vc_grant> output_first(const std::vector<vc_request>& requests, const free_vcs& free);
  void move(const vc_grant& grant);

  const allocator_kind kind_;
  const unsigned iterations_;
  const unsigned ports_;
  const unsigned out_vcs_;
  std::vector<arbiter> input_arbiters_;   // [p * V + v], over the VCs of an output port
  std::vector<arbiter> output_arbiters_;  // [p * out_vcs_ + v], over all input VCs
};

}  // namespace toriscope::reference

// SPDX-License-Identifier: Apache-2.0
// What an adapter knows about the router behind it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_models/user_rtl/flit_format.h"
#include "topologies/route.h"

namespace toriscope {

struct adapter_config {
  /// A port of the router.
  struct port {
    std::string name;
    int of_node = -1;  ///< the node's port that it is; -1: the node has none there
    std::string model_name{};  ///< of that port

    /// "east (x+)", for messages.
    std::string text() const {
      return model_name.empty() || model_name == name ? name : name + " (" + model_name + ")";
    }
  };

  std::vector<port> ports;  ///< by number of the router's port
  flit_format format;
  unsigned vcs = 1;    ///< of the router: 1, or as many as the network has
  unsigned depth =
      1;  ///< credits: flits per VC, here and in what is downstream; on/off: in what is downstream
  unsigned slack = 0;  ///< on/off: flits that may leave after "off"
  bool ready_of_offer =
      false;                   ///< ready/valid with VCs: ready is that of the VC on offer, and seen only then
  bool atomic_vcs = false;     ///< a head goes into the router only where its VC is empty
  bool gives_credits = false;  ///< set by credit_adapter
  bool registered_outputs =
      false;  ///< credits: a flit is on the link in the cycle in which it is at the pins
  bool one_credit_at_a_time = false;  ///< credits: for one VC per clock
  unsigned output_flits = 1;          ///< ready/valid: that may wait to be sent when one more leaves
  unsigned clocks_per_cycle = 1;
  bool own_routes = false;  ///< it may go other ways than the network's routing, if heads carry no state
  std::uint64_t patience_cycles = 1000;  ///< nothing leaves although it could: flits have been lost
};

}  // namespace toriscope

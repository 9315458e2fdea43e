// SPDX-License-Identifier: Apache-2.0
// What each packet waited for, by cause, in flit-cycles at the fronts of its routers' VCs: `--observe --packet-stats`.
#pragma once

#include <string>
#include <unordered_map>

#include "testbenches/simulation/observation/observation_counts.h"

namespace toriscope {

class packet_waits final : public step_listener {
 public:
  void stepped(const router_step& step) override;

  /// ",wait_no_output_vc,wait_lost_vc_allocation ...": the columns.
  static std::string columns();
  /// ",0,2 ..." of a packet that has been received; it is forgotten.
  std::string take(packet_id id);

 private:
  std::unordered_map<packet_id, fate_counts> waits_;  ///< none: it has not waited
};

}  // namespace toriscope

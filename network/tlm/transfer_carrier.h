// SPDX-License-Identifier: Apache-2.0
// The interface between the sockets of a network (tlm_entry.h, tlm_exit.h) and what carries their transactions.
#pragma once

#include <tlm>

#include "network/tlm/transfer.h"

namespace toriscope {

class transfer_carrier {
 public:
  virtual ~transfer_carrier() = default;
  /// Sends the request. @return null when it is rejected: its response status says why
  virtual transfer_ptr send_request(tlm::tlm_generic_payload& original, node_id source) = 0;
  /// Sends the response that the target gave.
  virtual void send_response(const transfer_ptr& transfer) = 0;
  virtual unsigned debug(tlm::tlm_generic_payload& payload) = 0;
};

}  // namespace toriscope

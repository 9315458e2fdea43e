// SPDX-License-Identifier: Apache-2.0
// What the module of MPI gives the program (process_team.cpp): a transport that notes when other ranks stay silent.
#pragma once

#include "network/distributed/process_transport.h"

namespace toriscope {

class watchful_transport : public process_transport {
 public:
  /// From now on exchange() throws std::runtime_error when ranks stay silent for longer. Before, it waits for ever.
  /// @param seconds  0: for ever
  virtual void limit_silence(unsigned seconds) = 0;
};

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// `toriscope prove`: whether a routing function with its VC rule is free of deadlock in a network. Status 0
// only when it is proven.
#pragma once

#include <string>

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

struct prove_outputs {
  std::string method = "automatic";
  std::string json;         ///< a file; "-" is standard output; empty: none
  std::string certificate;  ///< where the numbering of the channels is written
  std::string check;        ///< a certificate to be checked; nothing is proven then
  std::string witness;      ///< where packets that freeze the network are written
  std::string wave;         ///< of the freezing network
  bool no_witness = false;  ///< look for none
  bool quiet = false;       ///< no text
};

/// Adds the options that are not parameters; they are read into `outputs`.
void add_prove_outputs(CLI::App& prove, prove_outputs& outputs);

/// @param request  of which the topology, the VCs and the message classes count
/// @returns fine when proven, check_failed when cyclic or unknown
int prove_command(const run_request& request, const prove_outputs& outputs);

}  // namespace toriscope

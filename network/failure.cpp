// SPDX-License-Identifier: Apache-2.0
#include "network/failure.h"

#include <systemc>

namespace toriscope {

void report_failure(const std::string& name, const network_failure& failure) {
  std::string text = name + ": " + failure.message;
  for (const std::string& line : failure.detail) text += "\n  " + line;
  SC_REPORT_ERROR(failure.what == network_failure::kind::deadlock ? "/toriscope/network/deadlock"
                                                                  : "/toriscope/network/invariant",
                  text.c_str());
  sc_core::sc_stop();
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "network/network_config.h"

namespace toriscope {

namespace {
constexpr unsigned longest_delay = 1000;  // what topologies allow for links, too

void check_delay(const char* key, unsigned value, unsigned least, std::vector<std::string>& errors) {
  if (value < least || value > longest_delay)
    errors.push_back(std::string(key) + ": " + std::to_string(value) + " is out of range, " +
                     std::to_string(least) + ".." + std::to_string(longest_delay) + " cycles are possible");
}
}  // namespace

std::vector<std::string> network_config::validate() const {
  std::vector<std::string> errors = router.validate();
  check_delay("injection_delay_cycles", injection_delay_cycles, 1, errors);
  check_delay("ejection_delay_cycles", ejection_delay_cycles, 1, errors);
  check_delay("credit_delay_cycles", credit_delay_cycles, 0, errors);
  if (message_classes != 1 || shared_classes || limited_reception)
    errors.push_back("message classes and limited reception are not part of this version");
  return errors;
}

}  // namespace toriscope

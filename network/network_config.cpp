// SPDX-License-Identifier: Apache-2.0
#include "network/network_config.h"

namespace toriscope {

namespace {
constexpr unsigned longest_delay = 1000;  // what topologies allow for links, too
constexpr unsigned max_message_classes = 16;  // ranks send four bits for it
constexpr unsigned max_threads = 256;

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
  if (message_classes < 1 || message_classes > max_message_classes)
    errors.push_back("message-classes: " + std::to_string(message_classes) + " is out of range, 1.." +
                     std::to_string(max_message_classes) + " are possible");
  else if (!shared_classes && router.vcs % message_classes != 0)
    errors.push_back("message-classes: " + std::to_string(router.vcs) + (router.vcs == 1 ? " VC" : " VCs") +
                     " cannot be divided evenly among " + std::to_string(message_classes) +
                     " message classes; the number of VCs must be a multiple of it, or the classes shared");
  if (threads < 1 || threads > max_threads)
    errors.push_back("threads: " + std::to_string(threads) + " is out of range, 1.." + std::to_string(max_threads) +
                     " are possible");
  return errors;
}

}  // namespace toriscope

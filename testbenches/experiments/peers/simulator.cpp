// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/simulator.h"

#include <cstdlib>
#include <stdexcept>

namespace toriscope {

double number_after(const std::string& text, const std::string& label, const std::string& who) {
  const std::size_t place = text.rfind(label);
  if (place == std::string::npos)
    throw std::runtime_error(who + ": its output has no line with '" + label + "'; is it the right program?");
  const char* const begin = text.c_str() + place + label.size();
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  if (end == begin) throw std::runtime_error(who + ": no number behind '" + label + "' in its output");
  return value;
}

}  // namespace toriscope

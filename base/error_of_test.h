// SPDX-License-Identifier: Apache-2.0
// For tests: what a call throws, as text.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace toriscope {

/// The message of an error of this type, or "none". Errors of other types pass.
template <class Error = std::exception, class Function>
std::string error_of(Function call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace toriscope

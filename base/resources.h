// SPDX-License-Identifier: Apache-2.0
// What the process has used of the machine.
#pragma once

#include <cstdint>

namespace toriscope {

/// CPU time of the process, user and system, in seconds.
double cpu_seconds();
/// Time that passes, in seconds from some moment on.
double wall_seconds();
/// Resident memory now, in bytes; 0 when the system does not say.
std::uint64_t resident_bytes();
/// Resident memory at most so far, in bytes.
std::uint64_t max_resident_bytes();

}  // namespace toriscope

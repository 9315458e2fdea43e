// SPDX-License-Identifier: Apache-2.0
// A function in a process of its own, by fork without exec (programs are started by base/measured_process.h).
// A process per configuration: SystemC elaborates once per process, so every configuration runs in a child of
// the test program, which itself never elaborates anything. A crash in a child is a failure of that
// configuration only.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace toriscope::reference {

/// Runs `work` in a child process and returns what it returns: by convention nothing when all is well, else
/// what is wrong. An exception, a crash, a death by signal and more than `seconds` of time are put into words
/// too.
std::string run_in_child(const std::function<std::string()>& work, unsigned seconds = 900);

/// Keeps an object until the end of the process, whose end does not run destructors: those of big SystemC
/// netlists take longer than the simulation.
template <class T>
T& keep(std::unique_ptr<T> object) {
  return *object.release();
}

}  // namespace toriscope::reference

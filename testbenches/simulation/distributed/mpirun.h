// SPDX-License-Identifier: Apache-2.0
// For tests: how they start the program on several ranks.
#pragma once

#include <string>

namespace toriscope {

/// mpirun as it may be started on any machine; processes that wait leave the processor to others. After a failure
/// mpirun waits for 2 seconds before it kills; here it does not. Without epoll its libevent has nothing to warn of on a
/// busy machine, which would stand among what the program says; nor has its hwloc of a machine without /sys. Two mpirun
/// that start at the same moment may fail over a common directory: each has its own, beside the one that it runs in.
inline std::string mpirun(unsigned ranks) {
  return "EVENT_NOEPOLL=1 HWLOC_HIDE_ERRORS=2 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
         "--oversubscribe --mca orte_tmpdir_base \"$PWD/../mpi\" --mca mpi_yield_when_idle 1 "
         "--mca odls_base_sigkill_timeout 0 --mca pml ob1 --mca btl self,vader -n " +
         std::to_string(ranks) + " ";
}

/// `cycles` where the mode has a window.
inline std::string in_window(const std::string& arguments, const char* cycles) {
  return arguments + (arguments.find("batch") == std::string::npos ? cycles : "");
}

}  // namespace toriscope

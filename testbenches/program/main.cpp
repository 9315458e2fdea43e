// SPDX-License-Identifier: Apache-2.0
// The toriscope program.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "base/words.h"
#include "testbenches/program/command_line.h"
#include "testbenches/program/run_command.h"

namespace {

[[noreturn]] void leave(int status) {
  // SystemC takes big netlists apart in quadratic time: leave without destructors.
  std::fflush(nullptr);
  std::_Exit(status);
}

/// A line of /proc in bytes; 0: there is none.
rlim_t bytes_in(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;)
    if (rlim_t kilobytes = 0; word == key && lines >> kilobytes) return kilobytes * 1024;
  return 0;
}

/// With more memory than the machine has to give, the kernel would end this program or another one; with a limit
/// there is an error message.
void bound_memory() {
  const rlim_t free = bytes_in("/proc/meminfo", "MemAvailable:");
  const rlim_t most = bytes_in("/proc/self/status", "VmData:") + free + bytes_in("/proc/meminfo", "SwapFree:");
  rlimit limit{};
  if (free == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  // sc_stop() announces itself on standard output, which belongs to the results.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  try {
    leave(toriscope::run_command_line({argv + 1, argv + argc}));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "toriscope: %s\n", toriscope::out_of_memory);
    leave(toriscope::bad_input);
  } catch (const sc_core::sc_report& error) {
    // A failed assertion of RTL, as a rule: what() would be several lines.
    std::fprintf(stderr, "toriscope: %s\n", toriscope::one_line(error.get_msg()).c_str());
    leave(toriscope::check_failed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toriscope: %s\n", toriscope::one_line(error.what()).c_str());
    leave(toriscope::bad_input);
  }
}

int main(int argc, char* argv[]) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large: the write fails with a one-line message
  bound_memory();
  std::signal(SIGCHLD, SIG_DFL);  // a parent may have had it ignored: the kernel would not keep how children end
  // The library would print its copyright before sc_main.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// The toriscope program.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "base/files_read.h"
#include "base/words.h"
#include "testbenches/program/command_line.h"
#include "testbenches/program/run_command.h"

namespace {

[[noreturn]] void leave(int status) {
  // SystemC takes big netlists apart in quadratic time: leave without destructors.
  std::fflush(nullptr);
  std::_Exit(status);
}

/// The sizes in a file of /proc, by name, in bytes.
std::map<std::string, rlim_t> sizes_in(const char* file) {
  std::map<std::string, rlim_t> sizes;
  std::ifstream lines(file);
  for (std::string name, kilobytes; lines >> name && std::getline(lines, kilobytes);)
    sizes[name] = std::strtoull(kilobytes.c_str(), nullptr, 10) * 1024;
  return sizes;
}

/// With more memory than the machine has to give, the kernel would end this program or another one; with a limit
/// there is an error message.
void bound_memory() {
  auto machine = sizes_in("/proc/meminfo");
  const rlim_t free = machine["MemAvailable:"];
  rlimit limit{};
  if (free == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, sizes_in("/proc/self/status")["VmData:"] + free + machine["SwapFree:"]);
  setrlimit(RLIMIT_DATA, &limit);
}

/// A stream that the parent has closed stays an error to use: the next file that is opened does not take its place.
void hold_closed_streams() {
  for (const int stream : {0, 1, 2})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  // sc_stop() announces itself on standard output, which belongs to the results.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  try {
    leave(toriscope::run_command_line({argv + 1, argv + argc}));
  } catch (const std::bad_alloc&) {
    toriscope::tell(toriscope::out_of_memory);
    leave(toriscope::bad_input);
  } catch (const sc_core::sc_report& error) {
    // A failed assertion of RTL, as a rule: what() would be several lines.
    toriscope::tell(error.get_msg());
    leave(toriscope::check_failed);
  } catch (const std::exception& error) {
    toriscope::tell(error.what());
    leave(toriscope::bad_input);
  }
}

int main(int argc, char* argv[]) {
  hold_closed_streams();
  bound_memory();
  toriscope::protect_files_read();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large: the write fails with a one-line message
  std::signal(SIGCHLD, SIG_DFL);  // a parent may have had it ignored: the kernel would not keep how children end
  // The library would print its copyright before sc_main.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

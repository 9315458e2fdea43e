// SPDX-License-Identifier: Apache-2.0
// The toriscope program.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
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
  std::signal(SIGCHLD, SIG_DFL);  // a parent may have had it ignored: the kernel would not keep how children end
  // The library would print its copyright before sc_main.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

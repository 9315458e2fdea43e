// SPDX-License-Identifier: Apache-2.0
// The toriscope program.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "testbenches/program/command_line.h"

namespace {

[[noreturn]] void leave(int status) {
  // SystemC takes big netlists apart in quadratic time: leave without destructors.
  std::fflush(nullptr);
  std::_Exit(status);
}

int print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return toriscope::fine;
  std::fprintf(stderr, "toriscope: cannot write to standard output\n");
  return toriscope::bad_input;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  // sc_stop() announces itself on standard output, which belongs to the results.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  try {
    const toriscope::command command = toriscope::parse_command_line({argv + 1, argv + argc});
    if (command.what == toriscope::command::what::print) leave(print(command.text));
    if (command.what == toriscope::command::what::explain)
      leave(toriscope::explain_command(command.request, command.explain));
    if (command.what == toriscope::command::what::analyze)
      leave(toriscope::analyze_command(command.request, command.analyze));
    if (command.what == toriscope::command::what::draw)
      leave(toriscope::draw_command(command.request, command.draw));
    if (command.what == toriscope::command::what::prove)
      leave(toriscope::prove_command(command.request, command.prove));
    if (command.what == toriscope::command::what::bench) leave(toriscope::bench_command(command.bench));
    leave(toriscope::run_command(command.request));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "toriscope: out of memory: the network is too large for this machine\n");
    leave(toriscope::bad_input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toriscope: %s\n", error.what());
    leave(toriscope::bad_input);
  }
}

int main(int argc, char* argv[]) {
  // The library would print its copyright before sc_main.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

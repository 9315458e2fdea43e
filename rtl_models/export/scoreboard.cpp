// SPDX-License-Identifier: Apache-2.0
// The clock of scoreboard.sv in Verilator, which finds all the rest there.
#include <verilated.h>

#include <memory>

#include "Vscoreboard.h"

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  const auto top = std::make_unique<Vscoreboard>(&context, "TOP");
  for (bool clock = false; !context.gotFinish(); clock = !clock) {
    top->clk_i = clock;
    top->eval();
    context.timeInc(500);
  }
  top->final();
  return 0;
}

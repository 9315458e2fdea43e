// SPDX-License-Identifier: Apache-2.0
// Runs testbench.sv in Verilator, as verilator --main would: that option also gives each hierarchical block a main.
#include <verilated.h>

#include <memory>

#include "Vtestbench.h"

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  const auto top = std::make_unique<Vtestbench>(&context, "TOP");
  while (!context.gotFinish()) {
    top->eval();
    if (!top->eventsPending()) break;
    context.time(top->nextTimeSlot());
  }
  top->final();
  return 0;
}

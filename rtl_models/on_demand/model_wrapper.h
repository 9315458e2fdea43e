// SPDX-License-Identifier: Apache-2.0
// The body of a library of verilated RTL (model_abi.h). The source that rtl_build.cpp writes includes it
// after the verilated headers:
//
//   TORISCOPE_MODEL        the verilated class
//   TORISCOPE_PINS(PIN)    PIN(name, bits, is_output) for every port of the top module
//   TORISCOPE_REGISTERS    1: registers can be visited (verilator --public-flat-rw)
//   TORISCOPE_TRACE        1: waveforms (verilator --trace)
#pragma once

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_models/on_demand/model_abi.h"
#if TORISCOPE_TRACE
#include <verilated_vcd_c.h>
#endif
#if TORISCOPE_REGISTERS
#include <verilated_syms.h>
#endif

namespace {

/// What the RTL has printed in the evaluation that this thread does, or did last.
thread_local std::string printed;

struct instance {
  explicit instance(const toriscope::model_start& start) {
    std::vector<const char*> arguments{"toriscope"};
    arguments.insert(arguments.end(), start.plus_arguments, start.plus_arguments + start.plus_argument_count);
    context.commandArgs(static_cast<int>(arguments.size()), arguments.data());
    context.randReset(start.random_seed ? 2 : 0);
    context.randSeed(start.random_seed);
    context.fatalOnError(false);
    context.threads(1);  // else each starts threads of its own, which never have anything to do
    context.traceEverOn(TORISCOPE_TRACE);
    model = std::make_unique<TORISCOPE_MODEL>(&context, start.name);
  }
  ~instance() {
    Verilated::threadContextp(&context);
#if TORISCOPE_TRACE
    if (trace) trace->close();
#endif
    model->final();
  }

  VerilatedContext context;
  std::unique_ptr<TORISCOPE_MODEL> model;
#if TORISCOPE_TRACE
  std::unique_ptr<VerilatedVcdC> trace;
#endif
};

instance& of(void* model) { return *static_cast<instance*>(model); }

void* create(const toriscope::model_start* start) { return new instance(*start); }
void destroy(void* model) { delete &of(model); }

void* pin_data(void* model, std::uint32_t pin) {
  TORISCOPE_MODEL& m = *of(model).model;
#define TORISCOPE_PIN_ADDRESS(name, bits, is_output) &m.name,
  void* const addresses[] = {TORISCOPE_PINS(TORISCOPE_PIN_ADDRESS)};
#undef TORISCOPE_PIN_ADDRESS
  return addresses[pin];
}

const char* evaluate(void* model) {
  instance& i = of(model);
  Verilated::threadContextp(&i.context);  // where assertions are noted
  printed.clear();
  bool failed = false;
  try {
    i.model->eval();
  } catch (const std::runtime_error& fatal) {
    printed += fatal.what();
    failed = true;
  }
  if (!failed && !i.context.gotError()) return nullptr;
  i.context.gotError(false);
  i.context.gotFinish(false);
  static thread_local std::string said;
  said.swap(printed);
  return said.c_str();
}

void visit_registers([[maybe_unused]] void* model, [[maybe_unused]] toriscope::register_visitor visit,
                     [[maybe_unused]] void* user) {
#if TORISCOPE_REGISTERS
  Verilated::threadContextp(&of(model).context);
  const VerilatedScopeNameMap* const scopes = Verilated::threadContextp()->scopeNameMap();
  if (!scopes) return;
  for (const auto& [scope_name, scope] : *scopes) {
    const VerilatedVarNameMap* const variables = scope->varsp();
    if (!variables) continue;
    for (const auto& [name, variable] : *variables) {
      const bool is_memory = variable.udims() > 0;
      const std::uint32_t count = is_memory ? static_cast<std::uint32_t>(variable.unpacked().elements()) : 1u;
      visit(user, scope_name, name, variable.datap(),
            static_cast<std::uint32_t>(variable.packed().elements()), count, variable.entSize());
    }
  }
#endif
}

int open_trace([[maybe_unused]] void* model, [[maybe_unused]] const char* file) {
#if TORISCOPE_TRACE
  instance& i = of(model);
  i.trace = std::make_unique<VerilatedVcdC>();
  i.model->trace(i.trace.get(), 99);
  i.trace->open(file);
  return i.trace->isOpen();
#else
  return 0;
#endif
}

void dump_trace([[maybe_unused]] void* model, [[maybe_unused]] std::uint64_t time) {
#if TORISCOPE_TRACE
  if (of(model).trace) of(model).trace->dump(time);
#endif
}

void close_trace([[maybe_unused]] void* model) {
#if TORISCOPE_TRACE
  if (of(model).trace) of(model).trace->close();
#endif
}

#define TORISCOPE_PIN_ENTRY(name, bits, is_output) {#name, bits, is_output},
constexpr toriscope::model_pin pins[] = {TORISCOPE_PINS(TORISCOPE_PIN_ENTRY)};
#undef TORISCOPE_PIN_ENTRY

constexpr toriscope::model_abi functions{
    toriscope::model_abi::current_version,
    static_cast<std::uint32_t>(sizeof(pins) / sizeof(pins[0])),
    pins,
    create,
    destroy,
    pin_data,
    evaluate,
    visit_registers,
    open_trace,
    dump_trace,
    close_trace,
};

}  // namespace

extern "C" int toriscope_model_print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char text[1024];
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (printed.size() < 65536) printed += text;
  return length;
}

/// Verilator's own would end the program: a file for $readmemh that is not there, for one.
void vl_fatal(const char*, int, const char*, const char* message) { throw std::runtime_error(message); }

/// Verilator's own would end the program with status 0, the second time.
void vl_finish(const char* file, int line, const char*) {
  toriscope_model_print("%s:%d: Verilog $finish\n", file, line);
  Verilated::threadContextp()->gotError(true);
}

extern "C" __attribute__((visibility("default"))) const toriscope::model_abi* toriscope_model() {
  return &functions;
}

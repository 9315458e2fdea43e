// SPDX-License-Identifier: Apache-2.0
// Drives the pins of sv/router.sv verilated to C++ (verilator --cc).
//
// Include it, with the verilated header, in one source file per model, before anything of SystemC: the
// generated headers do not go with its names. toriscope_verilated_router() of verilate.cmake generates that
// source file.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <string>

#include "rtl_models/pin_bits.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {

template <class Model>
class verilated_router final : public rtl_router {
 public:
  /// Resets the RTL, for one edge: the least that sv/router.sv needs.
  verilated_router(const rtl_parameters& parameters, const rtl_start& start) : parameters_(parameters) {
    const std::string plus_route_table = "+route_table=" + start.route_table;
    const char* arguments[] = {"toriscope", plus_route_table.c_str()};
    context_.commandArgs(2, arguments);
    context_.randReset(start.random_state_seed ? 2 : 0);
    context_.randSeed(start.random_state_seed);
    context_.fatalOnError(false);
    model_ = std::make_unique<Model>(&context_);
    model_->rst_i = 1;
    for (unsigned o = 0; o < parameters.ports * parameters.vcs; ++o)
      set_pin_bits(model_->slots_i, o * 7, 7, start.slots.empty() ? 0 : start.slots[o]);
    for (port_id p = 0; p < parameters.ports; ++p)
      set_pin_bits(model_->flit_cycles_i, p * 8u, 8, start.flit_cycles.empty() ? 1 : start.flit_cycles[p]);
    for (port_id p = 0; p < parameters.ports; ++p) {
      set_flit(p, {});
      set_credit(p, {});
    }
    clock_edge();
    model_->rst_i = 0;
  }

  ~verilated_router() override {
    Verilated::threadContextp(&context_);  // where Verilator looks for the model's scopes
    model_->final();
  }

  const rtl_parameters& parameters() const override { return parameters_; }
  bool is_clocked_with_others() const override { return true; }

  void set_flit(port_id p, flit_word f) override { set_pin_bits(model_->flit_i, p * 64u, 64, f.bits); }
  void set_credit(port_id p, credit_word c) override {
    set_pin_bits(model_->credit_i, p * parameters_.vcs, parameters_.vcs, c.vcs);
  }

  void clock_edge() override {
    Verilated::threadContextp(&context_);  // where assertions are noted
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
    if (context_.gotError()) throw rtl_assertion("an assertion of the RTL failed; its message is above");
  }

  flit_word flit(port_id p) const override { return {pin_bits(model_->flit_o, p * 64u, 64)}; }
  credit_word credit(port_id p) const override {
    return {static_cast<std::uint16_t>(pin_bits(model_->credit_o, p * parameters_.vcs, parameters_.vcs))};
  }

 private:
  const rtl_parameters parameters_;
  VerilatedContext context_;
  std::unique_ptr<Model> model_;
};

}  // namespace toriscope

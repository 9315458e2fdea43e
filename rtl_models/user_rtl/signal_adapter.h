// SPDX-License-Identifier: Apache-2.0
// A router that is an sc_module with plain SystemC ports, ready/valid, in the place of a node's.
//
//   ports    per port of the router: bool in_valid, in_ready, out_valid, out_ready, and in_flit, out_flit of
//            a type of the router's choice: sc_bv<W>, sc_uint<W>, an unsigned integer, or flit_word
//   timing   router and adapter look at each other at rising edges of the same clock: a flit that the links show
//            in t is at in_flit from edge t on and taken at t+1; what is at out_flit before edge t is sent in t
//   use      build signals and router in a node_factory, bind them, and give both to the adapter
//            (testbenches/examples/systemc_router.cpp)
//   limits   a router without VCs; one clock a cycle
#pragma once

#include <memory>
#include <systemc>
#include <type_traits>
#include <vector>

#include "links/flit_systemc.h"
#include "rtl_models/user_rtl/router_adapter.h"

namespace toriscope {

/// Flits of any type from and to wide_flit.
template <class Flit>
struct flit_bits {
  static Flit from(const wide_flit& wide) {
    const std::uint64_t low = pin_bits(wide, 0, 64);
    if constexpr (std::is_same_v<Flit, flit_word>) {
      return flit_word{low};
    } else if constexpr (std::is_base_of_v<sc_dt::sc_bv_base, Flit>) {
      Flit flit;
      for (int w = 0; w < flit.size(); ++w) flit.set_word(w, wide[static_cast<unsigned>(w)]);
      return flit;
    } else {
      return static_cast<Flit>(low);
    }
  }
  static wide_flit to(const Flit& flit) {
    wide_flit wide{};
    if constexpr (std::is_base_of_v<sc_dt::sc_bv_base, Flit>) {
      for (int w = 0; w < flit.size(); ++w) wide[static_cast<unsigned>(w)] = flit.get_word(w);
    } else if constexpr (std::is_same_v<Flit, flit_word>) {
      set_pin_bits(wide, 0, 64, flit.bits);
    } else {
      set_pin_bits(wide, 0, 64, static_cast<std::uint64_t>(flit));
    }
    return wide;
  }
};

/// The signals between a router and its adapter.
template <class Flit>
class router_signals final : public router_pins {
 public:
  struct port {
    sc_core::sc_signal<bool> in_valid, in_ready, out_valid, out_ready;
    sc_core::sc_signal<Flit> in_flit, out_flit;
  };

  explicit router_signals(unsigned ports) {
    for (unsigned r = 0; r < ports; ++r) ports_.push_back(std::make_unique<port>());
  }
  /// Of the router's port r.
  port& at(unsigned r) { return *ports_[r]; }

  void set_in(unsigned r, bool valid, const wide_flit& flit) override {
    ports_[r]->in_valid.write(valid);
    if (valid) ports_[r]->in_flit.write(flit_bits<Flit>::from(flit));
  }
  std::uint32_t in_back(unsigned r) const override { return ports_[r]->in_ready.read(); }
  bool out_valid(unsigned r) const override { return ports_[r]->out_valid.read(); }
  wide_flit out_flit(unsigned r) const override { return flit_bits<Flit>::to(ports_[r]->out_flit.read()); }
  void set_out_back(unsigned r, std::uint32_t back) override { ports_[r]->out_ready.write(back != 0); }
  void eval() override {}
  void clock_edge() override {}

 private:
  std::vector<std::unique_ptr<port>> ports_;
};

/// Between a node and a router behind signals.
class signal_adapter final : public router_adapter {
 public:
  /// @param router  bound to the signals and to the network's clock
  signal_adapter(const node_context& context, adapter_config config, std::unique_ptr<router_pins> signals,
                 std::unique_ptr<sc_core::sc_module> router);
  ~signal_adapter() override;

 private:
  void clock(cycle_t now) override;

  std::unique_ptr<sc_core::sc_module> router_;
  std::vector<bool> offered_;
  std::vector<std::uint32_t> ready_;
};

}  // namespace toriscope

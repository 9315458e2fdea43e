// SPDX-License-Identifier: Apache-2.0
// The pins of a user's router, built on demand: an instance of `toriscope_pins` (pin_wrapper.h).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rtl_models/on_demand/rtl_library.h"
#include "rtl_models/on_demand/traced_clock.h"
#include "rtl_models/user_rtl/router_pins.h"

namespace toriscope {

class built_pins final : public router_pins {
 public:
  struct shape {
    unsigned ports, flit_bits, vcs, clocks_per_cycle;
  };

  /// Resets the router. @param ties  values of the inputs that never change
  built_pins(std::shared_ptr<const rtl_library> library, const rtl_instance_start& start, shape of,
             const std::vector<std::int64_t>& ties, unsigned reset_clocks);

  void set_in(unsigned port, bool valid, const wide_flit& flit) override;
  std::uint32_t in_back(unsigned port) const override;
  bool out_valid(unsigned port) const override { return out_valid_.get(port, 1) != 0; }
  wide_flit out_flit(unsigned port) const override { return flit_at(out_flit_, port); }
  void set_out_back(unsigned port, std::uint32_t back) override;
  void eval() override { instance_.evaluate(); }
  void clock_edge() override { clock_.edge(); }
  void run_ends() override { clock_.stop_trace(); }
  bool is_clocked_with_others() const override { return !clock_.traces(); }

  // What set_in() and set_out_back() have driven.
  bool in_valid(unsigned port) const { return in_valid_.get(port, 1) != 0; }
  wide_flit in_flit(unsigned port) const { return flit_at(in_flit_, port); }
  std::uint32_t out_back(unsigned port) const {
    return static_cast<std::uint32_t>(out_back_.get(port * shape_.vcs, shape_.vcs));
  }

  const shape& size() const { return shape_; }
  rtl_instance& instance() { return instance_; }
  /// Its waveform, if the library was built with_trace.
  traced_clock& clock() { return clock_; }

 private:
  /// Calls piece(first bit, bits) for the words of a flit.
  template <class Piece>
  void for_pieces(Piece&& piece) const {
    for (unsigned b = 0; b < shape_.flit_bits; b += 32)
      piece(b, std::min(shape_.flit_bits - b, 32u));
  }

  wide_flit flit_at(const rtl_bits& pins, unsigned port) const;

  rtl_instance instance_;
  const shape shape_;
  traced_clock clock_;
  rtl_bits rst_, in_valid_, in_flit_, in_back_, out_valid_, out_flit_, out_back_;
};

}  // namespace toriscope

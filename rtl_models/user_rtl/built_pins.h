// SPDX-License-Identifier: Apache-2.0
// The pins of a user's router, built on demand: an instance of `toriscope_pins` (pin_wrapper.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rtl_models/on_demand/rtl_library.h"
#include "rtl_models/user_rtl/router_pins.h"

namespace toriscope {

class built_pins final : public router_pins {
 public:
  struct shape {
    unsigned ports, flit_bits, vcs;
  };

  /// Resets the router. @param ties  values of the inputs that never change
  built_pins(std::shared_ptr<const rtl_library> library, const rtl_instance_start& start, shape of,
             const std::vector<std::uint64_t>& ties, unsigned reset_clocks);

  void set_in(unsigned port, bool valid, const wide_flit& flit) override;
  std::uint32_t in_back(unsigned port) const override;
  bool out_valid(unsigned port) const override { return out_valid_.get(port, 1) != 0; }
  wide_flit out_flit(unsigned port) const override;
  void set_out_back(unsigned port, std::uint32_t back) override;
  void eval() override { instance_.evaluate(); }
  void clock_edge() override;
  bool is_clocked_with_others() const override { return true; }

  rtl_instance& instance() { return instance_; }

 private:
  /// Calls piece(first bit, bits) for the words of a flit.
  template <class Piece>
  void for_pieces(Piece&& piece) const {
    for (unsigned b = 0; b < shape_.flit_bits; b += 32)
      piece(b, shape_.flit_bits - b < 32 ? shape_.flit_bits - b : 32);
  }

  rtl_instance instance_;
  const shape shape_;
  rtl_bits clk_, rst_, in_valid_, in_flit_, in_back_, out_valid_, out_flit_, out_back_;
};

}  // namespace toriscope

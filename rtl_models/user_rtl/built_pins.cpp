// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/built_pins.h"

#include "rtl_models/rtl_router.h"

namespace toriscope {

built_pins::built_pins(std::shared_ptr<const rtl_library> library, const rtl_instance_start& start, shape of,
                       const std::vector<std::int64_t>& ties, unsigned reset_clocks)
    : instance_(std::move(library), start),
      shape_(of),
      clock_(instance_, "clk_i", of.clocks_per_cycle),
      rst_(instance_.pin("rst_i")),
      in_valid_(instance_.pin("in_valid_i")),
      in_flit_(instance_.pin("in_flit_i")),
      in_back_(instance_.pin("in_back_o")),
      out_valid_(instance_.pin("out_valid_o")),
      out_flit_(instance_.pin("out_flit_o")),
      out_back_(instance_.pin("out_back_i")) {
  rtl_bits tie_pin = instance_.pin("ties_i");
  for (unsigned i = 0; i < ties.size(); ++i) tie_pin.set(i * 64, 64, static_cast<std::uint64_t>(ties[i]));
  for (unsigned p = 0; p < of.ports; ++p) {
    set_in(p, false, {});
    set_out_back(p, 0);
  }
  const auto settle = [this] {
    try {
      instance_.evaluate();
    } catch (const rtl_assertion&) {
      // Before the reset is over, registers hold anything.
    }
  };
  rtl_bits clk = instance_.pin("clk_i");
  // An asynchronous reset wants to see its edge.
  for (const unsigned reset : {0u, 1u}) {
    rst_.set(reset);
    clk.set(0);
    settle();
  }
  for (unsigned c = 0; c < reset_clocks; ++c)
    for (const unsigned level : {0u, 1u}) {
      clk.set(level);
      settle();
    }
  rst_.set(0);
  settle();
}

void built_pins::set_in(unsigned port, bool valid, const wide_flit& flit) {
  in_valid_.set(port, 1, valid ? 1 : 0);
  for_pieces([&](unsigned b, unsigned n) { in_flit_.set(port * shape_.flit_bits + b, n, flit[b / 32]); });
}

std::uint32_t built_pins::in_back(unsigned port) const {
  return static_cast<std::uint32_t>(in_back_.get(port * shape_.vcs, shape_.vcs));
}

wide_flit built_pins::flit_at(const rtl_bits& pins, unsigned port) const {
  wide_flit flit{};
  for_pieces([&](unsigned b, unsigned n) {
    flit[b / 32] = static_cast<std::uint32_t>(pins.get(port * shape_.flit_bits + b, n));
  });
  return flit;
}

void built_pins::set_out_back(unsigned port, std::uint32_t back) {
  out_back_.set(port * shape_.vcs, shape_.vcs, back);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "links/flit.h"

#include <stdexcept>

#include "base/bits_for.h"

namespace toriscope {
namespace {

constexpr unsigned min_tag_bits = 20;

std::string field(const char* name, unsigned first, unsigned bits) {
  if (bits == 0) return std::string(name) + " none";
  std::string text = std::string(name) + " " + std::to_string(first);
  if (bits > 1) text += ".." + std::to_string(first + bits - 1);
  return text;
}

}  // namespace

flit_layout::flit_layout(std::uint64_t nodes, unsigned state_bits)
    : destination_bits_(bits_for(nodes)), state_bits_(state_bits) {
  const unsigned used = flit_word::control_bits + destination_bits_ + state_bits_;
  if (used + min_tag_bits > 64)
    throw std::invalid_argument("the flit word has 64 bits: 7 of control, " +
                                std::to_string(destination_bits_) + " of destination and " +
                                std::to_string(state_bits_) + " of route state leave fewer than " +
                                std::to_string(min_tag_bits) + " for the packet tag");
}

std::string flit_layout::describe() const {
  return "valid 0, head 1, tail 2, " + field("vc", flit_word::vc_shift, flit_word::vc_bits) + ", " +
         field("dst", destination_shift(), destination_bits_) + ", " +
         field("state", state_shift(), state_bits_) + ", " + field("tag", tag_shift(), tag_bits());
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/ttn/ttn_shape.h"

#include <algorithm>

namespace toriscope {

namespace {

constexpr std::uint8_t at(unsigned row, unsigned column) {
  return static_cast<std::uint8_t>(4 * row + column);
}

struct gate_block {
  ttn_gates v;
  ttn_gates h;
};

// With q = 0, Level l uses block l-2. Each of the 16 free ports of a BM is in exactly one block.
constexpr gate_block blocks[] = {
    {{at(0, 0), at(0, 0)}, {at(0, 3), at(0, 3)}},  // forced by Table 1
    {{at(3, 0), at(3, 0)}, {at(3, 3), at(3, 3)}},  // forced by Table 1 and the worked example
    {{at(0, 2), at(0, 1)}, {at(2, 0), at(1, 0)}},  // chosen: Eq. 5
    {{at(3, 2), at(3, 1)}, {at(2, 3), at(1, 3)}},  // chosen: Eq. 5
};

// STTN: Level l uses side l-2, its ports in the order V out, V in, H out, H in.
constexpr gate_block sides[] = {
    {{at(0, 0), at(0, 1)}, {at(0, 2), at(0, 3)}},  // top
    {{at(3, 3), at(3, 2)}, {at(3, 1), at(3, 0)}},  // bottom
    {{at(0, 3), at(1, 3)}, {at(2, 3), at(3, 3)}},  // right
    {{at(3, 0), at(2, 0)}, {at(1, 0), at(0, 0)}},  // left
};

/// The text does not say which ports the further groups take. Here: the next free blocks of the same kind.
unsigned block_of(const ttn_shape& shape, unsigned level, unsigned group) {
  const unsigned levels_above_the_bm = shape.levels - 1;
  return level - 2 + group * levels_above_the_bm;
}

}  // namespace

const char* to_string(ttn_kind kind) {
  static const char* const names[] = {"ttn", "tesh", "sttn"};
  return names[static_cast<unsigned>(kind)];
}

std::string ttn_in_words(ttn_kind kind) {
  static const char* const names[] = {"TTN", "TESH", "STTN"};
  return names[static_cast<unsigned>(kind)];
}

std::string ttn_in_words(const ttn_shape& shape) {
  return ttn_in_words(shape.kind) + "(2," + std::to_string(shape.levels) + "," +
         std::to_string(shape.connectivity) + ")";
}

ttn_gates ttn_gates_of(const ttn_shape& shape, unsigned digit, unsigned group) {
  const gate_block* const all = shape.kind == ttn_kind::sttn ? sides : blocks;
  const gate_block& block = all[block_of(shape, ttn_level(digit), group)];
  return ttn_horizontal(digit) ? block.h : block.v;
}

unsigned ttn_bm_distance(const ttn_shape& shape, unsigned from, unsigned to) {
  const auto along = [&](unsigned a, unsigned b) {
    return shape.mesh_modules() ? std::max(a, b) - std::min(a, b) : std::min((a - b) & 3, (b - a) & 3);
  };
  return along(from >> 2, to >> 2) + along(from & 3, to & 3);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

std::string rdt_class_name(unsigned class_number) {
  return "(" + std::to_string(class_number % 4) + "," + std::to_string(class_number / 4) + ")";
}

//                          (0,0) (1,0) (2,0) (3,0) (0,1) (1,1) (2,1) (3,1)
rdt_assignment rdt_alpha() { return {2, 1, 4, 3, 4, 3, 2, 1}; }
rdt_assignment rdt_beta() { return {2, 1, 4, 3, 1, 2, 1, 2}; }

rdt_offset rdt_step(unsigned rank, unsigned direction) {
  // A step of rank r+1 is two of rank r in h and two in v: the axes turn by 45 degrees each time.
  rdt_offset h{1, 0};
  rdt_offset v{0, 1};
  for (; rank > 0; --rank) {
    const rdt_offset sum{2 * (h.dx + v.dx), 2 * (h.dy + v.dy)};
    v = {2 * (h.dx - v.dx), 2 * (h.dy - v.dy)};
    h = sum;
  }
  const rdt_offset step = direction == h_plus || direction == h_minus ? h : v;
  return direction == h_plus || direction == v_plus ? step : rdt_offset{-step.dx, -step.dy};
}

unsigned rdt_shape::usable_ranks() const {
  unsigned ranks = 0;
  while (ranks < rdt_max_ranks && rdt_step(ranks + 1, h_plus).dx < static_cast<int>(size)) ++ranks;
  return ranks;
}

}  // namespace toriscope

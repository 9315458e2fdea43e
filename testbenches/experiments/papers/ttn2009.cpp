// SPDX-License-Identifier: Apache-2.0
// Rahman, Inoguchi, Sato, Horiguchi 2009.
#include "testbenches/experiments/papers/paper_registry.h"
#include "testbenches/experiments/papers/ttn2009_items.h"

namespace toriscope {

paper ttn2009() {
  paper p{
      "ttn2009",
      "TTN: A High Performance Hierarchical Interconnection Network for Massively Parallel Computers",
      "M.M. Hafizur Rahman, Y. Inoguchi, Y. Sato, S. Horiguchi, IEICE Trans. Inf. & Syst. E92-D(5), 2009"};
  add_ttn_table(p);
  add_ttn_text(p);
  add_ttn_curves(p);
  return p;
}

}  // namespace toriscope

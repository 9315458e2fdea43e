// SPDX-License-Identifier: Apache-2.0
// Rahman, Inoguchi, Sato, Horiguchi 2009.
#include "testbenches/papers/paper_registry.h"
#include "testbenches/papers/published_items.h"

namespace toriscope {

paper ttn2009(effort) {
  paper p{"ttn2009",
          "TTN: A High Performance Hierarchical Interconnection Network for Massively Parallel Computers",
          "M.M. Hafizur Rahman, Y. Inoguchi, Y. Sato, S. Horiguchi, IEICE Trans. Inf. & Syst. E92-D(5), 2009",
          {published_item("ttn2009-table1", "Table 1"), published_item("ttn2009-text", "Text")}};
  return p;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Rahman, Inoguchi, Sato, Horiguchi 2009.
#include "testbenches/papers/paper_registry.h"
#include "testbenches/papers/published_items.h"
#include "testbenches/papers/ttn2009_dynamics.h"

namespace toriscope {

paper ttn2009(effort how) {
  paper p{"ttn2009",
          "TTN: A High Performance Hierarchical Interconnection Network for Massively Parallel Computers",
          "M.M. Hafizur Rahman, Y. Inoguchi, Y. Sato, S. Horiguchi, IEICE Trans. Inf. & Syst. E92-D(5), 2009",
          {published_item("ttn2009-table1", "Table 1"), published_item("ttn2009-text", "Text")}};
  ttn_dynamics dynamic = ttn_dynamic_items(how);
  p.curves = std::move(dynamic.curves);
  for (paper_item& item : dynamic.items) p.items.push_back(std::move(item));
  return p;
}

}  // namespace toriscope

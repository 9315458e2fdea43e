// SPDX-License-Identifier: Apache-2.0
// Fan, Yang, Funahashi, Amano 1999: static figures only.
#include "testbenches/papers/paper_registry.h"
#include "testbenches/papers/published_items.h"

namespace toriscope {

paper rdt(effort how) {
  paper p{"rdt",
          "A Torus Assignment for an Interconnection Network Recursive Diagonal Torus",
          "Q. Fan, Y. Yang, A. Funahashi, H. Amano, 1999",
          {published_item("rdt-table1", "Table 1", how == effort::quick ? "65536" : ""),
           published_item("rdt-table2", "Table 2"), published_item("rdt-figure4", "Fig. 4"),
           published_item("rdt-text", "Text")}};
  return p;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Al Faisal, Rahman 2009: static figures only.
#include "testbenches/papers/paper_registry.h"
#include "testbenches/papers/published_items.h"

namespace toriscope {

paper sttn2009(effort) {
  paper p{"sttn2009",
          "Symmetric Tori Connected Torus Network",
          "F. Al Faisal, M.M. Hafizur Rahman, 12th Int. Conf. on Computer and Information Technology, 2009",
          {published_item("sttn2009", "Table 1, Figs. 4-7, Eq. 4"), published_item("sttn2009-text", "Text")}};
  return p;
}

}  // namespace toriscope

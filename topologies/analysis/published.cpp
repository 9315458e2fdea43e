// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/published.h"

namespace toriscope {

const char* to_string(quantity q) {
  switch (q) {
    case quantity::degree:
      return "degree";
    case quantity::diameter:
      return "diameter";
    case quantity::cost:
      return "cost";
    case quantity::mean:
      return "average distance";
    case quantity::arc_connectivity:
      return "arc connectivity";
    case quantity::bisection:
      return "bisection width";
    case quantity::wiring:
      return "wiring complexity";
  }
  return "";
}

const std::vector<published_table>& published_tables() {
  static const std::vector<published_table> tables = {ttn_table(),      ttn_text(),      sttn_table(),
                                                      sttn_text(),      rdt_diameters(), rdt_averages(),
                                                      rdt_local_area(), rdt_text()};
  return tables;
}

}  // namespace toriscope

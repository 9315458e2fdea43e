// SPDX-License-Identifier: Apache-2.0
// What the papers print about networks: numbers of tables, claims of figures (whose curves are lost, so that
// only what the text says of them is left), and what is known of those that do not come out.
//
// A printed network may be read in several ways. The first reading is this project's; where it does not give
// the printed number, another one that does explains it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "topologies/analysis/analysis_store.h"

namespace toriscope {

enum class quantity { degree, diameter, cost, mean, arc_connectivity, bisection, wiring };

const char* to_string(quantity q);

/// Where diameter and mean are taken from.
enum class distance_kind { shortest, routed };

struct published_reading {
  network_choice network;
  distance_kind distances = distance_kind::shortest;
  std::string words;  ///< "TTN(2,2,0) with full-duplex rings"; of the first one: empty
};

struct published_value {
  quantity what;
  double printed;
  unsigned decimals = 0;
  std::string reason{};  ///< why the first reading differs, where it does
};

struct published_row {
  std::string network;  ///< as printed
  std::vector<published_reading> readings;
  std::vector<published_value> values;
};

struct claim_verdict {
  bool holds;
  std::string ours;  ///< our numbers behind it; where it does not hold, why
};

struct published_claim {
  std::string words;
  std::function<claim_verdict(analysis_store&)> check;
};

struct published_table {
  std::string name;  ///< "ttn2009-table1": what --compare takes
  std::string title;
  std::string source;
  bool with_cuts = false;  ///< arc connectivity is among the values
  std::vector<published_row> rows;
  std::vector<published_claim> claims{};
};

const std::vector<published_table>& published_tables();

published_table ttn_table();       ///< Rahman et al. 2009, Table 1
published_table ttn_text();        ///< the same, what Sects. 2-4 say in words and formulas
published_table sttn_table();      ///< Al Faisal, Rahman 2009, Table 1 and Figs. 4-7
published_table sttn_text();       ///< the same, Eq. 3 and what else Sects. II-VI say
published_table rdt_diameters();   ///< Fan et al. 1999, Table 1
published_table rdt_averages();    ///< Fan et al. 1999, Table 2
published_table rdt_local_area();  ///< Fan et al. 1999, Fig. 4
published_table rdt_text();        ///< the same, what else is said

}  // namespace toriscope

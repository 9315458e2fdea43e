// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009, Table 1. Distances are those of Sects. 4.2 and 4.4: shortest paths, distinct pairs;
// links between modules are one-way (Sect. 2.2).
#include <fmt/format.h>

#include "base/words.h"
#include "testbenches/experiments/papers/ttn2009_items.h"

namespace toriscope {

namespace {

const char* const counts_twice =
    "Eq. 6 counts every inter-BM link twice, at either end: ports, not links; it gives what is printed";
const char* const counts_twice_without_wraps =
    "printed is k^(2(L-1)) (2k(k-1) + 4 2^q (L-1)), Eq. 6 with the links of a mesh inside the modules; like "
    "Eq. 6 it "
    "counts every inter-BM link twice, at either end";
const char* const top_level_cut =
    "the cut of the top level has 2^(m(2L-3)+1+q) links (the right side of Eq. 4 of Al Faisal, Rahman 2009, "
    "times 2^q); "
    "printed is what that gives for 256 nodes";
const char* const all_pairs =
    "printed is k/2, the mean over all pairs; Sect. 4.4 defines distinct pairs, and takes conventional "
    "networks by "
    "formulae that it does not print";
const char* const all_ports =
    "by maximum flow; all 16 free ports of a BM are in use, whatever the gates, so that every node has four "
    "links";

/// Degree, diameter, cost, mean and arc connectivity as printed; bisection and wiring follow.
std::vector<printed_value> values(double degree, double diameter, double cost, double mean, double arcs,
                                  double bisection, double wiring) {
  return {{quantity::degree, degree}, {quantity::diameter, diameter},     {quantity::cost, cost},
          {quantity::mean, mean, 2},  {quantity::arc_connectivity, arcs}, {quantity::bisection, bisection},
          {quantity::wiring, wiring}};
}

printed_value& value_of(printed_row& row, const network_measure& what) {
  for (printed_value& value : row.values)
    if (value.what == what) return value;
  return row.values.front();
}

void explain(printed_row& row, const network_measure& what, const std::string& reason) {
  value_of(row, what).reason = reason;
}

/// A row of TTN or TESH: one-way rings, and full-duplex ones beside them.
printed_row hierarchical(const std::string& name, const std::string& spec,
                         std::vector<printed_value> printed) {
  printed_row row{name, {spec, "U"}, std::move(printed)};
  row.reading = "one-way links between modules";
  if (begins_with(name, "TESH") && name.find(",0)") != std::string::npos)
    row.reading +=
        std::string(
            "; gates: those of TTN, which is a TESH with tori for meshes (Sect. 1); as routed they "
            "give the printed mean") +
        (name == "TESH(2,3,0)" ? " with full-duplex rings" : "");
  row.others = {{{spec, "B"}, "full-duplex rings"}};
  explain(row, quantity::wiring, begins_with(name, "TESH") ? counts_twice_without_wraps : counts_twice);
  return row;
}

printed_row flat(const std::string& name, const std::string& spec, std::vector<printed_value> printed) {
  return {name, {spec, "U", "", false}, std::move(printed)};
}

/// q > 0: what depends on the gates is open. @param all  of a BM's ports are in use
///
/// Arc connectivity of a TTN is 4 with any gates: the inner nodes of a BM have no ports, thus four links;
/// and a cut goes through a 4x4 torus, at least four links, or between modules, with four bundles around
/// each. Degree: 6 is that of a corner with both of its ports in use.
void leave_gates_open(printed_row& row, bool all) {
  for (const network_measure& what : {quantity::diameter, quantity::mean, quantity::cost})
    value_of(row, what).open = open_gates;
  const bool tesh = begins_with(row.network, "TESH");
  if (tesh && all) explain(row, quantity::arc_connectivity, all_ports);
  if (tesh && !all) value_of(row, quantity::arc_connectivity).open = open_gates;
  if (!tesh && !all) value_of(row, quantity::degree).open = open_gates;
  const char* const same = all    ? "degree, cut, links and arc connectivity"
                           : tesh ? "degree, cut and links"
                                  : "cut, links and arc connectivity";
  row.reading += fmt::format("; gates: ours; {}, where judged, are the same with any", same);
}

/// q = 0: the text has two definitions of a TTN's diameter.
void leave_diameter_open(printed_row& row) {
  for (const network_measure& what : {quantity::diameter, quantity::cost})
    value_of(row, what).open =
        "Sect. 4.2 defines the diameter by shortest paths and calculates it by Eq. 5, the longest route: 15 "
        "with 256 "
        "nodes, 24 with 4096";
}

std::vector<printed_row> rows_of_256() {
  std::vector<printed_row> rows = {
      flat("2D-Mesh 16x16", "mesh:16x16", values(4, 30, 120, 10.67, 2, 16, 480)),
      flat("2D-Torus 16x16", "torus:16x16", values(4, 16, 64, 8, 4, 32, 512)),
      hierarchical("TESH(2,2,0)", "tesh:2,2,0", values(4, 21, 84, 10.47, 2, 8, 448)),
      hierarchical("TESH(2,2,1)", "tesh:2,2,1", values(4, 19, 76, 9.53, 2, 16, 512)),
      hierarchical("TESH(2,2,2)", "tesh:2,2,2", values(4, 16, 64, 7.80, 2, 32, 640)),
      hierarchical("TTN(2,2,0)", "ttn:2,2,0", values(6, 15, 90, 7.44, 4, 8, 576)),
      hierarchical("TTN(2,2,1)", "ttn:2,2,1", values(6, 13, 78, 6.34, 4, 16, 640)),
  };
  explain(rows[1], quantity::mean, all_pairs);
  leave_diameter_open(rows[5]);
  leave_gates_open(rows[3], false);
  leave_gates_open(rows[4], true);
  leave_gates_open(rows[6], false);
  rows[6].others.push_back({{"ttn:2,2,0", "B"}, "TTN(2,2,0) with full-duplex rings"});
  return rows;
}

std::vector<printed_row> rows_of_4096() {
  std::vector<printed_row> rows;
  rows.push_back(flat("2D-Mesh 64x64", "mesh:64x64", values(4, 126, 504, 42.67, 2, 64, 8064)));
  rows.push_back(flat("2D-Torus 64x64", "torus:64x64", values(4, 64, 256, 32, 4, 128, 8192)));
  printed_row mh3dt{"MH3DT(4,4,2,2)", {"mh3dt:4,4,2,2", "U"}, values(8, 18, 144, 9.37, 6, 128, 12864)};
  explain(mh3dt, quantity::wiring, "printed are the links without the wrap links of Level 2: 12288 + 576");
  for (const network_measure& what : {quantity::degree, quantity::diameter, quantity::cost, quantity::mean})
    value_of(mh3dt, what).open = open_mh3dt_gates;
  mh3dt.reading =
      "gates: ours; arc connectivity (that of an inner node with its 6 links), cut and links are the same with any";
  rows.push_back(mh3dt);
  rows.push_back(hierarchical("TESH(2,3,0)", "tesh:2,3,0", values(4, 32, 128, 17.80, 2, 8, 8192)));
  rows.push_back(hierarchical("TESH(2,3,1)", "tesh:2,3,1", values(4, 28, 112, 14.53, 2, 16, 10240)));
  rows.push_back(hierarchical("TTN(2,3,0)", "ttn:2,3,0", values(6, 24, 144, 12.60, 4, 8, 10240)));
  rows.push_back(hierarchical("TTN(2,3,1)", "ttn:2,3,1", values(6, 20, 120, 10.59, 4, 16, 12288)));
  rows.push_back(flat("CCC(9)", "ccc:9", values(3, 22, 66, 12.75, 3, 256, 6912)));
  for (const std::size_t i : {3, 4, 5, 6}) explain(rows[i], quantity::bisection, top_level_cut);
  explain(
      rows[3], quantity::arc_connectivity,
      "by maximum flow; with gates for two levels at the corners every node has three links and more; 2 is "
      "that of TESH(2,2,0)");
  explain(rows[1], quantity::mean, all_pairs);
  value_of(rows[5], quantity::mean).open =
      "Sect. 4.4 takes hierarchical networks by simulation, which may mean routed distances: they give what "
      "is "
      "printed, shortest paths do not";
  leave_diameter_open(rows[5]);
  leave_gates_open(rows[4], true);
  leave_gates_open(rows[6], true);
  rows[6].others.push_back({{"ttn:2,3,0", "B"}, "TTN(2,3,0) with full-duplex rings"});
  explain(rows[7], quantity::diameter, "printed is floor(5n/2) = 22; the diameter is floor(5n/2) - 2");
  explain(rows[7], quantity::mean,
          "printed is what 7n/4 - 3 gives; Sect. 4.4 takes conventional networks by formulae that it does "
          "not print");
  return rows;
}

}  // namespace

void add_ttn_table(paper& p) {
  for (const auto& rows : {rows_of_256(), rows_of_4096()})
    for (const printed_row& row : rows) p.add(row_item("Table 1", row, true));
}

}  // namespace toriscope

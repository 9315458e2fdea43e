// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009, Table 1.
#include "topologies/analysis/published.h"

namespace toriscope {

namespace {

const char* const counts_twice =
    "Eq. 6 counts every inter-BM link twice, at either end: ports, not links (our count by that formula "
    "agrees)";
const char* const top_level_cut =
    "the cut of the top level has 2^(m(2L-3)+1+q) links (Al Faisal, Rahman 2009, Eq. 4); printed is what "
    "that "
    "gives for 256 nodes";
const char* const full_duplex = "the row is that of full-duplex rings, as Fig. 4 routes, not of one-way ones";
const char* const open_gates = "the text does not determine the gates of q > 0";
const char* const no_gates =
    "the text does not determine the gates of q > 0; with ours, neither one-way nor full-duplex rings give "
    "it";
const char* const three_links =
    "by maximum flow; every node has three links and more, for all corners of a BM are gates; 2 is that of "
    "TESH(2,2,0)";

/// Degree, diameter, cost, mean and arc connectivity as printed; bisection and wiring follow.
std::vector<published_value> values(double degree, double diameter, double cost, double mean,
                                    unsigned decimals, double arcs, double bisection, double wiring) {
  return {
      {quantity::degree, degree},       {quantity::diameter, diameter},     {quantity::cost, cost},
      {quantity::mean, mean, decimals}, {quantity::arc_connectivity, arcs}, {quantity::bisection, bisection},
      {quantity::wiring, wiring}};
}

/// A row of TTN or TESH: routed distances, one-way rings.
published_row hierarchical(const std::string& name, const std::string& spec,
                           std::vector<published_value> printed) {
  return {name, {{{spec, "U"}, distance_kind::routed, ""}}, std::move(printed)};
}

published_row flat(const std::string& name, const std::string& spec, std::vector<published_value> printed) {
  return {name, {{{spec, "U", "", "", false}, distance_kind::shortest, ""}}, std::move(printed)};
}

void add_reading(published_row& row, const std::string& spec, const std::string& words) {
  row.readings.push_back({{spec, "B"}, distance_kind::routed, words});
}

void explain(published_row& row, quantity what, const std::string& reason) {
  for (published_value& value : row.values)
    if (value.what == what) value.reason = reason;
}

void explain_distances(published_row& row, const std::string& reason) {
  for (const quantity what : {quantity::diameter, quantity::cost, quantity::mean}) explain(row, what, reason);
}

std::vector<published_row> rows_of_256() {
  std::vector<published_row> rows;
  rows.push_back(flat("2D-Mesh 16x16", "mesh:16x16", values(4, 30, 120, 10.67, 2, 2, 16, 480)));
  rows.push_back(flat("2D-Torus 16x16", "torus:16x16", values(4, 16, 64, 8, 0, 4, 32, 512)));
  rows.push_back(hierarchical("TESH(2,2,0)", "tesh:2,2,0", values(4, 21, 84, 10.47, 2, 2, 8, 448)));
  rows.push_back(hierarchical("TESH(2,2,1)", "tesh:2,2,1", values(4, 19, 76, 9.53, 2, 2, 16, 512)));
  rows.push_back(hierarchical("TESH(2,2,2)", "tesh:2,2,2", values(4, 16, 64, 7.80, 2, 2, 32, 640)));
  rows.push_back(hierarchical("TTN(2,2,0)", "ttn:2,2,0", values(6, 15, 90, 7.44, 2, 4, 8, 576)));
  rows.push_back(hierarchical("TTN(2,2,1)", "ttn:2,2,1", values(6, 13, 78, 6.34, 2, 4, 16, 640)));
  for (published_row& row : rows) explain(row, quantity::wiring, counts_twice);
  for (const std::size_t i : {3, 4}) explain(rows[i], quantity::arc_connectivity, three_links);
  explain_distances(rows[4], no_gates);
  add_reading(rows[4], "tesh:2,2,2", "TESH(2,2,2) with full-duplex rings");
  explain_distances(rows[6], open_gates);
  explain(rows[6], quantity::mean,
          "the row is that of TTN(2,2,0) with full-duplex rings, whose mean is 6.4375; printed with digits "
          "exchanged, it seems");
  add_reading(rows[6], "ttn:2,2,1", "TTN(2,2,1) with full-duplex rings");
  add_reading(rows[6], "ttn:2,2,0", "TTN(2,2,0) with full-duplex rings");
  return rows;
}

std::vector<published_row> rows_of_4096() {
  std::vector<published_row> rows;
  rows.push_back(flat("2D-Mesh 64x64", "mesh:64x64", values(4, 126, 504, 42.67, 2, 2, 64, 8064)));
  rows.push_back(flat("2D-Torus 64x64", "torus:64x64", values(4, 64, 256, 32, 0, 4, 128, 8192)));
  rows.push_back(hierarchical("MH3DT(4,4,2,2)", "mh3dt:4,4,2,2", values(8, 18, 144, 9.37, 2, 6, 128, 12864)));
  rows.push_back(hierarchical("TESH(2,3,0)", "tesh:2,3,0", values(4, 32, 128, 17.80, 2, 2, 8, 8192)));
  rows.push_back(hierarchical("TESH(2,3,1)", "tesh:2,3,1", values(4, 28, 112, 14.53, 2, 2, 16, 10240)));
  rows.push_back(hierarchical("TTN(2,3,0)", "ttn:2,3,0", values(6, 24, 144, 12.60, 2, 4, 8, 10240)));
  rows.push_back(hierarchical("TTN(2,3,1)", "ttn:2,3,1", values(6, 20, 120, 10.59, 2, 4, 16, 12288)));
  rows.push_back(flat("CCC(9)", "ccc:9", values(3, 22, 66, 12.75, 2, 3, 256, 6912)));
  rows[2].readings.push_back({{"mh3dt:4,4,2,2"}, distance_kind::shortest, "shortest paths"});
  explain(rows[2], quantity::wiring, "printed are the links without the wrap links of Level 2: 12288 + 576");
  explain_distances(rows[2],
                    "routing dimension by dimension takes more hops than the shortest paths printed");
  for (const std::size_t i : {3, 4, 5, 6}) {
    explain(rows[i], quantity::wiring, counts_twice);
    explain(rows[i], quantity::bisection, top_level_cut);
  }
  for (const std::size_t i : {3, 4}) explain(rows[i], quantity::arc_connectivity, three_links);
  explain_distances(rows[3], full_duplex);
  add_reading(rows[3], "tesh:2,3,0", "TESH(2,3,0) with full-duplex rings");
  explain_distances(rows[4], no_gates);
  add_reading(rows[4], "tesh:2,3,1", "TESH(2,3,1) with full-duplex rings");
  explain_distances(rows[6], open_gates);
  add_reading(rows[6], "ttn:2,3,1", "TTN(2,3,1) with full-duplex rings");
  add_reading(rows[6], "ttn:2,3,0", "TTN(2,3,0) with full-duplex rings");
  explain_distances(rows[7],
                    "printed are bounds, floor(5n/2) = 22 and 7n/4 - 3 = 12.75; by search 20 and 12.10");
  return rows;
}

}  // namespace

published_table ttn_table() {
  published_table table;
  table.name = "ttn2009-table1";
  table.title = "Static network performance of various networks";
  table.source = "Rahman et al. 2009, Table 1";
  table.with_cuts = true;
  table.rows = rows_of_256();
  for (published_row& row : rows_of_4096()) table.rows.push_back(std::move(row));
  return table;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The items of Rahman et al. 2009 (TTN), and what they share with Al Faisal, Rahman 2009 (STTN).
#pragma once

#include "testbenches/experiments/papers/paper.h"
#include "testbenches/experiments/papers/printed_rows.h"
#include "topologies/ttn/ttn_shape.h"

namespace toriscope {

void add_ttn_table(paper& p);   ///< Table 1
void add_ttn_text(paper& p);    ///< Sects. 2-4: lemmas, equations, sentences
void add_ttn_curves(paper& p);  ///< Sect. 5.4: Figs. 7-13
inline const char* const open_gates = "the text does not determine the gates of q > 0";
inline const char* const open_mh3dt_gates =
    "the text gives neither the gates of MH3DT nor the direction of its links (ours: full-duplex); the gates "
    "are chosen by the degree and the mean distance of Table 1";

/// "D_i is 7 at Levels 2 and 3, 13 at Levels 4 and 5".
paper_item hops_by_level_item(const std::string& name, ttn_kind kind, const std::string& why_not);
/// "A 4x4 BM has 16 free ports", where all of them are in use.
paper_item free_ports_item(const std::string& name, const std::string& spec);
/// The least degree x diameter of 4x4 tori joined by one-way rings of four (256 nodes, q = 0), over all places of
/// the gates at the contour of a module: a corner has two ports, any other node of it one. Shortest paths.
unsigned sttn_least_cost();
/// "The highest level is 2^(m-q) + 1". @param max_q  networks with more are not built
paper_item highest_level_item(const std::string& name, const std::string& kind, unsigned max_q);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// Rahman, Sato, Inoguchi 2012: its figures are lost in the copy at hand but for Table I and the text.
#include "testbenches/experiments/papers/htn2012_items.h"
#include "testbenches/experiments/papers/paper_registry.h"

namespace toriscope {

const std::vector<htn_row>& htn_table1() {
  static const std::vector<htn_row> rows = {
      {"Uniform", "Fig. 5", "uniform",
       {.04317, .04861}, {216.01, 203.23}, {58.40, 58.61}, {12.60, 6.29, .36}},
      {"Hot-Spot", "Fig. 6", "hotspot",
       {.03833, .04130}, {251.11, 227.41}, {57.59, 57.84}, {7.75, 10.42, .43}},
      {"Bit-Reversal", "Fig. 7", "bit_reversal",
       {.02951, .03281}, {287.09, 264.11}, {57.11, 57.39}, {11.18, 8.70, .49}},
      {"Bit-Flip", "Fig. 8", "bit_flip",
       {.03005, .03279}, {280.49, 261.38}, {57.16, 57.25}, {9.12, 7.31, .16}},
      {"Perfect Shuffle", "Fig. 9", "shuffle",
       {.03958, .04600}, {246.42, 243.19}, {58.31, 59.50}, {16.22, 1.33, .33}},
  };
  return rows;
}

paper htn2012() {
  paper p{
      "htn2012",
      "Dynamic Communication Performance Enhancement in Hierarchical Torus Network by Selection Algorithm",
      "M.M. Hafizur Rahman, Y. Sato, Y. Inoguchi, Journal of Networks 7(3), 2012, pp. 468-479"};
  add_htn_text(p);
  add_htn_curves(p);
  return p;
}

}  // namespace toriscope

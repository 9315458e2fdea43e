// SPDX-License-Identifier: Apache-2.0
// Wiring complexity as the papers' formulas count it - which is not always the number of links there are.
//
//   ttn, sttn  k^(2(L-1)) (2 k^2 + 4 2^q (L-1)), k = 4: counts every inter-BM link twice, once at either end
//              (Rahman et al. 2009, Eq. 6)
//   tesh       the same with 2 k (k-1) links in a BM: gives the printed numbers (Table 1)
//   mesh, torus, cube, ucube, hypercube   the links (Table 1: 480, 512, 8064, 8192)
//   mh3dt      BM links and Level-2 links without the wrap links (Table 1: 12864)
//   ccc        3 N / 2 (Table 1: 6912)
//   others     their papers give none
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace toriscope {

struct wiring_formula {
  std::uint64_t links;
  std::string words;  ///< formula and source
};

/// @param spec  in normal form: topology::spec
std::optional<wiring_formula> wiring_by_formula(const std::string& spec);

}  // namespace toriscope

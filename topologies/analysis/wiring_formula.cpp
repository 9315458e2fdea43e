// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/wiring_formula.h"

#include <algorithm>
#include <vector>

#include "topologies/topology_makers.h"

namespace toriscope {

namespace {

using numbers = std::vector<unsigned>;

std::uint64_t power(std::uint64_t base, unsigned exponent) {
  std::uint64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

/// Rahman et al. 2009, Eq. 6, and what it is for TESH.
std::uint64_t tori_connected(const numbers& n, bool torus_modules) {
  const std::uint64_t k = power(2, n[0]);
  const std::uint64_t in_module = torus_modules ? 2 * k * k : 2 * k * (k - 1);
  return power(k, 2 * (n[1] - 1)) * (in_module + 4 * power(2, n[2]) * (n[1] - 1));
}

/// Meshes and tori; a ring of 2 is one link.
std::uint64_t cube_links(const numbers& radices, bool wrap) {
  std::uint64_t nodes = 1;
  for (const unsigned k : radices) nodes *= k;
  std::uint64_t links = 0;
  for (const unsigned k : radices) links += nodes / k * (wrap && k > 2 ? k : k - 1);
  return links;
}

/// 3-D torus BMs of side m; n x n x n of them, 3 x 2^q links between neighbours, no wrap links.
std::uint64_t mh3dt_links(const numbers& n) {
  const std::uint64_t modules = power(n[1], 3);
  return modules * cube_links({n[0], n[0], n[0]}, true) + power(2, n[3]) * 3 * modules / n[1] * (n[1] - 1);
}

}  // namespace

std::optional<wiring_formula> wiring_by_formula(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string kind = spec.substr(0, colon);
  const auto given = [&](char separator) {
    return spec_numbers(spec, std::string_view(spec).substr(colon + 1), separator, spec);
  };
  if (kind == "ttn" || kind == "sttn" || kind == "tesh") {
    const numbers n = given(',');
    if (kind == "tesh")
      return wiring_formula{tori_connected(n, false),
                            "k^(2(L-1)) (2k(k-1) + 4 2^q (L-1)): Rahman et al. 2009, Table 1"};
    return wiring_formula{tori_connected(n, true),
                          "k^(2(L-1)) (2k^2 + 4 2^q (L-1)): Rahman et al. 2009, Eq. 6"};
  }
  if (kind == "mesh") return wiring_formula{cube_links(given('x'), false), "links of a mesh"};
  if (kind == "torus") return wiring_formula{cube_links(given('x'), true), "links of a torus"};
  if (kind == "cube" || kind == "ucube") {
    const numbers n = given(',');
    return wiring_formula{cube_links(numbers(n[1], n[0]), true), "n N; binary n-cube: n N / 2"};
  }
  if (kind == "hypercube")
    return wiring_formula{cube_links(numbers(given(',')[0], 2), true), "n N / 2: binary n-cube"};
  if (kind == "ccc") {
    const unsigned n = given(',')[0];
    return wiring_formula{3 * n * power(2, n) / 2, "3 N / 2: Rahman et al. 2009, Table 1"};
  }
  if (kind == "mh3dt") {
    const numbers n = given(',');
    if (n.size() == 4 && n[2] == 2)
      return wiring_formula{mh3dt_links(n), "without wrap links of Level 2: Rahman et al. 2009, Table 1"};
  }
  return std::nullopt;
}

}  // namespace toriscope

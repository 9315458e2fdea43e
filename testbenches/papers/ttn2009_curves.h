// SPDX-License-Identifier: Apache-2.0
// The curves behind Rahman et al. 2009, Sect. 5.4, and how two of them are compared.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbenches/papers/paper.h"

namespace toriscope {

using option_list = std::vector<std::pair<std::string, std::string>>;

/// A traffic pattern of Sect. 5.4, by its figure.
struct ttn_traffic {
  std::string figure;   ///< "Fig. 8 (b)"
  std::string words;    ///< "5 % hot-spot traffic"
  option_list options;  ///< of run
  bool quick = true;    ///< its throughputs are searched by --quick, too
};
const std::vector<ttn_traffic>& ttn_traffics();
const ttn_traffic& uniform_traffic();

/// A reading of what the paper leaves open: other options than those of Sect. 5.2.
struct ttn_reading {
  std::string name;                             ///< "mesh 1 VC, torus 2"; empty: as Sect. 5.2 says
  std::string why;                              ///< where the freedom comes from
  option_list options{};                        ///< of all networks
  option_list mesh{}, torus{}, hierarchical{};  ///< of these
};

inline constexpr double ttn_low_load = .002;

inline constexpr const char *ttn_q1 = "ttn:2,3,1", *tesh_q1 = "tesh:2,3,1", *ttn_q0 = "ttn:2,3,0",
                            *tesh_q0 = "tesh:2,3,0", *torus_4k = "torus:64x64", *mesh_4k = "mesh:64x64",
                            *mh3dt_4k = "mh3dt:4,4,2,2";

std::string curve_name(const ttn_traffic& traffic, const std::string& network, const ttn_reading& r = {});
/// @param search  for the throughput; else the low load only
wanted_curve ttn_curve(const ttn_traffic& traffic, const std::string& network, effort how, bool search,
                       const ttn_reading& r = {});

enum class order { higher, lower, open };

/// Of the throughputs.
order compare_throughputs(const measured_curve& a, const measured_curve& b);
/// "ttn:2,3,1 .0082 - .0094".
std::string bracket_text(const std::string& network, const measured_curve& curve);

/// "The throughput of A is higher (lower) than B's": of A's curve and B's.
verdict judge_throughputs(const std::string& item, const std::string& words, bool higher,
                          const std::pair<std::string, const measured_curve*>& a,
                          const std::pair<std::string, const measured_curve*>& b, const std::string& why_not);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// BookSim 2 and toriscope on the same work: do they agree on every pair's zero-load latency, and on the load
// that saturates mesh and torus under six patterns? Where brackets of saturation lie apart, toriscope runs
// again with one difference between the two taken away, which says whether that one is the reason.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbenches/experiments/peers/booksim.h"
#include "testbenches/experiments/peers/lone_packets.h"
#include "testbenches/experiments/peers/own_simulator.h"
#include "testbenches/experiments/peers/saturation.h"

namespace toriscope {

struct cross_check_settings {
  std::string program;            ///< toriscope
  std::string directory;          ///< for files of the runs
  std::vector<std::string> only;  ///< "mesh/pairs", "torus/uniform" ...; empty: all of it
  unsigned k = 8;                 ///< nodes in a dimension
  unsigned steps = 100;           ///< of the grid of loads, 0 .. 1
  unsigned seeds = 2;             ///< of every load
  unsigned pair_runs = 25;        ///< of BookSim 2, for the latencies of pairs
  std::uint64_t warmup = 1000;    ///< cycles, of a load
  std::uint64_t measured = 3000;  ///< cycles, of a load
};

/// Zero-load latencies of all pairs of one network.
struct pair_result {
  bool wraps = false;
  unsigned flits = 1;
  unsigned depth = 8;         ///< of a VC's buffer, in flits
  unsigned credit_delay = 0;  ///< cycles
  std::size_t pairs = 0;      ///< in the network, nodes to themselves included
  std::size_t compared = 0;   ///< of which BookSim 2 has an undisturbed packet
  std::size_t equal = 0;      ///< of these, up to the first difference
  std::string difference;     ///< the first one, in words; empty: none
  std::map<unsigned, std::map<std::uint64_t, unsigned>> by_routers;  ///< latencies, and how many pairs

  bool agrees() const { return compared == pairs && equal == pairs; }
};

/// toriscope with one difference taken away.
struct variant {
  std::string name;
  bool self = true;  ///< uniform traffic includes the own node
  std::vector<std::string> arguments;
};

/// One pattern on one network.
struct saturation_result {
  bool wraps = false;
  std::string traffic;
  load_bracket theirs;
  load_bracket ours;
  double full_theirs = 0;  ///< accepted at a load of 1
  double full_ours = 0;
  std::vector<std::pair<std::string, load_bracket>> variants;  ///< by name

  /// "agree", "explained: NAME" or "differ by 3 %".
  std::string verdict(unsigned steps) const;
};

class cross_check {
 public:
  using teller = std::function<void(const std::string&)>;

  cross_check(booksim& peer, cross_check_settings settings, teller tell);

  /// @param depth         flits of a VC's buffer; 4 are shorter than the credit loop
  /// @param credit_delay  cycles
  pair_result pairs(bool wraps, unsigned flits, unsigned depth = 8, unsigned credit_delay = 0);
  saturation_result saturation(bool wraps, const std::string& traffic);

  /// All of it; the table for people is shown as it comes. @return whether nothing is left unexplained
  bool run(const teller& show);
  nlohmann::ordered_json as_json() const;

 private:
  bool wanted(bool wraps, const std::string& part) const;
  own_simulator own(const variant& v) const;
  workload network(bool wraps) const;

  booksim& peer_;
  cross_check_settings settings_;
  teller tell_;
  std::vector<pair_result> pairs_;
  std::vector<saturation_result> saturations_;
};

/// What `only` may name.
std::vector<std::string> cross_check_parts();
/// The six patterns whose definitions are the same in both.
const std::vector<std::string>& patterns_of_both();
/// What may explain a difference, apart from chance.
std::vector<variant> variants_for(bool wraps, const std::string& traffic);

}  // namespace toriscope

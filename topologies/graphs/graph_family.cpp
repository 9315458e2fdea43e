// SPDX-License-Identifier: Apache-2.0
// Graphs without routing for the registry.
#include <numeric>
#include <stdexcept>

#include "topologies/families.h"
#include "topologies/graphs/graphs.h"
#include "topologies/topology_makers.h"

namespace toriscope {

namespace {

/// The numbers of a spec, as many as the usage has.
class graph_spec {
 public:
  graph_spec(const std::string& arguments, const topology_options& options, const std::string& usage,
             std::size_t count)
      : options_(options), spec_(options.spec), numbers_(spec_numbers(spec_, arguments, ',', usage)) {
    if (numbers_.size() != count)
      throw refuse("expected " + std::to_string(count) + (count == 1 ? " number: " : " numbers: ") + usage);
    if (options.vc_rule != "safe")
      throw refuse("VC rule '" + options.vc_rule +
                   "' is not made for it: a graph to analyse, without routing");
  }

  /// The i-th number. @throws unless it is least .. most
  unsigned number(std::size_t i, const std::string& name, unsigned least, unsigned most) const {
    if (numbers_[i] < least || numbers_[i] > most)
      throw refuse(name + " = " + std::to_string(numbers_[i]) + "; " + std::to_string(least) + " to " +
                   std::to_string(most) + " are supported");
    return numbers_[i];
  }
  void check_nodes(const std::vector<unsigned>& radices) const { checked_node_count(options_, radices); }

  topology made(std::shared_ptr<netlist> wiring) const {
    topology result;
    result.wiring = std::move(wiring);
    result.choice.spec = spec_.substr(0, spec_.find(':') + 1);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      result.choice.spec += (i == 0 ? "" : ",") + std::to_string(numbers_[i]);
    result.choice.links = "B";
    return result;
  }

 private:
  std::invalid_argument refuse(const std::string& why) const { return refusal(spec_, why); }

  const topology_options options_;
  std::string spec_;
  std::vector<unsigned> numbers_;
};

/// Ports of a node, the local one included, are at most 31: 2d shifts.
constexpr unsigned max_letters = (max_ports - 1) / 2;

topology make_de_bruijn(const std::string& arguments, const topology_options& options) {
  const graph_spec spec(arguments, options, "debruijn:2,12", 2);
  const unsigned d = spec.number(0, "d", 2, max_letters);
  const unsigned k = spec.number(1, "k", 1, 24);
  spec.check_nodes(std::vector<unsigned>(k, d));
  return spec.made(build_de_bruijn(d, k));
}

topology make_kautz(const std::string& arguments, const topology_options& options) {
  const graph_spec spec(arguments, options, "kautz:2,11", 2);
  const unsigned d = spec.number(0, "d", 2, max_letters);
  const unsigned k = spec.number(1, "k", 1, 24);
  std::vector<unsigned> radices(k, d);
  radices.front() = d + 1;
  spec.check_nodes(radices);
  return spec.made(build_kautz(d, k));
}

topology make_star(const std::string& arguments, const topology_options& options) {
  const graph_spec spec(arguments, options, "star:7", 1);
  const unsigned n = spec.number(0, "n", 2, 10);
  std::vector<unsigned> radices(n - 1);
  std::iota(radices.begin(), radices.end(), 2);
  spec.check_nodes(radices);
  return spec.made(build_star(n));
}

topology make_crossed_cube(const std::string& arguments, const topology_options& options) {
  const graph_spec spec(arguments, options, "crossed:12", 1);
  const unsigned n = spec.number(0, "n", 1, 20);
  spec.check_nodes(std::vector<unsigned>(n, 2));
  return spec.made(build_crossed_cube(n));
}

topology make_midimew(const std::string& arguments, const topology_options& options) {
  const graph_spec spec(arguments, options, "midimew:4096", 1);
  const unsigned nodes = spec.number(0, "N", 3, max_nodes);
  spec.check_nodes({nodes});
  topology result = spec.made(build_midimew(nodes));
  // A circulant graph: turning it changes nothing.
  result.cyclic_digits = 1;
  return result;
}

}  // namespace

topology_family graph_family() {
  topology_family family;
  family.kinds = {
      {"debruijn",
       "d,k",
       "de Bruijn graph, undirected: d^k words, an edge where a letter is shifted in",
       {"debruijn:2,12", "debruijn:3,4"},
       R"(d = 2..15. Degree at most 2d, diameter k. Loops (00..0) are dropped, parallel edges (0101.. and 1010..) are one.
Ports l0 l1 .. (shift left, that letter in), r0 r1 .. (shift right). To analyse only: no routing.)",
       "Samatham, Pradhan 1989 (The De Bruijn Multiprocessor Network)",
       make_de_bruijn,
       {}},
      {"kautz",
       "d,k",
       "Kautz graph, undirected: words of k letters of d+1 without equal neighbours",
       {"kautz:2,11", "kautz:3,3"},
       R"(d = 2..15; (d+1) d^(k-1) nodes, degree at most 2d, diameter k. Parallel edges are one. Ports as for debruijn.
To analyse only: no routing.)",
       "Bermond, Peyrat 1989 (De Bruijn and Kautz Networks: A Competitor for the Hypercube)",
       make_kautz,
       {}},
      {"star",
       "n",
       "star graph: n! permutations, an edge where the first symbol is exchanged with another",
       {"star:5", "star:7"},
       "n = 2..10. Degree n-1, diameter floor(3(n-1)/2). Ports s2 .. sn. To analyse only: no routing.",
       "Akers, Harel, Krishnamurthy 1987 (The Star Graph: An Attractive Alternative to the n-cube)",
       make_star,
       {}},
      {"crossed",
       "n",
       "crossed cube of 2^n nodes: half the diameter of the hypercube",
       {"crossed:8", "crossed:12"},
       "n = 1..20. Degree n, diameter ceil((n+1)/2). Ports d0 .. by the highest bit that differs. "
       "To analyse only: no routing.",
       "Efe 1992 (The Crossed Cube Architecture for Parallel Computation)",
       make_crossed_cube,
       {}},
      {"midimew",
       "N",
       "Midimew: the circulant graph of degree 4 with the shortest distances",
       {"midimew:64", "midimew:4096"},
       R"(Chords b-1 (ports a+ a-) and b (ports b+ b-) on a ring of N nodes, b = sqrt(N/2) rounded up. To analyse only:
no routing.)",
       "Beivide, Herrada, Balcazar, Arruabarrena 1991 (Optimal Distance Networks of Low Degree for Parallel "
       "Computers)",
       make_midimew,
       {}},
  };
  return family;
}

}  // namespace toriscope

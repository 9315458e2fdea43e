// SPDX-License-Identifier: Apache-2.0
// The RDT for the registry.
#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"
#include "topologies/families.h"
#include "topologies/rdt/rdt.h"
#include "topologies/rdt/rdt_assignment_file.h"
#include "topologies/rdt/rdt_routing.h"
#include "topologies/topology_makers.h"

namespace toriscope {

namespace {

/// "alpha,32": the assignment, and N behind the last comma.
rdt_shape shape_of(const std::string& spec, const std::string& arguments, std::string& name) {
  const auto refuse = [&](const std::string& why) { return refusal(spec, why); };
  const std::size_t comma = arguments.rfind(',');
  if (comma == std::string::npos || comma == 0)
    throw refuse("expected an assignment (alpha, beta, perfect or a file) and a size N: rdt:alpha,32");
  name = arguments.substr(0, comma);
  rdt_shape shape;
  shape.size = spec_numbers(spec, arguments.substr(comma + 1), ',', "rdt:alpha,32").front();
  const std::vector<unsigned> sizes{16, 32, 64, 128, 256};
  if (std::find(sizes.begin(), sizes.end(), shape.size) == sizes.end())
    throw refuse(
        "N = " + std::to_string(shape.size) +
        "; the base torus is N x N with N = 16, 32, 64, 128 or 256 (up to 2^16 nodes, ranks up to 4)");
  if (name == "perfect")
    shape.perfect = true;
  else if (name == "alpha")
    shape.assignment = rdt_alpha();
  else if (name == "beta")
    shape.assignment = rdt_beta();
  else
    try {
      shape.assignment = read_rdt_assignment(name);
    } catch (const std::invalid_argument& error) {
      throw refuse(error.what());
    }
  return shape;
}

rdt_method method_named(const std::string& name) {
  for (const rdt_method m : {rdt_method::vector, rdt_method::floating, rdt_method::floating3})
    if (name == to_string(m)) return m;
  return rdt_method::floating4;
}

/// The VC rule of a method.
std::string rule_of(rdt_method method) {
  return method == rdt_method::vector     ? "dateline"
         : method == rdt_method::floating ? "paper"
                                          : to_string(method);
}

/// @throws unless there is such a rule for the routing, it is known to be free of deadlock or asked for by
/// its name, and there are enough VCs
void check_rule(const std::string& spec, rdt_method method, const topology_options& options) {
  const auto refuse = [&](const std::string& why) { return refusal(spec, why); };
  const std::string rule = rule_of(method);
  const std::string routing = to_string(method);
  if (options.vc_rule == "safe" && method == rdt_method::floating)
    throw refuse(
        "no VC rule free of deadlock is known for routing floating; floating3 and floating4 have one, and "
        "--vc-rule paper is the cyclic rule as printed");
  std::vector<std::string> known{"safe", rule};
  if (method == rdt_method::floating) known = {rule};
  if (options.vc_rule != "safe" && options.vc_rule != rule)
    throw refuse("VC rule '" + options.vc_rule + "' is not made for routing " + routing +
                 "; it has: " + joined(known));
  if (options.vcs < rdt_vc_classes(method))
    throw refuse("VC rule " + rule + " needs at least " + std::to_string(rdt_vc_classes(method)) +
                 " VCs, not " + std::to_string(options.vcs));
}

topology make_rdt(const std::string& arguments, const topology_options& options) {
  const std::string& spec = options.spec;
  std::string name;
  const rdt_shape shape = shape_of(spec, arguments, name);
  checked_node_count(options, {shape.size, shape.size});
  checked_ties(spec, options.ties, ring_ties::positive,
               {ring_ties::balanced, ring_ties::nowrap, ring_ties::positive});
  rdt_method method = method_named(options.routing);
  const rdt_reduction reduction = rdt_default_reduction(method);
  if (method == rdt_method::vector && !shape.perfect)
    throw refusal(spec, "routing vector needs every rank at every node, as rdt:perfect," +
                            std::to_string(shape.size) + " has; with an assignment: floating3, floating4");
  // Where every rank is at hand, nothing has to float.
  if (shape.perfect) method = rdt_method::vector;
  check_rule(spec, method, options);

  topology result;
  try {
    result.routing = make_rdt_routing(shape, method, reduction, options.vcs);
  } catch (const std::invalid_argument& error) {
    throw refusal(spec, error.what());
  }
  result.wiring = build_rdt(shape);
  result.choice.spec = "rdt:" + name + "," + std::to_string(shape.size);
  result.choice.links = "B";
  result.choice.vc_rule = rule_of(method);
  result.vc_rule_note =
      method == rdt_method::floating
          ? "cyclic: its channel-dependency graph has cycles, the network can deadlock"
          : "acyclic: ranks are taken in order, and the dateline cuts each ring (rdt_routing.h)";
  result.routes_turn_with_wiring = true;  // offsets and classes say it all
  return result;
}

}  // namespace

topology_family rdt_family() {
  topology_family family;
  family.kinds = {
      {"rdt", "ASSIGNMENT,N", "Recursive Diagonal Torus: diagonal tori of higher ranks over an N x N torus",
       {"rdt:alpha,32", "rdt:beta,64", "rdt:perfect,32"},
       R"(RDT(2,R,1): N = 16, 32, 64, 128, 256 with R = 2, 3, 3, 4, 4 usable ranks. ASSIGNMENT: alpha or beta (one upper rank at
each node), perfect (all ranks at all nodes), or a JSON file with the rank 0..4 of each of the 8 classes (a,b),
b = y mod 2, a = (x + 2 floor(y/2)) mod 4:
{"class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3, "0,1": 4, "1,1": 3, "2,1": 2, "3,1": 1}} (alpha).
Address (y, x). Ports x+ x- y+ y- and r2_h+ r2_h- r2_v+ r2_v-. Rank vectors (h; v): 1 (2,2; 2,-2), 2 (8,0; 0,8),
3 (16,16; 16,-16), 4 (64,0; 0,64). Ways to the same neighbour are one link (N = 16: rank 2; N = 32: rank 3;
N = 128: rank 4), ways to the node itself are none.)",
       "Fan, Yang, Funahashi, Amano 1999 (A Torus Assignment for an Interconnection Network Recursive Diagonal Torus)",
       make_rdt, {"floating3", "vector", "floating", "floating4"}},
  };
  family.routings = {
      {"floating3", {"rdt"}, "vector routing with floats, upper ranks in descending order; 3 VCs, free of deadlock",
       {"--topology rdt:alpha,32 --routing floating3"},
       R"(The source takes the cheapest reduction; before each rank at most two hops over the base torus, by nodes whose ranks
come nearer to the wanted one. Several cheapest floats: the router takes the first with a free VC. In rdt:perfect,
where nothing floats, vector routing with the cheapest reduction.)",
       "Fan et al. 1999, Sect. 4.1; the order of ranks: found and proved with channel-dependency graphs"},
      {"vector", {"rdt"}, "vector routing in the perfect RDT, ranks in descending order; 2 VCs, free of deadlock",
       {"--topology rdt:perfect,32 --routing vector"},
       "The reduction as printed, to the nearest, halves toward zero. h before v, x before y.",
       "Fan et al. 1999, Sect. 4; Yang et al. 1993"},
      {"floating", {"rdt"}, "floating vector routing as printed, ranks in any order; cyclic",
       {"--topology rdt:alpha,32 --routing floating --vc-rule paper"},
       R"(A node with a wanted rank sends along it; else the packet floats by the way with the fewest hops in the base torus
(the first by table). The reduction as printed. It can deadlock: --vc-rule paper has to be asked for.)",
       "Fan et al. 1999, Sect. 4.1"},
      {"floating4", {"rdt"},
       "vector routing with floats, any order of ranks with at most one ascent; 4 VCs, free of deadlock",
       {"--topology rdt:alpha,32 --routing floating4"},
       "Closest to the printed routing. Reduction and floats as for floating3.",
       "found and proved with channel-dependency graphs"},
  };
  family.vc_rules = {
      {"floating3", {"rdt"}, "3", "floats 0, final moves 1 + dateline, upper links by their dateline",
       {"--topology rdt:alpha,32 --routing floating3"},
       R"(The rule of routing floating3. Dateline: crossing coordinate 0 of the base torus, in x for h rings, in y for v rings;
it starts anew with each ring. Acyclic for every assignment.)",
       "found and proved with channel-dependency graphs"},
      {"floating4", {"rdt"}, "4", "as floating3, with a second set of VCs from the ascent on",
       {"--topology rdt:alpha,32 --routing floating4"},
       R"(The rule of routing floating4. Floats 0, 1 from the ascent on; final moves 2 + dateline; upper links 2 VCs before,
2 from the ascent on. Acyclic for every assignment.)",
       "found and proved with channel-dependency graphs"},
      {"dateline", {"rdt"}, "2", "class 1 on and after the hop of a ring that crosses coordinate 0, class 0 before",
       {"--topology rdt:perfect,32 --vc-rule dateline"},
       "The rule of routing vector. Starts anew with each ring of each rank.", "Dally, Seitz 1987"},
      {"paper", {"rdt"}, "3", "for routing floating: the VCs of floating3 without its order of ranks (cyclic!)",
       {"--topology rdt:alpha,32 --routing floating --vc-rule paper"},
       "The paper names no VCs. This is the most that 3 VCs can tell apart, and it has cycles in alpha and beta.",
       "Fan et al. 1999, Sect. 4.1, for the routing"},
  };
  return family;
}

}  // namespace toriscope

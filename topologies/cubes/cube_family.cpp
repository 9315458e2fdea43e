// SPDX-License-Identifier: Apache-2.0
// mesh, torus, cube, ucube, hypercube and ccc for the registry.
#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"
#include "topologies/cubes/ccc.h"
#include "topologies/cubes/ccc_routing.h"
#include "topologies/cubes/cube.h"
#include "topologies/cubes/minimal_adaptive.h"
#include "topologies/drawn_routing.h"
#include "topologies/families.h"
#include "topologies/terminal_routing.h"
#include "topologies/topology_makers.h"

namespace toriscope {

namespace {

void check_dimensions(const std::string& spec, std::size_t dimensions) {
  // With more, some would have one node only; port numbers of the routing function are made for this number.
  constexpr std::size_t most = 31;
  if (dimensions == 0 || dimensions > most)
    throw std::invalid_argument("topology '" + spec + "': " + std::to_string(dimensions) +
                                " dimensions; 1 to " + std::to_string(most) + " are supported");
}

/// "torus:8x8", "cube:4,3": as it would be written without leading zeros.
std::string normal_spec(const cube_shape& shape) {
  if (shape.name == "cube" || shape.name == "ucube")
    return shape.name + ":" + std::to_string(shape.radix(0)) + "," + std::to_string(shape.dimensions());
  if (shape.name == "ring") return "ring:" + std::to_string(shape.radix(0));
  if (shape.name == "hypercube") return shape.name + ":" + std::to_string(shape.dimensions());
  std::string sizes;
  for (const unsigned radix : shape.radices) sizes += (sizes.empty() ? "" : "x") + std::to_string(radix);
  return shape.name + ":" + sizes;
}

/// Leading digits of a cube that may be turned: in a mesh, and where a tie goes by where the zero is, routes
/// know it.
unsigned cyclic_digits(const cube_shape& shape, ring_ties ties) {
  unsigned digits = 0;
  for (const unsigned radix : shape.radices) {
    const bool ties_turn =
        radix <= 2 || radix % 2 != 0 || shape.unidirectional || ties == ring_ties::positive;
    if (!ties_turn || (!shape.wrap && radix > 2)) break;
    ++digits;
  }
  return digits;
}

/// The one number of "hypercube:8".
unsigned one_number(const std::string& spec, const std::string& arguments, const std::string& usage) {
  const std::vector<unsigned> numbers = spec_numbers(spec, arguments, ',', usage);
  if (numbers.size() != 1)
    throw std::invalid_argument("topology '" + spec + "': " + std::to_string(numbers.size()) +
                                " numbers; expected one, n: " + usage);
  return numbers[0];
}

void check_vcs(const std::string& spec, const std::string& rule, unsigned wanted, unsigned vcs) {
  if (vcs < wanted)
    throw std::invalid_argument("topology '" + spec + "': VC rule " + rule + " needs at least " +
                                std::to_string(wanted) + " VCs, not " + std::to_string(vcs));
}

void check_rule(const std::string& spec, const std::string& rule, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), rule) == known.end())
    throw std::invalid_argument("topology '" + spec + "': VC rule '" + rule +
                                "' is not made for it; it has: " + joined(known));
}

ring_ties ties_of(const std::string& spec, const cube_shape& shape, const std::string& name) {
  // Where there is one way only every name of a tie is as good as none, but a wrong name is wrong.
  const ring_ties otherwise = shape.wrap && !shape.unidirectional ? ring_ties::balanced : ring_ties::nowrap;
  return checked_ties(spec, name, otherwise, {ring_ties::balanced, ring_ties::nowrap, ring_ties::positive});
}

/// Sets routing, rule and what is known of it.
void add_dimension_order(const std::string& spec, const cube_shape& shape, ring_ties ties,
                         const topology_options& options, topology& result) {
  const bool rings = dimension_order_classes(shape) > 1;
  const std::string rule = !rings ? "single" : options.vc_rule == "safe" ? "balanced" : options.vc_rule;
  std::vector<std::string> known{"safe"};
  if (rings) known.insert(known.end(), {"balanced", "dateline"});
  // In a one-way ring packets that wrap may wait for each other in a circle.
  if (rings && !shape.unidirectional) known.emplace_back("wrapping");
  if (!rings) known.emplace_back("single");
  // Where no ring has a wrap link (torus:2x2) these rules have nothing to do, but their names are not wrong.
  if (shape.wrap && !rings) known.insert(known.end(), {"balanced", "dateline"});
  check_rule(spec, options.vc_rule, known);
  check_vcs(spec, rule, dimension_order_classes(shape), options.vcs);
  const ring_classes classes = rule == "wrapping"   ? ring_classes::wrapping
                               : rule == "dateline" ? ring_classes::dateline
                                                    : ring_classes::balanced;
  result.choice.vc_rule = rule;
  result.routing = make_dimension_order(shape, ties, options.vcs, options.routing == "xy", classes);
  result.vc_rule_note =
      !rings ? "acyclic: dimensions are taken in order and no ring has a wrap link"
      : classes == ring_classes::wrapping
          ? "acyclic: no packet goes more than half way round a ring, and dimensions are taken in order"
          : "acyclic: the dateline cuts each ring, and dimensions are taken in order (Dally, Seitz 1987)";
}

void add_minimal_adaptive(const std::string& spec, const cube_shape& shape, ring_ties ties,
                          const topology_options& options, topology& result) {
  result.choice.vc_rule = "duato";
  check_rule(spec, options.vc_rule, {"safe", "duato"});
  check_vcs(spec, "duato", minimal_adaptive_vcs(shape), options.vcs);
  result.routing = make_minimal_adaptive(shape, ties, options.vcs);
  result.vc_rule_note =
      "free of deadlock where VCs are granted again when drained: dimension order on the lowest VCs is the "
      "escape (Duato 1993)";
}

/// The routing of one half of the VCs; or of all of them. What makes detours goes in dimension order between them.
topology assemble_for(const cube_shape& shape, const topology_options& options) {
  const std::string& spec = options.spec;
  check_dimensions(spec, shape.radices.size());
  checked_node_count(options, shape.radices);
  const ring_ties ties = ties_of(spec, shape, options.ties);
  topology result;
  (options.routing == "adaptive" ? add_minimal_adaptive : add_dimension_order)(spec, shape, ties, options,
                                                                               result);
  result.wiring = build_cube(shape);
  result.choice.spec = normal_spec(shape);
  result.choice.links = shape.unidirectional && dimension_order_classes(shape) > 1 ? "U" : "B";
  result.choice.ties = shape.wrap && !shape.unidirectional ? to_string(ties) : "";
  result.cyclic_digits = cyclic_digits(shape, ties);
  return result;
}

/// @param add_terminals  to wiring and routing
template <class Add>
topology assemble(const cube_shape& shape, const topology_options& options, Add add_terminals) {
  const auto routed = [&](const topology_options& o, const std::string& routing) {
    topology_options of_routing = o;
    of_routing.routing = routing;
    topology made = assemble_for(shape, of_routing);
    add_terminals(made);
    return made;
  };
  const unsigned classes = dimension_order_classes(shape);
  if (options.routing != "o1turn")
    return perhaps_with_detours(options, classes,
                                [&](const topology_options& o) { return routed(o, options.routing); });
  std::shared_ptr<const routing_function> upper;
  topology made = made_for_half(options, classes, [&](const topology_options& half) {
    upper = routed(half, "xy").routing;
    return routed(half, "dor");
  });
  made.routing = make_o1turn(made.wiring, made.routing, upper, options.vcs);
  return made;
}

topology assemble(const cube_shape& shape, const topology_options& options) {
  return assemble(shape, options, [](topology&) {});
}

/// "8x8".
cube_shape by_sizes(const std::string& kind, const std::string& arguments, bool wrap) {
  return {kind, spec_numbers(kind + ":" + arguments, arguments, 'x', kind + ":8x8"), wrap, false};
}

/// "k,n".
cube_shape by_radix(const std::string& kind, const std::string& arguments, bool unidirectional) {
  const std::string spec = kind + ":" + arguments;
  const std::vector<unsigned> numbers = spec_numbers(spec, arguments, ',', kind + ":4,3");
  if (numbers.size() != 2)
    throw std::invalid_argument("topology '" + spec + "': " + std::to_string(numbers.size()) +
                                " numbers; expected two, the radix k and the dimensions n: " + kind + ":4,3");
  check_dimensions(spec, numbers[1]);
  return {kind, std::vector<unsigned>(numbers[1], numbers[0]), true, unidirectional};
}

topology make_mesh(const std::string& arguments, const topology_options& options) {
  return assemble(by_sizes("mesh", arguments, false), options);
}

/// "AxBx...,c": c terminals at each node.
topology concentrated(const std::string& kind, const std::string& arguments, bool wrap,
                      const topology_options& options) {
  const std::size_t comma = std::min(arguments.find(','), arguments.size());
  const std::string usage = kind + ":4x4,4";
  const std::vector<unsigned> each = comma < arguments.size()
                                         ? spec_numbers(options.spec, arguments.substr(comma + 1), ',', usage)
                                         : std::vector<unsigned>{};
  if (each.size() != 1 || each[0] == 0)
    throw refusal(options.spec, "expected sizes and the number of terminals at each router: " + usage);
  const cube_shape shape = by_sizes(kind, arguments.substr(0, comma), wrap);
  return assemble(shape, options, [&](topology& made) {
    unsigned links = 0;
    for (node_id node = 0; node < made.wiring->node_count(); ++node)
      links = std::max<unsigned>(links, made.wiring->local_port(node));
    if (links + each[0] > max_ports)
      throw refusal(options.spec, std::to_string(each[0]) + " terminals at a router of " +
                                      std::to_string(links) + " links; all ports together are at most " +
                                      std::to_string(max_ports));
    made.choice.spec += "," + std::to_string(each[0]);
    if (each[0] == 1) return;
    std::vector<node_id> terminals;
    for (node_id node = 0; node < made.wiring->node_count(); ++node)
      terminals.insert(terminals.end(), each[0], node);
    if (terminals.size() > max_nodes)
      throw refusal(options.spec, "more than " + std::to_string(max_nodes) + " terminals");
    made.wiring->set_terminals(terminals);
    made.routing = between_terminals(made.wiring, made.routing);
    made.cyclic_digits = 0;
  });
}

topology make_cmesh(const std::string& arguments, const topology_options& options) {
  return concentrated("cmesh", arguments, false, options);
}

topology make_ctorus(const std::string& arguments, const topology_options& options) {
  return concentrated("ctorus", arguments, true, options);
}

topology make_torus(const std::string& arguments, const topology_options& options) {
  return assemble(by_sizes("torus", arguments, true), options);
}

topology make_cube(const std::string& arguments, const topology_options& options) {
  return assemble(by_radix("cube", arguments, false), options);
}

topology make_ucube(const std::string& arguments, const topology_options& options) {
  return assemble(by_radix("ucube", arguments, true), options);
}

topology make_hypercube(const std::string& arguments, const topology_options& options) {
  const unsigned n = one_number(options.spec, arguments, "hypercube:8");
  check_dimensions(options.spec, n);
  return assemble({"hypercube", std::vector<unsigned>(n, 2), false, false}, options);
}

topology make_ring(const std::string& arguments, const topology_options& options) {
  const unsigned n = one_number(options.spec, arguments, "ring:16");
  return assemble({"ring", {n}, true, false}, options);
}

topology make_ccc(const std::string& arguments, const topology_options& options) {
  const std::string& spec = options.spec;
  const unsigned n = one_number(spec, arguments, "ccc:9");
  if (n < 3)
    throw std::invalid_argument("topology '" + spec + "': a cycle has at least 3 nodes" +
                                (n == 0   ? ""
                                 : n == 1 ? "; ccc:1 would be mesh:2"
                                          : "; ccc:2 would be torus:8"));
  std::vector<unsigned> radices(std::min(n, 31u), 2);
  radices.push_back(n);
  checked_node_count(options, radices);
  check_rule(spec, options.vc_rule, {"safe", "dateline"});
  check_vcs(spec, "dateline", ccc_vc_classes, options.vcs);

  topology result;
  result.wiring = build_ccc(n);
  result.routing = make_ccc_routing(n, options.vcs);
  result.choice.spec = "ccc:" + std::to_string(n);
  result.choice.links = "B";
  result.choice.vc_rule = "dateline";
  result.vc_rule_note = "acyclic: the runs of a walk are taken in order, and the dateline cuts each cycle";
  result.cyclic_digits = n;
  return result;
}

}  // namespace

topology_family cube_family() {
  topology_family family;
  family.kinds = {
      {"mesh",
       "AxBx...",
       "mesh of any dimensions and sizes",
       {"mesh:8x8", "mesh:4x4x4"},
       R"(Sizes from the most significant dimension down: for two dimensions rows x columns, address (y, x).
Ports x+ x- y+ y- z+ z- d3+ ...; x is the last digit. Routing: dimension order, y before x.
VC rule single: any VC, one class.)",
       "Dally 1990, Sect. II",
       make_mesh,
       {"dor", "xy", "adaptive", "o1turn", "valiant", "ugal"}},
      {"torus",
       "AxBx...",
       "torus of any dimensions and sizes, full-duplex links",
       {"torus:8x8", "torus:64x64", "torus:4x6x8"},
       R"(Sizes as for a mesh. Routing: minimal dimension order, y before x. Ties in even rings: balanced (default; an even
digit of the source goes +, an odd one -), nowrap, positive.
A ring of 2 is one full-duplex link (x+ at 0, x- at 1) without a wrap link; a ring of 1 has none.
Wrap links are as long as their rings; with --layout folded no link is longer than 2 node pitches.
VC rules balanced (default), dateline, wrapping: two classes of VCs in each ring.)",
       "Dally 1990, Sect. II; Dally, Seitz 1987",
       make_torus,
       {"dor", "xy", "adaptive", "o1turn", "valiant", "ugal"}},
      {"ring",
       "n",
       "ring of n nodes, full-duplex links",
       {"ring:16"},
       R"(The same network as torus:n, by its own name. Ports x+ x-. Ties in even rings and VC rules as for a torus.)",
       "Dally and Towles 2004, Ch. 5",
       make_ring,
       {"dor", "adaptive", "valiant", "ugal"}},
      {"cmesh",
       "AxBx...,c",
       "concentrated mesh: c terminals at each router",
       {"cmesh:4x4,4"},
       R"(A mesh of routers, as mesh:AxB, each with c terminals: c network interfaces on local ports of their own. Terminals
are numbered router by router; terminal t is at router t / c. No express links. Routing and VC rule: those of a mesh.)",
       "Balfour, Dally 2006",
       make_cmesh,
       {"dor", "xy", "adaptive", "o1turn", "valiant", "ugal"}},
      {"ctorus",
       "AxBx...,c",
       "concentrated torus: c terminals at each router",
       {"ctorus:4x4,4"},
       R"(A torus of routers, as torus:AxB, each with c terminals, numbered router by router. Routing, ties and VC rules: those
of a torus.)",
       "Balfour, Dally 2006",
       make_ctorus,
       {"dor", "xy", "adaptive", "o1turn", "valiant", "ugal"}},
      {"cube",
       "k,n",
       "k-ary n-cube with full-duplex links",
       {"cube:4,3", "cube:2,10"},
       "n dimensions of k nodes each: the torus of that shape. cube:2,n is the binary n-cube.",
       "Dally 1990, Sect. II",
       make_cube,
       {"dor", "adaptive", "valiant", "ugal"}},
      {"ucube",
       "k,n",
       "k-ary n-cube with links in one direction",
       {"ucube:8,2", "ucube:16,2"},
       R"(Links in + direction only (a node sends by x+ and receives by x-); e-cube routing from the highest dimension.
With k = 2 the same network as cube:2,n. VC rules balanced (default), dateline, as for a torus.)",
       "Dally 1990, Sect. II and III",
       make_ucube,
       {"dor", "adaptive"}},
      {"hypercube",
       "n",
       "binary n-cube",
       {"hypercube:8", "hypercube:12"},
       R"(The same network as cube:2,n, by its own name: 2^n nodes, a full-duplex link in each of n dimensions. e-cube routing
from the highest bit; VC rule single.)",
       "Dally 1990, Sect. II",
       make_hypercube,
       {"dor", "adaptive", "valiant", "ugal"}},
      {"ccc",
       "n",
       "cube-connected cycles: a cycle of n nodes at each corner of a binary n-cube",
       {"ccc:3", "ccc:9"},
       R"(n = 3 .. 19; n * 2^n nodes, address: n bits of the cycle, position in it. Ports cycle+ cycle- cross.
Routing: minimal and deterministic; all crossings in one run around the cycle, in the order of the positions (e-cube).
Ways of equal length: the main run goes in + direction, the run before it is the shortest that reaches all crossings,
and half way round the packet keeps its direction.
VC rule dateline: 4 classes.)",
       "Preparata, Vuillemin 1981; Rahman et al. 2009, Sect. 4",
       make_ccc,
       {"dor"}},
  };
  family.routings = {
      {"dor",
       {"mesh", "torus", "ring", "cmesh", "ctorus", "cube", "ucube", "hypercube", "ccc"},
       "dimension order: one dimension after the other, the most significant first",
       {"--topology torus:8x8 --routing dor"},
       "Minimal and deterministic; e-cube routing. Where the ways round a ring are equally long, --tie-break "
       "decides.",
       "Dally 1990, Sect. II"},
      {"xy",
       {"mesh", "torus", "cmesh", "ctorus"},
       "dimension order the other way round: the least significant dimension first, x before y",
       {"--topology mesh:4x4 --routing xy"},
       "As dor, for routers of others that go x first (docs/your_own_rtl.md): two orders in one network can "
       "deadlock.",
       "Dally 1990, Sect. II"},
      {"adaptive",
       {"mesh", "torus", "ring", "cmesh", "ctorus", "cube", "ucube", "hypercube"},
       "minimal fully adaptive: any hop on a shortest way, with dimension order as the escape",
       {"--topology torus:8x8 --routing adaptive --vcs 4 --vc-reallocation atomic"},
       R"(The router takes the first hop that has a free VC, the lowest dimension first. Beyond the papers. Needs a VC more than
dimension order, and VCs that are granted again when drained.)",
       "Duato 1993"},
      {"o1turn",
       {"mesh", "torus", "cmesh", "ctorus"},
       "dor or xy, drawn for each packet with equal shares",
       {"--topology mesh:8x8 --routing o1turn --vcs 4"},
       R"(Packets of dor have the lower half of the VCs, those of xy the upper one. Needs an even number of VCs: at least 2,
with wrap links 4.)",
       "Seo et al. 2005"},
      {"valiant",
       {"mesh", "torus", "ring", "cmesh", "ctorus", "cube", "hypercube"},
       "to the router of a terminal drawn for each packet, then to the destination, both by dimension order",
       {"--topology torus:8x8 --routing valiant --traffic tornado --vcs 4"},
       R"(The first part of the way has the lower half of the VCs, the second the upper one. Needs an even number of VCs: at
least 2, with wrap links 4. What differs from minimal routing: the load of the links is that of uniform traffic,
whatever the pattern, and ways are twice as long.)",
       "Valiant, Brebner 1981"},
      {"ugal",
       {"mesh", "torus", "ring", "cmesh", "ctorus", "cube", "hypercube"},
       "dimension order, or valiant where the queues at the first router say that it is quicker",
       {"--topology torus:8x8 --routing ugal --traffic tornado --vcs 4"},
       R"(UGAL-L. The first router compares, for both ways, flits that wait at the output port times links of the way, and
takes the direct one unless the other product is smaller. VCs as for valiant; a direct packet has all. At the cycle
level only, and not in RTL.)",
       "Singh 2005; Kim, Dally, Scott, Abts 2008"},
  };
  family.vc_rules = {
      {"single",
       {"mesh", "cmesh", "hypercube"},
       "1",
       "any VC: dimension order needs no classes in a mesh",
       {"--topology mesh:8x8 --vc-rule single"},
       "All VCs of a port are one class.",
       "Dally, Seitz 1987"},
      {"balanced",
       {"torus", "ring", "ctorus", "cube", "ucube"},
       "2",
       "the dateline rule, where packets that do not go on behind the wrap link may take either class",
       {"--topology torus:8x8 --vc-rule balanced"},
       R"(The default (safe). A packet that goes on behind the wrap link of a ring has class 0 before it, class 1 from it on.
One that does not takes either class at its first hop in the ring, and keeps it; the last hop in the ring may always
take class 1. With dateline most packets never have class 1, and half of the VCs are all but idle.)",
       "Dally, Seitz 1987 (the dateline); proved with channel-dependency graphs"},
      {"dateline",
       {"torus", "ring", "ctorus", "cube", "ucube", "ccc"},
       "2; ccc 4",
       "class 1 on and after the wrap link of the ring, class 0 before",
       {"--topology torus:8x8 --vc-rule dateline"},
       R"(Two classes in every ring of more than two nodes, starting anew in each dimension. In ccc for each run of a walk
around a cycle, of which there are up to three: runs that follow each other share no class.)",
       "Dally, Seitz 1987"},
      {"wrapping",
       {"torus", "ring", "ctorus", "cube"},
       "2",
       "class 1 all along a ring whose wrap link the packet uses, class 0 else",
       {"--topology torus:8x8 --vc-rule wrapping"},
       R"(Shares the classes out more evenly than dateline, and saturates later. Beyond the papers: the rule of BookSim 2's
torus, where - links have the two classes exchanged.)",
       "Jiang et al. 2013 (BookSim 2), dim_order_torus"},
      {"duato",
       {"mesh", "torus", "ring", "cmesh", "ctorus", "cube", "ucube", "hypercube"},
       "2; with wrap links 3",
       "routing adaptive: the lowest VC (with wrap links two) is the escape, the others are adaptive",
       {"--topology torus:8x8 --routing adaptive --vc-rule duato --vc-reallocation atomic"},
       "Escape with wrap links: VC 0 while the wrap link lies ahead in the dimension under way, VC 1 when it "
       "does not.",
       "Duato 1993; Dally, Seitz 1987"},
  };
  return family;
}

}  // namespace toriscope

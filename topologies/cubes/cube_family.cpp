// SPDX-License-Identifier: Apache-2.0
// mesh, torus, cube and ucube for the registry.
#include <algorithm>
#include <stdexcept>

#include "topologies/cubes/cube.h"
#include "topologies/families.h"
#include "topologies/nearest_name.h"
#include "topologies/topology_makers.h"

namespace toriscope {

namespace {

void check_dimensions(const std::string& spec, std::size_t dimensions) {
  // With more, some would have one node only; port numbers of the routing function are made for so many.
  constexpr std::size_t most = 31;
  if (dimensions == 0 || dimensions > most)
    throw std::invalid_argument("topology '" + spec + "': " + std::to_string(dimensions) +
                                " dimensions; 1 to " + std::to_string(most) + " are supported");
}

/// "torus:8x8", "cube:4,3": as it would be written without leading zeros.
std::string normal_spec(const cube_shape& shape) {
  if (shape.name == "cube" || shape.name == "ucube")
    return shape.name + ":" + std::to_string(shape.radix(0)) + "," + std::to_string(shape.dimensions());
  std::string sizes;
  for (const unsigned radix : shape.radices) sizes += (sizes.empty() ? "" : "x") + std::to_string(radix);
  return shape.name + ":" + sizes;
}

/// @param spec  as the user wrote it, for messages
topology assemble(const std::string& spec, const cube_shape& shape, const topology_options& options) {
  check_dimensions(spec, shape.radices.size());
  checked_node_count(spec, shape.radices);
  const bool rings = dimension_order_classes(shape) > 1;
  const std::string rule = rings ? "dateline" : "single";
  // Where no ring has a wrap link (torus:2x2) the dateline rule has nothing to do, but its name is not wrong.
  std::vector<std::string> known{"safe", rule};
  if (shape.wrap && !rings) known.emplace_back("dateline");
  if (std::find(known.begin(), known.end(), options.vc_rule) == known.end())
    throw std::invalid_argument("topology '" + spec + "': VC rule '" + options.vc_rule +
                                "' is not made for it; it has: " + joined(known));
  ring_ties ties = ring_ties::nowrap;
  if (shape.wrap && !shape.unidirectional)
    ties = checked_ties(spec, options.ties, ring_ties::balanced,
                        {ring_ties::balanced, ring_ties::nowrap, ring_ties::positive});
  else
    // There is one way only: every name of a tie is as good as none, but a wrong name is wrong.
    ties =
        checked_ties(spec, options.ties, ties, {ring_ties::balanced, ring_ties::nowrap, ring_ties::positive});
  const unsigned classes = dimension_order_classes(shape);
  if (options.vcs < classes)
    throw std::invalid_argument("topology '" + spec + "': VC rule " + rule + " needs at least " +
                                std::to_string(classes) + " VCs, not " + std::to_string(options.vcs));

  topology result;
  result.wiring = build_cube(shape);
  result.routing = make_dimension_order(shape, ties, options.vcs);
  result.spec = normal_spec(shape);
  result.links = shape.unidirectional && rings ? "U" : "B";
  result.ties = shape.wrap && !shape.unidirectional ? to_string(ties) : "";
  result.vc_rule = rule;
  result.vc_rule_note =
      rings ? "acyclic: the dateline cuts each ring, and dimensions are taken in order (Dally, Seitz 1987)"
            : "acyclic: dimensions are taken in order and no ring has a wrap link";
  return result;
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
                                " numbers; it wants two, the radix k and the dimensions n: " + kind + ":4,3");
  check_dimensions(spec, numbers[1]);
  return {kind, std::vector<unsigned>(numbers[1], numbers[0]), true, unidirectional};
}

topology make_mesh(const std::string& arguments, const topology_options& options) {
  return assemble("mesh:" + arguments, by_sizes("mesh", arguments, false), options);
}

topology make_torus(const std::string& arguments, const topology_options& options) {
  return assemble("torus:" + arguments, by_sizes("torus", arguments, true), options);
}

topology make_cube(const std::string& arguments, const topology_options& options) {
  return assemble("cube:" + arguments, by_radix("cube", arguments, false), options);
}

topology make_ucube(const std::string& arguments, const topology_options& options) {
  return assemble("ucube:" + arguments, by_radix("ucube", arguments, true), options);
}

}  // namespace

topology_family cube_family() {
  topology_family family;
  family.kinds = {
      {"mesh",
       "AxBx...",
       "mesh of any dimensions and sizes",
       {"mesh:8x8", "mesh:4x4x4"},
       "Sizes from the most significant dimension down: for two dimensions rows x columns, address (y, x).\n"
       "Ports x+ x- y+ y- z+ z- d3+ ...; x is the last digit. Routing: dimension order, y before x.\n"
       "VC rule single: any VC, one class.",
       "Dally 1990, Sect. II",
       make_mesh,
       {"dor"}},
      {"torus",
       "AxBx...",
       "torus of any dimensions and sizes, full-duplex links",
       {"torus:8x8", "torus:64x64", "torus:4x6x8"},
       "Sizes as for a mesh. Routing: minimal dimension order, y before x. Ties in even rings: balanced "
       "(default; an even\n"
       "digit of the source goes +, an odd one -), nowrap, positive.\n"
       "A ring of 2 is one full-duplex link (x+ at 0, x- at 1) without a wrap link; a ring of 1 has none.\n"
       "VC rule dateline: class 0 before the wrap link of a dimension, class 1 on and after it.",
       "Dally 1990, Sect. II; Dally, Seitz 1987",
       make_torus,
       {"dor"}},
      {"cube",
       "k,n",
       "k-ary n-cube with full-duplex links",
       {"cube:4,3", "cube:2,10"},
       "n dimensions of k nodes each: the torus of that shape. cube:2,n is the binary n-cube.",
       "Dally 1990, Sect. II",
       make_cube,
       {"dor"}},
      {"ucube",
       "k,n",
       "k-ary n-cube with links in one direction",
       {"ucube:8,2", "ucube:16,2"},
       "Links in + direction only (a node sends by x+ and receives by x-); e-cube routing from the highest "
       "dimension.\n"
       "With k = 2 the same network as cube:2,n. VC rule dateline, as for a torus.",
       "Dally 1990, Sect. II and III",
       make_ucube,
       {"dor"}},
  };
  family.routings = {
      {"dor",
       {"mesh", "torus", "cube", "ucube"},
       "dimension order: one dimension after the other, the most significant first",
       {"--topology torus:8x8 --routing dor"},
       "Minimal and deterministic; e-cube routing. Where the ways round a ring are equally long, --ties "
       "decides.",
       "Dally 1990, Sect. II"},
  };
  family.vc_rules = {
      {"single",
       {"mesh"},
       "1",
       "any VC: dimension order needs no classes in a mesh",
       {"--topology mesh:8x8 --vc-rule single"},
       "All VCs of a port are one class.",
       "Dally, Seitz 1987"},
      {"dateline",
       {"torus", "cube", "ucube"},
       "2",
       "class 1 on and after the wrap link of the ring, class 0 before",
       {"--topology torus:8x8 --vc-rule dateline"},
       "Two classes in every ring of more than two nodes, starting anew in each dimension.",
       "Dally, Seitz 1987"},
  };
  return family;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The registry: what it makes, what it says, and every error message in its words.
#include "topologies/registry.h"
#include "topologies/measured_rules.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/error_of_test.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/path.h"
#include "topologies/topology_makers.h"
#include "topologies/vc_rule_names.h"

namespace toriscope::registry_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

topology_options with(const std::string& links, const std::string& ties, const std::string& rule,
                      unsigned vcs = 4) {
  topology_options options;
  options.links = links;
  options.ties = ties;
  options.vc_rule = rule;
  options.vcs = vcs;
  return options;
}

/// The error message of make_topology(); "" when there is none.
std::string refusal(const std::string& spec, const topology_options& options = {}) {
  try {
    make_topology(spec, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(registry, resolves_defaults) {
  const topology ttn = make_topology("ttn:2,2,0");
  EXPECT_EQ(ttn.choice.spec, "ttn:2,2,0");
  EXPECT_EQ(ttn.choice.links, "U");
  EXPECT_EQ(ttn.choice.ties, "nowrap");
  EXPECT_EQ(ttn.choice.vc_rule, "K");
  EXPECT_THAT(ttn.vc_rule_note, HasSubstr("acyclic"));
  EXPECT_EQ(ttn.wiring->node_count(), 256u);

  const topology torus = make_topology("torus:4x6");
  EXPECT_EQ(torus.choice.links, "B");
  EXPECT_EQ(torus.choice.ties, "balanced");
  EXPECT_EQ(torus.choice.vc_rule, "balanced");
  EXPECT_EQ(torus.wiring->node_count(), 24u);
  EXPECT_EQ(torus.wiring->radices(), (std::vector<unsigned>{4, 6}));

  const topology mesh = make_topology("mesh:3x4x5");
  EXPECT_EQ(mesh.choice.ties, "");
  EXPECT_EQ(mesh.choice.vc_rule, "single");
  EXPECT_EQ(mesh.wiring->node_count(), 60u);

  EXPECT_EQ(torus.choice.spec, "torus:4x6");
  EXPECT_EQ(make_topology("mesh:04x3").choice.spec, "mesh:4x3");
  EXPECT_EQ(make_topology("cube:03,2").choice.spec, "cube:3,2");
  EXPECT_EQ(make_topology("ttn:2,02,0").choice.spec, "ttn:2,2,0");

  const topology one_way = make_topology("ucube:4,3");
  EXPECT_EQ(one_way.choice.links, "U");
  EXPECT_EQ(one_way.wiring->links().size(), 3u * 64u);
  EXPECT_EQ(make_topology("ucube:2,3").choice.links, "B");
  EXPECT_EQ(make_topology("cube:2,3").wiring->node_count(), 8u);
}

TEST(registry, resolves_what_is_asked_for) {
  const topology paper = make_topology("ttn:2,2,1", with("B", "positive", "paper", 2));
  EXPECT_EQ(paper.choice.links, "B");
  EXPECT_EQ(paper.choice.ties, "positive");
  EXPECT_EQ(paper.choice.vc_rule, "paper");
  EXPECT_THAT(paper.vc_rule_note, HasSubstr("can deadlock"));
  EXPECT_EQ(make_topology("torus:8x8", with("U", "nowrap", "safe")).choice.ties, "nowrap");
  EXPECT_EQ(make_topology("ttn:2,3,1", with("B", "", "safe")).choice.vc_rule, "E");
  EXPECT_EQ(make_topology("ttn:2,3,0", with("U", "", "safe", 3)).choice.vc_rule, "K");
  EXPECT_EQ(make_topology("torus:2x2", with("U", "", "safe", 1)).choice.vc_rule, "single")
      << "no wrap link, no class";
  EXPECT_EQ(make_topology("mesh:4x4", with("U", "", "safe", 1)).choice.vc_rule, "single");
}

TEST(registry, says_why_dimension_order_is_acyclic) {
  EXPECT_THAT(make_topology("mesh:4x4").vc_rule_note, HasSubstr("no ring has a wrap link"));
  EXPECT_THAT(make_topology("torus:4x4", with("U", "", "wrapping")).vc_rule_note,
              HasSubstr("half way round"));
  EXPECT_THAT(make_topology("torus:4x4").vc_rule_note, HasSubstr("dateline"));
}

TEST(registry, specs_are_parted_before_a_kind) {
  EXPECT_EQ(split_specs("ttn:2,2,0,torus:8x8"), (std::vector<std::string>{"ttn:2,2,0", "torus:8x8"}));
  EXPECT_EQ(split_specs("chiplets:cmesh:2x2,2+mesh:4x4,file:a,b:c.json,mesh"),
            (std::vector<std::string>{"chiplets:cmesh:2x2,2+mesh:4x4", "file:a,b:c.json,mesh"}));
  EXPECT_EQ(split_specs(""), std::vector<std::string>{""});
}

TEST(registry, measured_rules_are_the_first_of_their_rows) {
  EXPECT_EQ(measured_rule({"ttn:2,2,0", "U", "nowrap", "", "dor", 4}), "K");
  EXPECT_EQ(measured_rule({"ttn:2,2,1", "B", "nowrap", "", "dor", 2}), "A");
  EXPECT_EQ(measured_rule({"ttn:2,2,0", "U", "nowrap", "", "dor", 5}), "") << "not measured";
}

struct measured_row {
  const char *topology, *links, *ties, *gates, *routing;
  unsigned vcs;
  const char* rules;
};
constexpr measured_row measured_rows[] = {
#include "topologies/measured_rules.inc"
};

TEST(registry, a_rule_was_measured_where_all_of_its_row_fits) {
  for (const measured_row& r : measured_rows) {
    const measured_network n{r.topology, r.links, r.ties, r.gates, r.routing, r.vcs};
    const std::string rules = r.rules;
    EXPECT_EQ(measured_rule(n), rules.substr(0, rules.find(' ')));
    for (std::string measured_network::*const member :
         {&measured_network::topology, &measured_network::links, &measured_network::ties, &measured_network::gates,
          &measured_network::routing}) {
      measured_network other = n;
      other.*member = "?";
      EXPECT_EQ(measured_rule(other), "") << r.topology;
    }
    measured_network other = n;
    other.vcs = 99;
    EXPECT_EQ(measured_rule(other), "") << r.topology;
  }
}

TEST(registry, rules_have_letters_and_names) {
  EXPECT_EQ(vc_rule_name("K"), "level_descending");
  EXPECT_EQ(vc_rule_letter("level_descending"), "K");
  EXPECT_EQ(vc_rule_title("K"), "level_descending (K)");
  for (const char* one_name : {"safe", "dateline", "level_descending"}) {
    EXPECT_EQ(vc_rule_name(one_name), one_name);
    EXPECT_EQ(vc_rule_title(one_name), one_name);
  }
  EXPECT_EQ(vc_rule_letter("K"), "K");
}

/// Examples call the rules by their names.
TEST(registry, the_name_of_a_letter_is_that_of_the_rule_in_its_example) {
  unsigned letters = 0;
  for (const vc_rule_kind& rule : vc_rules()) {
    const std::string name = vc_rule_name(rule.name);
    if (name == rule.name) continue;
    ++letters;
    const std::string example = rule.examples.front();
    EXPECT_THAT(example, testing::EndsWith(" --vc-rule " + name));
    EXPECT_EQ(vc_rule_letter(name), rule.name);
  }
  EXPECT_EQ(letters, 17u);
}

TEST(registry, wiring_and_routing_fit) {
  for (const topology_kind& kind : topology_kinds())
    for (const std::string& spec : kind.examples) {
      if (kind.name == "file") continue;  // where the file is, custom_test knows
      const topology made = make_topology(spec);
      const netlist& net = *made.wiring;
      EXPECT_EQ(net.name(), kind.name);
      ASSERT_EQ(made.routing == nullptr, kind.routings.empty());
      if (!made.routing) continue;  // a graph to analyse
      const terminal_id last = net.terminal_count() - 1;
      const auto hops = walk(net, *made.routing, 0, last, 4);
      ASSERT_EQ(hops.empty(), net.links().empty());
      if (!hops.empty()) {
        EXPECT_EQ(net.link(hops.back().link).to, net.terminal(last).exit);
      }
      // What the flit word has room for; all but the vectors of an RDT are small.
      EXPECT_LE(made.routing->state_bits(), kind.name == "rdt" ? 22u : 6u);
    }
}

TEST(registry, knows_the_networks_in_a_spec) {
  using specs = std::vector<std::string>;
  EXPECT_EQ(networks_in("mesh:4x4"), specs{"mesh:4x4"});
  EXPECT_EQ(networks_in("chiplets:mesh:2x2+file:die.json+delay=3"), (specs{"mesh:2x2", "file:die.json"}));
  EXPECT_EQ(networks_in("chiplets:mesh:2x2"), specs{"mesh:2x2"});
}

/// Links, ties and VC rule are those of the die.
TEST(registry, gives_an_interposer_its_defaults) {
  const auto links = [](const char* of_ttn) {
    return make_topology("chiplets:ttn:2,2,0+mesh:1x2", with(of_ttn, "", "safe")).wiring->links().size();
  };
  EXPECT_EQ(links("B"), links("U"));
  const topology plain = make_topology("chiplets:torus:4x1+mesh:1x2", with("U", "", "safe")),
                 positive = make_topology("chiplets:torus:4x1+mesh:1x2", with("U", "positive", "safe"));
  for (terminal_id to = 0; to < 8; ++to) {
    const auto way = walk(*plain.wiring, *plain.routing, 2, to, 4);
    const auto same = walk(*positive.wiring, *positive.routing, 2, to, 4);
    ASSERT_EQ(way.size(), same.size());
    for (std::size_t h = 0; h < way.size(); ++h) EXPECT_EQ(way[h].link, same[h].link) << "to " << to;
  }
}

/// In a fat tree of four switches the lower two have terminals.
TEST(registry, leads_up_from_the_node_of_the_first_terminal_of_a_die) {
  const topology t = make_topology("chiplets:mesh:1x2+fattree:2,2");
  EXPECT_EQ(t.choice.spec, "chiplets:mesh:1x2+fattree:2,2");
  EXPECT_EQ(t.wiring->address(2), "die0.1.0");
  EXPECT_NO_THROW(t.wiring->port_named(2, "interposer"));
  EXPECT_THROW(t.wiring->port_named(0, "interposer"), std::out_of_range);
}

TEST(registry, delays_may_still_be_set) {
  const topology made = make_topology("ttn:2,3,0");
  set_link_delays(*made.wiring, {"1", "4", "9"});
  for (const netlist_link& wire : made.wiring->links())
    ASSERT_EQ(wire.delay_cycles, wire.level == 1 ? 1 : wire.level == 2 ? 4 : 9);
}

TEST(registry, says_what_there_is) {
  std::set<std::string> names;
  for (const topology_kind& kind : topology_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second);
    EXPECT_THAT(kind.summary, Not(IsEmpty()));
    EXPECT_THAT(kind.summary, Not(HasSubstr("\n")));
    EXPECT_THAT(kind.description, Not(IsEmpty()));
    EXPECT_THAT(kind.source, Not(IsEmpty()));
    EXPECT_THAT(kind.examples, Not(IsEmpty()));
  }
  EXPECT_EQ(names, (std::set<std::string>{
                       "mesh",     "torus",    "ring",    "cube",      "ucube",   "hypercube", "ccc",
                       "ttn",      "tesh",     "sttn",    "htn",       "mh3dt",   "h3dt",      "rdt",
                       "debruijn", "kautz",    "star",    "crossed",   "midimew", "file",      "cmesh",
                       "ctorus",   "crossbar", "fattree", "butterfly", "flatfly", "dragonfly", "chiplets"}));
  std::set<std::string> rules;
  for (const vc_rule_kind& rule : vc_rules()) {
    EXPECT_TRUE(rules.insert(rule.name).second);
    EXPECT_THAT(rule.summary, Not(IsEmpty()));
    EXPECT_THAT(rule.summary, Not(HasSubstr("\n")));
    for (const std::string& kind : rule.topologies) EXPECT_TRUE(names.count(kind)) << kind;
    EXPECT_THAT(rule.examples, Not(IsEmpty()));
  }
  EXPECT_EQ(rules,
            (std::set<std::string>{"safe",      "single", "balanced", "dateline", "wrapping",  "layers",
                                   "given",     "duato",  "paper",    "A",        "C",         "D3",
                                   "E",         "F",      "G",        "K",        "S",         "floating3",
                                   "floating4", "P3",     "P3w",      "P3_fixed", "PXd_fixed", "P4",
                                   "PXd",       "PY",     "M3",       "M5",       "groups"}));
  // Of a routing that several families have, each says what it does there.
  const std::vector<routing_kind>& all = routings();
  const auto adaptive =
      std::find_if(all.begin(), all.end(), [](const routing_kind& k) { return k.name == "adaptive"; });
  ASSERT_NE(adaptive, all.end());
  EXPECT_THAT(adaptive->description, testing::StartsWith("The router takes the first hop that has a free VC"));
  for (const char* of_family :
       {"\nhtn, mh3dt, h3dt: rings in the order of dor", "\nfile: minimal fully adaptive: any",
        "\nfattree: up by any port, to the nearest common ancestor, then down.\nOn the way"})
    EXPECT_THAT(adaptive->description, HasSubstr(of_family));
  EXPECT_EQ(adaptive->topologies.back(), "fattree");
  EXPECT_EQ(adaptive->examples.size(), 4U);
}

TEST(registry, names_the_sources_of_several_families_once_where_they_are_the_same) {
  const auto routing = [](const std::string& name) {
    const auto found = std::find_if(routings().begin(), routings().end(),
                                    [&](const routing_kind& k) { return k.name == name; });
    return found == routings().end() ? routing_kind{} : *found;
  };
  EXPECT_EQ(routing("ugal").source, "Singh 2005; Kim, Dally, Scott, Abts 2008");
  EXPECT_EQ(routing("valiant").source,
            "Valiant, Brebner 1981; Valiant, Brebner 1981; Kim, Dally, Scott, Abts 2008");
  EXPECT_THAT(routing("ugal").topologies, testing::ElementsAre("mesh", "torus", "ring", "cmesh", "ctorus", "cube",
                                                               "hypercube", "flatfly", "dragonfly"));
  EXPECT_EQ(routing("ugal").examples.size(), 2u);
}

TEST(registry, has_a_safe_rule_for_all_that_is_routed) {
  const std::vector<std::string>& safe = vc_rules().front().topologies;
  EXPECT_EQ(vc_rules().front().name, "safe");
  EXPECT_EQ(safe.size(), topology_kinds().size() - 5);
  for (const char* graph : {"debruijn", "kautz", "star", "crossed", "midimew"})
    EXPECT_THAT(safe, Not(testing::Contains(graph)));
}

TEST(registry, refuses_unknown_names) {
  EXPECT_EQ(refusal("tours:8x8"), "unknown topology 'tours'; did you mean 'torus'?");
  EXPECT_EQ(
      refusal("petersen:3"),
      "unknown topology 'petersen'; known: mesh, torus, ring, cmesh, ctorus, cube, ucube, hypercube, ccc, "
      "ttn, tesh, "
      "sttn, htn, mh3dt, h3dt, rdt, debruijn, kautz, star, crossed, midimew, file, crossbar, fattree, "
      "butterfly, "
      "flatfly, dragonfly, chiplets");
  EXPECT_EQ(
      refusal(""),
      "unknown topology ''; known: mesh, torus, ring, cmesh, ctorus, cube, ucube, hypercube, ccc, ttn, tesh, "
      "sttn, "
      "htn, mh3dt, h3dt, rdt, debruijn, kautz, star, crossed, midimew, file, crossbar, fattree, butterfly, "
      "flatfly, dragonfly, chiplets");
  EXPECT_EQ(refusal("ttn:2,2,0", with("U", "", "saef")), "unknown VC rule 'saef'; did you mean 'safe'?");
  EXPECT_EQ(refusal("ttn:2,2,0", with("X", "", "safe")),
            "links 'X': expected U (one-way) or B (duplex)");
  EXPECT_EQ(refusal("ttn:2,2,0", with("U", "balanced", "safe")),
            "topology 'ttn:2,2,0': ties 'balanced' are not among those it has: nowrap, positive");
  EXPECT_EQ(refusal("torus:4x4", with("U", "random", "safe")),
            "topology 'torus:4x4': ties 'random' are not among those it has: balanced, nowrap, positive");
}

TEST(registry, refuses_malformed_numbers) {
  EXPECT_EQ(refusal("torus"), "topology 'torus' needs arguments, torus:AxBx...; for example torus:8x8");
  EXPECT_EQ(refusal("ttn:"), "topology 'ttn:' needs arguments, ttn:m,L,q; for example ttn:2,2,0");
  EXPECT_EQ(refusal("torus:8x"), "topology 'torus:8x': '' is not a number; write it like torus:8x8");
  EXPECT_EQ(refusal("torus:8,8"), "topology 'torus:8,8': '8,8' is not a number; write it like torus:8x8");
  EXPECT_EQ(refusal("mesh:-4x4"), "topology 'mesh:-4x4': '-4' is not a number; write it like mesh:8x8");
  EXPECT_EQ(refusal("mesh:4x 4"), "topology 'mesh:4x 4': ' 4' is not a number; write it like mesh:8x8");
  EXPECT_EQ(refusal("mesh:99999999999x2"),
            "topology 'mesh:99999999999x2': '99999999999' is not a number; write it like mesh:8x8");
  EXPECT_EQ(refusal("cube:4"),
            "topology 'cube:4': 1 numbers; expected two, the radix k and the dimensions n: cube:4,3");
  EXPECT_EQ(refusal("cube:4,0"), "topology 'cube:4,0': 0 dimensions; 1 to 31 are supported");
  EXPECT_EQ(refusal("ttn:2,2"), "topology 'ttn:2,2': 2 numbers; expected three, m, L and q: ttn:2,2,0");
}

TEST(registry, refuses_sizes) {
  EXPECT_EQ(refusal("mesh:4x0"), "topology 'mesh:4x0': a dimension of 0 nodes; the least is 1");
  EXPECT_EQ(refusal("mesh:1x1"), "topology 'mesh:1x1': a network needs at least 2 nodes");
  EXPECT_EQ(refusal("torus:8192x8192"),
            "topology 'torus:8192x8192': more than 16777216 nodes; that is the most that is supported");
  EXPECT_EQ(refusal("cube:4294967295,31"),
            "topology 'cube:4294967295,31': more than 16777216 nodes; that is the most that is supported");
  EXPECT_EQ(refusal("torus:1x3x1"), "") << "dimensions of one node are allowed";
  EXPECT_EQ(refusal("cube:1,40"), "topology 'cube:1,40': 40 dimensions; 1 to 31 are supported");
  EXPECT_EQ(refusal("cube:1,31"), "topology 'cube:1,31': a network needs at least 2 nodes");
  std::string flat = "mesh:2";
  for (unsigned d = 1; d < 31; ++d) flat += "x1";
  EXPECT_EQ(refusal(flat), "") << "31 dimensions";
  EXPECT_EQ(refusal("mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2"),
            "topology 'mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2': 32 dimensions; "
            "1 to 31 "
            "are supported");
  EXPECT_EQ(refusal("cube:2,25"),
            "topology 'cube:2,25': more than 16777216 nodes; that is the most that is supported");
  EXPECT_EQ(refusal("kautz:2,24"),
            "topology 'kautz:2,24': more than 16777216 nodes; that is the most that is supported")
      << "3 * 2^23, not 2^24";
}

TEST(registry, counts_nodes_up_to_their_maximum) {
  const topology_options options;
  EXPECT_EQ(checked_node_count(options, {4096, 4096}), 16777216u);
  EXPECT_EQ(checked_node_count(options, {2, 1}), 2u);
  EXPECT_THROW(checked_node_count(options, {4096, 4097}), std::invalid_argument);
}

/// Of every kind, but for networks of files: with one node less than it has each is rejected.
TEST(registry, rejects_a_network_of_more_nodes_than_asked_for) {
  for (const topology_kind& kind : topology_kinds()) {
    if (kind.name == "file") continue;
    topology_options options;
    options.spec = kind.examples.front();
    const std::size_t nodes = make_topology(options).wiring->node_count();
    options.node_limit = nodes;
    EXPECT_EQ(make_topology(options).wiring->node_count(), nodes) << options.spec;
    if (nodes == 1) continue;  // crossbar
    --options.node_limit;
    EXPECT_EQ(error_of<std::invalid_argument>([&] { make_topology(options); }),
              "topology '" + options.spec + "' has " + std::to_string(nodes) + " nodes; expected at most " +
                  std::to_string(nodes - 1));
  }
  topology_options large;
  large.node_limit = 100;
  for (const char* spec : {"hypercube:24", "star:10", "crossed:20", "fattree:2,19", "flatfly:2,20,4", "htn:16,16,2,0",
                           "midimew:16000000", "chiplets:mesh:2x2+mesh:4096x4096"}) {
    large.spec = spec;
    EXPECT_THAT(error_of([&] { make_topology(large); }), testing::HasSubstr("expected at most 100")) << spec;
  }
}

TEST(registry, says_why_no_more_nodes_are_asked_for) {
  topology_options options;
  options.node_limit = 10;
  options.limit_reason = "only ten are drawn";
  for (const char* spec : {"mesh:4x4", "chiplets:mesh:4x4+mesh:1x2", "chiplets:mesh:1x2+mesh:4x4",
                           "chiplets:mesh:1x2+mesh:3x3"}) {
    options.spec = spec;
    EXPECT_THAT(error_of([&] { make_topology(options); }), HasSubstr(" nodes; only ten are drawn")) << spec;
  }
}

TEST(registry, refuses_ttns) {
  EXPECT_EQ(
      refusal("ttn:3,2,0"),
      "topology 'ttn:3,2,0': m = 3; gates and VC rules are worked out for m = 2 (4x4 basic modules) only");
  EXPECT_EQ(refusal("ttn:2,1,0"),
            "topology 'ttn:2,1,0': L = 1; L is at least 2 (a basic module alone is torus:4x4)");
  EXPECT_EQ(refusal("ttn:2,2,3"),
            "topology 'ttn:2,2,3': q = 3; the inter-level connectivity q is 0 .. m = 2");
  EXPECT_EQ(refusal("ttn:2,4,1"),
            "topology 'ttn:2,4,1': q = 1 is too large for L = 4 (Lemma 2: L <= 2^(2-q) + 1 = 3 with q = 1; "
            "Rahman et "
            "al. 2009)");
  EXPECT_EQ(refusal("ttn:2,3,2"),
            "topology 'ttn:2,3,2': q = 2 is too large for L = 3 (Lemma 2: L <= 2^(2-q) + 1 = 2 with q = 2; "
            "Rahman et "
            "al. 2009)");
  EXPECT_EQ(refusal("ttn:2,6,0"),
            "topology 'ttn:2,6,0': L = 6 is too large for any q (Lemma 2: L <= 2^(2-q) + 1 = 5 with q = 0; "
            "Rahman et "
            "al. 2009)");
  EXPECT_EQ(refusal("tesh:2,1,0"),
            "topology 'tesh:2,1,0': L = 1; L is at least 2 (a basic module alone is mesh:4x4)");
  EXPECT_EQ(refusal("sttn:2,2,1"),
            "topology 'sttn:2,2,1': q = 1; an STTN is known for q = 0 only: its paper defines no wiring with "
            "q > 0");
  EXPECT_EQ(make_topology("tesh:2,2,1", with("B", "positive", "safe")).choice.ties, "");
  EXPECT_EQ(
      refusal("ttn:2,2,1", with("U", "", "K")),
      "topology 'ttn:2,2,1': VC rule K is made for q = 0 only, not for TTN(2,2,1); E is made for q > 0");
}

TEST(registry, refuses_vcs_and_rules) {
  EXPECT_EQ(refusal("torus:4x4", with("U", "", "safe", 1)),
            "topology 'torus:4x4': VC rule balanced needs at least 2 VCs, not 1");
  EXPECT_EQ(refusal("torus:4x4", with("U", "", "safe", 0)), "0 VCs; 1 to 16 are supported");
  EXPECT_EQ(refusal("torus:4x4", with("U", "", "safe", 17)), "17 VCs; 1 to 16 are supported");
  EXPECT_NO_THROW(make_topology("torus:4x4", with("U", "", "safe", 16)));
  EXPECT_EQ(
      refusal("torus:4x4", with("U", "", "K")),
      "topology 'torus:4x4': VC rule 'K' is not made for it; it has: safe, balanced, dateline, wrapping");
  EXPECT_EQ(refusal("mesh:4x4", with("U", "", "dateline")),
            "topology 'mesh:4x4': VC rule 'dateline' is not made for it; it has: safe, single");
  EXPECT_EQ(refusal("ttn:2,2,0", with("U", "", "safe", 1)),
            "topology 'ttn:2,2,0': no VC rule free of deadlock in TTN(2,2,0) with one_way links and tie "
            "break nowrap is "
            "known for 1 "
            "VC; it needs at least 2");
}

}  // namespace
}  // namespace toriscope::registry_test

// SPDX-License-Identifier: Apache-2.0
// crossbar, fattree, butterfly, flatfly and dragonfly for the registry.
#include <algorithm>

#include "base/nearest_name.h"
#include "topologies/families.h"
#include "topologies/switches/switched_networks.h"
#include "topologies/topology_makers.h"

namespace toriscope {
namespace {

/// The numbers of a spec, checked: as many as `names`, each from its least on.
std::vector<unsigned> numbers_of(const std::string& arguments, const topology_options& options,
                                 const std::string& usage,
                                 const std::vector<std::pair<std::string, unsigned>>& names) {
  const std::string& spec = options.spec;
  const std::vector<unsigned> numbers = spec_numbers(spec, arguments, ',', usage);
  if (numbers.size() != names.size())
    throw refusal(spec, "expected " + std::to_string(names.size()) +
                            (names.size() == 1 ? " number: " : " numbers: ") + usage);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] < names[i].second)
      throw refusal(spec, names[i].first + " = " + std::to_string(numbers[i]) + "; the least is " +
                              std::to_string(names[i].second));
  return numbers;
}

void check_ports(const std::string& spec, std::uint64_t ports) {
  if (ports > max_ports)
    throw refusal(spec, "routers of " + std::to_string(ports) + " ports; at most " +
                            std::to_string(max_ports) + " are supported");
}

/// k^n terminals, or routers. @throws when there are too many
void check_power(const std::string& spec, unsigned k, unsigned n, std::uint64_t times) {
  std::uint64_t count = times;
  for (unsigned i = 0; i < n && count <= max_nodes; ++i) count *= k;
  if (count > max_nodes)
    throw refusal(spec, "more than " + std::to_string(max_nodes) +
                            " terminals or routers; that is the most that is "
                            "supported");
}

/// times * k^n routers. @throws as check_node_limit()
void check_routers(const topology_options& options, unsigned k, unsigned n, std::size_t times) {
  for (unsigned i = 0; i < n && times <= max_nodes; ++i) times *= k;
  check_node_limit(options, times);
}

topology made(switched_network network, const topology_options& options, const std::vector<unsigned>& numbers,
              const std::string& rule, const std::string& note, unsigned vcs = 1) {
  if (options.vc_rule != "safe" && options.vc_rule != rule)
    throw refusal(options.spec,
                  "VC rule '" + options.vc_rule + "' is not made for it; it has: safe, " + rule);
  if (options.vcs < vcs)
    throw refusal(options.spec, "VC rule " + rule + " needs at least " + std::to_string(vcs) + " VCs, not " +
                                    std::to_string(options.vcs));
  topology result;
  result.wiring = std::move(network.wiring);
  result.routing = std::move(network.routing);
  result.choice.spec = options.spec.substr(0, options.spec.find(':') + 1);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    result.choice.spec += (i == 0 ? "" : ",") + std::to_string(numbers[i]);
  result.choice.links = "B";
  result.choice.vc_rule = rule;
  result.vc_rule_note = note;
  return result;
}

topology crossbar(const std::string& arguments, const topology_options& options) {
  const auto n = numbers_of(arguments, options, "crossbar:16", {{"terminals", 2}});
  check_ports(options.spec, n[0]);
  return made(make_crossbar(n[0], options.vcs), options, n, "single", "acyclic: there is no link");
}

topology fat_tree(const std::string& arguments, const topology_options& options) {
  const auto n = numbers_of(arguments, options, "fattree:4,3", {{"k", 2}, {"levels", 2}});
  const bool adaptive = options.routing == "adaptive";
  check_ports(options.spec, std::uint64_t{2} * n[0]);
  if (adaptive && n[0] > routing_function::max_options)
    throw refusal(options.spec,
                  "routing adaptive takes k up to " + std::to_string(routing_function::max_options));
  check_power(options.spec, n[0], n[1], n[1]);
  check_routers(options, n[0], n[1] - 1, n[1]);
  const ways_up up = adaptive                      ? ways_up::any
                     : options.routing == "random" ? ways_up::drawn
                                                   : ways_up::by_destination;
  return made(make_fat_tree(n[0], n[1], options.vcs, up), options, n, "single",
              "acyclic: packets go up first, then down");
}

topology butterfly(const std::string& arguments, const topology_options& options) {
  const auto n = numbers_of(arguments, options, "butterfly:4,3", {{"k", 2}, {"stages", 2}});
  check_ports(options.spec, std::uint64_t{2} * n[0]);
  check_power(options.spec, n[0], n[1], n[1]);
  check_routers(options, n[0], n[1] - 1, n[1]);
  topology result = made(make_butterfly(n[0], n[1], options.vcs), options, n, "single",
                         "acyclic: packets go from stage to stage");
  result.choice.links = "U";
  return result;
}

topology flattened_butterfly(const std::string& arguments, const topology_options& options) {
  const auto n =
      numbers_of(arguments, options, "flatfly:4,2,4", {{"k", 2}, {"dimensions", 1}, {"terminals", 1}});
  check_ports(options.spec, std::uint64_t{n[1]} * (n[0] - 1) + n[2]);
  check_power(options.spec, n[0], n[1], n[2]);
  check_routers(options, n[0], n[1], 1);
  return perhaps_with_detours(options, 1, [&](const topology_options& o) {
    return made(make_flattened_butterfly(n[0], n[1], n[2], o.vcs), o, n, "single",
                "acyclic: dimensions are taken in order, each with one hop");
  });
}

topology dragonfly(const std::string& arguments, const topology_options& options) {
  const auto n = numbers_of(arguments, options, "dragonfly:4,2,2",
                            {{"routers of a group", 1}, {"terminals", 1}, {"global links", 1}});
  check_ports(options.spec, std::uint64_t{n[0]} - 1 + n[1] + n[2]);
  if (options.vcs < 2) return made({}, options, n, "groups", "", 2);
  check_node_limit(options, (std::size_t{n[0]} * n[2] + 1) * n[0]);
  return perhaps_with_detours(options, 2, [&](const topology_options& o) {
    return made(make_dragonfly(n[0], n[1], n[2], o.vcs), o, n, "groups",
                "acyclic: local links before the global one, and behind it, have VCs of their own", 2);
  });
}

}  // namespace

topology_family switches_family() {
  topology_family family;
  family.kinds = {
      {"crossbar",
       "n",
       "one router with n terminals",
       {"crossbar:16"},
       R"(A single router whose ports are all local: n = 2 .. 31 terminals, no link. What a network is measured against when
it has no hops at all.)",
       "Dally and Towles 2004, Ch. 6",
       crossbar,
       {"direct"}},
      {"fattree",
       "k,n",
       "k-ary n-tree: n levels of switches, k^n terminals",
       {"fattree:4,3", "fattree:2,4"},
       R"(n levels of k^(n-1) switches, addresses level.switch, level 0 at the top; k^n terminals, k at each switch of the
lowest level, where terminal t is at switch t / k. Switch w of level l is linked with those of level l + 1 that differ
from it in digit l at most: ports down0 .. down(k-1), up0 .. up(k-1). The other switches have no terminal.
Routing: up to the nearest common ancestor, then down. VC rule single.)",
       "Petrini, Vanneschi 1997",
       fat_tree,
       {"nca", "random", "adaptive"}},
      {"butterfly",
       "k,n",
       "k-ary n-fly: n stages of switches, links in one direction, k^n terminals",
       {"butterfly:4,3", "butterfly:2,4"},
       R"(n stages of k^(n-1) switches, addresses stage.switch. Terminal t sends into switch t / k of the first stage and
receives from switch t / k of the last. Port pj of switch w in stage s leads to the switch of stage s + 1 with digit
s = j. There is one way between two terminals, of n switches. VC rule single.)",
       "Dally and Towles 2004, Sect. 4.1",
       butterfly,
       {"digits"}},
      {"flatfly",
       "k,n,c",
       "flattened butterfly: k^n routers, all linked that differ in one digit, c terminals each",
       {"flatfly:4,2,4"},
       R"(n dimensions of k routers, each linked with all others of its row in every dimension; c terminals at each router:
terminal t is at router t / c. Ports d0_0 .. of the most significant dimension first. Routing: dimension order, one hop
for each digit that differs. VC rule single.)",
       "Kim, Dally, Abts 2007",
       flattened_butterfly,
       {"dor", "valiant", "ugal"}},
      {"dragonfly",
       "a,p,h",
       "dragonfly: a h + 1 groups of a routers, p terminals and h global links each",
       {"dragonfly:4,2,2"},
       R"(a h + 1 groups, one global link between any two of them; the a routers of a group are all linked. Addresses
group.router; terminal t is at router t / p. Global link i = router * h + port of group G leads to group G + i + 1 (the
relative arrangement of Hastings et al. 2015).
Ports local_to0 .., global0 ... Routing: minimal, at most a local, a global and a local hop. VC rule groups.)",
       "Kim, Dally, Scott, Abts 2008",
       dragonfly,
       {"minimal", "valiant", "ugal"}},
  };
  family.routings = {
      {"direct",
       {"crossbar"},
       "from port to port of the one router",
       {"--topology crossbar:16"},
       "There is nothing to choose.",
       "Dally and Towles 2004, Ch. 6"},
      {"nca",
       {"fattree"},
       "up to the nearest common ancestor by the destination's digits, then down",
       {"--topology fattree:4,3 --routing nca"},
       R"(At level l on the way up the port is digit l of the destination: packets to one terminal meet at one switch of the
top, and destinations are spread over all of them.)",
       "Petrini, Vanneschi 1997; Zahavi 2012 (D-mod-K)"},
      {"random",
       {"fattree"},
       "up by ports drawn for each packet, to the nearest common ancestor, then down",
       {"--topology fattree:4,3 --routing random"},
       "Each of the k^(n-1) ways to the top is drawn with the same share, whatever the pattern.",
       "Petrini, Vanneschi 1997; Greenberg, Leiserson 1985"},
      {"adaptive",
       {"fattree"},
       "up by any port, to the nearest common ancestor, then down",
       {"--topology fattree:4,3 --routing adaptive"},
       "On the way up the router takes the first port that has a free VC, beginning with that of routing "
       "nca; k is 8 at most.",
       "Petrini, Vanneschi 1997"},
      {"digits",
       {"butterfly"},
       "by one digit of the destination in each stage",
       {"--topology butterfly:4,3"},
       "Destination-tag routing: there is one way.",
       "Dally and Towles 2004, Sect. 8.4.1"},
      {"dor",
       {"flatfly"},
       "dimension order: one hop in each dimension in which the routers differ",
       {"--topology flatfly:4,2,4 --routing dor"},
       "Minimal and deterministic, the most significant dimension first.",
       "Kim, Dally, Abts 2007"},
      {"minimal",
       {"dragonfly"},
       "a local hop to the router with the global link, that link, a local hop",
       {"--topology dragonfly:4,2,2"},
       "Deterministic; hops that are not needed are left out.",
       "Kim, Dally, Scott, Abts 2008"},
      {"valiant",
       {"flatfly", "dragonfly"},
       "to the router of a terminal drawn for each packet, then to the destination, both ways minimal",
       {"--topology dragonfly:4,2,2 --routing valiant"},
       R"(The first part of the way has the lower half of the VCs, the second the upper one: an even number, at least 2 in a
flatfly, 4 in a dragonfly.)",
       "Valiant, Brebner 1981; Kim, Dally, Scott, Abts 2008"},
      {"ugal",
       {"flatfly", "dragonfly"},
       "minimal, or valiant where the queues at the first router say that it is quicker",
       {"--topology dragonfly:4,2,2 --routing ugal"},
       R"(UGAL-L. The first router compares, for both ways, flits that wait at the output port times links of the way, and
takes the direct one unless the other product is smaller. VCs as for valiant; a direct packet has all. At the cycle
level only, and not in RTL.)",
       "Singh 2005; Kim, Dally, Scott, Abts 2008"},
  };
  family.vc_rules = {
      {"single",
       {"crossbar", "fattree", "butterfly", "flatfly"},
       "1",
       "any VC: the routing needs no classes",
       {"--topology fattree:4,3 --vc-rule single"},
       "All VCs of a port are one class.",
       "Dally, Seitz 1987"},
      {"groups",
       {"dragonfly"},
       "2",
       "local links have a class for packets in their last group, one for the others",
       {"--topology dragonfly:4,2,2 --vc-rule groups"},
       "Class 0 of a local link before the global link, class 1 in the group of the destination; global "
       "links: any VC.",
       "Kim, Dally, Scott, Abts 2008"},
  };
  return family;
}

}  // namespace toriscope

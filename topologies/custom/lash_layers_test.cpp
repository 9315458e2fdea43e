// SPDX-License-Identifier: Apache-2.0
// Layers of paths, judged by a search of its own and by the proof.
#include "topologies/custom/lash_layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "topologies/bfs_oracle.h"
#include "topologies/custom/dependency_layer.h"
#include "topologies/custom/random_network.h"
#include "topologies/custom/table_routing.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/registry.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

std::vector<forwarding_table> shortest(const netlist& net, path_choice choice = path_choice::lowest) {
  network_file names;
  names.nodes.resize(net.node_count());
  return shortest_paths(net, names, choice);
}

/// Layers, and whether the table with them is what it should be.
unsigned checked_layers(const netlist& net, path_choice choice = path_choice::lowest) {
  std::vector<forwarding_table> paths = shortest(net, choice);
  lash_layers layers = assign_layers(net, paths);
  const unsigned count = layers.count;
  const auto routing =
      make_layered_table({std::shared_ptr<void>(), &net}, std::move(paths), std::move(layers), count, false);
  EXPECT_EQ(1u << routing->state_bits() >= count, true);
  const auto found = find_channel_dependencies(net, *routing, count);
  EXPECT_TRUE(found.acyclic()) << found.in_words(net);
  for (node_id source = 0; source < net.node_count(); source += 7) {
    const auto distance = bfs_distances(net, source);
    for (node_id destination = 0; destination < net.node_count(); ++destination)
      for (route_state drawn = 0; drawn < routing->injection_states(); ++drawn)
        EXPECT_EQ(routed_distance(net, *routing, source, destination, count, drawn), distance[destination]);
  }
  return count;
}

TEST(lash_layers, meshes_and_trees_need_one) {
  EXPECT_EQ(checked_layers(*make_topology("mesh:5x6").wiring), 1u);
  EXPECT_EQ(checked_layers(*make_topology("hypercube:5").wiring), 1u);
  std::mt19937 random(1);
  EXPECT_EQ(checked_layers(*random_network(60, 59, random)), 1u) << "a tree";
}

TEST(lash_layers, rings_and_tori) {
  EXPECT_EQ(checked_layers(*make_topology("torus:9").wiring), 2u);
  EXPECT_LE(checked_layers(*make_topology("torus:6x6").wiring), 4u);
  EXPECT_LE(checked_layers(*make_topology("ttn:2,2,0").wiring), 8u);
}

/// Walked by the routing function: the layers of a link have its VCs without a gap, and none has a VC that another one
/// needs more.
TEST(lash_layers, links_give_their_vcs_by_routes) {
  std::mt19937 random(4);
  unsigned shared = 0;
  for (unsigned vcs = 4; vcs <= 7; ++vcs) {
    const auto net = random_network(20, 32, random);
    std::vector<forwarding_table> paths = shortest(*net);
    lash_layers layers = assign_layers(*net, paths);
    ASSERT_LE(layers.count, vcs);
    const auto routing = make_layered_table(net, std::move(paths), std::move(layers), vcs, false);
    std::vector<std::map<vc_mask, std::uint64_t>> routes(net->links().size());
    for (node_id from = 0; from < 20; ++from)
      for (node_id to = 0; to < 20; ++to) {
        route_request at{from, net->local_port(from), 0, to, 0};
        for (route_option on{}; at.node != to;
             at.in_port = net->link(net->ports(at.node)[on.out_port].out).to_port,
             at.node = net->link(net->ports(at.node)[on.out_port].out).to) {
          ASSERT_EQ(routing->route(at, &on), 1u);
          at.state = on.state;
          ++routes[net->ports(at.node)[on.out_port].out][on.vcs];
        }
      }
    for (const auto& of_link : routes) {
      vc_mask used = 0;
      for (const auto& [set, count] : of_link) {
        EXPECT_EQ(used & set, 0);
        used |= set;
      }
      if (of_link.empty()) continue;
      EXPECT_EQ(used, all_vcs(vcs));
      shared += of_link.size() > 1;
      for (const auto& [a, routes_of_a] : of_link)
        for (const auto& [b, routes_of_b] : of_link)
          if (vc_set(a).size() > 1) {
            EXPECT_GE(routes_of_a * vc_set(b).size(), routes_of_b * (vc_set(a).size() - 1));
          }
    }
  }
  EXPECT_GT(shared, 20u);
}

/// Layers drawn; nodes of no, one or two terminals, some with VCs of their own. Each layer in use has a VC, and the
/// others go to the greatest of all routes / 1, routes / 2, ... of layers (as seats of a parliament by d'Hondt).
TEST(lash_layers, vcs_of_links_by_the_greatest_quotients) {
  constexpr unsigned nodes = 14, count = 4, vcs = 7;
  std::mt19937 random(5);
  unsigned idle = 0;
  for (int round = 0; round < 10; ++round) {
    const auto net = random_network(nodes, 22, random);
    std::vector<node_id> terminals;
    std::vector<own_node_values> own(nodes);
    for (node_id n = 0; n < nodes; ++n) {
      terminals.insert(terminals.end(), n % 3, n);
      own[n].vcs = n % 2 == 0 ? 0 : 5;
    }
    net->set_terminals(terminals);
    net->set_node_values(own);
    const std::vector<forwarding_table> tables = shortest(*net, path_choice::all);
    lash_layers layers;
    layers.count = count;
    layers.layer.assign(tables.size(), std::vector<std::uint8_t>(nodes * nodes));
    for (auto& of_table : layers.layer)
      for (std::uint8_t& layer : of_table)
        layer = static_cast<std::uint8_t>(random() % 8 == 0 ? random() % 4 : random() % 2);
    std::vector<std::array<unsigned, count>> routes(net->links().size());
    for (std::size_t t = 0; t < tables.size(); ++t)
      for (const node_id from : terminals)
        for (const node_id to : terminals)
          for (node_id at = from; at != to;) {
            const link_id link = net->ports(at)[tables[t].at(at, to)].out;
            ++routes[link][layers.layer[t][tables[t].index(from, to)]];
            at = net->link(link).to;
          }
    const std::vector<vc_mask> sets = vcs_of_layers(*net, tables, layers, vcs);
    ASSERT_EQ(sets.size(), routes.size() * count);
    for (link_id link = 0; link < routes.size(); ++link) {
      const unsigned of_port = net->link(link).to % 2 == 0 ? vcs : 5;
      std::vector<std::pair<double, unsigned>> quotients;  // negative, so that the greatest comes first
      unsigned shares[count] = {}, rest = of_port;
      for (unsigned layer = 0; layer < count; ++layer) {
        if (routes[link][layer] == 0) continue;
        shares[layer] = 1;
        --rest;
        for (unsigned n = 1; n <= vcs; ++n) quotients.emplace_back(-1.0 * routes[link][layer] / n, layer);
      }
      std::sort(quotients.begin(), quotients.end());
      for (unsigned i = 0; i < rest && !quotients.empty(); ++i) ++shares[quotients[i].second];
      unsigned first = 0;
      for (unsigned layer = 0; layer < count; ++layer) {
        const unsigned set = shares[layer] == 0 ? (1u << of_port) - 1 : ((1u << shares[layer]) - 1) << first;
        EXPECT_EQ(sets[link * count + layer], set) << round << " " << link << " " << layer;
        first += shares[layer];
        idle += shares[layer] == 0;
      }
    }
  }
  EXPECT_GT(idle, 20u);
}

TEST(lash_layers, random_networks) {
  std::mt19937 random(2);
  for (int i = 0; i < 30; ++i) {
    const unsigned nodes = 8 + static_cast<unsigned>(random() % 60);
    const auto net = random_network(nodes, nodes + static_cast<unsigned>(random() % nodes), random);
    EXPECT_LE(checked_layers(*net), 8u);
    EXPECT_LE(checked_layers(*net, path_choice::all), 12u);
  }
}

/// Leaves 0 to 3, each linked with spines 4 to 7: of three ways and more each has the same share.
TEST(lash_layers, of_all_shortest_paths_each_is_in_as_many_tables) {
  for (const unsigned spines : {1u, 3u, 4u}) {
    const auto net = std::make_shared<netlist>("leaves", std::vector<unsigned>{4 + spines},
                                               std::vector<hierarchy_level>{{"node", 1}});
    for (node_id leaf = 0; leaf < 4; ++leaf) net->add_node({"a", "b", "c", "d"});
    for (unsigned s = 0; s < spines; ++s) net->add_node({"a", "b", "c", "d"});
    for (node_id leaf = 0; leaf < 4; ++leaf)
      for (unsigned s = 0; s < spines; ++s) {
        net->connect(leaf, static_cast<port_id>(s), 4 + s, static_cast<port_id>(leaf), 1, 1);
        net->connect(4 + s, static_cast<port_id>(leaf), leaf, static_cast<port_id>(s), 1, 1);
      }
    const std::vector<forwarding_table> tables = shortest(*net, path_choice::all);
    // From spine to spine there are four ways.
    EXPECT_EQ(tables.size(), spines == 3 ? 12u : spines == 1 ? 1u : 4u);
    std::map<port_id, std::size_t> shares;
    for (const forwarding_table& t : tables) ++shares[t.at(0, 3)];
    EXPECT_EQ(shares.size(), spines);
    for (const auto& [port, share] : shares) EXPECT_EQ(share, tables.size() / spines);
  }
}

/// Two tables have one bit of state, three layers two: beyond the last there is none.
TEST(lash_layers, take_the_last_table_and_layer_in_a_state_that_no_packet_has) {
  const auto net = make_topology("torus:4x4").wiring;
  std::vector<forwarding_table> tables = shortest(*net);
  tables.resize(3, tables[0]);
  lash_layers layers;
  layers.count = 3;
  layers.layer.assign(3, std::vector<std::uint8_t>(16 * 16, 2));
  const auto routing = make_layered_table(net, std::move(tables), std::move(layers), 4, false);
  ASSERT_EQ(routing->state_bits(), 4u);
  route_option last[routing_function::max_options], beyond[routing_function::max_options];
  ASSERT_EQ(routing->route({0, 0, 0, 5, 2 << 2 | 2}, last), 1u);
  for (const route_state state : {2u << 2 | 3u, 3u << 2 | 2u, 3u << 2 | 3u}) {
    ASSERT_EQ(routing->route({0, 0, 0, 5, state}, beyond), 1u);
    EXPECT_EQ(beyond[0].out_port, last[0].out_port);
    EXPECT_EQ(beyond[0].vcs, last[0].vcs);
    EXPECT_EQ(beyond[0].state, last[0].state);
  }
}

/// Of the ports that lead nearer to destination d, table t has that of number d + t, and `spread` is its first table.
TEST(shortest_paths, the_ports_of_each_table) {
  std::mt19937 random(6);
  for (int round = 0; round < 10; ++round) {
    const auto net = random_network(20, 35, random);
    const auto lowest = shortest(*net), spread = shortest(*net, path_choice::spread);
    const auto all = shortest(*net, path_choice::all);
    ASSERT_EQ(lowest.size() + spread.size(), 2u);
    std::size_t choices = 1;
    for (node_id destination = 0; destination < 20; ++destination) {
      const auto distance = bfs_distances(*net, destination);  // as far in both directions
      for (node_id node = 0; node < 20; ++node) {
        std::vector<port_id> nearer;
        for (port_id p = 0; p < net->ports(node).size(); ++p)
          if (distance[net->link(net->ports(node)[p].out).to] < distance[node]) nearer.push_back(p);
        if (node == destination) continue;
        choices = std::max(choices, nearer.size());
        EXPECT_EQ(lowest[0].at(node, destination), nearer[0]);
        EXPECT_EQ(spread[0].at(node, destination), nearer[destination % nearer.size()]);
        for (std::size_t t = 0; t < all.size(); ++t)
          EXPECT_EQ(all[t].at(node, destination), nearer[(destination + t) % nearer.size()]);
      }
    }
    EXPECT_EQ(all.size() % choices, 0u);
    EXPECT_LE(all.size(), choices < 3 ? 2u : choices < 4 ? 6u : choices < 5 ? 12u : 60u);
  }
}

/// Layer by layer, each path that closes no cycle with those in the layer, which a search from scratch says. Paths come
/// by destination, and the nearer sources before those behind them.
std::vector<std::vector<std::uint8_t>> naive_layers(const netlist& net, const std::vector<forwarding_table>& tables) {
  using dependency = std::pair<link_id, link_id>;
  const auto out_link = [&](const forwarding_table& t, node_id at, node_id to) {
    return net.ports(at)[t.at(at, to)].out;
  };
  const auto acyclic = [](const std::set<dependency>& all) {
    std::map<link_id, unsigned> before;  // by link, dependencies that lead to it
    for (const auto& [a, b] : all) ++before[b], before[a];
    std::vector<link_id> free;
    for (const auto& [link, count] : before)
      if (count == 0) free.push_back(link);
    for (std::size_t i = 0; i < free.size(); ++i)
      for (auto d = all.lower_bound({free[i], 0}); d != all.end() && d->first == free[i]; ++d)
        if (--before[d->second] == 0) free.push_back(d->second);
    return free.size() == before.size();
  };
  constexpr std::uint8_t none = 0xff;
  const std::size_t pairs = std::size_t{net.node_count()} * net.node_count();
  std::vector<std::vector<std::uint8_t>> layers(tables.size(), std::vector<std::uint8_t>(pairs, none));
  bool left = true;
  for (std::uint8_t number = 0; left; ++number) {
    left = false;
    std::set<dependency> layer;
    for (std::size_t t = 0; t < tables.size(); ++t)
      for (node_id to = 0; to < net.node_count(); ++to) {
        std::vector<node_id> sources{to};
        for (std::size_t i = 0; i < sources.size(); ++i) {
          for (const netlist_port& port : net.ports(sources[i]))
            if (port.in != no_link && net.link(port.in).from != to &&
                out_link(tables[t], net.link(port.in).from, to) == port.in)
              sources.push_back(net.link(port.in).from);
          std::uint8_t& own = layers[t][tables[t].index(sources[i], to)];
          if (i == 0 || own != none) continue;
          std::set<dependency> with = layer;
          link_id last = out_link(tables[t], sources[i], to);
          for (node_id at = net.link(last).to; at != to; at = net.link(last).to) {
            const link_id next = out_link(tables[t], at, to);
            with.emplace(last, next);
            last = next;
          }
          if (acyclic(with)) {
            layer = std::move(with);
            own = number;
          } else {
            left = true;
          }
        }
      }
  }
  for (auto& of_table : layers) std::replace(of_table.begin(), of_table.end(), none, std::uint8_t{0});
  return layers;
}

TEST(lash_layers, a_path_that_does_not_fit_leaves_nothing_behind) {
  std::mt19937 random(4);
  unsigned most = 0;
  const auto compare = [&](const netlist& net, path_choice choice) {
    const std::vector<forwarding_table> tables = shortest(net, choice);
    const lash_layers found = assign_layers(net, tables);
    EXPECT_EQ(found.layer, naive_layers(net, tables));
    most = std::max(most, found.count);
  };
  for (int i = 0; i < 12; ++i) {
    const unsigned nodes = 16 + static_cast<unsigned>(random() % 16);
    const auto net = random_network(nodes, nodes + static_cast<unsigned>(random() % nodes), random);
    compare(*net, path_choice::lowest);
  }
  for (const char* spec : {"torus:15", "torus:5x5", "torus:6x4"})
    compare(*make_topology(spec).wiring, path_choice::all);
  EXPECT_GT(most, 3U);
}

// Against a search from scratch after every step.
TEST(dependency_layer, refuses_what_closes_a_cycle_and_nothing_else) {
  std::mt19937 random(3);
  const auto net = random_network(12, 24, random);
  dependency_layer layer(*net);
  std::set<std::pair<link_id, link_id>> there;
  const auto reaches = [&](link_id from, link_id goal) {
    std::vector<link_id> open{from};
    std::set<link_id> seen{from};
    while (!open.empty()) {
      const link_id at = open.back();
      open.pop_back();
      if (at == goal) return true;
      for (const auto& [a, b] : there)
        if (a == at && seen.insert(b).second) open.push_back(b);
    }
    return false;
  };
  unsigned refused = 0;
  for (int step = 0; step < 4000; ++step) {
    const link_id a = random() % net->links().size();
    const port_range ports = net->ports(net->link(a).to);
    const link_id b = ports[random() % ports.size()].out;
    if (there.count({a, b}) != 0 && random() % 4 == 0) {
      layer.remove(a, b);
      there.erase({a, b});
    } else {
      const bool closes = there.count({a, b}) == 0 && reaches(b, a);
      ASSERT_EQ(layer.add(a, b), !closes);
      if (!closes) there.emplace(a, b);
      refused += closes ? 1 : 0;
    }
    ASSERT_EQ(layer.has(a, b), there.count({a, b}) != 0);
  }
  EXPECT_GT(refused, 100u);
}

// As large as tables go: in seconds, and not in gigabytes.
TEST(lash_layers, a_torus_of_4096_nodes) {
  const auto net = make_topology("torus:64x64").wiring;
  const lash_layers layers = assign_layers(*net, shortest(*net));
  EXPECT_LE(layers.count, 4u);
}

}  // namespace
}  // namespace toriscope

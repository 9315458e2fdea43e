// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/forwarding_table.h"

#include <numeric>
#include <stdexcept>

#include "base/words.h"

namespace toriscope {

namespace {

/// A multiple of `ports` tables, as far as max_tables allows; those that come go on like those that are there.
void provide_for(std::size_t ports, std::vector<forwarding_table>& tables) {
  const std::size_t wanted = std::lcm(ports, tables.size());
  if (wanted > max_tables) return;
  for (std::size_t there = tables.size(); tables.size() < wanted;)
    tables.push_back(tables[tables.size() % there]);
}

std::string quoted(const network_file& file, node_id node) { return "'" + file.nodes[node].name + "'"; }

/// Follows the routes to `destination` from everywhere. `arrives[n]`: from n they do.
void check_arrival(const netlist& net, const network_file& file, const forwarding_table& paths,
                   node_id destination, std::vector<bool>& arrives, std::vector<node_id>& way) {
  arrives.assign(net.node_count(), false);
  arrives[destination] = true;
  for (node_id source = 0; source < net.node_count(); ++source) {
    if (net.local_ports(source) == 0) continue;  // a switch: sends and receives nothing
    way.clear();
    for (node_id at = source; !arrives[at];) {
      if (way.size() == net.node_count())
        throw std::invalid_argument(file.where + ": routes: packets from " + quoted(file, source) + " to " +
                                    quoted(file, destination) + " go round in a cycle by " +
                                    quoted(file, at));
      way.push_back(at);
      const port_id port = paths.at(at, destination);
      if (port == forwarding_table::none)
        throw std::invalid_argument(file.where + ": routes: at " + quoted(file, at) +
                                    " there is no route to " + quoted(file, destination) +
                                    "; \"*\" stands for all destinations that are not named");
      at = net.link(net.ports(at)[port].out).to;
    }
    for (const node_id at : way) arrives[at] = true;
  }
}

port_id port_of(const netlist& net, const network_file& file, const file_route& route) {
  const port_range ports = net.ports(route.node);
  std::vector<std::string> known;
  for (port_id p = 0; p < ports.size(); ++p) {
    if (ports[p].out == no_link) continue;
    if (net.port_name(route.node, p) == route.port) return p;
    known.push_back(net.port_name(route.node, p));
  }
  throw std::invalid_argument(file.where + ": " + route.place + ": no link leaves " +
                              quoted(file, route.node) + " by a port '" + route.port +
                              "'; it has: " + joined(known));
}

}  // namespace

void distances_to(const netlist& net, node_id destination, std::vector<unsigned>& distance,
                  const std::vector<bool>* usable) {
  distance.assign(net.node_count(), no_way);
  distance[destination] = 0;
  std::vector<node_id> queue{destination};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const netlist_port& port : net.ports(queue[i])) {
      if (port.in == no_link || (usable && !(*usable)[port.in])) continue;
      const node_id before = net.link(port.in).from;
      if (distance[before] != no_way) continue;
      distance[before] = distance[queue[i]] + 1;
      queue.push_back(before);
    }
}

std::vector<forwarding_table> shortest_paths(const netlist& net, const network_file& file,
                                             path_choice choice) {
  std::vector<forwarding_table> tables(1, forwarding_table(net.node_count()));
  std::vector<unsigned> distance;
  std::vector<port_id> nearer;
  for (node_id destination = 0; destination < net.node_count(); ++destination) {
    distances_to(net, destination, distance);
    for (node_id node = 0; node < net.node_count(); ++node) {
      if (distance[node] == no_way)
        throw std::invalid_argument(file.where + ": no way leads from " + quoted(file, node) + " to " +
                                    quoted(file, destination) + "; every node must reach every other");
      if (node == destination) continue;
      nearer.clear();
      const port_range ports = net.ports(node);
      for (port_id p = 0; p < ports.size(); ++p)
        if (ports[p].out != no_link && distance[net.link(ports[p].out).to] + 1 == distance[node])
          nearer.push_back(p);
      if (choice == path_choice::all) provide_for(nearer.size(), tables);
      for (std::size_t t = 0; t < tables.size(); ++t)
        tables[t].set(node, destination,
                      nearer[choice == path_choice::lowest ? 0 : (destination + t) % nearer.size()]);
    }
  }
  return tables;
}

forwarding_table given_paths(const netlist& net, const network_file& file) {
  forwarding_table paths(net.node_count());
  const file_route* known = nullptr;
  port_id port = forwarding_table::none;
  for_each_destination(file, [&](const file_route& route, node_id destination) {
    if (&route != known) port = port_of(net, file, route);
    known = &route;
    paths.set(route.node, destination, port);
  });
  std::vector<bool> arrives;
  std::vector<node_id> way;
  for (node_id destination = 0; destination < net.node_count(); ++destination)
    if (net.local_ports(destination) > 0) check_arrival(net, file, paths, destination, arrives, way);
  return paths;
}

}  // namespace toriscope

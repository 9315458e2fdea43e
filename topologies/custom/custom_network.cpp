// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/custom_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "base/whole_number.h"
#include "base/words.h"

namespace toriscope {

namespace {

/// Ports of the nodes, as links come to want them.
class port_book {
 public:
  explicit port_book(const network_file& file) : file_(file), ports_(file.nodes.size()) {}

  /// The port of that name, made if there is none; "": a new one.
  /// @param out, in  what the link uses of it
  port_id take(node_id node, const std::string& name, bool out, bool in, std::size_t link) {
    std::vector<port>& all = ports_[node];
    std::size_t p = 0;
    while (p < all.size() && (name.empty() || all[p].name != name)) ++p;
    if (p == all.size()) {
      const unsigned most = max_ports - file_.nodes[node].terminals;
      if (p >= most) refuse(link, node, "has no port left; " + std::to_string(most) + " is the most");
      all.push_back({name.empty() ? free_name(all) : name, false, false});
    }
    port& taken = all[p];
    if ((out && taken.out) || (in && taken.in))
      refuse(link, node,
             "has an " + std::string(out && taken.out ? "outgoing" : "incoming") + " link at port '" +
                 taken.name + "' already");
    taken.out = taken.out || out;
    taken.in = taken.in || in;
    return static_cast<port_id>(p);
  }

  std::vector<std::string_view> names(node_id node) const {
    std::vector<std::string_view> all;
    for (const port& p : ports_[node]) all.emplace_back(p.name);
    return all;
  }

 private:
  struct port {
    std::string name;
    bool out;
    bool in;
  };

  /// p and the number of the port; a higher one, if the file has named another port so.
  static std::string free_name(const std::vector<port>& all) {
    for (std::size_t number = all.size();; ++number) {
      std::string name = "p" + std::to_string(number);
      if (std::none_of(all.begin(), all.end(), [&](const port& other) { return other.name == name; })) return name;
    }
  }

  [[noreturn]] void refuse(std::size_t link, node_id node, const std::string& why) const {
    throw std::invalid_argument(file_.where + ": links[" + std::to_string(link) + "]: node '" +
                                file_.nodes[node].name + "' " + why);
  }

  const network_file& file_;
  std::vector<std::vector<port>> ports_;
};

std::uint32_t length_of(const network_file& file, const file_link& link) {
  if (link.length != 0) return link.length;
  const std::vector<double>& a = file.nodes[link.from].position;
  const std::vector<double>& b = file.nodes[link.to].position;
  if (a.empty() || b.empty()) return 1;
  double length = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    length += std::abs((axis < a.size() ? a[axis] : 0) - (axis < b.size() ? b[axis] : 0));
  if (length > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument(file.where + ": nodes '" + file.nodes[link.from].name + "' and '" +
                                file.nodes[link.to].name + "' of a link are more than 2^32 pitches apart");
  return static_cast<std::uint32_t>(std::max(std::round(length), 1.0));
}

/// Names as the file has them, unless they are numbers.
void name_nodes(const network_file& file, netlist& net) {
  std::uint64_t number = 0;
  if (std::all_of(file.nodes.begin(), file.nodes.end(),
                  [&](const file_node& n) { return n.group.empty() && to_number(n.name, number); }))
    return;
  for (std::size_t i = 0; i < file.nodes.size(); ++i)
    if (file.nodes[i].group.empty() && to_number(file.nodes[i].name, number) && number < file.nodes.size() &&
        number != i)
      throw std::invalid_argument(
          file.where + ": nodes[" + std::to_string(i) + "]: '" + file.nodes[i].name +
          "' is the number of another node, by which options mean that one; expected a name "
          "that is none, or all names numbers");
  std::vector<std::string> names, paths;
  std::map<std::string, std::string> taken;  ///< module paths, with the nodes that have them
  std::set<std::string> groups;
  for (const file_node& node : file.nodes) {
    names.push_back(address_of(node));
    paths.push_back(module_path_of(node));
    const std::string& path = paths.back();
    if (const auto [other, fresh] = taken.emplace(path, node.name); !fresh)
      throw std::invalid_argument(file.where + ": nodes '" + one_line(other->second, 100) + "' and '" +
                                  one_line(node.name, 100) + "' would both be the module " + path +
                                  "; expected names that differ in letters, digits or _");
    for (std::size_t end = path.find('.'); end != std::string::npos; end = path.find('.', end + 1))
      groups.insert(path.substr(0, end));
  }
  for (const std::string& path : paths)
    if (groups.count(path) > 0)
      throw std::invalid_argument(file.where + ": '" + path +
                                  "' names a node and a group; modules need two names");
  net.set_node_names(std::move(names), std::move(paths));
}

void note_comments(const network_file& file, netlist& net) {
  const auto noted = [](const auto& all) {
    return std::any_of(all.begin(), all.end(), [](const auto& one) { return !one.comment.empty(); });
  };
  if (file.comment.empty() && !noted(file.nodes) && !noted(file.links)) return;
  std::vector<std::string> nodes, links;
  for (const file_node& node : file.nodes) nodes.push_back(node.comment);
  for (const file_link& link : file.links) links.insert(links.end(), link.duplex ? 2 : 1, link.comment);
  net.set_comments(file.comment, std::move(nodes), std::move(links));
}

}  // namespace

std::shared_ptr<netlist> build_custom(const network_file& file) {
  const auto nodes = static_cast<node_id>(file.nodes.size());
  port_book book(file);
  std::vector<std::pair<port_id, port_id>> ends;
  for (std::size_t l = 0; l < file.links.size(); ++l) {
    const file_link& link = file.links[l];
    const port_id from = book.take(link.from, link.from_port, true, link.duplex, l);
    ends.emplace_back(from, book.take(link.to, link.to_port, link.duplex, true, l));
  }

  auto net = std::make_shared<netlist>(file.name, std::vector<unsigned>{nodes},
                                       std::vector<hierarchy_level>{{"node", 1}});
  for (node_id node = 0; node < nodes; ++node) net->add_node(book.names(node));
  for (std::size_t l = 0; l < file.links.size(); ++l) {
    const file_link& link = file.links[l];
    const std::uint32_t length = length_of(file, link);
    const unsigned level =
        link.level != 0 ? link.level : std::max(file.nodes[link.from].level, file.nodes[link.to].level);
    const auto join = [&](node_id from, port_id from_port, node_id to, port_id to_port) {
      const link_id made =
          net->connect(from, from_port, to, to_port, static_cast<std::uint8_t>(level), length);
      if (link.delay_cycles != 0)
        net->link(made).delay_cycles = static_cast<std::uint16_t>(link.delay_cycles);
      if (link.delay_cycles != 0 || link.width_bits != 0)
        net->set_own_values(made, {static_cast<std::uint16_t>(link.delay_cycles),
                                   static_cast<std::uint16_t>(link.width_bits)});
    };
    join(link.from, ends[l].first, link.to, ends[l].second);
    if (link.duplex) join(link.to, ends[l].second, link.from, ends[l].first);
  }
  if (!std::all_of(file.nodes.begin(), file.nodes.end(),
                   [](const file_node& n) { return n.own.is_empty(); })) {
    std::vector<own_node_values> values;
    for (const file_node& node : file.nodes) values.push_back(node.own);
    net->set_node_values(std::move(values));
  }
  std::vector<node_id> terminals;
  bool plain = true;
  for (node_id node = 0; node < nodes; ++node) {
    terminals.insert(terminals.end(), file.nodes[node].terminals, node);
    plain = plain && file.nodes[node].terminals == 1;
  }
  if (terminals.size() < 2)
    throw std::invalid_argument(file.where + ": " + (terminals.empty() ? "no terminal" : "one terminal") +
                                "; a network needs at least two");
  if (!plain) net->set_terminals(terminals);
  if (std::none_of(file.nodes.begin(), file.nodes.end(),
                   [](const file_node& n) { return n.position.empty(); })) {
    std::vector<node_position> positions;
    for (const file_node& node : file.nodes) positions.push_back({node.position[0], node.position[1]});
    net->set_positions(std::move(positions));
  } else {
    net->set_without_places();
  }
  name_nodes(file, *net);
  note_comments(file, *net);
  return net;
}

}  // namespace toriscope

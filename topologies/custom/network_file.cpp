// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/network_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <set>
#include <unordered_map>

#include "base/checked_json.h"
#include "base/nearest_name.h"
#include "base/text_file.h"
#include "topologies/custom/forwarding_table.h"
#include "topologies/custom/graph_file.h"
#include "topologies/custom/reserved_words.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/registry.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr unsigned max_width = 65535;
constexpr unsigned max_length = 65535;
constexpr unsigned max_levels = 16;
constexpr unsigned max_depth = 64;
constexpr double farthest = 1e9;  // coordinates that drawings can add and multiply

class reader {
 public:
  explicit reader(std::string where) { file_.where = std::move(where); }

  network_file read(const checked_json& tree);

 private:
  void read_nodes(const checked_json& nodes);
  void read_node(const checked_json& node);
  void add_node(file_node node, const checked_json& at);
  void read_link(const checked_json& link);
  void check_ends(const file_link& link, const checked_json& at);
  static link_end read_end(const checked_json& end);
  void compare_ends(file_link& link, const checked_json& at) const;
  void read_routes(const checked_json& routes);
  void read_routes_of(node_id node, const checked_json& entries);
  static file_route read_route(const checked_json& entry);

  node_id node_named(const checked_json& value) const;
  node_id node_named(const std::string& name, const checked_json& at) const;

  network_file file_;
  std::unordered_map<std::string, node_id> by_name_;
  std::set<std::pair<node_id, node_id>> joined_;  ///< by links whose ports have no names
};

std::string port_name(const checked_json& value) {
  const std::string name = value.name();
  for (const char c : name)
    if (!std::isgraph(static_cast<unsigned char>(c)) || std::strchr(".,:@\"", c))
      value.refuse("'" + name + "'; the name of a port has no spaces and none of . , : @ \"");
  return name;
}

std::string comment_in(const checked_json& of) {
  return of.has("comment") ? one_line(of.at("comment").name()) : "";
}

file_node named(const std::string& name) {
  file_node node;
  node.name = name;
  return node;
}

network_file reader::read(const checked_json& tree) {
  tree.only({"name", "comment", "nodes", "links", "routes"});
  file_.comment = comment_in(tree);
  if (tree.has("name")) file_.name = tree.at("name").name();
  for (const char c : file_.name)
    if (c != '_' && !std::isalnum(static_cast<unsigned char>(c)))
      tree.refuse("name", "'" + file_.name + "'; letters, digits and _ make the name of a module");
  if (is_reserved_word(file_.name))
    tree.refuse("name", "'" + file_.name + "' is a word of SystemVerilog; expected another name");
  const checked_json nodes = tree.at("nodes");
  const checked_json links = tree.at("links");
  read_nodes(nodes);
  if (!links.value().is_array()) links.refuse("expected a list [...] of links");
  for (std::size_t i = 0; i < links.size(); ++i) read_link(links.item(i));
  if (tree.has("routes")) read_routes(tree.at("routes"));
  return std::move(file_);
}

void reader::read_nodes(const checked_json& nodes) {
  if (nodes.value().is_array()) {
    if (nodes.size() < 2 || nodes.size() > max_table_nodes)
      nodes.refuse("expected from 2 to " + std::to_string(max_table_nodes) + " nodes, not " +
                   std::to_string(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) read_node(nodes.item(i));
    return;
  }
  const std::uint64_t count = nodes.whole(2, max_table_nodes);
  for (std::uint64_t i = 0; i < count; ++i) add_node(named(std::to_string(i)), nodes);
}

void reader::read_node(const checked_json& node) {
  if (node.value().is_string()) return add_node(named(node.name()), node);
  node.only({"name", "position", "level", "terminals", "group", "vcs", "depth", "pipeline", "comment"});
  file_node result;
  result.comment = comment_in(node);
  result.name = node.at("name").name();
  result.level = static_cast<unsigned>(node.whole("level", 1, 1, max_levels));
  result.terminals = static_cast<unsigned>(node.whole("terminals", 1, 0, max_ports - 1));
  result.own.vcs = static_cast<unsigned>(node.whole("vcs", 0, 1, max_vcs));
  result.own.depth = static_cast<unsigned>(node.whole("depth", 0, 1, max_depth));
  if (node.has("pipeline")) {
    result.own.pipeline = node.at("pipeline").name();
    if (result.own.pipeline != "single_cycle" && result.own.pipeline != "four_stage")
      node.at("pipeline").refuse_value("expected single_cycle or four_stage");
  }
  if (node.has("group")) {
    result.group = node.at("group").name();
    for (const std::string& part : split(result.group, '.'))
      if (!is_module_name(part))
        node.at("group").refuse_value(
            "expected names of letters, digits and _, with dots between: chiplet_2");
  }
  if (node.has("position")) {
    const checked_json position = node.at("position");
    bool fits = position.value().is_array() && (position.size() == 2 || position.size() == 3);
    for (const auto& coordinate : position.value()) fits = fits && coordinate.is_number();
    if (!fits) position.refuse_value("expected [x, y] or [x, y, z]");
    result.position = position.value().get<std::vector<double>>();
    for (const double coordinate : result.position)
      if (!(std::abs(coordinate) <= farthest))
        position.refuse_value("expected coordinates from -1000000000 to 1000000000");
  }
  add_node(std::move(result), node);
}

void reader::add_node(file_node node, const checked_json& at) {
  if (!by_name_.emplace(node.name, static_cast<node_id>(file_.nodes.size())).second)
    at.refuse("there is a node '" + node.name + "' already");
  file_.nodes.push_back(std::move(node));
}

node_id reader::node_named(const std::string& name, const checked_json& at) const {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) return known->second;
  at.refuse("there is no node '" + one_line(name, 200) + "'; " +
            did_you_mean(name, names_of(file_.nodes), "nodes are named under 'nodes'"));
}

node_id reader::node_named(const checked_json& value) const {
  if (value.value().is_number()) return static_cast<node_id>(value.whole(0, file_.nodes.size() - 1));
  return node_named(value.name(), value);
}

void reader::read_link(const checked_json& link) {
  link.only({"from", "to", "from_port", "to_port", "duplex", "delay", "width", "length", "level", "from_end",
             "to_end", "comment"});
  file_link result;
  result.comment = comment_in(link);
  result.from = node_named(link.at("from"));
  result.to = node_named(link.at("to"));
  const auto number = [&](const char* key, unsigned most) {
    return static_cast<unsigned>(link.whole(key, 0, 1, most));
  };
  if (link.has("from_port")) result.from_port = port_name(link.at("from_port"));
  if (link.has("to_port")) result.to_port = port_name(link.at("to_port"));
  result.delay_cycles = number("delay", max_link_delay);
  result.width_bits = number("width", max_width);
  result.length = number("length", max_length);
  result.level = number("level", max_levels);
  result.duplex = link.flag("duplex", true);
  check_ends(result, link);
  if (link.has("from_end")) result.from_end = read_end(link.at("from_end"));
  if (link.has("to_end")) result.to_end = read_end(link.at("to_end"));
  compare_ends(result, link);
  file_.links.push_back(std::move(result));
}

void reader::check_ends(const file_link& link, const checked_json& at) {
  const std::string& from = file_.nodes[link.from].name;
  const std::string& to = file_.nodes[link.to].name;
  if (link.from == link.to) at.refuse("a link from '" + from + "' to itself");
  if (!link.from_port.empty() && !link.to_port.empty()) return;
  bool fresh = joined_.emplace(link.from, link.to).second;
  if (link.duplex) fresh = joined_.emplace(link.to, link.from).second && fresh;
  if (!fresh)
    at.refuse("'" + from + "' and '" + to +
              "' are linked already; links side by side need names for their ports (from_port, to_port)");
}

link_end reader::read_end(const checked_json& end) {
  end.only({"vcs", "depth", "width", "protocol"});
  link_end result;
  result.vcs = static_cast<unsigned>(end.whole("vcs", 0, 1, max_vcs));
  result.depth = static_cast<unsigned>(end.whole("depth", 0, 1, max_depth));
  result.width_bits = static_cast<unsigned>(end.whole("width", 0, 1, max_width));
  if (end.has("protocol")) result.protocol = end.at("protocol").name();
  return result;
}

/// The ends with each other, with the link's width, and with what their routers have of their own.
void reader::compare_ends(file_link& link, const checked_json& at) const {
  const file_node& from = file_.nodes[link.from];
  const file_node& to = file_.nodes[link.to];
  const auto compare = [&](const char* what, const std::string& here, const std::string& there) {
    if (here.empty() || there.empty() || here == there) return;
    const auto end = [](const file_node& node, const std::string& port) {
      return "'" + node.name + "'" + (port.empty() ? "" : " (port " + port + ")");
    };
    at.refuse("its ends disagree: " + std::string(what) + " " + here + " at " + end(from, link.from_port) +
              ", " + there + " at " + end(to, link.to_port) + "; expected the same at both");
  };
  const auto number = [](unsigned n) { return n == 0 ? "" : std::to_string(n); };
  compare("vcs", number(link.from_end.vcs), number(link.to_end.vcs));
  compare("depth", number(link.from_end.depth), number(link.to_end.depth));
  compare("width", number(link.from_end.width_bits), number(link.to_end.width_bits));
  compare("protocol", link.from_end.protocol, link.to_end.protocol);

  const auto check = [&](const char* what, unsigned said, unsigned is, const std::string& of) {
    if (said != 0 && is != 0 && said != is)
      at.refuse("between '" + from.name + "' and '" + to.name + "': " + what + " " + std::to_string(said) +
                " at an end, " + std::to_string(is) + " " + of + "; expected the same");
  };
  const link_end& one = link.from_end;
  const link_end& other = link.to_end;
  const unsigned width = std::max(one.width_bits, other.width_bits);
  check("width", width, link.width_bits, "of the link");
  if (width != 0) link.width_bits = width;
  for (const file_node* node : {&from, &to}) {
    check("vcs", std::max(one.vcs, other.vcs), node->own.vcs, "in the router '" + node->name + "'");
    check("depth", std::max(one.depth, other.depth), node->own.depth, "in the router '" + node->name + "'");
  }
}

void reader::read_routes(const checked_json& routes) {
  if (!routes.value().is_object()) routes.refuse("expected an object of nodes: {\"a\": {\"b\": \"port\"}}");
  for (const auto& [key, value] : routes.value().items()) {
    const checked_json entries = routes.part(key, value);
    read_routes_of(node_named(key, entries), entries);
  }
  if (file_.routes.empty()) routes.refuse("no route is given; without 'routes' shortest paths are taken");
}

void reader::read_routes_of(node_id node, const checked_json& entries) {
  if (!entries.value().is_object())
    entries.refuse("expected an object of destinations: {\"b\": \"port\", \"*\": \"port\"}");
  for (const auto& [key, value] : entries.value().items()) {
    const checked_json entry = entries.part(key, value);
    file_route route = read_route(entry);
    route.node = node;
    if (key != "*") {
      route.destination = node_named(key, entry);
      if (route.destination == node) entry.refuse("a route from a node to itself");
    }
    file_.routes.push_back(std::move(route));
  }
}

file_route reader::read_route(const checked_json& entry) {
  file_route route;
  route.place = entry.place();
  if (entry.value().is_string()) {
    route.port = entry.name();
    return route;
  }
  entry.only({"port", "vcs"});
  route.port = entry.at("port").name();
  if (!entry.has("vcs")) return route;
  const checked_json vcs = entry.at("vcs");
  if (!vcs.value().is_array() || vcs.size() == 0) vcs.refuse("expected a list of VCs: [0, 1]");
  for (std::size_t i = 0; i < vcs.size(); ++i)
    route.vcs |= vc_set::of(static_cast<unsigned>(vcs.item(i).whole(0, max_vcs - 1))).mask();
  return route;
}

}  // namespace

bool is_module_name(const std::string& name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
}

namespace {

/// Parts between dots, each with what cannot stand in an address as one _.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts(1);
  bool gap = false;
  for (const char c : name) {
    const bool fits =
        static_cast<unsigned char>(c) < 0x80 && (std::isalnum(static_cast<unsigned char>(c)) ||
                                                 std::string_view("_-+/.").find(c) != std::string_view::npos);
    if (!fits) {
      gap = true;
      continue;
    }
    if (gap && !parts.back().empty() && c != '.') parts.back() += '_';
    gap = false;
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (std::all_of(parts.begin(), parts.end(), [](const std::string& part) { return !part.empty(); }))
    return parts;
  std::string whole;
  for (const std::string& part : parts) whole += (whole.empty() || part.empty() ? "" : "_") + part;
  return {whole.empty() ? "_" : whole};
}

}  // namespace

std::string address_of(const file_node& node) {
  return (node.group.empty() ? "" : node.group + ".") + joined(parts_of(node.name), ".");
}

std::string module_path_of(const file_node& node) {
  std::vector<std::string> parts = split(address_of(node), '.');
  for (std::string& part : parts) {
    for (char& c : part)
      if (c == '-' || c == '+' || c == '/') c = '_';
    if (std::isdigit(static_cast<unsigned char>(part[0]))) part.insert(0, "n");
    if (is_reserved_word(part)) part += '_';
  }
  return joined(parts, ".");
}

network_file parse_network(const std::string& text, const std::string& where) {
  auto tree = is_graphml(text) ? from_graphml(text, where) : parse_json(text, where);
  if (is_node_link(tree)) tree = from_node_link(tree, where);
  return reader(where).read(checked_json(tree, where));
}

network_file read_network_file(const std::string& path) {
  const std::string where = "network file " + path;
  return parse_network(text_of_file(path, where), where);
}

}  // namespace toriscope

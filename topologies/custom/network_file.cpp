// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/network_file.h"

#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "base/input_file.h"
#include "base/nearest_name.h"
#include "base/whole_number.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/registry.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

using json = nlohmann::json;

constexpr unsigned most_width = 65535;
constexpr unsigned most_length = 65535;
constexpr unsigned most_levels = 16;

/// Goes through the tree and knows at every value where in the file it is.
class reader {
 public:
  explicit reader(std::string where) { file_.where = std::move(where); }

  network_file read(const json& tree);

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& why) const {
    throw std::invalid_argument(file_.where + (place.empty() ? "" : ", " + place) + ": " + why);
  }
  void expect_object(const json& value, const std::string& place, const std::vector<std::string>& keys) const;
  unsigned whole(const json& value, const std::string& place, unsigned least, unsigned most) const;
  std::string text(const json& value, const std::string& place) const;
  std::string port_name(const json& value, const std::string& place) const;

  void read_nodes(const json& nodes);
  void read_node(const json& node, const std::string& place);
  void read_link(const json& link, const std::string& place);
  void read_routes(const json& routes);
  void read_routes_of(node_id node, const json& entries, const std::string& place);
  file_route read_route(const json& entry, const std::string& place) const;

  node_id node_named(const json& value, const std::string& place) const;
  node_id node_named(const std::string& name, const std::string& place) const;

  network_file file_;
  std::unordered_map<std::string, node_id> by_name_;
  std::set<std::pair<node_id, node_id>> joined_;  ///< by links whose ports have no names
};

void reader::expect_object(const json& value, const std::string& place,
                           const std::vector<std::string>& keys) const {
  if (!value.is_object()) refuse(place, "expected an object {...} with: " + joined(keys));
  for (const auto& item : value.items()) {
    bool known = false;
    for (const std::string& key : keys) known = known || key == item.key();
    if (!known) refuse(place, unknown_name("key", item.key(), keys));
  }
}

unsigned reader::whole(const json& value, const std::string& place, unsigned least, unsigned most) const {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number >= least && number <= most) return static_cast<unsigned>(number);
  }
  refuse(place, value.dump() + "; expected a whole number from " + std::to_string(least) + " to " +
                    std::to_string(most));
}

std::string reader::text(const json& value, const std::string& place) const {
  if (value.is_string() && !value.get<std::string>().empty()) return value.get<std::string>();
  refuse(place, value.dump() + "; expected a name in quotes");
}

std::string reader::port_name(const json& value, const std::string& place) const {
  const std::string name = text(value, place);
  for (const char c : name)
    if (c == '.' || !std::isgraph(static_cast<unsigned char>(c)))
      refuse(place, "'" + name + "'; the name of a port has no spaces and no dots");
  return name;
}

network_file reader::read(const json& tree) {
  expect_object(tree, "", {"name", "nodes", "links", "routes"});
  for (const char* key : {"nodes", "links"})
    if (!tree.contains(key)) refuse("", std::string("'") + key + "' is missing");
  if (tree.contains("name")) file_.name = text(tree["name"], "name");
  for (const char c : file_.name)
    if (c != '_' && !std::isalnum(static_cast<unsigned char>(c)))
      refuse("name", "'" + file_.name + "'; letters, digits and _ make the name of a module");
  read_nodes(tree["nodes"]);
  if (!tree["links"].is_array()) refuse("links", "expected a list [...] of links");
  for (std::size_t i = 0; i < tree["links"].size(); ++i)
    read_link(tree["links"][i], "links[" + std::to_string(i) + "]");
  if (tree.contains("routes")) read_routes(tree["routes"]);
  return std::move(file_);
}

void reader::read_nodes(const json& nodes) {
  if (nodes.is_array()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) read_node(nodes[i], "nodes[" + std::to_string(i) + "]");
    if (nodes.size() < 2) refuse("nodes", "a network needs at least 2 nodes");
    return;
  }
  const unsigned count = whole(nodes, "nodes", 2, max_nodes);
  for (unsigned i = 0; i < count; ++i) read_node(std::to_string(i), "nodes");
}

void reader::read_node(const json& node, const std::string& place) {
  file_node result;
  if (node.is_string()) {
    result.name = text(node, place);
  } else {
    expect_object(node, place, {"name", "position", "level"});
    if (!node.contains("name")) refuse(place, "'name' is missing");
    result.name = text(node["name"], place + ".name");
    if (node.contains("level")) result.level = whole(node["level"], place + ".level", 1, most_levels);
    if (node.contains("position")) {
      const json& position = node["position"];
      bool fits = position.is_array() && (position.size() == 2 || position.size() == 3);
      for (const json& coordinate : position) fits = fits && coordinate.is_number();
      if (!fits) refuse(place + ".position", position.dump() + "; expected [x, y] or [x, y, z]");
      result.position = position.get<std::vector<double>>();
    }
  }
  if (!by_name_.emplace(result.name, static_cast<node_id>(file_.nodes.size())).second)
    refuse(place, "there is a node '" + result.name + "' already");
  file_.nodes.push_back(std::move(result));
}

node_id reader::node_named(const std::string& name, const std::string& place) const {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) return known->second;
  std::vector<std::string> names;
  for (const file_node& node : file_.nodes) names.push_back(node.name);
  const std::string near = nearest_name(name, names);
  refuse(place, "there is no node '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

node_id reader::node_named(const json& value, const std::string& place) const {
  if (value.is_number()) return whole(value, place, 0, static_cast<unsigned>(file_.nodes.size()) - 1);
  return node_named(text(value, place), place);
}

void reader::read_link(const json& link, const std::string& place) {
  expect_object(link, place,
                {"from", "to", "from_port", "to_port", "duplex", "delay", "width", "length", "level"});
  for (const char* key : {"from", "to"})
    if (!link.contains(key)) refuse(place, std::string("'") + key + "' is missing");
  file_link result;
  result.from = node_named(link["from"], place + ".from");
  result.to = node_named(link["to"], place + ".to");
  const auto words = [&](const char* key, std::string& to) {
    if (link.contains(key)) to = port_name(link[key], place + "." + key);
  };
  const auto number = [&](const char* key, unsigned most, unsigned& to) {
    if (link.contains(key)) to = whole(link[key], place + "." + key, 1, most);
  };
  words("from_port", result.from_port);
  words("to_port", result.to_port);
  number("delay", max_link_delay, result.delay_cycles);
  number("width", most_width, result.width_bits);
  number("length", most_length, result.length);
  number("level", most_levels, result.level);
  if (link.contains("duplex")) {
    if (!link["duplex"].is_boolean()) refuse(place + ".duplex", "expected true or false");
    result.duplex = link["duplex"].get<bool>();
  }

  const std::string& from = file_.nodes[result.from].name;
  const std::string& to = file_.nodes[result.to].name;
  if (result.from == result.to) refuse(place, "a link from '" + from + "' to itself");
  if (result.from_port.empty() || result.to_port.empty()) {
    bool fresh = joined_.emplace(result.from, result.to).second;
    if (result.duplex) fresh = joined_.emplace(result.to, result.from).second && fresh;
    if (!fresh)
      refuse(place, "'" + from + "' and '" + to +
                        "' are linked already; links side by side need names for their ports (from_port, "
                        "to_port)");
  }
  file_.links.push_back(std::move(result));
}

void reader::read_routes(const json& routes) {
  if (!routes.is_object()) refuse("routes", "expected an object of nodes: {\"a\": {\"b\": \"port\"}}");
  for (const auto& item : routes.items()) {
    const std::string place = "routes." + item.key();
    read_routes_of(node_named(item.key(), place), item.value(), place);
  }
  if (file_.routes.empty()) refuse("routes", "no route is given; without 'routes' shortest paths are taken");
}

void reader::read_routes_of(node_id node, const json& entries, const std::string& place) {
  if (!entries.is_object())
    refuse(place, "expected an object of destinations: {\"b\": \"port\", \"*\": \"port\"}");
  for (const auto& item : entries.items()) {
    file_route route = read_route(item.value(), place + "." + item.key());
    route.node = node;
    if (item.key() != "*") {
      route.destination = node_named(item.key(), route.place);
      if (route.destination == node) refuse(route.place, "a route from a node to itself");
    }
    file_.routes.push_back(std::move(route));
  }
}

file_route reader::read_route(const json& entry, const std::string& place) const {
  file_route route;
  route.place = place;
  if (entry.is_string()) {
    route.port = text(entry, place);
    return route;
  }
  expect_object(entry, place, {"port", "vcs"});
  if (!entry.contains("port")) refuse(place, "'port' is missing");
  route.port = text(entry["port"], place + ".port");
  if (!entry.contains("vcs")) return route;
  if (!entry["vcs"].is_array() || entry["vcs"].empty())
    refuse(place + ".vcs", "expected a list of VCs: [0, 1]");
  for (const json& vc : entry["vcs"])
    route.vcs = static_cast<vc_mask>(route.vcs | 1u << whole(vc, place + ".vcs", 0, max_vcs - 1));
  return route;
}

/// "line 3, column 5", counted from 1. @param byte  counted from 1
std::string line_and_column(const std::string& text, std::size_t byte) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    line += text[i] == '\n' ? 1 : 0;
    column = text[i] == '\n' ? 1 : column + 1;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

network_file parse_network(const std::string& text, const std::string& where) {
  json tree;
  try {
    tree = json::parse(text, nullptr, true, /*ignore_comments=*/true);
  } catch (const json::parse_error& error) {
    std::string what = error.what();
    const std::size_t colon =
        what.find(": ");  // "[json.exception...] parse error at line ..., column ...: why"
    if (colon != std::string::npos) what = what.substr(colon + 2);
    throw std::invalid_argument(where + ", " + line_and_column(text, error.byte) + ": " + what);
  } catch (const json::out_of_range& error) {
    throw std::invalid_argument(where + ": " + json_complaint(error));
  }
  return reader(where).read(tree);
}

network_file read_network_file(const std::string& path) {
  const std::string where = "network file '" + path + "'";
  return parse_network(text_of_file(path, where), where);
}

}  // namespace toriscope

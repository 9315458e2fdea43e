// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/graph_file.h"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/nearest_name.h"
#include "base/words.h"
#include "topologies/custom/network_file.h"
#include "topologies/custom/reserved_words.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
namespace pt = boost::property_tree;

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw std::invalid_argument(where + ": " + why);
}

/// What is read of nodes (edges) beside names; everything else - colours, weights - is passed over.
const std::vector<std::string> of_nodes{"terminals", "group",    "level",    "vcs",
                                        "depth",     "pipeline", "position", "comment"};
const std::vector<std::string> of_edges{"delay",  "width",     "length",  "level",
                                        "duplex", "from_port", "to_port", "comment"};

/// A whole number as one, also where it was written as 2.0.
json tidied(const json& value) {
  if (!value.is_number_float()) return value;
  const double number = value.get<double>();
  const bool whole =
      number >= 0 && number < 1e15 && number == static_cast<double>(static_cast<std::uint64_t>(number));
  return whole ? json(static_cast<std::uint64_t>(number)) : value;
}

/// A number or truth value that GraphML has as text; else the text.
json value_of(const std::string& text) {
  const json value = json::parse(text, nullptr, false);
  return value.is_number() || value.is_boolean() ? tidied(value) : json(text);
}

/// Numbers in a text: "(1.5, 2)", "1.5,2".
json position_of(const json& value) {
  if (!value.is_string()) return value;
  std::string text = value.get<std::string>();
  text.erase(std::remove_if(text.begin(), text.end(),
                            [](char c) { return std::string("[]() ").find(c) != std::string::npos; }),
             text.end());
  json position = json::array();
  for (const std::string& part : split(text, ',')) position.push_back(json::parse(part, nullptr, false));
  return std::all_of(position.begin(), position.end(), [](const json& n) { return n.is_number(); }) ? position
                                                                                                    : value;
}

class translation {
 public:
  explicit translation(std::string where) : where_(std::move(where)) {
    file_["nodes"] = json::array();
    file_["links"] = json::array();
  }

  /// The network's name, where it can be one.
  void set_name(const std::string& name) {
    if (is_module_name(name) && !is_reserved_word(name)) file_["name"] = name;
  }

  void add_node(const std::string& id, const json& attributes) {
    json node;
    const std::string place = "nodes[" + std::to_string(file_["nodes"].size()) + "]";
    if (!number_.emplace(id, number_.size()).second)
      refuse(where_, place + ": there is a node with id '" + one_line(id, 200) + "' already");
    for (const char* key : {"name", "label"})
      if (!node.contains("name") && attributes.contains(key) && attributes[key].is_string())
        node["name"] = attributes[key];
    if (!node.contains("name")) node["name"] = id;
    take(attributes, of_nodes, {"name", "label", "x", "y", "z", "pos"}, place, node);
    if (attributes.contains("pos")) node["position"] = attributes["pos"];
    if (attributes.contains("x") && attributes.contains("y")) {
      node["position"] = {attributes["x"], attributes["y"]};
      if (attributes.contains("z")) node["position"].push_back(attributes["z"]);
    }
    if (node.contains("position")) node["position"] = position_of(node["position"]);
    file_["nodes"].push_back(std::move(node));
  }

  void add_edge(const std::string& source, const std::string& target, const json& attributes, bool directed) {
    const std::size_t from = node_of(source), to = node_of(target);
    json link;
    link["from"] = from;
    link["to"] = to;
    const std::string place = "links[" + std::to_string(file_["links"].size()) + "]";
    take(attributes, of_edges, {"source", "target", "key", "id", "weight"}, place, link);
    if (directed && !link.contains("duplex")) link["duplex"] = false;
    if (!has_ports(link) && directed && joined_with_way_back(link)) return;
    if (!is_duplex(link)) open_[{from, to}].push_back(file_["links"].size());
    file_["links"].push_back(std::move(link));
  }

  json finished() {
    name_ports_side_by_side();
    return std::move(file_);
  }

 private:
  std::size_t node_of(const std::string& id) const {
    const auto known = number_.find(id);
    if (known != number_.end()) return known->second;
    std::vector<std::string> ids;
    for (const auto& [name, number] : number_) ids.push_back(name);
    refuse(where_, "links[" + std::to_string(file_["links"].size()) + "]: there is no node with id '" +
                       one_line(id, 200) + "'; " + did_you_mean(id, ids, "nodes come before edges"));
  }

  /// The attributes that are known; near misses are errors.
  void take(const json& attributes, const std::vector<std::string>& keys,
            const std::vector<std::string>& others, const std::string& place, json& into) const {
    for (const auto& [key, value] : attributes.items()) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
        into[key] = tidied(value);
        continue;
      }
      if (std::find(others.begin(), others.end(), key) != others.end()) continue;
      for (const std::string& known : keys)
        if (key.size() > 3 && edit_distance(key, known) == 1)
          refuse(where_, place + ": attribute '" + one_line(key, 200) + "'; did you mean '" + known + "'?");
    }
  }

  static bool has_ports(const json& link) { return link.contains("from_port") || link.contains("to_port"); }
  static bool is_duplex(const json& link) { return !link.contains("duplex") || link["duplex"] == true; }

  /// Links between the same nodes, the same way: their ports need names.
  void name_ports_side_by_side() {
    std::map<pair, unsigned> between;
    std::set<std::pair<std::size_t, std::string>> named;  // ports
    for (const json& link : file_["links"])
      for (const std::string end : {"from", "to"})
        if (const auto port = link.find(end + "_port"); port != link.end() && port->is_string())
          named.emplace(link[end], *port);
    std::map<std::size_t, unsigned> numbers;  // by node
    const auto free_name = [&](std::size_t node) {
      while (true)
        if (std::string name = "m" + std::to_string(numbers[node]++); named.count({node, name}) == 0)
          return name;
    };
    for (json& link : file_["links"]) {
      const std::size_t from = link["from"], to = link["to"];
      const bool both_ways = is_duplex(link);
      if (!has_ports(link) && (between[{from, to}] > 0 || (both_ways && between[{to, from}] > 0))) {
        link["from_port"] = free_name(from);
        link["to_port"] = free_name(to);
      }
      ++between[{from, to}];
      if (both_ways) ++between[{to, from}];
    }
  }

  /// A directed edge back with the same values: both are one full-duplex link.
  bool joined_with_way_back(const json& link) {
    std::vector<std::size_t>& back = open_[{link["to"], link["from"]}];
    for (std::size_t i = 0; i < back.size(); ++i) {
      json& other = file_["links"][back[i]];
      json turned = link;
      std::swap(turned["from"], turned["to"]);
      if (other != turned) continue;
      other.erase("duplex");
      back.erase(back.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  using pair = std::pair<std::size_t, std::size_t>;

  const std::string where_;
  json file_;
  std::map<std::string, std::size_t> number_;      ///< by id
  std::map<pair, std::vector<std::size_t>> open_;  ///< links by their ends, while they may be joined
};

/// The '>' at which the reader of XML goes on behind a comment, CDATA, an instruction or a declaration at `i`.
std::size_t end_of_markup(const std::string& text, std::size_t i) {
  struct brackets {
    std::string begin, end;
  };
  static const brackets kinds[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (const brackets& kind : kinds) {
    if (text.compare(i, kind.begin.size(), kind.begin) != 0) continue;
    const std::size_t end = text.find(kind.end, i + kind.begin.size());
    return end == std::string::npos ? text.size() : end + kind.end.size() - 1;
  }
  const bool has_subset =
      text.compare(i, 9, "<!DOCTYPE") == 0 && std::string(" \t\r\n").find(text[i + 9]) != std::string::npos;
  for (unsigned depth = 0; i < text.size() && (text[i] != '>' || depth > 0); ++i) {
    if (has_subset && text[i] == '[') ++depth;
    if (text[i] == ']' && depth > 0) --depth;
  }
  return i;
}

/// The reader of XML calls itself for every level.
void check_nesting(const std::string& text, const std::string& where) {
  constexpr unsigned most = 100;
  unsigned depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '<') continue;
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (next == '!' || next == '?') {
      i = end_of_markup(text, i);
      continue;
    }
    char quote = 0;
    while (i < text.size() && (quote != 0 || text[i] != '>')) {
      if (text[i] == '"' || text[i] == '\'') quote = quote == 0 ? text[i] : quote == text[i] ? '\0' : quote;
      ++i;
    }
    if (next == '/')
      depth -= depth > 0;
    else if (text[i - 1] != '/')  // behind the '<'
      ++depth;
    if (depth > most) refuse(where, "it nests more than " + std::to_string(most) + " levels deep");
  }
}

std::string attribute(const pt::ptree& element, const char* name) {
  return element.get<std::string>(pt::ptree::path_type(std::string("<xmlattr>/") + name, '/'), "");
}

/// yEd has the label of a node deep in the data of its drawing.
const std::string* label_in(const pt::ptree& element) {
  for (const auto& [tag, child] : element) {
    if (tag == "y:NodeLabel" && !child.data().empty()) return &child.data();
    if (const std::string* const label = label_in(child)) return label;
  }
  return nullptr;
}

/// The data of a node or an edge, by the names of their keys.
json data_of(const pt::ptree& element, const std::map<std::string, std::string>& names) {
  static const std::set<std::string> texts{"name",      "label",   "group",  "pipeline",
                                           "from_port", "to_port", "comment"};
  json values = json::object();
  for (const auto& [tag, child] : element) {
    if (tag != "data") continue;
    const auto name = names.find(attribute(child, "key"));
    if (name != names.end() && !name->second.empty())
      values[name->second] = texts.count(name->second) > 0 ? json(child.data()) : value_of(child.data());
    if (const std::string* const label = label_in(child)) values["label"] = *label;
  }
  return values;
}

}  // namespace

bool is_graphml(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string::npos && text[first] == '<';
}

bool is_node_link(const json& tree) {
  if (!tree.contains("nodes")) return false;
  const auto links = tree.find(tree.contains("links") ? "links" : "edges");
  if (links == tree.end() || !links->is_array()) return false;
  return tree.contains("edges") || tree.contains("directed") ||
         (!links->empty() && links->front().is_object() && links->front().contains("source"));
}

json from_graphml(const std::string& text, const std::string& where) {
  check_nesting(text, where);
  pt::ptree tree;
  try {
    std::istringstream in(text);
    pt::read_xml(in, tree, pt::xml_parser::no_comments | pt::xml_parser::trim_whitespace);
  } catch (const pt::xml_parser_error& error) {
    refuse(where + ":" + std::to_string(error.line()), "this is not XML: " + one_line(error.message(), 200));
  }
  const auto root = tree.get_child_optional("graphml");
  const auto graph = root ? root->get_child_optional("graph") : boost::none;
  if (!graph) refuse(where, "expected GraphML: an element graphml with a graph in it");
  translation result(where);
  std::map<std::string, std::string> names;
  for (const auto& [tag, key] : *root)
    if (tag == "key") names[attribute(key, "id")] = attribute(key, "attr.name");
  const json of_graph = data_of(*graph, names);
  result.set_name(of_graph.value("name", attribute(*graph, "id")));
  if (root->count("graph") > 1) refuse(where, "two graphs; expected one");
  if (graph->count("hyperedge") > 0) refuse(where, "a hyperedge; expected edges, each between two nodes");
  for (const auto& [tag, node] : *graph) {
    if (tag != "node") continue;
    const std::string id = attribute(node, "id");
    if (node.count("graph") > 0)
      refuse(where, "node '" + one_line(id, 200) + "' is a group, with a graph of its own; expected nodes alone");
    result.add_node(id, data_of(node, names));
  }
  const bool directed = attribute(*graph, "edgedefault") == "directed";
  for (const auto& [tag, edge] : *graph) {
    if (tag != "edge") continue;
    const std::string own = attribute(edge, "directed");
    result.add_edge(attribute(edge, "source"), attribute(edge, "target"), data_of(edge, names),
                    own.empty() ? directed : own == "true" || own == "1");
  }
  return result.finished();
}

json from_node_link(const json& tree, const std::string& where) {
  translation result(where);
  const auto id_of = [](const json& id) {
    if (id.is_string()) return id.get<std::string>();
    if (!id.is_array()) return id.dump();
    std::string text;  // a tuple: (0, 1)
    for (const json& part : id)
      text += (text.empty() ? "" : "_") + (part.is_string() ? part.get<std::string>() : part.dump());
    return text;
  };
  const auto list = [&](const char* key) -> const json& {
    if (!tree[key].is_array()) refuse(where, std::string(key) + ": expected a list [...]");
    return tree[key];
  };
  const auto member = [&](const json& entry, const char* of, std::size_t i, const char* key) -> const json& {
    if (!entry.is_object() || !entry.contains(key))
      refuse(where, std::string(of) + "[" + std::to_string(i) + "]: '" + key + "' is missing");
    return entry[key];
  };
  if (tree.contains("graph") && tree["graph"].is_object() && tree["graph"].contains("name") &&
      tree["graph"]["name"].is_string())
    result.set_name(tree["graph"]["name"]);
  std::size_t i = 0;
  for (const json& node : list("nodes")) {
    const std::string id = id_of(member(node, "nodes", i++, "id"));
    result.add_node(id, node);
  }
  const bool directed = tree.contains("directed") && tree["directed"] == true;
  const char* const edges = tree.contains("links") ? "links" : "edges";
  i = 0;
  for (const json& edge : list(edges)) {
    const std::string source = id_of(member(edge, edges, i, "source"));
    result.add_edge(source, id_of(member(edge, edges, i, "target")), edge, directed);
    ++i;
  }
  return result.finished();
}

}  // namespace toriscope

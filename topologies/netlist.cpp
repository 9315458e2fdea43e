// SPDX-License-Identifier: Apache-2.0
#include "topologies/netlist.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace toriscope {

netlist::netlist(std::string name, std::vector<unsigned> radices, std::vector<hierarchy_level> hierarchy)
    : name_(std::move(name)), radices_(std::move(radices)), hierarchy_(std::move(hierarchy)) {
  for (const unsigned radix : radices_) {
    if (radix == 0) throw std::invalid_argument("netlist " + name_ + ": an address digit has radix 0");
    node_count_ *= radix;
    if (node_count_ > std::size_t{no_link})
      throw std::invalid_argument("netlist " + name_ + ": more nodes than 32 bits can number");
  }
  std::size_t digits = 0;
  for (const hierarchy_level& level : hierarchy_) digits += level.digits;
  if (digits != radices_.size())
    throw std::invalid_argument("netlist " + name_ + ": the hierarchy names " + std::to_string(digits) +
                                " digits, the address has " + std::to_string(radices_.size()));
}

void netlist::reserve(std::size_t nodes, std::size_t ports, std::size_t links) {
  first_port_.reserve(nodes + 1);
  ports_.reserve(ports);
  links_.reserve(links);
}

void netlist::add_node(const std::vector<std::string_view>& port_names) {
  if (first_port_.size() > node_count_)
    throw std::logic_error("netlist " + name_ + ": more nodes added than the address has");
  if (port_names.size() + 1 > max_ports)
    throw std::invalid_argument("netlist " + name_ + ": a node with " + std::to_string(port_names.size()) +
                                " ports and the local one; at most " + std::to_string(max_ports) +
                                " are supported");
  for (const std::string_view port : port_names) ports_.push_back({intern(port), no_link, no_link});
  first_port_.push_back(static_cast<std::uint32_t>(ports_.size()));
}

link_id netlist::connect(node_id from, port_id from_port, node_id to, port_id to_port, std::uint8_t level,
                         std::uint32_t length) {
  const auto side = [&](node_id node, port_id port) -> netlist_port& {
    if (node + std::size_t{1} >= first_port_.size() || port >= ports(node).size())
      throw std::logic_error("netlist " + name_ + ": no port " + std::to_string(port) + " at node " +
                             std::to_string(node));
    return ports_[first_port_[node] + port];
  };
  netlist_port& source = side(from, from_port);
  netlist_port& sink = side(to, to_port);
  if (source.out != no_link)
    throw std::logic_error("netlist " + name_ + ": " + path(from) + " " + port_name(from, from_port) +
                           " already has an outgoing link");
  if (sink.in != no_link)
    throw std::logic_error("netlist " + name_ + ": " + path(to) + " " + port_name(to, to_port) +
                           " already has an incoming link");
  const auto l = static_cast<link_id>(links_.size());
  netlist_link wire;
  wire.from = from;
  wire.to = to;
  wire.from_port = from_port;
  wire.to_port = to_port;
  wire.level = level;
  wire.length = length;
  links_.push_back(wire);
  if (!own_.empty()) own_.emplace_back();
  source.out = l;
  sink.in = l;
  return l;
}

void netlist::set_own_values(link_id l, own_link_values values) {
  own_.resize(links_.size());
  own_[l] = values;
}

void netlist::set_terminals(const std::vector<node_id>& nodes, const std::vector<node_id>& exits) {
  const std::vector<node_id>& leave = exits.empty() ? nodes : exits;
  terminals_.resize(nodes.size());
  std::vector<std::vector<local_port_sides>> of_node(node_count_);
  for (terminal_id t = 0; t < nodes.size(); ++t) {
    const auto add = [&](node_id node, local_port_sides sides) {
      of_node[node].push_back(sides);
      return static_cast<port_id>(local_port(node) + of_node[node].size() - 1);
    };
    netlist_terminal& place = terminals_[t];
    place.node = nodes[t];
    place.exit = leave[t];
    const bool one_port = place.node == place.exit;
    place.port = add(place.node, {t, one_port ? t : no_terminal});
    place.exit_port = one_port ? place.port : add(place.exit, {no_terminal, t});
  }
  first_local_.assign(1, 0);
  local_.clear();
  for (node_id node = 0; node < node_count_; ++node) {
    local_.insert(local_.end(), of_node[node].begin(), of_node[node].end());
    first_local_.push_back(static_cast<std::uint32_t>(local_.size()));
    if (port_count(node) > max_ports)
      throw std::invalid_argument("netlist " + name_ + ": " + path(node) + " has " +
                                  std::to_string(port_count(node)) + " ports, those of " +
                                  std::to_string(of_node[node].size()) + " terminals included; at most " +
                                  std::to_string(max_ports) + " are supported");
  }
}

port_id netlist::port_named(node_id node, std::string_view name) const {
  const port_range all = ports(node);
  for (std::size_t p = 0; p < all.size(); ++p)
    if (port_names_[all[p].name] == name) return static_cast<port_id>(p);
  throw std::out_of_range(path(node) + " has no port " + std::string(name));
}

std::string netlist::port_name(node_id node, port_id port) const {
  const port_range all = ports(node);
  if (port >= port_count(node))
    throw std::out_of_range(path(node) + " has no port number " + std::to_string(port));
  if (port < all.size()) return port_names_[all[port].name];
  return local_ports(node) == 1 ? "local" : "local" + std::to_string(port - all.size());
}

std::vector<unsigned> netlist::digits(node_id node) const {
  std::vector<unsigned> result(radices_.size());
  std::size_t rest = node;
  for (std::size_t i = radices_.size(); i-- > 0;) {
    result[i] = static_cast<unsigned>(rest % radices_[i]);
    rest /= radices_[i];
  }
  return result;
}

node_id netlist::node_at(const std::vector<unsigned>& digits) const {
  if (digits.size() != radices_.size())
    throw std::out_of_range("an address of " + name_ + " has " + std::to_string(radices_.size()) +
                            " digits, not " + std::to_string(digits.size()));
  std::size_t node = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] >= radices_[i])
      throw std::out_of_range("digit " + std::to_string(i + 1) + " of an address of " + name_ + " is " +
                              std::to_string(digits[i]) + ", its radix is " + std::to_string(radices_[i]));
    node = node * radices_[i] + digits[i];
  }
  return static_cast<node_id>(node);
}

void netlist::set_node_names(std::vector<std::string> names, std::vector<std::string> paths) {
  node_paths_ = paths.empty() ? names : std::move(paths);
  node_names_ = std::move(names);
}

void netlist::set_comments(std::string of_network, std::vector<std::string> of_nodes,
                           std::vector<std::string> of_links) {
  comment_ = std::move(of_network);
  node_comments_ = std::move(of_nodes);
  link_comments_ = std::move(of_links);
}

std::string netlist::path(node_id node) const {
  if (has_node_names()) return node_paths_[node];
  const std::vector<unsigned> all = digits(node);
  std::string result;
  std::size_t i = 0;
  for (const hierarchy_level& level : hierarchy_) {
    if (!result.empty()) result += '.';
    result += level.prefix;
    for (unsigned d = 0; d < level.digits; ++d) result += '_' + std::to_string(all[i++]);
  }
  return result;
}

std::string netlist::address(node_id node) const {
  if (has_node_names()) return node_names_[node];
  const std::vector<unsigned> all = digits(node);
  std::string result;
  std::size_t i = 0;
  for (const hierarchy_level& level : hierarchy_) {
    if (i > 0) result += '.';
    const std::size_t end = i + level.digits;
    // Digits of two places need a sign between them, or 1,12 and 11,2 would look the same.
    const bool wide = std::any_of(radices_.begin() + static_cast<std::ptrdiff_t>(i),
                                  radices_.begin() + static_cast<std::ptrdiff_t>(end),
                                  [](unsigned radix) { return radix > 10; });
    for (bool first = true; i < end; ++i, first = false) {
      if (wide && !first) result += '_';
      result += std::to_string(all[i]);
    }
  }
  return result;
}

std::string netlist::of_terminal(terminal_id t, std::string (netlist::*of_node)(node_id) const) const {
  const netlist_terminal place = terminal(t);
  const std::string text = (this->*of_node)(place.node);
  if (local_ports(place.node) == 1) return text;
  return text + ".t" + std::to_string(place.port - local_port(place.node));
}

std::string netlist::terminal_address(terminal_id t) const { return of_terminal(t, &netlist::address); }
std::string netlist::terminal_path(terminal_id t) const { return of_terminal(t, &netlist::path); }

std::uint16_t netlist::intern(std::string_view port_name) {
  if (port_name.empty()) throw std::invalid_argument("netlist " + name_ + ": a port without a name");
  // A million nodes name a few dozen ports over and over: guess where the name was seen last.
  const std::size_t size = port_name.size();
  const auto letter = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(port_name[i]));
  };
  std::uint16_t& guess = guesses_[(letter(0) + 5 * letter(size - 1) + 11 * letter(size / 2) +
                                   23 * letter(size > 1 ? 1 : 0) + size) %
                                  guesses_.size()];
  if (guess < port_names_.size() && port_names_[guess] == port_name) return guess;
  const auto known = std::find(port_names_.begin(), port_names_.end(), port_name);
  guess = static_cast<std::uint16_t>(known - port_names_.begin());
  if (known == port_names_.end()) port_names_.emplace_back(port_name);
  return guess;
}

}  // namespace toriscope

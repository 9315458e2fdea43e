// SPDX-License-Identifier: Apache-2.0
// Crossbar, fat tree and butterfly: packets take one digit of the destination in each stage.
#include <string>
#include <vector>

#include "base/bits_for.h"
#include "topologies/switches/switched_networks.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

node_id power(unsigned k, unsigned n) {
  node_id result = 1;
  while (n-- > 0) result *= k;
  return result;
}

/// Digit i of a number of `digits` digits.
unsigned digit(node_id number, unsigned i, unsigned digits, unsigned k) {
  return number / power(k, digits - 1 - i) % k;
}

/// The number with digit i replaced.
node_id with_digit(node_id number, unsigned i, unsigned digits, unsigned k, unsigned value) {
  const node_id weight = power(k, digits - 1 - i);
  return number - number / weight % k * weight + value * weight;
}

std::vector<std::string> numbered(const std::string& prefix, unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

std::vector<std::string_view> views(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// `stages` stages of k^(n-1) switches: level_1.switch_0_2.
std::shared_ptr<netlist> staged(const std::string& name, const std::string& stage, unsigned k, unsigned n) {
  std::vector<unsigned> radices{n};
  radices.insert(radices.end(), n - 1, k);
  return std::make_shared<netlist>(name, radices,
                                   std::vector<hierarchy_level>{{stage, 1}, {"switch", n - 1}});
}

class crossbar_routing final : public routing_function {
 public:
  explicit crossbar_routing(unsigned vcs) : vcs_(all_vcs(vcs)) {}
  unsigned route(const route_request& request, route_option* options) const override {
    options[0] = {static_cast<port_id>(request.destination), vcs_, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const vc_mask vcs_;
};

class fat_tree_routing final : public routing_function {
 public:
  fat_tree_routing(unsigned k, unsigned n, unsigned vcs, ways_up ways)
      : k_(k), n_(n), of_level_(power(k, n - 1)), vcs_(all_vcs(vcs)), up_(ways) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned level = request.node / of_level_;
    const node_id here = request.node % of_level_;
    const node_id there = request.destination / k_;  // the switch that it hangs on
    const unsigned wanted = digit(request.destination, level, n_, k_);
    // All digits before `level` agree: the destination is below. Ports: k down, then k up.
    const node_id below = power(k_, n_ - 1 - level);
    if (here / below == there / below) {
      // At the lowest level the k terminals stand behind the ports up.
      const bool lowest = level == n_ - 1;
      options[0] = {static_cast<port_id>(lowest ? k_ + wanted : wanted), vcs_, 0};
      return 1;
    }
    const unsigned first = level == n_ - 1 ? 0 : k_;  // of the ports up
    if (up_ != ways_up::any) {
      const unsigned port = up_ == ways_up::drawn ? request.state % k_ : wanted;
      options[0] = {static_cast<port_id>(first + port), vcs_, request.state / k_};
      return 1;
    }
    for (unsigned j = 0; j < k_; ++j) options[j] = {static_cast<port_id>(first + (wanted + j) % k_), vcs_, 0};
    return k_;
  }
  unsigned state_bits() const override { return up_ == ways_up::drawn ? bits_for(of_level_) : 0; }
  /// A digit for each level but the top.
  route_state injection_states() const override { return up_ == ways_up::drawn ? of_level_ : 1; }
  unsigned options_at_most() const override { return up_ == ways_up::any ? k_ : 1; }

 private:
  const unsigned k_, n_;
  const node_id of_level_;
  const vc_mask vcs_;
  const ways_up up_;
};

class butterfly_routing final : public routing_function {
 public:
  butterfly_routing(unsigned k, unsigned n, unsigned vcs)
      : k_(k), n_(n), of_stage_(power(k, n - 1)), vcs_(all_vcs(vcs)) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned stage = request.node / of_stage_;
    const unsigned wanted = digit(request.destination, stage, n_, k_);
    // The last stage has k ports in, then k terminals.
    options[0] = {static_cast<port_id>(stage == n_ - 1 ? k_ + wanted : wanted), vcs_, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const unsigned k_, n_;
  const node_id of_stage_;
  const vc_mask vcs_;
};

}  // namespace

switched_network make_crossbar(unsigned terminals, unsigned vcs) {
  auto net = std::make_shared<netlist>("crossbar", std::vector<unsigned>{1},
                                       std::vector<hierarchy_level>{{"switch", 1}});
  net->add_node({});
  net->set_terminals(std::vector<node_id>(terminals, 0));
  return {net, std::make_shared<crossbar_routing>(vcs)};
}

switched_network make_fat_tree(unsigned k, unsigned n, unsigned vcs, ways_up ways) {
  auto net = staged("fattree", "level", k, n);
  const node_id each = power(k, n - 1);
  const std::vector<std::string> down = numbered("down", k), up = numbered("up", k);
  for (unsigned level = 0; level < n; ++level) {
    std::vector<std::string_view> ports;
    if (level + 1 < n) ports = views(down);
    if (level > 0) ports.insert(ports.end(), up.begin(), up.end());
    for (node_id w = 0; w < each; ++w) net->add_node(ports);
  }
  for (unsigned level = 0; level + 1 < n; ++level)
    for (node_id w = 0; w < each; ++w)
      for (unsigned j = 0; j < k; ++j) {
        const node_id upper = level * each + w;
        const node_id lower = (level + 1) * each + with_digit(w, level, n - 1, k, j);
        const auto port_up = static_cast<port_id>((level + 2 < n ? k : 0) + digit(w, level, n - 1, k));
        const auto port_down = static_cast<port_id>(j);
        const auto height = static_cast<std::uint8_t>(n - 1 - level);
        net->connect(upper, port_down, lower, port_up, height, 1);
        net->connect(lower, port_up, upper, port_down, height, 1);
      }
  std::vector<node_id> terminals;
  for (node_id t = 0; t < each * k; ++t) terminals.push_back((n - 1) * each + t / k);
  net->set_terminals(terminals);
  net->set_without_lengths();
  return {net, std::make_shared<fat_tree_routing>(k, n, vcs, ways)};
}

switched_network make_butterfly(unsigned k, unsigned n, unsigned vcs) {
  auto net = staged("butterfly", "stage", k, n);
  const node_id each = power(k, n - 1);
  const std::vector<std::string> names = numbered("p", k);
  for (node_id node = 0; node < n * each; ++node) net->add_node(views(names));
  for (unsigned stage = 0; stage + 1 < n; ++stage)
    for (node_id w = 0; w < each; ++w)
      for (unsigned j = 0; j < k; ++j)
        net->connect(stage * each + w, static_cast<port_id>(j),
                     (stage + 1) * each + with_digit(w, stage, n - 1, k, j),
                     static_cast<port_id>(digit(w, stage, n - 1, k)), 1, 1);
  std::vector<node_id> first, last;
  for (node_id t = 0; t < each * k; ++t) {
    first.push_back(t / k);
    last.push_back((n - 1) * each + t / k);
  }
  net->set_terminals(first, last);
  net->set_without_lengths();
  return {net, std::make_shared<butterfly_routing>(k, n, vcs)};
}

}  // namespace toriscope

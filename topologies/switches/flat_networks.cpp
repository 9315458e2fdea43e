// SPDX-License-Identifier: Apache-2.0
// Flattened butterfly and dragonfly: routers of many ports, few hops.
#include <string>
#include <vector>

#include "topologies/analysis/planar_layout.h"
#include "topologies/switches/switched_networks.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

/// Port to number `to` of the others among 0 .. count-1, which are linked all with all.
unsigned port_to(unsigned from, unsigned to) { return to < from ? to : to - 1; }

void add_terminals(netlist& net, unsigned each) {
  std::vector<node_id> terminals;
  for (node_id node = 0; node < net.node_count(); ++node) terminals.insert(terminals.end(), each, node);
  net.set_terminals(terminals);
}

class flattened_butterfly_routing final : public routing_function {
 public:
  flattened_butterfly_routing(std::shared_ptr<const netlist> net, unsigned each, unsigned vcs)
      : net_(std::move(net)), each_(each), vcs_(all_vcs(vcs)) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const node_id there = request.destination / each_;
    const std::vector<unsigned>& radices = net_->radices();
    node_id weight = net_->node_count();
    unsigned first = 0;  // port of the dimension
    for (const unsigned k : radices) {
      weight /= k;
      const unsigned from = request.node / weight % k, to = there / weight % k;
      if (from != to) {
        options[0] = {static_cast<port_id>(first + port_to(from, to)), vcs_, 0};
        return 1;
      }
      first += k - 1;
    }
    options[0] = {static_cast<port_id>(first + request.destination % each_), vcs_, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const std::shared_ptr<const netlist> net_;
  const unsigned each_;
  const vc_mask vcs_;
};

class dragonfly_routing final : public routing_function {
 public:
  dragonfly_routing(unsigned a, unsigned p, unsigned h, unsigned vcs)
      : a_(a),
        p_(p),
        h_(h),
        groups_(a * h + 1),
        all_(all_vcs(vcs)),
        before_(vc_class(0, 2, vcs)),
        in_(vc_class(1, 2, vcs)) {}

  unsigned route(const route_request& request, route_option* options) const override {
    const node_id there = request.destination / p_;
    if (request.node == there) {
      options[0] = {static_cast<port_id>(a_ - 1 + h_ + request.destination % p_), all_, 0};
      return 1;
    }
    const unsigned router = request.node % a_, group = request.node / a_;
    const unsigned aim = there / a_;
    // The router to go to within this group.
    const unsigned global =
        (aim + groups_ - group - 1) % groups_;  // the link of this group that leads to `aim`
    const unsigned next = group == aim ? there % a_ : global / h_;
    if (next != router)
      options[0] = {static_cast<port_id>(port_to(router, next)), group == aim ? in_ : before_, 0};
    else
      options[0] = {static_cast<port_id>(a_ - 1 + global % h_), all_, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const unsigned a_, p_, h_, groups_;
  const vc_mask all_, before_, in_;
};

}  // namespace

switched_network make_flattened_butterfly(unsigned k, unsigned n, unsigned each, unsigned vcs) {
  auto net = std::make_shared<netlist>("flatfly", std::vector<unsigned>(n, k),
                                       std::vector<hierarchy_level>{{"router", n}});
  std::vector<std::string> names;
  for (unsigned d = 0; d < n; ++d)
    for (unsigned j = 0; j + 1 < k; ++j) names.push_back("d" + std::to_string(d) + "_" + std::to_string(j));
  for (node_id node = 0; node < net->node_count(); ++node) net->add_node({names.begin(), names.end()});
  for (node_id node = 0; node < net->node_count(); ++node) {
    const std::vector<unsigned> digits = net->digits(node);
    for (unsigned d = 0; d < n; ++d)
      for (unsigned to = 0; to < k; ++to) {
        if (to == digits[d]) continue;
        std::vector<unsigned> other = digits;
        other[d] = to;
        const unsigned first = d * (k - 1);
        net->connect(node, static_cast<port_id>(first + port_to(digits[d], to)), net->node_at(other),
                     static_cast<port_id>(first + port_to(to, digits[d])), 1);
      }
  }
  set_planar_lengths(*net);
  add_terminals(*net, each);
  return {net, std::make_shared<flattened_butterfly_routing>(net, each, vcs)};
}

switched_network make_dragonfly(unsigned a, unsigned p, unsigned h, unsigned vcs) {
  const unsigned groups = a * h + 1;
  auto net = std::make_shared<netlist>("dragonfly", std::vector<unsigned>{groups, a},
                                       std::vector<hierarchy_level>{{"group", 1}, {"router", 1}});
  std::vector<std::string> names;
  for (unsigned j = 0; j + 1 < a; ++j) names.push_back("local_to" + std::to_string(j));
  for (unsigned j = 0; j < h; ++j) names.push_back("global" + std::to_string(j));
  for (node_id node = 0; node < net->node_count(); ++node) net->add_node({names.begin(), names.end()});
  for (unsigned group = 0; group < groups; ++group)
    for (unsigned router = 0; router < a; ++router) {
      const node_id node = group * a + router;
      for (unsigned to = 0; to < a; ++to)
        if (to != router)
          net->connect(node, static_cast<port_id>(port_to(router, to)), group * a + to,
                       static_cast<port_id>(port_to(to, router)), 1);
      for (unsigned j = 0; j < h; ++j) {
        const unsigned link = router * h + j, back = a * h - 1 - link;
        const unsigned other = (group + link + 1) % groups;
        net->connect(node, static_cast<port_id>(a - 1 + j), other * a + back / h,
                     static_cast<port_id>(a - 1 + back % h), 2);
      }
    }
  set_planar_lengths(*net);
  add_terminals(*net, p);
  return {net, std::make_shared<dragonfly_routing>(a, p, h, vcs)};
}

}  // namespace toriscope

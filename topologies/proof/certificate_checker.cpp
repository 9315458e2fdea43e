// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/certificate_checker.h"

#include <algorithm>
#include <unordered_map>

namespace toriscope {

namespace {

class certificate_walker {
 public:
  certificate_walker(const netlist& net, const routing_function& routing, unsigned vcs, vc_mask escape_vcs,
                     const std::vector<std::uint32_t>& numbers, certificate_check& result)
      : net_(net),
        routing_(routing),
        vcs_(vcs),
        escape_vcs_(escape_vcs),
        numbers_(numbers),
        result_(result) {}

  /// False: there is an objection.
  bool walk_to(terminal_id destination);

 private:
  struct walker {
    link_id link;
    unsigned vc;
    route_state state;
  };

  bool step(const route_request& at, std::uint64_t above);
  bool take(const route_request& at, link_id link, unsigned vc, route_state state, std::uint64_t above);
  bool object(const route_request& at, const std::string& what);

  const netlist& net_;
  const routing_function& routing_;
  unsigned vcs_;
  vc_mask escape_vcs_;
  const std::vector<std::uint32_t>& numbers_;
  certificate_check& result_;
  /// By link, VC and state: one more than the greatest number a packet there has behind it.
  std::unordered_map<std::uint64_t, std::uint64_t> behind_;
  std::vector<walker> under_way_;
};

bool certificate_walker::object(const route_request& at, const std::string& what) {
  result_.objection =
      "a packet at " + net_.address(at.node) + " to " + net_.terminal_address(at.destination) + " " + what;
  return false;
}

bool certificate_walker::take(const route_request& at, link_id link, unsigned vc, route_state state,
                              std::uint64_t above) {
  if ((escape_vcs_ >> vc & 1) != 0) {
    const std::uint64_t number = numbers_[std::size_t{link} * vcs_ + vc];
    ++result_.steps;
    if (number < above)
      return object(at, "that has come over a channel numbered " + std::to_string(above - 1) +
                            " may ask for " + net_.port_name(at.node, net_.link(link).from_port) + " vc" +
                            std::to_string(vc) + ", numbered " + std::to_string(number));
    above = number + 1;
  }
  const std::uint64_t place = (std::uint64_t{link} * vcs_ + vc) << 32 | state;
  const auto [known, is_new] = behind_.emplace(place, above);
  if (!is_new && known->second >= above) return true;
  known->second = above;
  under_way_.push_back({link, vc, state});
  return true;
}

/// @param above  numbers asked for must not be smaller
bool certificate_walker::step(const route_request& at, std::uint64_t above) {
  route_option options[routing_function::max_options];
  const unsigned count = routing_.route(at, options);
  if (count == 0 || count > routing_function::max_options) return object(at, "has no way on");
  bool has_escape = false;
  for (unsigned i = 0; i < count; ++i) {
    const route_option& option = options[i];
    if (option.vcs == 0 || option.vcs >> vcs_ != 0) return object(at, "is sent to VCs that there are not");
    has_escape = has_escape || (option.vcs & ~escape_vcs_) == 0;
    if (option.out_port >= net_.port_count(at.node)) return object(at, "is sent to a port that there is not");
    if (net_.is_local(at.node, option.out_port)) {
      if (net_.leaving(at.node, option.out_port) != at.destination)
        return object(at, "leaves the network there");
      has_escape = true;
      continue;
    }
    const link_id link = net_.ports(at.node)[option.out_port].out;
    if (link == no_link) return object(at, "is sent to a port without a link");
    if (option.vcs >> net_.vcs_of(net_.link(link).to, vcs_) != 0)
      return object(at, "is sent to VCs that there are not");
    for (unsigned vc = 0; vc < vcs_; ++vc)
      if ((option.vcs >> vc & 1) != 0 && !take(at, link, vc, option.state, above)) return false;
  }
  return has_escape || object(at, "has no option of escape VCs only");
}

bool certificate_walker::walk_to(terminal_id destination) {
  behind_.clear();
  under_way_.clear();
  bool fine = true;
  net_.for_each_entry([&](node_id source, port_id port) {
    for (route_state drawn = 0; drawn < routing_.injection_states(); ++drawn)
      for (unsigned vc = 0; vc < vcs_ && fine; ++vc)
        fine = step({source, port, static_cast<std::uint8_t>(vc), destination, drawn}, 0);
  });
  if (!fine) return false;
  while (!under_way_.empty()) {
    const walker w = under_way_.back();
    under_way_.pop_back();
    const netlist_link& wire = net_.link(w.link);
    const std::uint64_t above = behind_.at((std::uint64_t{w.link} * vcs_ + w.vc) << 32 | w.state);
    if (!step({wire.to, wire.to_port, static_cast<std::uint8_t>(w.vc), destination, w.state}, above))
      return false;
  }
  return true;
}

}  // namespace

certificate_check check_certificate(const netlist& net, const routing_function& routing, unsigned vcs,
                                    vc_mask escape_vcs, const std::vector<std::uint32_t>& numbers,
                                    std::uint64_t max_work) {
  certificate_check result;
  if (numbers.size() != net.links().size() * vcs) {
    result.objection = "there are " + std::to_string(numbers.size()) + " numbers for " +
                       std::to_string(net.links().size() * vcs) + " channels";
    return result;
  }
  certificate_walker packets(net, routing, vcs, escape_vcs, numbers, result);
  // A network without links has nothing to number.
  const std::uint64_t links = std::max<std::uint64_t>(1, net.links().size());
  const std::uint64_t affordable = std::max<std::uint64_t>(1, max_work / links);
  const terminal_id nodes = net.terminal_count();
  result.complete = nodes <= affordable;
  const terminal_id apart = result.complete ? 1 : static_cast<node_id>(nodes / affordable) | 1;
  for (terminal_id destination = 0; destination < nodes; destination += apart) {
    if (!packets.walk_to(destination)) return result;
    if (nodes - destination <= apart) break;
  }
  result.holds = true;
  return result;
}

}  // namespace toriscope

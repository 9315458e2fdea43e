// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/every_routing/routed_networks.h"

#include <fmt/format.h>

#include <cctype>

#include "topologies/proof/packet_explorer.h"

namespace toriscope {

std::vector<routed_network> routed_networks() {
  std::vector<routed_network> list;
  const auto add = [&](const std::string& spec, const topology_options& options = {}) {
    list.push_back({spec, options});
  };
  const auto with = [](unsigned vcs, const char* routing = "", const char* ties = "", const char* gates = "",
                       const char* links = "U", const char* rule = "safe") {
    topology_options options;
    options.vcs = vcs;
    options.routing = routing;
    options.ties = ties;
    options.gates = gates;
    options.links = links;
    options.vc_rule = rule;
    return options;
  };
  add("mesh:4x5", with(1));
  add("torus:5x4", with(2));
  add("torus:4x4", with(4, "dor", "positive"));
  add("mesh:4x5", with(1, "xy"));
  add("torus:5x4", with(2, "xy"));
  for (const char* rule : {"dateline", "wrapping"}) add("torus:5x4", with(3, "dor", "", "", "U", rule));
  add("cube:3,3", with(2));
  add("ucube:4,2", with(3));
  add("hypercube:4", with(1));
  add("mesh:4x5", with(2, "adaptive"));
  add("torus:5x4", with(3, "adaptive"));
  add("torus:4x4", with(4, "adaptive", "nowrap"));
  add("cube:3,3", with(4, "adaptive"));
  add("ucube:4,2", with(3, "adaptive"));
  add("hypercube:4", with(2, "adaptive"));
  for (const char* routing : {"dor", "adaptive", "valiant", "ugal"}) add("ring:7", with(4, routing));
  add("ccc:3");
  add("ccc:4");
  for (const char* links : {"U", "B"}) {
    add("ttn:2,2,0", with(4, "dor", "nowrap", "", links));
    add("ttn:2,2,2", with(4, "dor", "nowrap", "", links));
    add("tesh:2,2,0", with(4, "dor", "", "", links));
    add("tesh:2,2,1", with(4, "dor", "", "", links, "G"));
    add("sttn:2,2,0", with(4, "dor", "nowrap", "", links));
  }
  for (const char* gates : {"nearest", "destination"}) {
    add("htn:4,2,2,1", with(3, "dor", "", gates));
    add("htn:2,4,2,0", with(4, "cs", "", gates));
    add("htn:2,4,2,0", with(4, "adaptive", "", gates));
  }
  add("htn:4,2,2,0", with(4, "ls", "", "nearest"));
  add("htn:4,2,2,1", with(4, "ls+cs", "", "nearest"));
  add("htn:4,2,2,0", with(4, "dor", "positive", "nearest"));
  add("mh3dt:4,2,2,2", with(3));
  add("h3dt:4,2,2,0", with(3));
  add("mh3dt:4,2,2,2", with(4, "adaptive"));
  add("h3dt:4,2,2,0", with(4, "adaptive"));
  for (const char* network : {"rdt:alpha,16", "rdt:beta,16"}) {
    add(network, with(3, "floating3"));
    add(network, with(4, "floating4"));
  }
  add("rdt:perfect,16", with(2, "vector"));
  add("file:" TORISCOPE_EXAMPLE, with(3));
  for (const char* network : {"crossbar:16", "fattree:4,2", "butterfly:4,2", "flatfly:4,1,4", "cmesh:2x3,2"})
    add(network, with(2));
  add("fattree:2,3", with(2, "adaptive"));
  add("file:" TORISCOPE_EXAMPLE, with(3, "spread"));
  add("file:" TORISCOPE_EXAMPLE, with(4, "random"));
  add("file:" TORISCOPE_EXAMPLE, with(4, "in_turn"));
  add("file:" TORISCOPE_EXAMPLE, with(1, "updown"));
  add("file:" TORISCOPE_EXAMPLE, with(2, "adaptive"));
  add("cmesh:2x3,2", with(1, "xy"));
  add("cmesh:2x3,2", with(2, "adaptive"));
  for (const char* routing : {"dor", "xy", "adaptive"}) add("ctorus:3x3,2", with(3, routing));
  add("dragonfly:2,2,1", with(3));
  for (const char* routing : {"o1turn", "valiant", "ugal"}) {
    add("mesh:3x4", with(2, routing));
    add("torus:4x3", with(4, routing));
    add("cmesh:2x2,3", with(2, routing));
    add("ctorus:3x3,2", with(4, routing));
  }
  for (const char* routing : {"valiant", "ugal"}) {
    add("cube:3,2", with(4, routing));
    add("hypercube:3", with(4, routing));
    add("flatfly:3,2,2", with(2, routing));
    add("dragonfly:2,2,1", with(4, routing));
  }
  add("fattree:2,3", with(1, "random"));
  add("chiplets:mesh:1x3+mesh:2x3+gateways=00,12+delay=2", with(2));
  add("chiplets:fattree:2,2+torus:3x3", with(4));
  add("chiplets:crossbar:2+htn:2,2,2,0+gateways=00.000,10.110", with(8));
  return list;
}

std::string describe(const routed_network& n) {
  const topology_options& o = n.options;
  return fmt::format("{} links {} ties '{}' gates '{}' routing '{}' rule {} {} VCs", n.spec, o.links, o.ties,
                     o.gates, o.routing, o.vc_rule, o.vcs);
}

std::vector<vc_mask> vcs_allowed(const topology& made, unsigned vcs) {
  packet_explorer packets(*made.wiring, *made.routing, vcs);
  for (terminal_id t = 0; t < made.wiring->terminal_count(); ++t) packets.follow_packets_to(t);
  return packets.vcs_used();
}

void PrintTo(const routed_network& n, std::ostream* out) { *out << describe(n); }

std::string name_of_test(const testing::TestParamInfo<routed_network>& info) {
  return indexed_test_name(info.index, info.param.spec.substr(info.param.spec.rfind('/') + 1) + "_" +
                                           info.param.options.routing);
}

std::string indexed_test_name(std::size_t index, const std::string& words) {
  std::string name = std::to_string(index) + "_" + words;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace toriscope

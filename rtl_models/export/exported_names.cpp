// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/exported_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/words.h"
#include "rtl_models/export/network_wires.h"

namespace toriscope {
namespace {

using name_list = std::vector<std::string>;

constexpr std::size_t longest_file_name = 255;
// Routers look for their tables by their own place: Verilator shortens longer names in it, and sv/route_table.sv
// has 256 bytes for all of it, with what is around the network and within the router.
constexpr std::size_t longest_scope = 127;
constexpr std::size_t longest_path = 200;

bool holds(const name_list& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

[[noreturn]] void refuse(const std::string& what, const std::string& name, const std::string& why,
                         const std::string& expected) {
  throw std::invalid_argument(
      fmt::format("{} '{}' cannot be exported: {}; expected {}", what, one_line(name, 100), why, expected));
}

}  // namespace

void check_network_name(const netlist& wiring, const std::string& prefix, const name_list& modules) {
  const std::string& name = wiring.name();
  if (std::isdigit(static_cast<unsigned char>(name.front())))
    refuse("network", name, "the name of a module begins with a letter", "another 'name' in its file");
  // Both have the prefix.
  if (holds(modules, name))
    refuse("network", name, "each export has a module " + prefix + name + " of its own",
           "another 'name' in its file");
  static const name_list without_prefix = {"scoreboard", "scoreboard_clock", "testbench", "toriscope_boundary",
                                           "toriscope_pkg"};
  if (holds(without_prefix, prefix + name))
    refuse("network", name, "a testbench of each export is the module " + prefix + name,
           fmt::format("{} --module-prefix, such as noc_, or another 'name' in its file",
                       prefix.empty() ? "a" : "another"));
  if (const std::size_t bytes = (prefix + name + "_streams.sv").size(); bytes > longest_file_name)
    refuse("network", name, fmt::format("the name of its file NAME_streams.sv would have {} bytes", bytes),
           fmt::format("a 'name' in its file that makes it at most {}", longest_file_name));
}

void check_node_names(const netlist& wiring, bool with_scoreboard) {
  static const name_list of_network = {"FLIT_BITS"};  // pins are reserved words of network files
  static const name_list of_scoreboard = {"CreditBits", "FlitBits", "Routers", "WITH_TRAFFIC", "asked",
                                          "cycles",     "edges",    "finish",  "model",        "statistics_t"};
  for (node_id n = 0; n < wiring.node_count(); ++n) {
    const std::string path = module_path(wiring, n);
    const name_list scopes = split(path, '.');
    if (path.size() > longest_path || std::any_of(scopes.begin(), scopes.end(), [](const std::string& s) {
          return s.size() > longest_scope;
        }))
      refuse(
          "node", wiring.path(n),
          fmt::format("its router would not find its route table, by names of at most {} bytes and {} in all",
                      longest_scope, longest_path),
          "a shorter name in the network's file");
    for (const std::string& scope : scopes)
      if (holds(of_network, scope) || (with_scoreboard && holds(of_scoreboard, scope)))
        refuse("node", wiring.path(n),
               fmt::format("'{}' is the name of something else {}", scope,
                           holds(of_network, scope) ? "in the module of the network" : "in scoreboard.sv"),
               "another name in the network's file");
  }
}

void check_table_names(const netlist& wiring) {
  for (node_id n = 0; n < wiring.node_count(); ++n)
    if (const std::size_t bytes = (module_path(wiring, n) + ".hex").size(); bytes > longest_file_name)
      refuse("node", wiring.path(n), fmt::format("the name of its route table, NODE.hex, would have {} bytes", bytes),
             fmt::format("a name in the network's file that makes it at most {}", longest_file_name));
}

}  // namespace toriscope

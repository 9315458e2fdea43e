// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/exported_network.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <re2/re2.h>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/text_file.h"
#include "base/words.h"
#include "network/router_kinds.h"
#include "rtl_models/export/export_directory.h"
#include "rtl_models/export/exported_names.h"
#include "rtl_models/export/network_top.h"
#include "rtl_models/export/network_wires.h"
#include "rtl_models/route_table.h"
#include "rtl_models/rtl_eligibility.h"
#include "rtl_models/rtl_sources.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;

flit_layout layout_of(const exported_network& network) {
  return flit_layout(network.wiring.terminal_count(), network.routing.state_bits());
}

route_tables tables_of(const exported_network& network) {
  std::vector<node_id> nodes(network.wiring.node_count());
  std::iota(nodes.begin(), nodes.end(), node_id{0});
  return route_tables(network.wiring, network.routing, layout_of(network), network.config.router.vcs,
                      std::move(nodes));
}

void write_tables(const exported_network& network, const route_tables& tables, const fs::path& directory) {
  make_directory(directory);
  for (node_id n = 0; n < network.wiring.node_count(); ++n)
    tables.write_file(n, (directory / (module_path(network.wiring, n) + ".hex")).string());
}

void copy_to(const fs::path& from, const fs::path& to) { write_text_file(to, text_of_file(from, from)); }

/// @throws std::invalid_argument one line
void refuse_what_rtl_has_not(const netlist& wiring, const network_config& config, const router_kinds& kinds) {
  if (!config.dead_links.empty()) throw std::invalid_argument("links do not die in exported RTL");
  for (node_id n = 0; n < wiring.node_count(); ++n)
    if (const std::string why = obstacle_to_rtl(kinds.of(n).config); !why.empty())
      throw std::invalid_argument("node " + wiring.path(n) + " cannot be exported: " + why);
}

/// @throws std::invalid_argument one line
void refuse_arithmetic(const exported_network& network) {
  std::string why = network.names.arithmetic.obstacle;
  if (why.empty() && !network.wiring.has_plain_terminals()) why = "each node must have one terminal, of its number";
  if (!why.empty())
    throw std::invalid_argument("--route-unit: routes of " + network.wiring.name() +
                                " cannot be computed by arithmetic (" + why + "); expected table");
}

/// The modules of these files - each has the name of its file - with a prefix, in a text of SystemVerilog.
std::string with_prefix(const std::string& text, const std::vector<fs::path>& sources,
                        const std::string& prefix) {
  if (prefix.empty()) return text;
  std::vector<std::string> modules;
  for (const fs::path& source : sources) modules.push_back(source.stem().string());
  const RE2 name(fmt::format("(?m)^( *(?:module +)?)((?:{}) +#\\()", fmt::join(modules, "|")));
  std::string prefixed = text;
  RE2::GlobalReplace(&prefixed, name, "\\1" + prefix + "\\2");
  return prefixed;
}

/// @throws std::invalid_argument one line
void check_prefix(const std::string& prefix) {
  // Files have these names, too.
  static const RE2 identifier("[A-Za-z_][A-Za-z0-9_]{0,99}");
  if (!prefix.empty() && !RE2::FullMatch(prefix, identifier))
    throw std::invalid_argument("--module-prefix: '" + one_line(prefix, 100) +
                                "' does not begin an identifier; expected at most 100 letters, digits and "
                                "underscores, such as noc_");
}

/// The modules that have the prefix, but for those of the network's own.
std::vector<std::string> prefixed_modules() {
  std::vector<std::string> modules = {"delay_line", "narrow_receiver", "narrow_sender", "network_interface"};
  for (const fs::path source : rtl_router_sources()) modules.push_back(source.stem().string());
  return modules;
}

/// Two lists of files, by their place from there and with a variable before it.
void write_lists(const fs::path& directory, const std::vector<std::string>& files, const std::string& variable) {
  write_text_file(directory / "files.f",
                  [&](std::ostream& out) { fmt::print(out, "{}\n", fmt::join(files, "\n")); });
  write_text_file(directory / "files_env.f", [&](std::ostream& out) {
    for (const std::string& file : files) fmt::print(out, "${{{}}}/{}\n", variable, file);
  });
}

/// rtl/ with its lists of files, the top first.
void write_rtl(const exported_network& network, const std::vector<rtl_parameters>& routers,
               const fs::path& directory, const fs::path& templates) {
  make_directory(directory);
  const std::string name = network.names.prefix + network.wiring.name(), top = name + ".sv";
  write_text_file(directory / top, [&](std::ostream& out) {
    write_network_top(out, network.wiring, network.config, routers, network.comment, network.names);
  });
  std::vector<fs::path> sources{templates / "delay_line.sv"};
  if (routers.front().narrow)
    for (const char* name : {"narrow_sender.sv", "narrow_receiver.sv"}) sources.push_back(templates / name);
  for (const fs::path source : rtl_router_sources()) sources.push_back(source);
  std::vector<std::string> files{top};
  for (const fs::path& source : sources) {
    files.push_back(network.names.prefix + source.filename().string());
    write_text_file(directory / files.back(),
                    with_prefix(text_of_file(source, source), sources, network.names.prefix));
  }
  write_lists(directory, files, in_capitals(name + "_rtl"));
}

/// streams/: the network behind network interfaces.
void write_interfaces(const exported_network& network, const rtl_parameters& router, const fs::path& directory,
                   const fs::path& templates) {
  make_directory(directory);
  const std::string name = network.names.prefix + network.wiring.name();
  const std::vector<std::string> files{name + "_streams.sv", network.names.prefix + "network_interface.sv"};
  write_text_file(directory / files.front(), [&](std::ostream& out) {
    write_streams(out, network.wiring, network.config, router, network.comment, network.names);
  });
  const fs::path source = templates / "network_interface.sv";
  std::vector<fs::path> modules{source};
  for (const fs::path module : rtl_router_sources()) modules.push_back(module);
  write_text_file(directory / files.back(),
                  with_prefix(text_of_file(source, source), modules, network.names.prefix));
  write_lists(directory, files, in_capitals(name + "_streams"));
}

/// Of a terminal in a file of packets; empty where it has no more than its number: then digits alone, of one level of
/// modules, are no address (node_address.h).
std::string address_in_packets(const netlist& wiring, terminal_id t) {
  const bool is_number =
      wiring.has_plain_terminals() && !wiring.has_node_names() && wiring.hierarchy().size() == 1;
  return is_number ? "" : wiring.terminal_address(t);
}

/// Characters of a word in a file of packets: more than an address has, so that no longer word is taken for one.
unsigned longest_word(const netlist& wiring) {
  std::size_t longest = 64;
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t)
    longest = std::max(longest, wiring.terminal_address(t).size() + 1);
  return static_cast<unsigned>(longest);
}

/// The testbench in SystemVerilog: the template with what it must know.
void write_testbench(std::ostream& out, const exported_network& network, const fs::path& from) {
  const flit_layout layout = layout_of(network);
  std::string constants = fmt::format("  // {}\n", network.comment), addresses;
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, unsigned>>{{"Terminals", network.wiring.terminal_count()},
        {"Classes", network.config.message_classes},
        {"Streams", receive_streams(network.config)},
        {"DstBits", layout.destination_bits()},
        {"StateBits", layout.state_bits()},
        {"InjectionStates", network.routing.injection_states()},
        {"WordBits", 8 * longest_word(network.wiring)}})
    constants += fmt::format("  localparam int {} = {};\n", name, value);
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, bool>>{{"StatesInTurn", network.routing.takes_states_in_turn()},
        {"LimitedReception", network.config.limited_reception}})
    constants += fmt::format("  localparam bit {} = 1'b{};\n", name, unsigned{value});
  for (terminal_id t = 0; t < network.wiring.terminal_count(); ++t)
    if (const std::string address = address_in_packets(network.wiring, t); !address.empty())
      addresses += fmt::format("      \"{}\": addressed = {};\n", address, t);
  constants += fmt::format(
      "\n  // The terminal with an address; -1: there is none.\n"
      "  function automatic int addressed(input logic [WordBits-1:0] text);\n    case (text)\n{}"
      "      default: addressed = -1;\n    endcase\n  endfunction\n",
      addresses);
  const std::string text = text_of_file(from, "the testbench of the export, " + from.string() + ",");
  out << boost::replace_all_copy(boost::replace_all_copy(text, "@CONSTANTS@\n", constants), "@TOP@",
                                 network.names.prefix + network.wiring.name());
}

/// What the testbench must know.
void write_header(std::ostream& out, const exported_network& network, const router_kinds& kinds) {
  const flit_layout layout = layout_of(network);
  fmt::print(out,
             "// {}\n#pragma once\n\nnamespace exported {{\n\n"
             "constexpr unsigned terminals = {}, vcs = {}, destination_bits = {}, state_bits = {};\n"
             "constexpr unsigned injection_states = {}, message_classes = {};\n"
             "constexpr bool states_in_turn = {}, shared_classes = {};\n"
             "const char* const addresses[terminals] = {{",
             network.comment, network.wiring.terminal_count(), network.config.router.vcs,
             layout.destination_bits(), layout.state_bits(), network.routing.injection_states(),
             network.config.message_classes, network.routing.takes_states_in_turn(),
             network.config.shared_classes);
  const auto by_terminal = [&](auto&& print) {
    for (terminal_id t = 0; t < network.wiring.terminal_count(); ++t) {
      out << (t == 0 ? "" : t % 12 == 0 ? ",\n    " : ", ");
      print(t);
    }
  };
  by_terminal([&](terminal_id t) { fmt::print(out, "\"{}\"", address_in_packets(network.wiring, t)); });
  out << "};\n\n/// What the router of a terminal has: VCs, and flits per VC.\n"
         "struct router_buffers {\n  unsigned vcs, depth;\n};\n"
         "constexpr router_buffers buffers[terminals] = {";
  by_terminal([&](terminal_id t) {
    const router_config& router = kinds.of(network.wiring.terminal(t).node).config;
    fmt::print(out, "{{{}, {}}}", router.vcs, router.depth);
  });
  fmt::print(out, "}};\n\n}}  // namespace exported\n");
}

void write_packets(std::ostream& out, terminal_id terminals) {
  out << "# cycle source destination length\n";
  for (terminal_id t = 0; t < terminals; ++t)
    fmt::print(out, "{} {} {} 16\n", t % 16, t, (t + terminals / 2) % terminals);
}

void write_makefile(std::ostream& out, const fs::path& from, const std::string& top, bool with_scoreboard) {
  out << boost::replace_all_copy(text_of_file(from, "the Makefile of the export, " + from.string() + ","),
                                 "@TOP@", top);
  if (with_scoreboard) out << "\ninclude scoreboard.mk\n";
}

/// Beside the configuration that names it. No other file of the export may have its name.
void copy_named_file(const std::string& from, const fs::path& directory) {
  const fs::path name = fs::path(from).filename();
  if (fs::exists(directory / name) || name == "build" || name == "export.txt")
    throw std::invalid_argument("--scoreboard: file " + from + " would be copied over " + name.string() +
                                ", another file of the export; expected a file of another name");
  const std::optional<std::string> text = text_if_there(from);
  if (!text)
    throw std::invalid_argument("--scoreboard: file " + from +
                                " cannot be copied; expected a regular file, not a pipe");
  write_text_file(directory / name, *text);
}

/// What compares the routers with the model.
void write_comparison(const exported_network& network, const std::vector<rtl_parameters>& routers,
                      const fs::path& directory, const fs::path& templates) {
  write_text_file(directory / "scoreboard.sv", [&](std::ostream& out) {
    write_scoreboard(out, network.wiring, network.config, routers, network.comment, "scoreboard.json",
                     network.names);
  });
  write_text_file(directory / "scoreboard.json", network.model);
  for (const char* name : {"scoreboard.cpp", "scoreboard_clock.sv"})
    copy_to(templates / name, directory / name);
  std::vector<std::string> files;
  for (const fs::path source : rtl_router_sources())
    files.push_back("rtl/" + network.names.prefix + source.filename().string());
  const fs::path makefile = templates / "scoreboard.mk.in";
  write_text_file(directory / "scoreboard.mk",
                  boost::replace_all_copy(text_of_file(makefile, makefile), "@ROUTER@",
                                          fmt::format("{}", fmt::join(files, " "))));
  for (const std::string& file : network.files) copy_named_file(file, directory);
}

/// All files of --sv.
void write_sv(const exported_network& network, const route_tables& tables, const router_kinds& kinds,
              const fs::path& directory) {
  const fs::path templates = rtl_export_directory();
  const bool computes = network.names.arithmetic.unit != route_arithmetic::none;
  if (computes || !network.names.arithmetic.obstacle.empty())
    refuse_arithmetic(network);
  const unsigned out_depth = out_depth_of(network.wiring, network.config.router);
  std::vector<rtl_parameters> routers;
  for (node_id n = 0; n < network.wiring.node_count(); ++n)
    routers.push_back(tables.parameters(kinds.of(n).config, network.config.limited_reception, out_depth));
  write_rtl(network, routers, directory / "rtl", templates);
  write_interfaces(network, routers.front(), directory / "streams", templates);
  if (!computes) write_tables(network, tables, directory / "routes");
  write_text_file(directory / "testbench.sv", [&](std::ostream& out) {
    write_testbench(out, network, templates / "testbench.sv.in");
  });
  for (const char* name : {"testbench.cpp", "sv_main.cpp"}) copy_to(templates / name, directory / name);
  write_text_file(directory / "router.vlt",
                  boost::replace_all_copy(text_of_file(templates / "router.vlt", "router.vlt"), "\"router\"",
                                          "\"" + network.names.prefix + "router\""));
  write_text_file(directory / "network.h", [&](std::ostream& out) { write_header(out, network, kinds); });
  write_text_file(directory / "packets.txt",
                  [&](std::ostream& out) { write_packets(out, network.wiring.terminal_count()); });
  write_text_file(directory / "Makefile", [&](std::ostream& out) {
    write_makefile(out, templates / "Makefile.in", network.names.prefix + network.wiring.name(),
                   !network.model.empty());
  });
  if (!network.model.empty()) write_comparison(network, routers, directory, templates);
}

/// The place that a path leads to, by its links.
fs::path place_of(const std::string& path) { return fs::weakly_canonical(fs::absolute(path) / ""); }

/// Route tables among the files of --sv would be in each other's way. @throws std::invalid_argument one line
void refuse_one_directory(const export_targets& to) {
  const fs::path within = place_of(to.routes).lexically_relative(place_of(to.sv));
  if (within.empty() || *within.begin() == "..") return;
  throw std::invalid_argument("--routes: " + to.routes + " is in the directory of --sv, " + to.sv +
                              ", which has route tables of its own (routes/); expected a directory elsewhere");
}

}  // namespace

void export_network(const exported_network& network, const export_targets& to) {
  std::optional<export_directory> routes, sv;
  if (!to.routes.empty() && !to.sv.empty()) refuse_one_directory(to);
  const router_kinds kinds(network.wiring, network.config);
  if (!to.sv.empty()) {
    check_prefix(network.names.prefix);
    check_network_name(network.wiring, network.names.prefix, prefixed_modules());
    check_node_names(network.wiring, !network.model.empty());
    refuse_what_rtl_has_not(network.wiring, network.config, kinds);
  }
  check_table_names(network.wiring);
  if (!to.routes.empty()) routes.emplace("--routes", to.routes, export_directory::kind::free);
  if (!to.sv.empty()) sv.emplace("--sv", to.sv, export_directory::kind::listed);
  const route_tables tables = tables_of(network);
  if (routes) write_tables(network, tables, routes->staging());
  if (sv) write_sv(network, tables, kinds, sv->staging());
  for (auto* directory : {&routes, &sv})
    if (*directory) (*directory)->check();
  for (auto* directory : {&routes, &sv})
    if (*directory) (*directory)->install();
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/export/network_top.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>

#include "base/words.h"
#include "rtl_models/export/network_wires.h"

namespace toriscope {
namespace {

using port_wires = network_wires::port_wires;

/// Values of `bits` bits each, the last one first. @param count  of them; empty: all are 0
std::string constants(const std::vector<unsigned>& values, unsigned bits, std::size_t count) {
  if (values.empty()) return fmt::format("{}'d0", count * bits);
  std::string list;
  for (auto v = values.rbegin(); v != values.rend(); ++v)
    list += fmt::format("{}{}'d{}", list.empty() ? "" : ", ", bits, *v);
  return "{" + list + "}";
}

class top_writer {
 public:
  top_writer(std::ostream& out, const netlist& wiring, const network_config& config,
             const std::vector<rtl_parameters>& routers, const sv_style& names)
      : out_(out),
        wiring_(wiring),
        config_(config),
        routers_(routers),
        names_(names),
        wires_(wiring, config, routers.front(), names.plain) {
    for (const rtl_parameters& router : routers)
      if (std::find(kinds_.begin(), kinds_.end(), router) == kinds_.end()) kinds_.push_back(router);
  }

  void write_beside(const std::string& comment, const std::string& model) {
    beside_ = true;
    head_beside(comment, model);
    end();
  }

  void write(const std::string& comment) {
    head(comment);
    declarations();
    end();
  }

 private:
  /// A comment of the user's; `// verilator ...` and `// synopsys ...` would be directives.
  static std::string note(const std::string& comment) { return "// Note: " + comment + "\n"; }

  static std::string parameter_list(const rtl_parameters& router) {
    std::string list;
    for (const auto& [name, value] : named_values(router))
      list += fmt::format("{}.{}({})", list.empty() ? "" : ", ", name, value);
    return list;
  }

  /// The same of the route units, if they compute.
  std::string route_unit() const {
    const route_arithmetic& arithmetic = names_.arithmetic;
    if (arithmetic.unit == route_arithmetic::none) return {};
    return fmt::format(", .ROUTE_UNIT({}), .ROUTE_NETWORK({})", static_cast<unsigned>(arithmetic.unit),
                       to_verilog(arithmetic));
  }

  /// The macro of a kind of router.
  std::string macro_of(const rtl_parameters& router) const {
    const auto kind = std::find(kinds_.begin(), kinds_.end(), router) - kinds_.begin();
    const std::string name = in_capitals(names_.prefix + "router");
    return kind == 0 ? name : fmt::format("{}_{}", name, kind);
  }

  void define_routers() {
    const bool tables = names_.arithmetic.unit == route_arithmetic::none;
    const std::string routes = in_capitals(names_.prefix + wiring_.name() + "_routes");
    if (tables)
      fmt::print(out_,
                 "\n// In synthesis: the directory of the route tables.\n"
                 "`ifndef {0}\n`define {0} \"routes\"\n`endif\n\n",
                 routes);
    for (const rtl_parameters& kind : kinds_)
      fmt::print(out_,
                 "`ifdef SYNTHESIS\n"
                 "`define {macro}(FILE) {prefix}router #(.FLIT_BITS(FLIT_BITS), {parameters}{table})\n"
                 "`else\n"
                 "`define {macro}(FILE) {prefix}router #(.FLIT_BITS(FLIT_BITS), {parameters})\n"
                 "`endif\n\n",
                 fmt::arg("macro", macro_of(kind)),
                 fmt::arg("parameters", parameter_list(kind) + route_unit()),
                 fmt::arg("table", tables ? fmt::format(", .ROUTE_TABLE({{`{}, \"/\", FILE}})", routes) : ""),
                 fmt::arg("prefix", names_.prefix));
  }

  void head(const std::string& comment) {
    const unsigned vcs = routers_.front().vcs;
    const auto range = [&](unsigned bits) {
      const std::uint64_t terminals = wiring_.terminal_count();
      return bits == network_wires::flit_bits ? fmt::format("[{}*FLIT_BITS-1:0]", terminals)
                                              : fmt::format("[{}:0]", terminals * bits - 1);
    };
    fmt::print(out_, "// {}\n// Written by toriscope export.\n{}", comment,
               wiring_.comment().empty() ? "" : note(wiring_.comment()));
    define_routers();
    fmt::print(out_,
               "module {name} #(\n"
               "    /// Bits of a flit. What is beyond the fields of a head is payload (router.sv).\n"
               "    parameter int FLIT_BITS = {f}\n"
               ") (\n"
               "    /// Clock; everything happens at its rising edge.\n"
               "    input  logic clk_i,\n"
               "    /// Synchronous reset, high for at least one edge.\n"
               "    input  logic rst_i,\n"
               "    /// From the network interfaces: FLIT_BITS bits from FLIT_BITS*n on are the flit of "
               "terminal n.\n"
               "    input  logic {flits} flit_i,\n"
               "    /// Credits for them, a bit per VC: bits {v}n .. {v}n+{v_top} are those of terminal n.\n"
               "    output logic {credits} credit_o,\n"
               "    /// To the network interfaces.\n"
               "    output logic {flits} flit_o,\n"
               "    /// Credits for them; looked at with limited reception only.\n"
               "    input  logic {credits} credit_i\n"
               ");\n\n",
               fmt::arg("name", names_.prefix + wiring_.name()), fmt::arg("f", network_wires::flit_bits),
               fmt::arg("v", vcs), fmt::arg("v_top", vcs - 1),
               fmt::arg("flits", range(network_wires::flit_bits)), fmt::arg("credits", range(vcs)));
  }

  void head_beside(const std::string& comment, const std::string& model) {
    const rtl_parameters& router = routers_.front();
    fmt::print(out_, "// {}\n// Written by toriscope export --scoreboard.\n`include \"toriscope.svh\"\n",
               comment);
    define_routers();
    fmt::print(out_, R"(module scoreboard (
    /// Clock; its first rising edge is the reset.
    input logic clk_i
);
  import toriscope_pkg::*;

  localparam int FLIT_BITS = 64;
  localparam int Routers = {routers};
  localparam int FlitBits = {ports} * 64;
  localparam int CreditBits = {ports} * {vcs};

  logic rst_i = 1'b1;
  wire [Routers*FlitBits-1:0] flit_i, flit_o;
  wire [Routers*CreditBits-1:0] credit_i, credit_o;

  toriscope_boundary #(
      .CONFIG     ("@{model}"),
      .FLAGS      (WITH_TRAFFIC),
      .ROUTERS    (Routers),
      .PORTS      ({ports}),
      .LOCAL_PORTS({local_ports}),
      .VCS        ({vcs}),
      .COMPARE    (1)
  ) model (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .flit_o  (flit_i),
      .credit_o(credit_i),
      .flit_i  (flit_o),
      .credit_i(credit_o)
  );

  int cycles = 2000, edges = 0;
  string asked;
  initial
    if ($value$plusargs("cycles=%s", asked) &&
        ($sscanf(asked, "%d", cycles) != 1 || asked != $sformatf("%0d", cycles) || cycles < 1))
      $fatal(1, "+cycles=%0s: expected a number of cycles, at least 1", asked);

  // Before the edge with this number that number of cycles have been done, and compared.
  always @(posedge clk_i) begin
    rst_i <= 1'b0;
    edges <= edges + 1;
    if (edges == cycles) finish;
  end

  task finish;
    statistics_t s;
    int status;
    status = `TORISCOPE(get_statistics)(model.net, s);
    $display("scoreboard: no difference, {routers} routers, cycles %0d, flits %0d", s.cycles, s.flits_ejected);
    $finish;
  endtask

)",
               fmt::arg("routers", wiring_.node_count()), fmt::arg("ports", router.ports),
               fmt::arg("vcs", router.vcs), fmt::arg("local_ports", router.local_ports),
               fmt::arg("model", model));
  }

  void declarations() {
    for (const network_wires::wire& w : wires_.wires())
      fmt::print(out_, "  wire [{}:0] {};\n",
                 w.bits == network_wires::flit_bits ? network_wires::width(w.bits, w.cycles) + "-1"
                                                    : std::to_string(w.bits - 1),
                 w.name);
    out_ << '\n';
    unsigned number = 0;
    for (const network_wires::connection& c : wires_.connections())
      if (c.registers == 0)
        fmt::print(out_, "  assign {} = {};\n", c.to, c.from);
      else
        fmt::print(out_,
                   "  {}delay_line #(.WIDTH({}), .CYCLES({})) {} (.clk_i(clk_i), .rst_i(rst_i), "
                   ".word_i({}), .word_o({}));\n",
                   names_.prefix, network_wires::width(c.bits, c.cycles), c.registers,
                   wires_.free_name(fmt::format("delay_{}", number++)), c.from, c.to);
    number = 0;
    for (const network_wires::narrow_link& l : wires_.narrow_links()) {
      fmt::print(out_,
                 "  {p}narrow_sender #(.FLIT_BITS(FLIT_BITS), .CYCLES({c})) {s} (.clk_i(clk_i), .rst_i(rst_i), "
                 ".flit_i({}), .word_o({}));\n"
                 "  {p}narrow_receiver #(.FLIT_BITS(FLIT_BITS), .CYCLES({c})) {r} (.clk_i(clk_i), "
                 ".rst_i(rst_i), .word_i({}), .flit_o({}));\n",
                 l.flit_from, l.word_from, l.word_to, l.flit_to, fmt::arg("p", names_.prefix),
                 fmt::arg("c", l.cycles), fmt::arg("s", wires_.free_name(fmt::format("sender_{}", number))),
                 fmt::arg("r", wires_.free_name(fmt::format("receiver_{}", number))));
      ++number;
    }
  }

  /// The routers, and the end of the file.
  void end() {
    for (node_id n = 0; n < wiring_.node_count(); ++n) router_of(n);
    enter({});
    out_ << "\nendmodule\n\n";
    for (const rtl_parameters& kind : kinds_) fmt::print(out_, "`undef {}\n", macro_of(kind));
  }

  /// Closes and opens generate blocks: the modules around a node.
  void enter(const std::vector<std::string>& scopes) {
    std::size_t common = 0;
    while (common < open_.size() && common < scopes.size() && open_[common] == scopes[common]) ++common;
    for (; open_.size() > common; open_.pop_back()) fmt::print(out_, "{}end\n", indent());
    for (; open_.size() < scopes.size(); open_.push_back(scopes[open_.size()]))
      fmt::print(out_, "\n{}  if (1) begin : {}\n", indent(), scopes[open_.size()]);
  }
  std::string indent() const { return std::string(2 * open_.size(), ' '); }

  void router_of(node_id n) {
    const std::string path = module_path(wiring_, n);
    std::vector<std::string> scopes = split(path, '.');
    const std::string name = scopes.back();
    scopes.pop_back();
    enter(scopes);
    const std::string margin = indent() + "  ";
    if (const std::string comment = wiring_.node_comment(n); !comment.empty()) out_ << margin << note(comment);
    fmt::print(out_,
               "{m}`{}(\"{}.hex\") {} (\n{m}    .clk_i(clk_i), .rst_i(rst_i), .slots_i({}), .flit_cycles_i({}), "
               ".node_i({}'d{})",
               macro_of(routers_[n]), path, name,
               constants(slots_behind(wiring_, n, config_.router, routers_[n]), 7,
                         routers_[n].ports * routers_[n].vcs),
               constants(flit_cycles_behind(wiring_, n, routers_[n]), 8, routers_[n].ports),
               routers_[n].destination_bits, names_.arithmetic.unit == route_arithmetic::none ? 0 : n,
               fmt::arg("m", margin));
    pins(n, "flit_i", &port_wires::flit_i);
    pins(n, "credit_i", &port_wires::credit_i);
    pins(n, "flit_o", &port_wires::flit_o);
    pins(n, "credit_o", &port_wires::credit_o);
    out_ << ");\n";
  }

  /// Pins of all ports as a vector, the last port first.
  void pins(node_id n, const char* name, std::string port_wires::*wire) {
    if (beside_) {
      const char* const bits = name[0] == 'f' ? "FlitBits" : "CreditBits";
      fmt::print(out_, ",\n{}      .{}({}[{}*{}+:{}])", indent(), name, name, n, bits, bits);
      return;
    }
    const std::vector<port_wires>& ports = wires_.of(n);
    fmt::print(out_, ",\n{}      .{}({{", indent(), name);
    for (auto p = ports.rbegin(); p != ports.rend(); ++p)
      fmt::print(out_, "{}{}", p == ports.rbegin() ? "" : ", ", (*p).*wire);
    out_ << "})";
  }

  std::ostream& out_;
  const netlist& wiring_;
  const network_config& config_;
  const std::vector<rtl_parameters>& routers_;  ///< by node
  std::vector<rtl_parameters> kinds_;           ///< each once
  const sv_style names_;
  const network_wires wires_;
  std::vector<std::string> open_;  ///< generate blocks
  bool beside_ = false;            ///< the routers are not wired, but stand beside those of a model
};

}  // namespace

std::string in_capitals(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

unsigned receive_streams(const network_config& config) { return config.shared_classes ? 1 : config.message_classes; }

void write_network_top(std::ostream& out, const netlist& wiring, const network_config& config,
                       const std::vector<rtl_parameters>& routers, const std::string& comment,
                       const sv_style& names) {
  top_writer(out, wiring, config, routers, names).write(comment);
}

namespace {

/// A value of each terminal as a parameter of network interface t: a number, or a part of a constant of all.
template <class Value>
std::string value_of_each(std::ostream& out, const netlist& wiring, const char* name, Value&& of) {
  std::vector<unsigned> values;
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) values.push_back(of(t));
  if (std::all_of(values.begin(), values.end(), [&](unsigned v) { return v == values.front(); }))
    return std::to_string(values.front());
  fmt::print(out, "  localparam logic [{}:0] {} = {};  // by terminal\n", 7 * values.size() - 1, name,
             constants(values, 7, values.size()));
  return fmt::format("32'({}[7*t+:7])", name);
}

}  // namespace

void write_streams(std::ostream& out, const netlist& wiring, const network_config& config,
                   const rtl_parameters& router, const std::string& comment, const sv_style& names) {
  const auto entry = [&](terminal_id t) { return wiring.terminal(t).node; };
  const auto exit = [&](terminal_id t) { return wiring.terminal(t).exit; };
  fmt::print(out, R"(// {comment}
// Written by toriscope export.
// The network with a network interface at each terminal: streams of packets (network_interface.sv). Stream
// CLASSES*t + m is that of terminal t and message class m.
module {name}_streams #(
    /// Bits of a flit.
    parameter int FLIT_BITS = 64,
    /// 1: a packet received is whole before another begins; needs limited reception (network_interface.sv).
    parameter int WHOLE_PACKETS = 0,
    /// Not to be set: bits of payload in a flit.
    parameter int DATA_BITS = FLIT_BITS - {used}
) (
    /// Clock; everything happens at its rising edge.
    input  logic clk_i,
    /// Synchronous reset, high for at least one edge.
    input  logic rst_i,
    /// Packets to send.
    input  logic [{senders}-1:0] send_valid_i,
    output logic [{senders}-1:0] send_ready_o,
    input  logic [{senders}*DATA_BITS-1:0] send_data_i,
    input  logic [{senders}-1:0] send_last_i,
    input  logic [{senders}*{dst}-1:0] send_destination_i,
    input  logic [{senders}*{state}-1:0] send_state_i,
    /// Packets received.
    output logic [{receivers}-1:0] receive_valid_o,
    input  logic [{receivers}-1:0] receive_ready_i,
    output logic [{receivers}*DATA_BITS-1:0] receive_data_o,
    output logic [{receivers}-1:0] receive_last_o,
    output logic [{receivers}*4-1:0] receive_vc_o
);

  wire [{terminals}*FLIT_BITS-1:0] entering, leaving;
  wire [{terminals}*{vcs}-1:0] entry_credit, exit_credit;

  {name} #(
      .FLIT_BITS(FLIT_BITS)
  ) network (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .flit_i  (entering),
      .credit_o(entry_credit),
      .flit_o  (leaving),
      .credit_i(exit_credit)
  );

)",
             fmt::arg("comment", comment), fmt::arg("name", names.prefix + wiring.name()),
             fmt::arg("used", 7 + router.destination_bits + router.state_bits),
             fmt::arg("terminals", wiring.terminal_count()), fmt::arg("vcs", router.vcs),
             fmt::arg("senders", wiring.terminal_count() * config.message_classes),
             fmt::arg("receivers", wiring.terminal_count() * receive_streams(config)),
             fmt::arg("dst", router.destination_bits), fmt::arg("state", std::max(1u, router.state_bits)));
  const std::string entry_vcs = value_of_each(
      out, wiring, "EntryVcs", [&](terminal_id t) { return wiring.vcs_of(entry(t), config.router.vcs); });
  const std::string entry_depth = value_of_each(
      out, wiring, "EntryDepth", [&](terminal_id t) { return wiring.depth_of(entry(t), config.router.depth); });
  const std::string exit_depth = value_of_each(out, wiring, "ExitDepth", [&](terminal_id t) {
    return config.limited_reception ? wiring.depth_of(exit(t), config.router.depth) : 0;
  });
  fmt::print(out, R"(  for (genvar t = 0; t < {terminals}; t++) begin : gen_terminal
    {prefix}network_interface #(
        .VCS          ({vcs}),
        .ENTRY_VCS    ({entry_vcs}),
        .ENTRY_DEPTH  ({entry_depth}),
        .EXIT_DEPTH   ({exit_depth}),
        .FLIT_BITS    (FLIT_BITS),
        .DST_BITS     ({dst_bits}),
        .STATE_BITS   ({state_bits}),
        .CLASSES      ({classes}),
        .SHARED       ({shared}),
        .WHOLE_PACKETS(WHOLE_PACKETS)
    ) unit (
        .clk_i   (clk_i),
        .rst_i   (rst_i),
        .flit_o  (entering[t*FLIT_BITS+:FLIT_BITS]),
        .credit_i(entry_credit[t*{vcs}+:{vcs}]),
        .flit_i  (leaving[t*FLIT_BITS+:FLIT_BITS]),
        .credit_o(exit_credit[t*{vcs}+:{vcs}]))",
             fmt::arg("terminals", wiring.terminal_count()), fmt::arg("prefix", names.prefix),
             fmt::arg("vcs", router.vcs), fmt::arg("entry_vcs", entry_vcs),
             fmt::arg("entry_depth", entry_depth), fmt::arg("exit_depth", exit_depth),
             fmt::arg("dst_bits", router.destination_bits), fmt::arg("state_bits", router.state_bits),
             fmt::arg("classes", config.message_classes), fmt::arg("shared", unsigned{config.shared_classes}));
  const auto pin = [&](const char* name, unsigned streams, const std::string& bits) {
    const std::string width = streams == 1 ? bits : bits == "1" ? std::to_string(streams)
                                                                : fmt::format("({}*{})", streams, bits);
    fmt::print(out, ",\n        .{0}({0}[t*{1}+:{1}])", name, width);
  };
  using pins = std::vector<std::pair<const char*, std::string>>;
  for (const auto& [name, bits] : pins{{"send_valid_i", "1"},
                                   {"send_ready_o", "1"},
                                   {"send_data_i", "DATA_BITS"},
                                   {"send_last_i", "1"},
                                   {"send_destination_i", std::to_string(router.destination_bits)},
                                   {"send_state_i", std::to_string(std::max(1u, router.state_bits))}})
    pin(name, config.message_classes, bits);
  for (const auto& [name, bits] : pins{{"receive_valid_o", "1"},
                                   {"receive_ready_i", "1"},
                                   {"receive_data_o", "DATA_BITS"},
                                   {"receive_last_o", "1"},
                                   {"receive_vc_o", "4"}})
    pin(name, receive_streams(config), bits);
  out << "\n    );\n  end\n\nendmodule\n";
}

void write_scoreboard(std::ostream& out, const netlist& wiring, const network_config& config,
                      const std::vector<rtl_parameters>& routers, const std::string& comment,
                      const std::string& model, const sv_style& names) {
  top_writer(out, wiring, config, routers, names).write_beside(comment, model);
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// A toriscope network around routers of the user's simulator: the network stands in C++, some of its routers here
// (docs/systemverilog.md). With TORISCOPE_VPI defined the library is called by VPI (toriscope.vpi), else by DPI-C.
//
//   pins     those of a router as seen from the links, for ROUTERS routers one after the other, in ascending order of
//            their nodes: bits of port p of router r begin at 64*(r*PORTS+p), of its credits at VCS*(r*PORTS+p); words are
//            those of docs/model.md
//   numbers  a node's ports are in netlist order, its local ones last. A router with more ports than its node has: local
//            ports begin at PORTS-LOCAL_PORTS, those between are tied off
//   time     rising edge t of clk_i is cycle t: the routers sample flit_o and credit_o, and drive what they send in t. At
//            the falling edge after it flit_i and credit_i are taken, the network does cycle t, and flit_o and credit_o
//            change to what the links show in t+1. While rst_i is high at a falling edge, nothing happens
//   errors   one line ($fatal); with COMPARE the first difference: cycle, router, port, VC, what is expected and what is
//            seen
`include "toriscope.svh"
// verilator lint_off BLKSEQ
// verilator lint_off UNUSEDSIGNAL
module toriscope_boundary #(
    /// The configuration, JSON as `toriscope run --config` reads it, or "@FILE".
    parameter `TORISCOPE_TEXT CONFIG = "{}",
    /// Nodes whose routers stand here: patterns as of `toriscope run --rtl`.
    parameter `TORISCOPE_TEXT NODES = "*",
    /// Of toriscope_create(): 1 with the traffic of the configuration.
    parameter int FLAGS = 0,
    /// Their number.
    parameter int ROUTERS = 1,
    /// Ports of a router, the local ones included.
    parameter int PORTS = 5,
    /// Of these, the local ones.
    parameter int LOCAL_PORTS = 1,
    /// VCs of the network.
    parameter int VCS = 4,
    /// 0: they are part of the network. 1: the network has all its routers, and those here stand beside some of them:
    /// they are shown the same, and each word that they send is compared.
    parameter int COMPARE = 0
) (
    /// Clock of the routers.
    input  logic                         clk_i,
    /// Their reset, high for at least one rising edge.
    input  logic                         rst_i,
    /// To the routers: what the links show.
    output logic [ ROUTERS*PORTS*64-1:0] flit_o,
    output logic [ROUTERS*PORTS*VCS-1:0] credit_o,
    /// From the routers: what they send.
    input  logic [ ROUTERS*PORTS*64-1:0] flit_i,
    input  logic [ROUTERS*PORTS*VCS-1:0] credit_i
);

  /// The network, for the functions of the library.
  `TORISCOPE_NETWORK net;

  // By router: its node, the ports of the node, and how many of them are links.
  int unsigned node[ROUTERS], ports[ROUTERS], links[ROUTERS];

  // What is driven next. Word by word, for some simulators do not like wide constants.
  logic [ROUTERS*PORTS*64-1:0] next_flit;
  logic [ROUTERS*PORTS*VCS-1:0] next_credit;

  task automatic fail;
`ifdef TORISCOPE_VPI
    bit [8*2048-1:0] text;
    $toriscope_error(text);
    $fatal(1, "toriscope: %0s", text);
`else
    $fatal(1, "toriscope: %s", toriscope_pkg::toriscope_error());
`endif
  endtask

  // A word is not the model's.
  task automatic differ;
`ifdef TORISCOPE_VPI
    bit [8*2048-1:0] text;
    $toriscope_error(text);
    $fatal(1, "toriscope: first difference: %0s", text);
`else
    $fatal(1, "toriscope: first difference: %s", toriscope_pkg::toriscope_error());
`endif
  endtask

  // The network has failed: a deadlock, a broken invariant.
  task automatic fail_network;
`ifdef TORISCOPE_VPI
    bit [8*2048-1:0] text;
    $toriscope_failure(net, text);
    $fatal(1, "toriscope: %0s", text);
`else
    $fatal(1, "toriscope: %s", toriscope_pkg::toriscope_failure(net));
`endif
  endtask

  // The router's number of port p of its node.
  function automatic int port_of(int unsigned router, int unsigned p);
    return p < links[router] ? p : PORTS - LOCAL_PORTS + p - links[router];
  endfunction

  // The node's number of port q of its router; the number of its ports or more: it has none.
  function automatic int unsigned port_of_node(int unsigned router, int unsigned q);
    if (q < links[router]) return q;
    return q < PORTS - LOCAL_PORTS ? ports[router] : links[router] + q - (PORTS - LOCAL_PORTS);
  endfunction

  task automatic create;
    if (COMPARE != 0) net = `TORISCOPE(create)(CONFIG, FLAGS);
    else net = `TORISCOPE(create_around)(CONFIG, FLAGS, NODES);
`ifdef TORISCOPE_VPI
    if (net == 0) fail();
`else
    if (net == null) fail();
`endif
    if (`TORISCOPE(vcs)(net) != VCS)
      $fatal(1, "toriscope: VCS is %0d, and the network has %0d VCs", VCS, `TORISCOPE(vcs)(net));
    for (int r = 0; r < ROUTERS; r++) begin
      node[r] = `TORISCOPE(find_node)(net, NODES, r);
      if (node[r] == 32'hffffffff && r == 0) fail();
      if (node[r] == 32'hffffffff) $fatal(1, "toriscope: ROUTERS is %0d, and NODES names %0d nodes", ROUTERS, r);
      ports[r] = `TORISCOPE(ports)(net, node[r]);
      links[r] = ports[r] - `TORISCOPE(local_ports)(net, node[r]);
      if (links[r] > PORTS - LOCAL_PORTS || ports[r] - links[r] > LOCAL_PORTS)
        $fatal(1, "toriscope: node %0d has %0d ports, %0d of them local; PORTS is %0d, LOCAL_PORTS %0d", node[r],
               ports[r], ports[r] - links[r], PORTS, LOCAL_PORTS);
    end
    if (`TORISCOPE(find_node)(net, NODES, ROUTERS) != 32'hffffffff)
      $fatal(1, "toriscope: NODES names more than %0d nodes, the value of ROUTERS", ROUTERS);
  endtask

  // The words at place q, of this port of router r, have no unknown bits.
  task automatic known(input int q, input int r, input int port);
    if (^{flit_i[q*64+:64], credit_i[q*VCS+:VCS]} === 1'bx)
      $fatal(1, "toriscope: the router of node %0d drives unknown bits at its port %0d", node[r], port);
  endtask

  // What the routers send in the cycle that the network does next.
  task automatic drive;
    int status;
    for (int r = 0; r < ROUTERS; r++)
      for (int q = 0; q < PORTS; q++) begin
        automatic int at = r * PORTS + q;
        automatic int unsigned p = port_of_node(r, q);
        known(at, r, q);
        if (p < ports[r]) begin
          status = `TORISCOPE(drive)(net, node[r], p, flit_i[at*64+:64], 32'(credit_i[at*VCS+:VCS]));
          if (status == 2) fail();
        end else if (|{flit_i[at*64+:64], credit_i[at*VCS+:VCS]})
          $fatal(1, "toriscope: the router of node %0d sends at its port %0d, which the node does not have", node[r],
                 q);
      end
  endtask

  // What they have sent in the cycle that the network has done. Ports that the node does not have send nothing.
  task automatic compare;
    int status;
    bit [63:0] flit;
    bit [31:0] credits;
    for (int r = 0; r < ROUTERS; r++)
      for (int q = 0; q < PORTS; q++) begin
        automatic int at = r * PORTS + q;
        flit = flit_i[at*64+:64];  // unknown bits are 0
        credits = 32'(credit_i[at*VCS+:VCS]);
        status = `TORISCOPE(compare)(net, node[r], port_of_node(r, q), flit, credits);
        if (status == 2) fail();
        if (status == 3) differ();
        known(at, r, q);
      end
  endtask

  // What the links show in the next cycle.
  task automatic show;
    int status;
    bit [63:0] flit;
    bit [31:0] credits;
    for (int r = 0; r < ROUTERS; r++)
      for (int p = 0; p < ports[r]; p++) begin
        automatic int q = r * PORTS + port_of(r, p);
        status = `TORISCOPE(shown)(net, node[r], p, flit, credits);
        if (status == 2) fail();
        next_flit[q*64+:64] = flit;
        next_credit[q*VCS+:VCS] = credits[VCS-1:0];
      end
    flit_o <= next_flit;
    credit_o <= next_credit;
  endtask

  initial begin
    for (int q = 0; q < ROUTERS * PORTS; q++) begin
      next_flit[q*64+:64] = '0;
      next_credit[q*VCS+:VCS] = '0;
    end
    flit_o = next_flit;
    credit_o = next_credit;
    create();
  end

  always @(negedge clk_i)
    if (!rst_i) begin
      int status;
      if (COMPARE == 0) drive();
      status = `TORISCOPE(step)(net, 1);
      if (status == 1) fail_network();
      if (status == 2) fail();
      if (COMPARE != 0) compare();
      show();
    end

endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ

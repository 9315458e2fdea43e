// SPDX-License-Identifier: Apache-2.0
// The router of docs/model.md as `single_cycle` - take, RC, VA, SA and ST in one clock cycle - or, with
// registers between RC, VA, SA and ST, as `four_stage`. Routing from a table, separable input-first
// allocation, round robin.
//
//   pins       sampled at rising edge t: what the links show in t. Output pins are registers: from edge t on
//              they hold what was sent in t. No combinational path leads from an input pin to an output
//              pin.
//   numbering  ports in netlist order, the local ports last; port p has bits p*FLIT_BITS .. of the flit pins
//              and p*VCS .. p*VCS+VCS-1 of the credit pins; input VC i = p*VCS + v
//   flits      the words of links/flit.h: valid, head, tail, four bits of the VC, and in heads the destination and the
//              route state. All bits above are payload (the model's is a tag), in bodies all above the VC: they leave as
//              they came
//   unused     inputs of ports, or sides of ports, are tied to 0
//
// Vectors are flat: of the tools that have to read this file not all know arrays of arrays as ports. What is
// picked out in a loop is a function, not a process: a process shows 0 before it shows the result, and some
// simulators go round in circles with that.
module router #(
    /// Ports, the local ones included, 2 .. 32.
    parameter int PORTS = 5,
    /// Of these, the local ones, to network interfaces.
    parameter int LOCAL_PORTS = 1,
    /// VCs per port, 1 .. 16.
    parameter int VCS = 4,
    /// Of these, the first, that the input ports have: a router may have fewer than its neighbours.
    parameter int IN_VCS = VCS,
    /// Flits per VC buffer, 1 .. 64.
    parameter int DEPTH = 8,
    /// Bits of a flit on all links, at least 8 + DST_BITS + STATE_BITS. The model has 64.
    parameter int FLIT_BITS = 64,
    /// 0: routers downstream have VCS VCs of DEPTH flits. Else slots_i tells what they have, OUT_DEPTH flits at most.
    parameter int OUT_DEPTH = 0,
    /// Bits of the destination in a head flit, at least 1.
    parameter int DST_BITS = 4,
    /// Bits of the route state in a head flit; may be 0.
    parameter int STATE_BITS = 1,
    /// 0: single_cycle; 1: four_stage.
    parameter int FOUR_STAGE = 0,
    /// 0: local output ports have unlimited credits; 1: they have credits as the others have.
    parameter int LOCAL_CREDITS = 0,
    /// 0: links carry a flit in each cycle; 1: flit_cycles_i tells in how many.
    parameter int NARROW = 0,
    /// When an output VC is free for the next packet. 0: its tail has left; 1: its last credit has come back.
    parameter int DRAINED = 0,
    /// Options that the routing function gives at most, in order of preference.
    parameter int OPTIONS = 1,
    /// Bits of an option's weight: of several options a head keeps the one whose queue times weight is the least. 0: it
    /// keeps all.
    parameter int WEIGHT_BITS = 0,
    /// The form of the route table: bits of the number of a class of input VCs (route_table.sv).
    parameter int CLASS_BITS = 0,
    /// The form of the route table: bits of an index of a hashed table; 0: it is dense.
    parameter int INDEX_BITS = 0,
    /// Where the routes come from: 0: a table; 1: route_cube.sv; 2: route_ttn.sv.
    parameter int ROUTE_UNIT = 0,
    /// Constants of the network for a route unit without a table. The default has a size: with '0, Verilator 5.006 does
    /// not pass other values to hierarchical blocks.
    parameter logic [511:0] ROUTE_NETWORK = 512'd0,
    /// The routing function of this node, a file for $readmemh (route_table.sv); empty: none. In simulation
    /// +route_table=FILE and +route_tables=DIRECTORY come first.
    parameter ROUTE_TABLE = ""
) (
    /// Clock; everything happens at its rising edge.
    input  logic                       clk_i,
    /// Synchronous reset, high for at least one edge before cycle 0.
    input  logic                       rst_i,
    /// With OUT_DEPTH: flits per VC buffer downstream, 7 bits per output VC, constants; 0: there is no such VC. They
    /// are pins and not parameters, so that routers of a kind are one module to a simulator.
    input  logic [    PORTS*VCS*7-1:0] slots_i,
    /// With NARROW: cycles in which the outgoing link carries a flit, 8 bits per port, constants; 0 is 1.
    input  logic [        PORTS*8-1:0] flit_cycles_i,
    /// The number of this node, a constant; looked at with ROUTE_UNIT only.
    input  logic [        DST_BITS-1:0] node_i,
    /// Incoming links, a flit per port.
    input  logic [PORTS*FLIT_BITS-1:0] flit_i,
    /// Credits for the outgoing links, a bit per VC; those of local ports are looked at with
    /// LOCAL_CREDITS only.
    input  logic [      PORTS*VCS-1:0] credit_i,
    /// Outgoing links, a flit per port.
    output logic [PORTS*FLIT_BITS-1:0] flit_o,
    /// Credits for the incoming links: slots freed, a bit per VC.
    output logic [      PORTS*VCS-1:0] credit_o
);

  localparam int InputVcs = PORTS * VCS;
  localparam int PortBits = $clog2(PORTS);
  localparam int FieldBits = STATE_BITS + DST_BITS;
  localparam int AnswerBits = OPTIONS * (WEIGHT_BITS + STATE_BITS + VCS + PortBits);
  localparam int OutDepth = OUT_DEPTH != 0 ? OUT_DEPTH : DEPTH;
  localparam int QueueBits = $clog2(VCS * OutDepth + 1);

  // Parameters that are out of range end the elaboration. Icarus Verilog 11 has no $error there: what it reports is the
  // name of a module that does not exist.
  if (FLIT_BITS < 8 + FieldBits) begin : gen_narrow_flit
`ifdef __ICARUS__
    FLIT_BITS_is_less_than_8_plus_DST_BITS_plus_STATE_BITS parameters ();
`else
    $error("FLIT_BITS is less than 8 + DST_BITS + STATE_BITS");
`endif
  end
  if (PORTS < 2 || PORTS > 32 || LOCAL_PORTS < 0 || LOCAL_PORTS > PORTS || VCS < 1 || VCS > 16 || IN_VCS < 1 ||
      IN_VCS > VCS || DEPTH < 1 || DEPTH > 64 || OUT_DEPTH < 0 || OUT_DEPTH > 64 || DST_BITS < 1 ||
      STATE_BITS < 0 || OPTIONS < 1) begin : gen_out_of_range
`ifdef __ICARUS__
    parameter_of_router_is_out_of_range parameters ();
`else
    $error("a parameter of the router is out of range; router.sv gives the ranges");
`endif
  end

  // By input VC.
  logic [InputVcs*PortBits-1:0] wanted_port;
  logic [InputVcs*VCS-1:0] wanted_vc;
  logic [InputVcs-1:0] va_won;
  logic [PORTS*InputVcs-1:0] va_grants;  // by output port
  // By output VC.
  logic [PORTS*VCS-1:0] free, has_credit;
  // By output port.
  logic [PORTS*QueueBits-1:0] queue;
  // By input port.
  logic [PORTS*FieldBits-1:0] field;
  logic [PORTS*4-1:0] vc;
  logic [PORTS*AnswerBits-1:0] answer;
  logic [PORTS*FLIT_BITS-1:0] switched_flit;
  logic [PORTS-1:0] picked_tail;
  logic [PORTS*PortBits-1:0] picked_port;
  logic [PORTS*VCS-1:0] picked_vc;
  logic [PORTS-1:0] sa_won;
  logic [PORTS*PORTS-1:0] sa_grants;  // by output port

  // RC: one route unit for each input port; tables are one memory with a read port for each.
  if (ROUTE_UNIT == 0) begin : gen_table
    logic unused_node;
    assign unused_node = ^node_i;
    route_table #(
        .PORTS      (PORTS),
        .VCS        (VCS),
        .FIELD_BITS (FieldBits),
        .ANSWER_BITS(AnswerBits),
        .CLASS_BITS (CLASS_BITS),
        .INDEX_BITS (INDEX_BITS),
        .FILE       (ROUTE_TABLE)
    ) routes (
        .field_i (field),
        .vc_i    (vc),
        .answer_o(answer)
    );
  end else begin : gen_arithmetic
    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      if (ROUTE_UNIT == 1) begin : gen_cube
        route_cube #(
            .PORTS     (PORTS),
            .VCS       (VCS),
            .DST_BITS  (DST_BITS),
            .STATE_BITS(STATE_BITS),
            .NETWORK   (ROUTE_NETWORK)
        ) route (
            .node_i  (node_i),
            .field_i (field[p*FieldBits+:FieldBits]),
            .vc_i    (vc[p*4+:4]),
            .answer_o(answer[p*AnswerBits+:AnswerBits])
        );
      end else begin : gen_ttn
        logic unused_vc;
        assign unused_vc = ^vc[p*4+:4];
        route_ttn #(
            .PORT      (p),
            .PORTS     (PORTS),
            .VCS       (VCS),
            .DST_BITS  (DST_BITS),
            .STATE_BITS(STATE_BITS),
            .NETWORK   (ROUTE_NETWORK)
        ) route (
            .node_i  (node_i),
            .field_i (field[p*FieldBits+:FieldBits]),
            .answer_o(answer[p*AnswerBits+:AnswerBits])
        );
      end
    end
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_input
    assign field[p*FieldBits+:FieldBits] = flit_i[p*FLIT_BITS+7+:FieldBits];
    assign vc[p*4+:4] = flit_i[p*FLIT_BITS+3+:4];

    input_unit #(
        .PORTS     (PORTS),
        .VCS       (VCS),
        .IN_VCS    (IN_VCS),
        .DEPTH     (DEPTH),
        .FLIT_BITS (FLIT_BITS),
        .DST_BITS  (DST_BITS),
        .STATE_BITS(STATE_BITS),
        .FOUR_STAGE(FOUR_STAGE != 0),
        .OPTIONS   (OPTIONS),
        .WEIGHT_BITS(WEIGHT_BITS),
        .QUEUE_BITS(QueueBits)
    ) unit (
        .clk_i          (clk_i),
        .rst_i          (rst_i),
        .flit_i         (flit_i[p*FLIT_BITS+:FLIT_BITS]),
        .credit_o       (credit_o[p*VCS+:VCS]),
        .answer_i       (answer[p*AnswerBits+:AnswerBits]),
        .queue_i        (queue),
        .free_i         (free),
        .port_o         (wanted_port[p*VCS*PortBits+:VCS*PortBits]),
        .wanted_o       (wanted_vc[p*VCS*VCS+:VCS*VCS]),
        .va_won_i       (va_won[p*VCS+:VCS]),
        .has_credit_i   (has_credit),
        .picked_tail_o  (picked_tail[p]),
        .picked_port_o  (picked_port[p*PortBits+:PortBits]),
        .picked_vc_o    (picked_vc[p*VCS+:VCS]),
        .sa_won_i       (sa_won[p]),
        .switched_flit_o(switched_flit[p*FLIT_BITS+:FLIT_BITS])
    );
  end

  for (genvar q = 0; q < PORTS; q++) begin : gen_output
    output_unit #(
        .PORTS     (PORTS),
        .VCS       (VCS),
        .DEPTH     (OutDepth),
        .FLIT_BITS (FLIT_BITS),
        .TOLD      (OUT_DEPTH != 0),
        .NARROW    (NARROW != 0),
        .PORT      (q),
        .UNLIMITED (q >= PORTS - LOCAL_PORTS && LOCAL_CREDITS == 0),
        .DRAINED   (DRAINED != 0),
        .FOUR_STAGE(FOUR_STAGE != 0),
        .QUEUE_BITS(QueueBits)
    ) unit (
        .clk_i          (clk_i),
        .rst_i          (rst_i),
        .slots_i        (slots_i[q*VCS*7+:VCS*7]),
        .flit_cycles_i  (flit_cycles_i[q*8+:8]),
        .credit_i       (credit_i[q*VCS+:VCS]),
        .flit_o         (flit_o[q*FLIT_BITS+:FLIT_BITS]),
        .queue_o        (queue[q*QueueBits+:QueueBits]),
        .free_o         (free[q*VCS+:VCS]),
        .port_i         (wanted_port),
        .wanted_i       (wanted_vc),
        .va_grant_o     (va_grants[q*InputVcs+:InputVcs]),
        .has_credit_o   (has_credit[q*VCS+:VCS]),
        .picked_tail_i  (picked_tail),
        .picked_port_i  (picked_port),
        .picked_vc_i    (picked_vc),
        .sa_grant_o     (sa_grants[q*PORTS+:PORTS]),
        .switched_flit_i(switched_flit)
    );
  end

  // An input VC asks one output port and an input port offers one flit: at most one grant each.
  function automatic logic [InputVcs-1:0] any_va(input logic [PORTS*InputVcs-1:0] grants);
    any_va = '0;
    for (int q = 0; q < PORTS; q++) any_va = any_va | grants[q*InputVcs+:InputVcs];
  endfunction

  function automatic logic [PORTS-1:0] any_sa(input logic [PORTS*PORTS-1:0] grants);
    any_sa = '0;
    for (int q = 0; q < PORTS; q++) any_sa = any_sa | grants[q*PORTS+:PORTS];
  endfunction

  assign va_won = any_va(va_grants);
  assign sa_won = any_sa(sa_grants);

endmodule

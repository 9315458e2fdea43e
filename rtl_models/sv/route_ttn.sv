// SPDX-License-Identifier: Apache-2.0
// The routing function of a TTN(2,L,0) for the heads that come in by one port, by arithmetic instead of a table: the
// highest digit in which node and destination differ tells the ring; until the packet is at the gate of that ring, and
// in the destination's basic module (BM), it moves by rows, then by columns. The same as topologies/ttn/ttn_routing.cpp,
// answer by answer.
//
// Ports of a node: x+ x- y+ y-, its gates of one ring (where + and - leave a ring at the same node, that of + comes
// first), and the last one is local. NETWORK holds the constants of the network (topologies/route_arithmetic.h):
//
//   0           rings in + direction only
//   1           where both ways in a BM are equally long: +; else the way without the wrap link
//   4 .. 7      digits of an address, 2L
//   8 ..        gates: 4 bits, the BM node where a ring is left, by ring (digit - 2) and way (+, -)
//   72 ..       class of a hop in the BM toward a gate: 2 bits by ring, leg (before the ring, in it, past its dateline)
//               and dateline of the BM
//   168 ..      class of a hop in the destination's BM: 2 bits by dateline of the BM
//   172 ..      classes in use on a link of a ring: 2 bits by way and digit
//   188 ..      classes in use on a link of the BM: 4 bits by BM node and port
module route_ttn #(
    /// The number of the input port.
    parameter int PORT = 0,
    /// Ports of the router, one of them local.
    parameter int PORTS = 6,
    /// VCs per port.
    parameter int VCS = 4,
    /// Bits of the destination.
    parameter int DST_BITS = 8,
    /// Bits of the route state: dateline of the ring, and perhaps of the BM.
    parameter int STATE_BITS = 1,
    /// Constants of the network.
    parameter logic [511:0] NETWORK = 512'h40,
    /// Not to be set.
    parameter int PORT_BITS = $clog2(PORTS),
    /// Not to be set.
    parameter int ANSWER_BITS = STATE_BITS + VCS + PORT_BITS
) (
    /// The number of this node, a constant.
    input  logic [           DST_BITS-1:0] node_i,
    /// {state, destination} of the head.
    input  logic [STATE_BITS+DST_BITS-1:0] field_i,
    /// {next state, VCs, output port}.
    output logic [        ANSWER_BITS-1:0] answer_o
);

  localparam bit OneWay = NETWORK[0];
  localparam bit Positive = NETWORK[1];
  localparam int Digits = 32'(NETWORK[7:4]);
  localparam int Gates = 8;  // places in NETWORK
  localparam int Toward = 72;
  localparam int Last = 168;
  localparam int RingUses = 172;
  localparam int BmUses = 188;
  localparam int GatePort = 4;

  // The highest digit in which they differ.
  function automatic logic [3:0] highest(input logic [DST_BITS-1:0] a, input logic [DST_BITS-1:0] b);
    highest = '0;
    for (int i = 0; i < Digits; i++) if (a[2*i+:2] != b[2*i+:2]) highest = 4'(i);
  endfunction

  // The VCs of the class of rank r of n, all being shared out to n classes: 4n + r times VCS bits.
  function automatic logic [20*VCS-1:0] shares_of(input int most);
    shares_of = '0;
    for (int n = 1; n <= most; n++)
      for (int r = 0; r < n; r++)
        for (int w = r * VCS / n; w < (r + 1) * VCS / n; w++) shares_of[(4*n+r)*VCS+w] = 1'b1;
  endfunction

  localparam logic [20*VCS-1:0] Shares = shares_of(4);

  // The VCs of a class, by the classes in use.
  function automatic logic [VCS-1:0] share(input logic [3:0] uses, input logic [1:0] number);
    logic [2:0] count, rank;
    count = '0;
    rank  = '0;
    for (int c = 0; c < 4; c++) begin
      if (uses[c] && c < 32'(number)) rank = rank + 1'b1;
      if (uses[c]) count = count + 1'b1;
    end
    share = Shares[(4*32'(count)+32'(rank))*VCS+:VCS];
  endfunction

  logic [DST_BITS-1:0] destination;
  logic [3:0] here, gate, plus_gate, minus_gate, goal, digit;
  logic [2:0] ring;
  logic arrived, same_bm, rd, bmd_before;

  assign destination = field_i[0+:DST_BITS];
  assign here        = node_i[3:0];
  assign arrived     = node_i == destination;
  assign digit       = highest(node_i, destination);
  assign same_bm     = digit < 4'd2;
  assign ring        = same_bm ? 3'd0 : 3'(digit - 4'd2);
  assign rd          = field_i[DST_BITS];

  // The ring.
  logic [1:0] at, offset, leg;
  logic plus, ring_wraps, ends_ring, came_by_it, ring_class;

  assign at         = node_i[2*digit+:2];
  assign offset     = destination[2*digit+:2] - at;
  assign plus       = OneWay || offset <= 2'd2;
  assign ring_wraps = at == (plus ? 2'd3 : 2'd0);
  assign ends_ring  = offset == (plus ? 2'd1 : 2'd3);
  assign plus_gate  = NETWORK[Gates+8*32'(ring)+:4];
  assign minus_gate = NETWORK[Gates+8*32'(ring)+4+:4];
  assign gate       = plus ? plus_gate : minus_gate;
  assign came_by_it = PORT >= GatePort && PORT < PORTS - 1 && (here == plus_gate || here == minus_gate);
  assign leg        = rd ? 2'd2 : {1'b0, came_by_it};
  assign ring_class = rd || ring_wraps;

  // The move in the BM.
  logic [1:0] from, to, way, bm_class;
  logic vertical, bm_plus, bmd;

  assign goal     = same_bm ? destination[3:0] : gate;
  assign vertical = here[3:2] != goal[3:2];
  assign from     = vertical ? here[3:2] : here[1:0];
  assign to       = vertical ? goal[3:2] : goal[1:0];
  assign way      = to - from;
  assign bm_plus  = way == 2'd2 ? Positive || to > from : way == 2'd1;
  assign bmd      = bmd_before || from == (bm_plus ? 2'd3 : 2'd0);
  assign bm_class = same_bm ? NETWORK[Last+2*32'(bmd)+:2]
                            : NETWORK[Toward+2*(2*(3*32'(ring)+32'(leg))+32'(bmd))+:2];

  logic [1:0] next_state;  // {dateline of the BM, of the ring}
  logic [VCS-1:0] vcs;
  logic [PORT_BITS-1:0] out_port;
  logic [1:0] bm_port;

  assign bm_port = {vertical, !bm_plus};

  always_comb begin
    if (arrived) begin
      next_state = '0;
      vcs        = '1;
      out_port   = PORT_BITS'(PORTS - 1);
    end else if (same_bm || here != gate) begin
      next_state = {bmd && way == 2'd2, rd && !same_bm};
      vcs        = share(NETWORK[BmUses+4*(4*32'(here)+32'(bm_port))+:4], bm_class);
      out_port   = PORT_BITS'(bm_port);
    end else begin
      next_state = {1'b0, ring_class && !ends_ring};
      vcs        = share({2'b0, NETWORK[RingUses+2*(4*32'(!plus)+32'(at))+:2]}, {1'b0, ring_class});
      out_port   = PORT_BITS'(GatePort) + PORT_BITS'(!plus && plus_gate == minus_gate);
    end
  end

  if (STATE_BITS > 1) begin : gen_bm_dateline
    assign bmd_before = field_i[DST_BITS+1];
    assign answer_o   = {next_state, vcs, out_port};
  end else begin : gen_no_bm_dateline
    logic unused_dateline;
    assign bmd_before      = 1'b0;
    assign unused_dateline = next_state[1];
    assign answer_o        = {next_state[0], vcs, out_port};
  end

endmodule

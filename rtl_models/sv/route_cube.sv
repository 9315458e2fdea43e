// SPDX-License-Identifier: Apache-2.0
// The routing function of a k-ary n-cube - mesh, torus, hypercube - for the heads that come in by one port: dimension
// order, by arithmetic instead of a table. Digits of node and destination are compared; what is known of the node only
// is constant and vanishes in synthesis. The same as topologies/cubes/dimension_order.cpp, answer by answer.
//
// NETWORK holds the constants of the network (topologies/route_arithmetic.h); all radices but the highest dimension's
// are powers of two:
//
//   0         x before y; else the highest dimension first
//   1 .. 2    where both ways round a ring are equally long: 0 nowrap, 1 positive, 2 balanced
//   3 .. 4    VC rule: 0 dateline, 1 wrapping, 2 balanced
//   5         links in + direction only
//   8 .. 11   dimensions
//   16 ..     16 bits for each dimension: its radix - 1, and in the highest bit whether it has wrap links
module route_cube #(
    /// Ports of the router, one of them local.
    parameter int PORTS = 5,
    /// VCs per port.
    parameter int VCS = 4,
    /// Bits of the destination.
    parameter int DST_BITS = 4,
    /// Bits of the route state: 1, or 0 where no dimension has wrap links.
    parameter int STATE_BITS = 1,
    /// Constants of the network; by default a 4x4 torus.
    parameter logic [511:0] NETWORK = 512'h8003_8003_0214,
    /// Not to be set.
    parameter int PORT_BITS = $clog2(PORTS),
    /// Not to be set.
    parameter int ANSWER_BITS = STATE_BITS + VCS + PORT_BITS
) (
    /// The number of this node, a constant.
    input  logic [           DST_BITS-1:0] node_i,
    /// {state, destination} of the head.
    input  logic [STATE_BITS+DST_BITS-1:0] field_i,
    /// Its VC.
    input  logic [                    3:0] vc_i,
    /// {next state, VCs, output port}.
    output logic [        ANSWER_BITS-1:0] answer_o
);

  localparam bit LowestFirst = NETWORK[0];
  localparam logic [1:0] Ties = NETWORK[2:1];
  localparam logic [1:0] Rule = NETWORK[4:3];
  localparam bit OneWay = NETWORK[5];
  localparam int Dimensions = 32'(NETWORK[11:8]);
  localparam logic [1:0] Positive = 2'd1, Balanced = 2'd2;  // of Ties
  localparam logic [1:0] ByWrapping = 2'd1, ByBalance = 2'd2;  // of Rule
  localparam logic [VCS-1:0] All = '1;
  localparam logic [VCS-1:0] High = All << VCS / 2;

  function automatic int radix_of(input int d);
    radix_of = 32'(NETWORK[16+16*d+:15]) + 1;
  endfunction

  // Bits of the digits below dimension d.
  function automatic int shift_of(input int d);
    shift_of = 0;
    for (int k = 0; k < d; k++) shift_of = shift_of + $clog2(radix_of(k));
  endfunction

  // By dimension: the way to the destination's digit.
  logic [Dimensions-1:0] differs, plus, wraps, last, wrap_ahead, ring, chosen;
  logic [2*Dimensions-1:0] has_port;  // {-, +} by dimension
  logic [Dimensions*PORT_BITS-1:0] port;

  // The number of a port: as many have a lower place.
  function automatic logic [PORT_BITS-1:0] ports_below(input logic [2*Dimensions-1:0] there, input int place);
    ports_below = '0;
    for (int k = 0; k < place; k++) ports_below = ports_below + PORT_BITS'(there[k]);
  endfunction

  for (genvar d = 0; d < Dimensions; d++) begin : gen_dimension
    localparam int Radix = radix_of(d);
    localparam int Bits = $clog2(Radix);
    localparam bit Ring = NETWORK[16+16*d+15];

    assign ring[d] = Ring;
    assign port[d*PORT_BITS+:PORT_BITS] = plus[d] ? ports_below(has_port, 2 * d) : ports_below(has_port, 2 * d + 1);

    if (Bits == 0) begin : gen_one_node
      assign {differs[d], plus[d], wraps[d], last[d], wrap_ahead[d], has_port[2*d+:2]} = '0;
    end else begin : gen_digit
      localparam logic [Bits:0] Size = (Bits + 1)'(Radix);
      localparam logic [Bits-1:0] Top = Bits'(Radix - 1);
      logic [Bits-1:0] from, to;
      logic [Bits:0] ahead;  // hops in + direction

      assign from          = node_i[shift_of(d)+:Bits];
      assign to            = field_i[shift_of(d)+:Bits];
      assign differs[d]    = from != to;
      assign ahead         = {1'b0, to} - {1'b0, from} + (to > from ? '0 : Size);
      assign last[d]       = plus[d] ? ahead == (Bits + 1)'(1) : ahead == Size - 1'b1;
      assign wraps[d]      = Ring && from == (plus[d] ? Top : '0);
      assign wrap_ahead[d] = Ring && (plus[d] ? to < from : to > from);
      assign has_port[2*d+:2] = {Ring || from != '0, Ring || from != Top};

      if (!Ring) begin : gen_line
        assign plus[d] = to > from;
      end else if (OneWay) begin : gen_one_way
        assign plus[d] = 1'b1;
      end else begin : gen_ring
        logic tie;
        assign tie = {ahead, 1'b0} == {1'b0, Size};
        assign plus[d] = !tie ? {ahead, 1'b0} < {1'b0, Size}
                              : Ties == Positive || (Ties == Balanced ? !from[0] : to > from);
      end
    end
  end

  // The first dimension in the order.
  function automatic logic [Dimensions-1:0] first_of(input logic [Dimensions-1:0] any);
    first_of = '0;
    for (int k = 0; k < Dimensions; k++) begin
      if (LowestFirst && any[Dimensions-1-k]) first_of = Dimensions'(1) << (Dimensions - 1 - k);
      if (!LowestFirst && any[k]) first_of = Dimensions'(1) << k;
    end
  endfunction

  function automatic logic [PORT_BITS-1:0] port_of(input logic [Dimensions*PORT_BITS-1:0] ports,
                                                   input logic [Dimensions-1:0] one);
    port_of = '0;
    for (int d = 0; d < Dimensions; d++) if (one[d]) port_of = ports[d*PORT_BITS+:PORT_BITS];
  endfunction

  logic state, in_ring, goes_last, wraps_now, wraps_later, high, next_state, arrived;
  logic [VCS-1:0] vcs;
  logic [PORT_BITS-1:0] out_port;
  logic unused_vc;

  assign arrived     = differs == '0;
  assign chosen      = first_of(differs);
  assign in_ring     = (chosen & ring) != '0;
  assign goes_last   = (chosen & last) != '0;
  assign wraps_now   = (chosen & wraps) != '0;
  assign wraps_later = (chosen & wrap_ahead) != '0;
  assign unused_vc   = ^vc_i;

  // The class of VCs.
  always_comb begin
    vcs = All;
    if (Rule == ByBalance) begin
      high = state && 32'(vc_i) >= VCS / 2;
      next_state = in_ring && !goes_last;
      if (in_ring && goes_last) vcs = high ? High : All;
      else if (in_ring && wraps_later) vcs = wraps_now ? High : ~High;
      else if (in_ring && state) vcs = high ? High : ~High;
    end else begin
      high = state || (Rule == ByWrapping ? wraps_later : wraps_now);
      next_state = high && !goes_last;
      if (in_ring) vcs = high ? High : ~High;
    end
  end

  assign out_port = arrived ? PORT_BITS'(PORTS - 1) : port_of(port, chosen);

  if (STATE_BITS > 0) begin : gen_state
    assign state = field_i[DST_BITS];
    assign answer_o = {STATE_BITS'(next_state && !arrived), arrived ? All : vcs, out_port};
  end else begin : gen_no_state
    logic unused_state;
    assign state = 1'b0;
    assign unused_state = next_state;
    assign answer_o = {arrived ? All : vcs, out_port};
  end

endmodule

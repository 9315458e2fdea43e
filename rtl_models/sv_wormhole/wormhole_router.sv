// SPDX-License-Identifier: Apache-2.0
// A wormhole router for meshes: ready/valid, no VCs, XY routing from coordinates,
// which are pins: one build serves all nodes.
//
// It shares nothing with sv/router.sv, on purpose: docs/your_own_rtl.md puts it into networks as one puts a
// router that was written without knowing them.
//
//   ports   0 local, 1 north (y+1), 2 east (x+1), 3 south (y-1), 4 west (x-1); port p has bit p of valid and
//           ready, and bits p*34 .. p*34+33 of flit
//   flits   [33:32] 01 head, 00 body, 10 tail, 11 a packet of one flit
//           head: [31:28] x and [27:24] y of the destination, [23:0] the sender's; others: 32 bits of data
//   timing  a flit stays in its FIFO for at least one edge; out_valid_o does not depend on out_ready_i
module wormhole_router #(
    /// Flits per input FIFO, a power of two, at least 2.
    parameter int DEPTH = 4
) (
    /// Clock; everything happens at its rising edge.
    input  logic            clk_i,
    /// Synchronous reset, active low.
    input  logic            rst_ni,
    /// Column of this router.
    input  logic [     3:0] x_i,
    /// Row of this router.
    input  logic [     3:0] y_i,
    /// A flit comes in, per port.
    input  logic [     4:0] in_valid_i,
    /// It is taken.
    output logic [     4:0] in_ready_o,
    /// The flits.
    input  logic [5*34-1:0] in_flit_i,
    /// A flit goes out, per port.
    output logic [     4:0] out_valid_o,
    /// It is taken.
    input  logic [     4:0] out_ready_i,
    /// The flits.
    output logic [5*34-1:0] out_flit_o
);

  logic [4:0] filled;  // by input: a flit stands at the front
  logic [4:0] popped;
  logic [5*34-1:0] front;
  logic [5*5-1:0] wants;  // by input: its head's output, one-hot
  logic [5*5-1:0] taken_by;  // by output: the input that it passes on, one-hot

  for (genvar i = 0; i < 5; i++) begin : gen_input
    logic [4:0] way;

    wormhole_fifo #(
        .DEPTH(DEPTH)
    ) fifo (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .push_i (in_valid_i[i]),
        .ready_o(in_ready_o[i]),
        .flit_i (in_flit_i[i*34+:34]),
        .valid_o(filled[i]),
        .pop_i  (popped[i]),
        .flit_o (front[i*34+:34])
    );

    wormhole_xy xy (
        .x_i     (x_i),
        .y_i     (y_i),
        .dest_x_i(front[i*34+28+:4]),
        .dest_y_i(front[i*34+24+:4]),
        .way_o   (way)
    );

    assign wants[i*5+:5] = filled[i] && front[i*34+32] ? way : 5'b0;
  end

  for (genvar o = 0; o < 5; o++) begin : gen_output
    logic [4:0] asking;
    for (genvar i = 0; i < 5; i++) begin : gen_asking
      assign asking[i] = wants[i*5+o];
    end

    wormhole_output out (
        .clk_i   (clk_i),
        .rst_ni  (rst_ni),
        .asking_i(asking),
        .filled_i(filled),
        .front_i (front),
        .valid_o (out_valid_o[o]),
        .ready_i (out_ready_i[o]),
        .flit_o  (out_flit_o[o*34+:34]),
        .input_o (taken_by[o*5+:5])
    );
  end

  always_comb begin
    popped = '0;
    for (int o = 0; o < 5; o++) popped = popped | (out_ready_i[o] ? taken_by[o*5+:5] : 5'b0);
  end

endmodule

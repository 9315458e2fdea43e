// SPDX-License-Identifier: Apache-2.0
// For tests: a bench of the route units without a table. Asks them what +requests=FILE has, a line for each request of
// a node, in hexadecimal: node, input port, VC, {state, destination}, the answer expected. Prints "PASS" and how many
// requests there were, or the first difference.
module route_unit_tb;
`include "route_unit_constants.svh"  // Unit, Ports, Vcs, DstBits, StateBits, Network
  localparam int FieldBits = StateBits + DstBits;
  localparam int AnswerBits = StateBits + Vcs + $clog2(Ports);

  logic [DstBits-1:0] node;
  logic [FieldBits-1:0] field;
  logic [3:0] vc;
  logic [AnswerBits-1:0] expected;
  // By input port; a unit that is not asked has nothing to do.
  logic [DstBits-1:0] node_at[Ports];
  logic [FieldBits-1:0] field_at[Ports];
  wire [Ports*AnswerBits-1:0] answer;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    if (Unit == 1) begin : gen_cube
      route_cube #(
          .PORTS     (Ports),
          .VCS       (Vcs),
          .DST_BITS  (DstBits),
          .STATE_BITS(StateBits),
          .NETWORK   (Network)
      ) unit (
          .node_i  (node_at[p]),
          .field_i (field_at[p]),
          .vc_i    (vc),
          .answer_o(answer[p*AnswerBits+:AnswerBits])
      );
    end else begin : gen_ttn
      route_ttn #(
          .PORT      (p),
          .PORTS     (Ports),
          .VCS       (Vcs),
          .DST_BITS  (DstBits),
          .STATE_BITS(StateBits),
          .NETWORK   (Network)
      ) unit (
          .node_i  (node_at[p]),
          .field_i (field_at[p]),
          .answer_o(answer[p*AnswerBits+:AnswerBits])
      );
    end
  end

  string name;
  int file, port, requests, fields;
  logic differs;

  initial begin
    requests = 0;
    differs  = 1'b0;
    if (!$value$plusargs("requests=%s", name)) $fatal(1, "+requests=FILE is missing");
    file = $fopen(name, "r");
    fields = $fscanf(file, "%h %h %h %h %h", node, port, vc, field, expected);
    while (!differs && fields == 5) begin
      node_at[port]  = node;
      field_at[port] = field;
      #1 requests = requests + 1;
      differs = answer[port*AnswerBits+:AnswerBits] !== expected;
      if (!differs) fields = $fscanf(file, "%h %h %h %h %h", node, port, vc, field, expected);
    end
    if (differs)
      $display("node %h port %0d vc %0d field %h: expected %h, not %h", node, port, vc, field, expected,
               answer[port*AnswerBits+:AnswerBits]);
    else $display("PASS %0d requests", requests);
    $finish;
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// For tests: the wormhole router behind credits, one buffer of 4 flits per port and no VCs. A flit that comes in
// without a slot being free is an assertion. STARVE: packets from a node to itself are never served. LOSE: of port e, this number of
// credits are not returned. EXTRA: it returns one too many. CHANGE: bit 3 of its 30th flit is inverted on the way out.
// GREEDY: it sends without credits.
module credit_wormhole #(
    parameter bit STARVE = 0,
    parameter int LOSE = 0,
    parameter bit EXTRA = 0,
    parameter bit CHANGE = 0,
    parameter bit GREEDY = 0
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [3:0]       x,
    input  logic [3:0]       y,
    input  logic [4:0]       in_valid,
    input  logic [4:0][33:0] in_flit,
    output logic [4:0]       credit_out,
    output logic [4:0]       out_valid,
    output logic [4:0][33:0] out_flit,
    input  logic [4:0]       credit_in
);
  logic [4:0][33:0] offered, routed;
  logic [4:0] filled, serves, ready, wants, room;
  logic [2:0] credits[5];
  int lost;
  always_ff @(posedge clk)
    if (rst) lost <= 0;
    else if (serves[2] && ready[2] && lost < LOSE) lost <= lost + 1;
  int served, sent;
  logic extra;
  assign extra = EXTRA && served == 4 && !serves[2];
  always_ff @(posedge clk)
    if (rst) {served, sent} <= '0;
    else begin
      served <= served + int'(serves[2] && ready[2] || extra);
      sent <= sent + int'(out_valid[2]);
    end
  always_comb begin
    out_flit = routed;
    if (CHANGE && sent == 29) out_flit[2][3] = !routed[2][3];
  end

  wormhole_router inner (
      .clk_i      (clk),
      .rst_ni     (!rst),
      .x_i        (x),
      .y_i        (y),
      .in_valid_i (serves),
      .in_ready_o (ready),
      .in_flit_i  (offered),
      .out_valid_o(wants),
      .out_ready_i(out_valid),
      .out_flit_o (routed)
  );
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wormhole_fifo fifo (
        .clk_i  (clk),
        .rst_ni (!rst),
        .push_i (in_valid[p]),
        .ready_o(room[p]),
        .flit_i (in_flit[p]),
        .valid_o(filled[p]),
        .pop_i  (serves[p] && ready[p]),
        .flit_o (offered[p])
    );
    assign serves[p] = filled[p] && !(STARVE && p == 0 && offered[p][32] && offered[p][31:24] == {x, y});
    assign credit_out[p] = serves[p] && ready[p] && !(p == 2 && lost < LOSE) || p == 2 && extra;
    assign out_valid[p] = wants[p] && (credits[p] != 0 || GREEDY);
    always_ff @(posedge clk) begin
      if (rst) credits[p] <= 3'd4;
      else credits[p] <= credits[p] - 3'(out_valid[p]) + 3'(credit_in[p]);
      if (!rst) assert (!in_valid[p] || room[p]) else $error("overrun");
    end
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// For tests: the wormhole router behind on/off, without VCs. A flit that comes in while the input is off is an assertion.
// LATE: off is heeded this number of cycles late, 0 or 1.
module on_off_wormhole #(
    parameter int LATE = 0
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [3:0]       x,
    input  logic [3:0]       y,
    input  logic [4:0]       in_valid,
    input  logic [4:0][33:0] in_flit,
    output logic [4:0]       in_on,
    output logic [4:0]       out_valid,
    output logic [4:0][33:0] out_flit,
    input  logic [4:0]       out_on
);
  logic [4:0] filled, on_before, sends;
  assign sends = LATE == 1 ? on_before : out_on;
  assign out_valid = filled & sends;

  wormhole_router inner (
      .clk_i      (clk),
      .rst_ni     (!rst),
      .x_i        (x),
      .y_i        (y),
      .in_valid_i (in_valid),
      .in_ready_o (in_on),
      .in_flit_i  (in_flit),
      .out_valid_o(filled),
      .out_ready_i(sends),
      .out_flit_o (out_flit)
  );

  always_ff @(posedge clk) begin
    on_before <= rst ? '0 : out_on;
    if (!rst) assert ((in_valid & ~in_on) == '0) else $error("a flit comes in while the input is off");
  end
endmodule

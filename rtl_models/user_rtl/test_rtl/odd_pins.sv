// SPDX-License-Identifier: Apache-2.0
// For tests: the wormhole router with other pins. An asynchronous-looking reset that is active high, a pin per
// port, tails beside the data, idle in place of valid, stall in place of ready, and arrays, some of
// which begin with 1.
module odd_pins #(
    parameter int COLUMN = 0,
    parameter int ROW = 0
) (
    input  logic              clock,
    input  logic              reset,
    input  logic              n_idle,
    input  logic              e_idle,
    input  logic              s_idle,
    input  logic              w_idle,
    input  logic              l_idle,
    output logic [0:4]        stall,
    input  logic [1:0]        tail_and_head[1:5],
    input  logic [5:1][31:0]  data,
    output logic [4:0]        idle_out,
    input  logic [5:1]        stop,
    output logic [1:0]        tail_and_head_out[5],
    output logic [4:0][31:0]  data_out
);
  logic [4:0] ready, valid;
  logic [5*34-1:0] in, out;

  for (genvar p = 0; p < 5; p++) begin : gen_port
    assign stall[p] = !ready[p];
    assign idle_out[p] = !valid[p];
    assign in[p*34+:34] = {tail_and_head[p+1], data[p+1]};
    assign {tail_and_head_out[p], data_out[p]} = out[p*34+:34];
  end

  wormhole_router router (
      .clk_i      (clock),
      .rst_ni     (!reset),
      .x_i        (4'(COLUMN)),
      .y_i        (4'(ROW)),
      .in_valid_i (~{w_idle, s_idle, e_idle, n_idle, l_idle}),
      .in_ready_o (ready),
      .in_flit_i  (in),
      .out_valid_o(valid),
      .out_ready_i(~stop),
      .out_flit_o (out)
  );
endmodule

// SPDX-License-Identifier: Apache-2.0
// An output port: chooses an input in turn and is its own until the tail is through.
module wormhole_output (
    /// Clock.
    input  logic            clk_i,
    /// Synchronous reset, active low.
    input  logic            rst_ni,
    /// Inputs with a head for this output at the front.
    input  logic [     4:0] asking_i,
    /// Inputs with a flit at the front.
    input  logic [     4:0] filled_i,
    /// The flits at the fronts of the inputs.
    input  logic [5*34-1:0] front_i,
    /// A flit goes out.
    output logic            valid_o,
    /// It is taken.
    input  logic            ready_i,
    /// The flit.
    output logic [    33:0] flit_o,
    /// The input that it comes from, one-hot; none without a flit.
    output logic [     4:0] input_o
);

  logic [4:0] owner, chosen, beyond, first;
  logic [4:0] previous;  // the input that was chosen last, one-hot
  logic busy;

  // The asking inputs after the previous one come before the others.
  assign beyond = asking_i & ~((previous - 5'b1) | previous);
  assign first  = beyond != '0 ? beyond : asking_i;
  assign chosen = busy ? owner : first & (~first + 5'b1);

  assign input_o = chosen & filled_i;
  assign valid_o = input_o != '0;

  always_comb begin
    flit_o = '0;
    for (int i = 0; i < 5; i++) flit_o = flit_o | (input_o[i] ? front_i[i*34+:34] : 34'b0);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy     <= 1'b0;
      owner    <= '0;
      previous <= 5'b10000;
    end else if (valid_o) begin
      busy     <= !(ready_i && flit_o[33]);
      owner    <= chosen;
      previous <= chosen;
    end
  end

endmodule

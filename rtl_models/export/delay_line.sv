// SPDX-License-Identifier: Apache-2.0
// What a link of more than a cycle adds to the router's output register: a word leaves CYCLES later.
module delay_line #(
    /// Bits of a word.
    parameter int WIDTH = 64,
    /// Registers, at least 1.
    parameter int CYCLES = 1
) (
    /// Clock; everything happens at its rising edge.
    input  logic             clk_i,
    /// Synchronous reset: nothing is under way.
    input  logic             rst_i,
    input  logic [WIDTH-1:0] word_i,
    output logic [WIDTH-1:0] word_o
);

  logic [WIDTH*CYCLES-1:0] words_q;  // the oldest one on top

  assign word_o = words_q[WIDTH*(CYCLES-1)+:WIDTH];

  always_ff @(posedge clk_i) begin
    if (rst_i) words_q <= '0;
    else words_q <= (WIDTH * CYCLES)'({words_q, word_i});
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
// The receiving end of a narrow link (narrow_sender.sv): shows a flit, whole, in the cycle in which its last word comes.
module narrow_receiver #(
    /// Bits of a flit.
    parameter int FLIT_BITS = 64,
    /// Words per flit, 2 .. 255.
    parameter int CYCLES = 2,
    /// Not to be set: bits of a word.
    parameter int WORD_BITS = (FLIT_BITS + CYCLES - 1) / CYCLES
) (
    /// Clock; everything happens at its rising edge.
    input  logic                 clk_i,
    /// Synchronous reset: nothing is under way.
    input  logic                 rst_i,
    input  logic [WORD_BITS-1:0] word_i,
    /// To the router.
    output logic [FLIT_BITS-1:0] flit_o
);

  logic [(CYCLES-1)*WORD_BITS-1:0] words_q;  // the last ones, the latest on top
  logic [7:0] come_q;  // words of a flit that have come
  logic [CYCLES*WORD_BITS-1:0] words;
  logic unused_bits;

  assign words       = {word_i, words_q};
  assign flit_o      = come_q == 8'(CYCLES - 1) ? words[FLIT_BITS-1:0] : '0;
  assign unused_bits = ^words;

  always_ff @(posedge clk_i) begin
    words_q <= words[CYCLES*WORD_BITS-1:WORD_BITS];
    if (rst_i || come_q == 8'(CYCLES - 1)) come_q <= '0;
    else if (come_q != '0 || word_i[0]) come_q <= come_q + 8'd1;
  end

endmodule

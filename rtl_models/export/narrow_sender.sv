// SPDX-License-Identifier: Apache-2.0
// The sending end of a narrow link: a flit leaves as CYCLES words of a CYCLES-th of its bits, the lowest first, from the
// cycle on in which the router shows it. Bit 0 of the first word is the flit's valid bit; the others just follow.
module narrow_sender #(
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
    /// From the router: a flit at most every CYCLES cycles.
    input  logic [FLIT_BITS-1:0] flit_i,
    output logic [WORD_BITS-1:0] word_o
);

  logic [CYCLES*WORD_BITS-1:0] words, rest_q;
  logic [7:0] left_q;  // words that have not left
  logic sends;

  assign sends  = left_q != '0;
  assign words  = sends ? rest_q : (CYCLES * WORD_BITS)'(flit_i);
  assign word_o = words[WORD_BITS-1:0];

  always_ff @(posedge clk_i) begin
    rest_q <= words >> WORD_BITS;
    if (rst_i) left_q <= '0;
    else if (sends) left_q <= left_q - 8'd1;
    else if (flit_i[0]) left_q <= 8'(CYCLES - 1);
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (!rst_i) begin
      begin : one_at_a_time
        assert (!sends || !flit_i[0])
        else $error("a flit while the link carries the one before");
      end
    end
  end
`endif

endmodule

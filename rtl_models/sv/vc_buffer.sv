// SPDX-License-Identifier: Apache-2.0
// The buffer of one input VC: a FIFO whose incoming flit counts at once. A flit that finds the buffer
// empty is at the front, and may be read, in the cycle in which it comes in.
module vc_buffer #(
    /// Slots, at least 1.
    parameter int DEPTH = 8,
    /// Bits of a flit.
    parameter int FLIT_BITS = 64
) (
    /// Clock; everything happens at its rising edge.
    input  logic                 clk_i,
    /// Synchronous reset: empties the buffer.
    input  logic                 rst_i,
    /// A flit comes in.
    input  logic                 write_i,
    /// That flit.
    input  logic [FLIT_BITS-1:0] flit_i,
    /// The front flit leaves.
    input  logic                 read_i,
    /// The front flit; meaningless when there is none.
    output logic [FLIT_BITS-1:0] front_o,
    /// There is a front flit.
    output logic                 holds_o
);

  localparam int IndexBits = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int CountBits = $clog2(DEPTH + 1);
  localparam logic [IndexBits-1:0] LastIndex = IndexBits'(DEPTH - 1);

  logic [FLIT_BITS-1:0] slots_q[0:DEPTH-1];
  logic [IndexBits-1:0] front_q, back_q;  // where the front is; where the next flit goes
  logic [CountBits-1:0] count_q;
  logic empty;

  assign empty   = count_q == '0;
  assign holds_o = write_i || !empty;
  assign front_o = empty ? flit_i : slots_q[front_q];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      front_q <= '0;
      back_q  <= '0;
      count_q <= '0;
    end else begin
      if (write_i) back_q <= back_q == LastIndex ? '0 : back_q + 1'b1;
      if (read_i) front_q <= front_q == LastIndex ? '0 : front_q + 1'b1;
      count_q <= count_q + CountBits'(write_i) - CountBits'(read_i);
    end
  end

  always_ff @(posedge clk_i) if (write_i) slots_q[back_q] <= flit_i;

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (!rst_i) begin
      begin : buffer_overflow
        assert (!write_i || count_q != CountBits'(DEPTH))
        else $error("a flit came in without a credit");
      end
      begin : buffer_underflow
        assert (!read_i || holds_o)
        else $error("read from an empty buffer");
      end
    end
  end
`endif

endmodule

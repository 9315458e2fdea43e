// SPDX-License-Identifier: Apache-2.0
// The FIFO of an input port.
module wormhole_fifo #(
    /// Flits, a power of two, at least 2.
    parameter int DEPTH = 4
) (
    /// Clock.
    input  logic        clk_i,
    /// Synchronous reset, active low.
    input  logic        rst_ni,
    /// A flit comes in; taken if ready_o.
    input  logic        push_i,
    /// There is room.
    output logic        ready_o,
    /// The flit that comes in.
    input  logic [33:0] flit_i,
    /// There is a flit at the front.
    output logic        valid_o,
    /// The front is taken away.
    input  logic        pop_i,
    /// The front.
    output logic [33:0] flit_o
);

  localparam int Bits = $clog2(DEPTH);

  logic [33:0] flits[DEPTH];
  logic [Bits-1:0] first, last;
  logic [Bits:0] count;
  logic push;

  assign ready_o = !count[Bits];
  assign valid_o = count != '0;
  assign flit_o  = flits[first];
  assign push    = push_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (push) flits[last] <= flit_i;
    if (!rst_ni) begin
      first <= '0;
      last  <= '0;
      count <= '0;
    end else begin
      if (pop_i) first <= first + 1'b1;
      if (push) last <= last + 1'b1;
      if (push && !pop_i) count <= count + 1'b1;
      if (!push && pop_i) count <= count - 1'b1;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : fifo_underflow
        assert (!pop_i || valid_o)
        else $error("read from an empty FIFO");
      end
    end
  end
`endif

endmodule

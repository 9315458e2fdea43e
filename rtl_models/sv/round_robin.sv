// SPDX-License-Identifier: Apache-2.0
// Picks the first request at or after a pointer, cyclically. Combinational; the pointer belongs to the
// caller, who moves it to next_o when the pick becomes a grant.
module round_robin #(
    /// Number of requests, at least 1.
    parameter int WIDTH = 4,
    /// Bits of the pointer; not to be set.
    parameter int POINTER_BITS = WIDTH > 1 ? $clog2(WIDTH) : 1
) (
    /// Who asks.
    input  logic [       WIDTH-1:0] request_i,
    /// Who comes first, 0 .. WIDTH-1.
    input  logic [POINTER_BITS-1:0] pointer_i,
    /// Who is picked: one bit, or none when nobody asks.
    output logic [       WIDTH-1:0] pick_o,
    /// The one after who is picked (0 after the last); pointer_i when nobody asks.
    output logic [POINTER_BITS-1:0] next_o
);

  logic [WIDTH-1:0] before_pointer, from_pointer, candidates;

  always_comb begin
    for (int k = 0; k < WIDTH; k++) before_pointer[k] = POINTER_BITS'(k) < pointer_i;
  end

  assign from_pointer = request_i & ~before_pointer;
  assign candidates   = from_pointer != '0 ? from_pointer : request_i;
  assign pick_o       = candidates & (~candidates + 1'b1);  // its lowest bit

  always_comb begin
    next_o = pointer_i;
    for (int k = 0; k < WIDTH; k++) if (pick_o[k]) next_o = k == WIDTH - 1 ? '0 : POINTER_BITS'(k + 1);
  end

endmodule

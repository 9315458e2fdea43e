// SPDX-License-Identifier: Apache-2.0
// Picks the first request at or after a pointer, cyclically. Combinational; the pointer belongs to the
// caller, who moves it to next_o when the pick becomes a grant.
//
// The pointer is a thermometer: ones from where it points to the top. That takes more registers than a number
// and neither a decoder nor an encoder. No ones: it points to 0, as all ones do.
module round_robin #(
    /// Number of requests, at least 1.
    parameter int WIDTH = 4
) (
    /// Who asks.
    input  logic [WIDTH-1:0] request_i,
    /// Who comes first, and all after.
    input  logic [WIDTH-1:0] pointer_i,
    /// Who is picked: one bit, or none without a request.
    output logic [WIDTH-1:0] pick_o,
    /// All after who is picked; pointer_i without a request.
    output logic [WIDTH-1:0] next_o
);

  logic [WIDTH-1:0] from_pointer, candidates, up_to_pick;

  assign from_pointer = request_i & pointer_i;
  assign candidates   = from_pointer != '0 ? from_pointer : request_i;
  assign pick_o       = candidates & (~candidates + 1'b1);  // its lowest bit
  assign up_to_pick   = candidates ^ (candidates - 1'b1);
  assign next_o       = candidates != '0 ? ~up_to_pick : pointer_i;

endmodule

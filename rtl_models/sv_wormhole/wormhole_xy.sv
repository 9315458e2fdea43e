// SPDX-License-Identifier: Apache-2.0
// The way of a head on a mesh: x first, then y.
module wormhole_xy (
    /// Column of this router.
    input  logic [3:0] x_i,
    /// Row of this router.
    input  logic [3:0] y_i,
    /// Column of the destination.
    input  logic [3:0] dest_x_i,
    /// Row of the destination.
    input  logic [3:0] dest_y_i,
    /// Local, north, east, south, west from bit 0 on: one is set.
    output logic [4:0] way_o
);

  always_comb begin
    if (dest_x_i != x_i) way_o = dest_x_i > x_i ? 5'b00100 : 5'b10000;
    else if (dest_y_i != y_i) way_o = dest_y_i > y_i ? 5'b00010 : 5'b01000;
    else way_o = 5'b00001;
  end

endmodule

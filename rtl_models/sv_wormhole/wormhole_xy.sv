// SPDX-License-Identifier: Apache-2.0
// The way of a head on a mesh: x first, then y.
module wormhole_xy #(
    /// Column of this router.
    parameter int X = 0,
    /// Row of this router.
    parameter int Y = 0
) (
    /// Column of the destination.
    input  logic [3:0] x_i,
    /// Row of the destination.
    input  logic [3:0] y_i,
    /// Local, north, east, south, west from bit 0 on: one is set.
    output logic [4:0] way_o
);

  localparam logic [3:0] Column = 4'(X);
  localparam logic [3:0] Row = 4'(Y);

  always_comb begin
    if (x_i != Column) way_o = x_i > Column ? 5'b00100 : 5'b10000;
    else if (y_i != Row) way_o = y_i > Row ? 5'b00010 : 5'b01000;
    else way_o = 5'b00001;
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
// For tests: the wormhole router behind SystemVerilog interfaces, and flits of a struct.
package link_types;
  typedef struct packed {
    logic [1:0]  kind;
    logic [31:0] data;
  } flit_t;
endpackage

interface flit_link (
    input logic clk
);
  logic valid, ready;
  link_types::flit_t flit;
  modport receive(input valid, input flit, output ready);
  modport send(output valid, flit, input ready);
endinterface

module interface_router
  import link_types::*;
#(
    parameter int PORTS = 5,
    parameter type coordinate_t
) (
    input logic clk,
    input logic rst_n,
    input coordinate_t x,
    y,
    flit_link.receive in_link[PORTS],  // local, north, east, south, west
    flit_link.send out_link[PORTS-1:0]
);
  logic [PORTS-1:0] in_valid, in_ready, out_valid, out_ready;
  flit_t [PORTS-1:0] in_flit, out_flit;
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign in_valid[p] = in_link[p].valid;
    assign in_flit[p] = in_link[p].flit;
    assign in_link[p].ready = in_ready[p];
    assign out_link[p].valid = out_valid[p];
    assign out_link[p].flit = out_flit[p];
    assign out_ready[p] = out_link[p].ready;
  end
  wormhole_router inner (
      .clk_i      (clk),
      .rst_ni     (rst_n),
      .x_i        (x),
      .y_i        (y),
      .in_valid_i (in_valid),
      .in_ready_o (in_ready),
      .in_flit_i  (in_flit),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_flit_o (out_flit)
  );
endmodule

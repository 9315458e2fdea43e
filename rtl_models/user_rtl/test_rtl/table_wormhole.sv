// SPDX-License-Identifier: Apache-2.0
// A wormhole router of any number of ports with a route table by destination router, and several local ports.
//
//   ports   links first, then local ports; port p has bit p of valid and ready, and bits p*34 .. of flit
//   flits   [33:32] 01 head, 00 body, 10 tail, 11 a packet of one flit
//           head: [31:24] the destination, [23:16] its router, [15:12] its number there, [11:0] the sender's
//   +table  a port by destination; used where the destination is at another router
module table_wormhole #(
    parameter int PORTS = 4
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic [         7:0] id_i,
    /// Number of the first local port.
    input  logic [         3:0] first_local_i,
    input  logic [   PORTS-1:0] in_valid_i,
    output logic [   PORTS-1:0] in_ready_o,
    input  logic [PORTS*34-1:0] in_flit_i,
    output logic [   PORTS-1:0] out_valid_o,
    input  logic [   PORTS-1:0] out_ready_i,
    output logic [PORTS*34-1:0] out_flit_o
);

  logic [3:0] table_q[256];
  string file;
  initial if ($value$plusargs("table=%s", file)) $readmemh(file, table_q);

  logic [PORTS-1:0] filled, popped;
  logic [33:0] front[PORTS];
  logic [3:0] way[PORTS];
  logic [3:0] owner_q[PORTS];  // by output: whose packet goes through, or went through last
  logic [PORTS-1:0] busy_q;

  for (genvar i = 0; i < PORTS; i++) begin : gen_input
    wormhole_fifo fifo (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .push_i (in_valid_i[i]),
        .ready_o(in_ready_o[i]),
        .flit_i (in_flit_i[i*34+:34]),
        .valid_o(filled[i]),
        .pop_i  (popped[i]),
        .flit_o (front[i])
    );
    assign way[i] = front[i][23:16] == id_i ? first_local_i + front[i][15:12] : table_q[front[i][31:24]];
  end

  logic [3:0] chosen[PORTS];
  logic [PORTS-1:0] any;

  always_comb begin
    popped = '0;
    out_flit_o = '0;
    for (int o = 0; o < PORTS; o++) begin
      chosen[o] = owner_q[o];
      any[o] = busy_q[o];
      // The inputs behind the last one come first.
      for (int k = PORTS; k > 0; k--) begin
        automatic int i = (int'(owner_q[o]) + k) % PORTS;
        if (!busy_q[o] && filled[i] && front[i][32] && int'(way[i]) == o) begin
          chosen[o] = 4'(i);
          any[o] = 1'b1;
        end
      end
      out_valid_o[o] = any[o] && filled[chosen[o]];
      if (out_valid_o[o]) out_flit_o[o*34+:34] = front[chosen[o]];
      if (out_valid_o[o] && out_ready_i[o]) popped[chosen[o]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i)
    for (int o = 0; o < PORTS; o++)
      if (!rst_ni) begin
        busy_q[o]  <= 1'b0;
        owner_q[o] <= '0;
      end else if (out_valid_o[o]) begin
        busy_q[o]  <= !(out_ready_i[o] && front[chosen[o]][33]);
        owner_q[o] <= chosen[o];
      end

endmodule

// SPDX-License-Identifier: Apache-2.0
// For tests: a router with two VCs and credits, each VC a wormhole router of its own; links and credit wires, with
// room for one a clock, are shared. Credit wires say when there is none.
module credit_planes (
    input  logic              clk,
    input  logic              rst,
    input  logic [3:0]        x,
    input  logic [3:0]        y,
    input  logic [4:0]        in_valid,
    input  logic [4:0][34:0]  in_flit,
    output logic [4:0]        credit_out_none,
    output logic [4:0]        credit_out_vc,
    output logic [4:0][1:0]   credit_out_of_vcs,  // the same, a bit for each VC
    output logic [4:0]        out_valid,
    output logic [4:0][34:0]  out_flit,
    input  logic [4:0]        credit_in_none,
    input  logic [4:0]        credit_in_vc
);
  logic [5*34-1:0] offered[2], sent[2];
  logic [4:0] filled[2], ready[2], wants[2], goes[2], pushed[2];
  logic [4:0] pop[2];
  logic [2:0] credits[2][5];

  for (genvar v = 0; v < 2; v++) begin : gen_plane
    wormhole_router plane (
        .clk_i      (clk),
        .rst_ni     (!rst),
        .x_i        (x),
        .y_i        (y),
        .in_valid_i (v == 0 ? filled[0] : filled[1] & ~(filled[0] & ready[0])),
        .in_ready_o (ready[v]),
        .in_flit_i  (offered[v]),
        .out_valid_o(wants[v]),
        .out_ready_i(goes[v]),
        .out_flit_o (sent[v])
    );
    for (genvar p = 0; p < 5; p++) begin : gen_fifo
      wormhole_fifo fifo (
          .clk_i  (clk),
          .rst_ni (!rst),
          .push_i (in_valid[p] && in_flit[p][34] == v),
          .ready_o(pushed[v][p]),
          .flit_i (in_flit[p][33:0]),
          .valid_o(filled[v][p]),
          .pop_i  (pop[v][p]),
          .flit_o (offered[v][p*34+:34])
      );
      assign pop[v][p] = ready[v][p] && filled[v][p] && (v == 0 || !pop[0][p]);
      assign goes[v][p] = wants[v][p] && credits[v][p] != 0 && (v == 0 || !goes[0][p]);
      always_ff @(posedge clk)
        if (rst) credits[v][p] <= 3'd4;
        else credits[v][p] <= credits[v][p] - 3'(goes[v][p]) + 3'(!credit_in_none[p] && credit_in_vc[p] == v);
    end
  end

  for (genvar p = 0; p < 5; p++) begin : gen_pins
    assign credit_out_none[p] = !pop[0][p] && !pop[1][p];
    assign credit_out_vc[p] = pop[1][p];
    assign credit_out_of_vcs[p] = {pop[1][p], pop[0][p]};
    assign out_valid[p] = goes[0][p] || goes[1][p];
    assign out_flit[p] = goes[1][p] ? {1'b1, sent[1][p*34+:34]} : {1'b0, sent[0][p*34+:34]};
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// For tests: a router in the styles of others. Two VCs, each a wormhole router of its own; all that belongs to a port
// in one pin; a valid bit for each VC.
module styled_planes
  import styles_pkg::*;
#(
    parameter style_e STYLE = READY_PER_VC,
    parameter type id_t = logic,
    /// Position of the router: x and y.
    parameter int HERE[2] = '{0, 0},
    /// If it is not zero: a bit for each port, destination 0 in the highest bits, in place of XY.
    parameter logic [9*5-1:0] LOOKUP = '0,
    /// A head that comes in where the VC is not empty is an assertion.
    parameter bit ATOMIC = 0,
    /// Shows flits as if they were on both VCs.
    parameter bit BOTH = 0
) (
    input  logic        clk,
    input  logic        rst,
    input  link_t [4:0] link_i,
    output link_t [4:0] link_o
);
  logic [4:0] pushed[2], ready[2], wants[2], goes[2], on_q[2];
  logic [4:0][33:0] entering, sent[2];
  logic [4:0] turn;  // the VC that comes first
  wire [3:0] x = LOOKUP == 0 ? 4'(HERE[0]) : 4'd1;
  wire [3:0] y = LOOKUP == 0 ? 4'(HERE[1]) : 4'd1;

  // From (1, 1): local, north, east, south, west.
  localparam logic [4:0][7:0] Neighbours = {8'h01, 8'h10, 8'h21, 8'h12, 8'h11};
  function automatic logic [7:0] looked_up(logic [7:0] destination);
    looked_up = 8'hff;
    for (int p = 0; p < 5; p++) if (LOOKUP[(8-int'(destination))*5+p]) looked_up = Neighbours[p];
  endfunction

  for (genvar p = 0; p < 5; p++) begin : gen_in
    id_t dst;
    assign dst = LOOKUP != 0 && link_i[p].flit.first ? looked_up(link_i[p].flit.dst) : link_i[p].flit.dst;
    assign entering[p] = {link_i[p].flit.last, link_i[p].flit.first, dst, link_i[p].flit.rest};
    always_ff @(posedge clk) if (!rst) assert (link_i[p].flit.wake) else $error("port %0d sleeps", p);
  end

  for (genvar v = 0; v < 2; v++) begin : gen_plane
    wormhole_router plane (
        .clk_i      (clk),
        .rst_ni     (!rst),
        .x_i        (x),
        .y_i        (y),
        .in_valid_i (pushed[v]),
        .in_ready_o (ready[v]),
        .in_flit_i  (entering),
        .out_valid_o(wants[v]),
        .out_ready_i(goes[v]),
        .out_flit_o (sent[v])
    );
    for (genvar p = 0; p < 5; p++) begin : gen_port
      // Of the VCs that could send, the one whose turn it is.
      wire may = wants[v][p] && (STYLE == OF_OFFER || (STYLE == ON_OFF ? on_q[v][p] : link_i[p].back[v]));
      wire other_may =
          wants[1-v][p] && (STYLE == OF_OFFER || (STYLE == ON_OFF ? on_q[1-v][p] : link_i[p].back[1-v]));
      wire chosen = may && !(other_may && turn[p] != v[0]);
      assign pushed[v][p] = link_i[p].valid[v];
      assign goes[v][p] = chosen && (STYLE != OF_OFFER || link_i[p].back[0]);
      assign link_o[p].valid[v] = !chosen && (!BOTH || link_o[p].valid[1-v]);
      if (STYLE != OF_OFFER || v == 1) assign link_o[p].back[v] = STYLE != OF_OFFER && ready[v][p];
      always_ff @(posedge clk) begin
        on_q[v][p] <= link_i[p].back[v];
        if (!rst && ATOMIC && pushed[v][p] && entering[p][32])
          assert (!plane.filled[p]) else $error("a head for a VC with flits");
        if (!rst && STYLE == ON_OFF && pushed[v][p]) assert (ready[v][p]) else $error("overrun");
      end
    end
  end

  for (genvar p = 0; p < 5; p++) begin : gen_out
    wire second = STYLE == OF_OFFER ? wants[1][p] && !(wants[0][p] && !turn[p]) : goes[1][p];
    assign {link_o[p].flit.last, link_o[p].flit.first, link_o[p].flit.dst, link_o[p].flit.rest} =
        second ? sent[1][p] : sent[0][p];
    assign link_o[p].flit.wake = 1'b1;
    if (STYLE == OF_OFFER) assign link_o[p].back[0] = |(link_i[p].valid & {ready[1][p], ready[0][p]});
    always_ff @(posedge clk)
      if (rst) turn[p] <= 1'b0;
      else turn[p] <= !turn[p];
  end
endmodule

/// The same with a pin for each port and direction, all of it in one vector, numbered from the left.
module flat_planes #(
    parameter logic [9*5-1:0] LOOKUP = '0
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [0:40] l_in,
    input  logic [0:40] n_in,
    input  logic [0:40] e_in,
    input  logic [0:40] s_in,
    input  logic [0:40] w_in,
    output logic [0:38] l_out,
    output logic [0:38] n_out,
    output logic [0:38] e_out,
    output logic [0:38] s_out,
    output logic [0:38] w_out
);
  wire [4:0][40:0] in = {w_in, s_in, e_in, n_in, l_in};
  logic [4:0][38:0] kept;
  for (genvar p = 0; p < 5; p++) begin : gen_mode
    assign kept[p] = in[p][38:0];
    always_ff @(posedge clk) if (!rst) assert (in[p][40:39] == 2'd2) else $error("mode %b", in[p][40:39]);
  end
  styled_planes #(
      .id_t  (styles_pkg::id_t),
      .LOOKUP(LOOKUP)
  ) planes (
      .clk   (clk),
      .rst   (rst),
      .link_i(kept),
      .link_o({w_out, s_out, e_out, n_out, l_out})
  );
endmodule

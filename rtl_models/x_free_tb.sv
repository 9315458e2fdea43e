// SPDX-License-Identifier: Apache-2.0
// For tests: a bench for a simulator with four-valued logic. After one edge of reset no output bit of the router is
// ever unknown, although no register has a value before and buffers are never cleared. Random flits, credits
// and answers of the route table. Prints "PASS" and how many flits left, or what was unknown.
module x_free_tb #(
    /// Of the router.
    parameter int FOUR_STAGE = 0
);
  localparam int Ports = 3;
  localparam int Vcs = 2;
  localparam int Depth = 3;
  localparam int DstBits = 3;
  localparam int Cycles = 1000;

  logic clk, rst;
  logic [Ports*64-1:0] flit_i, flit_o;
  logic [Ports*Vcs-1:0] credit_i, credit_o;

  router #(
      .PORTS        (Ports),
      .VCS          (Vcs),
      .DEPTH        (Depth),
      .DST_BITS     (DstBits),
      .STATE_BITS   (0),
      .FOUR_STAGE   (FOUR_STAGE),
      .LOCAL_CREDITS(1),
      .NARROW       (1),
      .DRAINED      (1)
  ) dut (
      .clk_i   (clk),
      .rst_i   (rst),
      .slots_i ('0),
      .flit_cycles_i({8'd0, 8'd3, 8'd2}),
      .node_i  ('0),
      .flit_i  (flit_i),
      .credit_i(credit_i),
      .flit_o  (flit_o),
      .credit_o(credit_o)
  );

  int slots[Ports*Vcs];  // that the router has free, by input VC
  int left[Ports*Vcs];  // flits of the packet under way
  int held[Ports*Vcs];  // flits that the neighbours have, by output VC
  int flits, v;
  logic unknown;

  // Answer: {VCs, output port}; output port 0 .. 2, VCs 1 .. 3.
  initial
    for (int k = 0; k < 1 << DstBits; k++)
      dut.gen_table.routes.words[k] = 4'((($urandom & 'hffff) % 3 + 1) << 2 | ($urandom & 'hffff) % 3);

  initial begin
    flits    = 0;
    unknown  = 1'b0;
    flit_i   = '0;
    credit_i = '0;
    for (int i = 0; i < Ports * Vcs; i++) begin
      slots[i] = Depth;
      left[i]  = 0;
      held[i]  = 0;
    end
    rst = 1'b1;
    clk = 1'b0;
    #1 clk = 1'b1;
    #1 rst = 1'b0;
    for (int t = 0; t < Cycles && !unknown; t++) begin
      clk    = 1'b0;
      flit_i = '0;
      for (int p = 0; p < Ports; p++) begin
        v = p * Vcs + ($urandom & 'hffff) % Vcs;
        if (slots[v] > 0) begin
          slots[v] = slots[v] - 1;
          // valid, head, tail, VC, destination
          flit_i[p*64+:64] = 64'({3'($urandom), 4'(v - p * Vcs), 1'b0, left[v] == 0, 1'b1});
          if (left[v] == 0) left[v] = 1 + ($urandom & 'hffff) % 4;
          left[v] = left[v] - 1;
          flit_i[p*64+2] = left[v] == 0;
        end
      end
      credit_i = '0;
      for (int o = 0; o < Ports * Vcs; o++)
        if (held[o] > 0 && ($urandom & 'hff) < 100) begin
          held[o] = held[o] - 1;
          credit_i[o] = 1'b1;
        end
      #1 clk = 1'b1;
      #1 unknown = ^flit_o === 1'bx || ^credit_o === 1'bx;
      for (int i = 0; i < Ports * Vcs; i++) if (credit_o[i]) slots[i] = slots[i] + 1;
      for (int p = 0; p < Ports; p++)
        if (flit_o[p*64]) begin
          flits = flits + 1;
          held[p*Vcs+32'(flit_o[p*64+3+:4])] = held[p*Vcs+32'(flit_o[p*64+3+:4])] + 1;
        end
    end
    if (unknown) $display("unknown: flit_o %h credit_o %b", flit_o, credit_o);
    else if (flits < Cycles / 2) $display("only %0d flits left", flits);
    else $display("PASS %0d flits", flits);
    $finish;
  end
endmodule

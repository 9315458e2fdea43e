// SPDX-License-Identifier: Apache-2.0
// The routing function of one node: a read-only memory with one asynchronous read port per input VC.
//
// Word {i, state, destination} belongs to a head in input VC i = p*VCS + v; it holds {next state, VCs,
// output port}. The file (rtl_models/route_table.h) has one word per line in hexadecimal; a word without VCs is
// one that is never asked.
module route_table #(
    /// Input VCs, PORTS * VCS.
    parameter int INPUT_VCS = 20,
    /// Bits of state and destination together: what a head asks with.
    parameter int FIELD_BITS = 5,
    /// Bits of an answer.
    parameter int ENTRY_BITS = 8,
    /// File for $readmemh; empty: none. In simulation +route_table=FILE comes first, then
    /// +route_tables=DIR: a file for each router, DIR/PATH.hex, where PATH is its hierarchical name with the
    /// outer scopes left out that the names of the files do not have.
    parameter FILE = ""
) (
    /// {state, destination} by input VC.
    input  logic [INPUT_VCS*FIELD_BITS-1:0] field_i,
    /// {next state, VCs, output port} by input VC, in the same cycle.
    output logic [INPUT_VCS*ENTRY_BITS-1:0] entry_o
);

  localparam int AddressBits = $clog2(INPUT_VCS) + FIELD_BITS;

  logic [ENTRY_BITS-1:0] words[0:(INPUT_VCS<<FIELD_BITS)-1];

`ifdef SYNTHESIS
  if (FILE != "") begin : gen_load
    initial $readmemh(FILE, words);
  end
`else
  // The longest path that names a file: the router's own, then without its outer scopes, one after the other.
  localparam int LongestPath = 256;
  logic [8*LongestPath-1:0] path;
  logic [7:0] last;
  string chosen, name;
  int file;

  initial begin
    if ($value$plusargs("route_table=%s", chosen)) $readmemh(chosen, words);
    else if ($value$plusargs("route_tables=%s", chosen)) begin
      $sformat(path, "%m");
      path   = path >> 8 * 7;  // without ".routes"
      last = ".";
      file   = 0;
      for (int k = LongestPath; k > 0 && file == 0; k--) begin
        if (last == "." && path[8*k-8+:8] != 8'd0) begin
          name = $sformatf("%0s/%0s.hex", chosen, path);
          file = $fopen(name, "r");
        end
        if (path[8*k-8+:8] != 8'd0) last = path[8*k-8+:8];
        path[8*k-8+:8] = 8'd0;
      end
      if (file == 0) $error("no route table for %m in %0s", chosen);
      else begin
        $fclose(file);
        $readmemh(name, words);
      end
    end else if (FILE != "") $readmemh(FILE, words);
  end
`endif

  for (genvar i = 0; i < INPUT_VCS; i++) begin : gen_read
    logic [AddressBits-1:0] address;
    assign address = AddressBits'(i << FIELD_BITS) | AddressBits'(field_i[i*FIELD_BITS+:FIELD_BITS]);
    assign entry_o[i*ENTRY_BITS+:ENTRY_BITS] = words[address];
  end

endmodule

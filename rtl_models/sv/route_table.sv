// SPDX-License-Identifier: Apache-2.0
// The routing function of one node: a read-only memory that every input port reads in the same cycle, for the head that
// comes in. The file comes from rtl_models/route_table.h; it has a word per line in hexadecimal.
//
//   asked       {state, destination}, by an input VC. Input VCs whose answers never differ are of one class;
//               key = {class, state, destination}
//   answer      OPTIONS options, the first in the lowest bits: {weight, next state, VCs, output port};
//               without VCs: none
//   dense       INDEX_BITS = 0: word `key` is the answer
//   hashed      else: 4 ways of 2^INDEX_BITS words {key, answer}, one way after the other. In each way the
//               key has one place, by that way's hash: the key is cut into pieces of INDEX_BITS from the
//               lowest bit on, piece j turned left by j * way bits, and all are added modulo 2. A key that is
//               in no way has no answer.
//   classes     CLASS_BITS > 0: behind all that PORTS*VCS words, the class of each input VC
module route_table #(
    /// Ports of the router.
    parameter int PORTS = 5,
    /// VCs per port.
    parameter int VCS = 4,
    /// Bits of state and destination together: what a head asks with.
    parameter int FIELD_BITS = 5,
    /// Bits of an answer.
    parameter int ANSWER_BITS = 8,
    /// Bits of the number of a class of input VCs; 0: there is one class.
    parameter int CLASS_BITS = 0,
    /// Bits of an address within a way of a hashed table; 0: the table is dense.
    parameter int INDEX_BITS = 0,
    /// File for $readmemh; empty: none, which ends a simulation. In simulation +route_table=FILE comes first, then
    /// +route_tables=DIR: a file for each router, DIR/PATH.hex, where PATH is its hierarchical name with the
    /// outer scopes left out that the names of the files do not have.
    parameter FILE = ""
) (
    /// {state, destination} by input port.
    input  logic [ PORTS*FIELD_BITS-1:0] field_i,
    /// The VC by input port; looked at with CLASS_BITS.
    input  logic [          PORTS*4-1:0] vc_i,
    /// The answer by input port, in the same cycle.
    output logic [PORTS*ANSWER_BITS-1:0] answer_o
);

  localparam bit Hashed = INDEX_BITS > 0;
  localparam int Ways = 4;
  localparam int KeyBits = CLASS_BITS + FIELD_BITS;
  localparam int WordBits = Hashed ? KeyBits + ANSWER_BITS : ANSWER_BITS;
  localparam int Rows = Hashed ? Ways << INDEX_BITS : 1 << KeyBits;
  localparam int Words = Rows + (CLASS_BITS > 0 ? PORTS * VCS : 0);

  // Of a key of a hashed table.
  localparam int PieceBits = Hashed ? INDEX_BITS : KeyBits;
  localparam int Pieces = (KeyBits + PieceBits - 1) / PieceBits;

  logic [WordBits-1:0] words[0:Words-1];

  function automatic logic [PieceBits-1:0] index_of(input logic [Pieces*PieceBits-1:0] pieces, input int way);
    index_of = '0;
    for (int j = 0; j < Pieces; j++)
      index_of = index_of ^ (pieces[j*PieceBits+:PieceBits] << (j * way % PieceBits)) ^
          (pieces[j*PieceBits+:PieceBits] >> (PieceBits - j * way % PieceBits));
  endfunction

  function automatic logic [ANSWER_BITS-1:0] any_way(input logic [Ways*ANSWER_BITS-1:0] found);
    any_way = '0;
    for (int w = 0; w < Ways; w++) any_way = any_way | found[w*ANSWER_BITS+:ANSWER_BITS];
  endfunction

`ifdef SYNTHESIS
  if (FILE != "") begin : gen_load
    initial $readmemh(FILE, words);
  end
`else
  // The longest path that names a file: the router's own, then without its outer scopes, one after the other.
  // If there is none, the same for the scope around the router: Verilator's hierarchical blocks have two.
  localparam int LongestPath = 256;
  logic [8*LongestPath-1:0] scope, path;
  logic [7:0] last;
  string directory, name;
  int file;

  initial begin
    directory = "";
    name = FILE;
    file = 0;
    if (!$value$plusargs("route_table=%s", name) && $value$plusargs("route_tables=%s", directory)) begin
      $sformat(scope, "%m");
      while (file == 0 && scope != '0) begin
        last = 8'd0;
        while (last != "." && scope != '0) begin
          last  = scope[7:0];
          scope = scope >> 8;
        end
        path = scope;
        last = ".";
        for (int k = LongestPath; k > 0 && file == 0; k--) begin
          if (last == "." && path[8*k-8+:8] != 8'd0) begin
            name = $sformatf("%0s/%0s.hex", directory, path);
            file = $fopen(name, "r");
          end
          if (path[8*k-8+:8] != 8'd0) last = path[8*k-8+:8];
          path[8*k-8+:8] = 8'd0;
        end
      end
      if (file == 0) $fatal(1, "no route table for %m in %0s", directory);
    end else if (name == "") $fatal(1, "no route table for %m: give +route_tables=DIR");
    else begin
      file = $fopen(name, "r");
      if (file == 0) $fatal(1, "no route table for %m: cannot open %0s", name);
    end
    if (file != 0) begin
      $fclose(file);
      $readmemh(name, words);
    end
  end
`endif

  for (genvar i = 0; i < PORTS; i++) begin : gen_read
    logic [KeyBits-1:0] key;

    if (CLASS_BITS > 0) begin : gen_class
      assign key = {
        words[$clog2(Words)'(Rows+i*VCS)+$clog2(Words)'(vc_i[i*4+:4])][CLASS_BITS-1:0], field_i[i*FIELD_BITS+:FIELD_BITS]
      };
    end else begin : gen_one_class
      logic unused_vc;
      assign unused_vc = ^vc_i[i*4+:4];
      assign key = field_i[i*FIELD_BITS+:FIELD_BITS];
    end

    if (Hashed) begin : gen_hashed
      logic [Pieces*PieceBits-1:0] pieces;
      logic [Ways*ANSWER_BITS-1:0] found;  // by way; 0: not there

      assign pieces = (Pieces * PieceBits)'(key);

      for (genvar w = 0; w < Ways; w++) begin : gen_way
        logic [WordBits-1:0] word;
        assign word = words[$clog2(Words)'(w << INDEX_BITS)+$clog2(Words)'(index_of(pieces, w))];
        assign found[w*ANSWER_BITS+:ANSWER_BITS] =
            word[ANSWER_BITS+:KeyBits] == key ? word[0+:ANSWER_BITS] : '0;
      end

      assign answer_o[i*ANSWER_BITS+:ANSWER_BITS] = any_way(found);
    end else begin : gen_dense
      assign answer_o[i*ANSWER_BITS+:ANSWER_BITS] = words[$clog2(Words)'(key)];
    end
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
// For tests: calls the functions of toriscope.vpi, without a router, and prints what they give.
`include "toriscope.svh"
module vpi_bench;
  import toriscope_pkg::*;
  `TORISCOPE_NETWORK mesh, other;
  packet_t p;
  statistics_t s;
  bit [63:0] number, cycle, flit;
  bit [31:0] credits;
  bit [8*200-1:0] text;
  bit [8*10-1:0] first;
  bit [2047:0] wide;
  int status;
  initial begin
    mesh = `TORISCOPE(create)("{\"topology\": \"mesh:4x4\", \"vcs\": 4, \"message_classes\": 2}", 0);
    other = `TORISCOPE(create)("{\"topology\": \"mesh:2x2\", \"pipeline\": \"single_cycle\"}", 0);
    status = `TORISCOPE(step)(mesh, 10);
    status = `TORISCOPE(inject)(mesh, 0, 15, 1, 1, number);
    status = `TORISCOPE(step)(mesh, 1);
    $toriscope_clear_statistics(mesh);
    while (`TORISCOPE(receive)(mesh, p) == 0) status = `TORISCOPE(step)(mesh, 1);
    $toriscope_cycle(mesh, cycle);
    if (cycle != p.ended + 1 || `TORISCOPE(terminals)(mesh) != 16 || `TORISCOPE(idle)(mesh) != 1) $display("wrong");
    $display("packet %0d: %0d -> %0d, %0d flits, %0d hops, class %0d, created %0d, sent %0d, ended %0d, fate %0d",
             number + 1, p.source, p.destination, p.flits, p.hops, p.message_class, p.created, p.head_sent, p.ended,
             p.fate);
    status = `TORISCOPE(get_statistics)(mesh, s);
    $display("statistics: %0d most, %0d ejected, %0d cycles, hash %0d %0d", s.latency_most, s.flits_ejected, s.cycles,
             s.packet_hash == 0, `TORISCOPE(abi)() != 1);
    status = `TORISCOPE(inject)(mesh, 0, 16, 1, 0, number);
    $toriscope_error(text);
    $display("error %0d: %0s", status, text);
    $toriscope_error(first);
    $display("begins <%0s>", first);
    $toriscope_destroy(mesh);
    for (int i = 0; i < 3; i++) begin
      status = `TORISCOPE(step)(i == 0 ? mesh : i == 1 ? 3 : 1000000, 1);
      $toriscope_error(text);
      $display("error %0d: %0s", status, text);
      status = `TORISCOPE(inject)(other, 0, 4, 1, 0, number);  // another error
    end
    status = `TORISCOPE(wave_on)(other, "*", "vpi.vcd");
    status = `TORISCOPE(inject)(other, 0, 2, 1, 0, number);
    status = `TORISCOPE(step)(other, 2);
    for (int i = 0; i < 2; i++) begin
      status = `TORISCOPE(sent)(other, `TORISCOPE(find_node)(other, "mesh.node_0_0", 0), i, flit, credits);
      if (flit[0]) begin
        status = `TORISCOPE(compare)(other, 0, i, 0, 0);
        $toriscope_error(text);
        $display("sent %0d to port %0d of %0d, %0d local; different %0d: %0s", flit, i, `TORISCOPE(ports)(other, 0),
                 `TORISCOPE(local_ports)(other, 0), status, text);
      end
    end
    // Into variables that are wider than the values.
    status = `TORISCOPE(step)(other, 20);
    status = `TORISCOPE(get_statistics)(other, s);
    wide = '1;
    status = `TORISCOPE(get_statistics)(other, wide);
    if (wide != s) $display("wrong statistics: %0h", wide);
    wide = '1;
    status = `TORISCOPE(sent)(other, 0, 0, flit, wide);
    if (wide != 0) $display("wrong credits: %0h", wide);
    wide = '1;
    $toriscope_cycle(other, wide);
    if (wide != 22) $display("wrong cycle: %0h", wide);
    status = `TORISCOPE(wave_off)(other);
    $display("end");
    $finish;
  end
endmodule

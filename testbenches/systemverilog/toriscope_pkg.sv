// SPDX-License-Identifier: Apache-2.0
// Networks of toriscope in a SystemVerilog testbench (docs/systemverilog.md): the functions of <toriscope/c_api.h> by
// DPI-C, and a class around them. Link with libtoriscope.so; there is no other C code. With TORISCOPE_VPI defined, for
// simulators without DPI-C, it has the types only: toriscope.vpi has the functions as $toriscope_step() and so on.
//
//   packed    what C takes as a struct is a packed struct here, with the first member of C in the lowest bits: DPI-C
//             passes both as the same bytes
//   errors    the class ends the simulation with one line ($fatal); the functions return what c_api.h says
package toriscope_pkg;
  // verilator lint_off UNUSEDPARAM

  /// TORISCOPE_ABI that this package is written for.
  localparam int ABI = 1;

  /// What functions return that return a status.
  localparam int OK = 0;
  localparam int FAILED = 1;
  localparam int BAD_INPUT = 2;
  localparam int DIFFERS = 3;

  /// Flags of toriscope_create(), or'ed.
  localparam int WITH_TRAFFIC = 1;
  localparam int ALLOW_DEADLOCK = 2;

  /// What became of a packet: `fate`.
  localparam int RECEIVED = 0;
  localparam int DISCARDED = 1;
  localparam int REFUSED = 2;

  /// toriscope_packet.
  typedef struct packed {
    int unsigned     fate;
    int unsigned     message_class;
    int unsigned     hops;
    int unsigned     flits;
    int unsigned     destination;
    int unsigned     source;
    longint unsigned ended;
    longint unsigned head_sent;
    longint unsigned created;
    longint unsigned number;
  } packet_t;

  /// toriscope_statistics.
  typedef struct packed {
    longint unsigned packet_hash;
    longint unsigned under_way;
    longint unsigned hops_sum;
    longint unsigned network_latency_sum;
    longint unsigned latency_most;
    longint unsigned latency_least;
    longint unsigned latency_sum;
    longint unsigned flits_discarded;
    longint unsigned flits_ejected;
    longint unsigned flits_injected;
    longint unsigned flits_created;
    longint unsigned packets_refused;
    longint unsigned packets_discarded;
    longint unsigned packets_received;
    longint unsigned packets_created;
    longint unsigned cycles;
  } statistics_t;

`ifndef TORISCOPE_VPI
  // --- the library ---
  import "DPI-C" function int unsigned toriscope_abi();
  import "DPI-C" function string toriscope_version();
  import "DPI-C" function string toriscope_error();

  // --- networks ---
  import "DPI-C" function chandle toriscope_create(input string json, input int unsigned flags);
  import "DPI-C" function chandle toriscope_create_around(
    input string json, input int unsigned flags, input string nodes);
  import "DPI-C" function void toriscope_destroy(input chandle net);
  import "DPI-C" function string toriscope_config(input chandle net);
  import "DPI-C" function string toriscope_wiring(input chandle net);
  import "DPI-C" function int unsigned toriscope_terminals(input chandle net);

  // --- step by step ---
  import "DPI-C" function int toriscope_inject(
    input chandle net, input int unsigned source, input int unsigned destination, input int unsigned flits,
    input int unsigned message_class, output longint unsigned number);
  import "DPI-C" function int toriscope_step(input chandle net, input longint unsigned cycles);
  import "DPI-C" function longint unsigned toriscope_cycle(input chandle net);
  import "DPI-C" function int toriscope_idle(input chandle net);
  import "DPI-C" function int toriscope_receive(input chandle net, output packet_t packet);
  import "DPI-C" function string toriscope_failure(input chandle net);

  // --- pins of routers ---
  import "DPI-C" function int unsigned toriscope_find_node(
    input chandle net, input string nodes, input int unsigned i);
  import "DPI-C" function int unsigned toriscope_ports(input chandle net, input int unsigned node);
  import "DPI-C" function int unsigned toriscope_local_ports(input chandle net, input int unsigned node);
  import "DPI-C" function int unsigned toriscope_vcs(input chandle net);
  import "DPI-C" function int toriscope_shown(
    input chandle net, input int unsigned node, input int unsigned port, output longint unsigned flit,
    output int unsigned credits);
  import "DPI-C" function int toriscope_sent(
    input chandle net, input int unsigned node, input int unsigned port, output longint unsigned flit,
    output int unsigned credits);
  import "DPI-C" function int toriscope_compare(
    input chandle net, input int unsigned node, input int unsigned port, input longint unsigned flit,
    input int unsigned credits);
  import "DPI-C" function int toriscope_drive(
    input chandle net, input int unsigned node, input int unsigned port, input longint unsigned flit,
    input int unsigned credits);

  // --- statistics ---
  import "DPI-C" function int toriscope_get_statistics(input chandle net, output statistics_t statistics);
  import "DPI-C" function void toriscope_clear_statistics(input chandle net);

  // --- a whole run ---
  import "DPI-C" function int toriscope_run(input chandle net);
  import "DPI-C" function string toriscope_results(input chandle net);

  // --- signals and waves ---
  import "DPI-C" function string toriscope_signals(input chandle net, input string pattern);
  import "DPI-C" function chandle toriscope_find_signal(input chandle net, input string name);
  import "DPI-C" function longint unsigned toriscope_value(input chandle signal);
  import "DPI-C" function int unsigned toriscope_width(input chandle signal);
  import "DPI-C" function int toriscope_wave_on(input chandle net, input string spec, input string file);
  import "DPI-C" function int toriscope_wave_off(input chandle net);

  /// A network. Its cycle t is that of docs/model.md; a packet sent before step() is created in the cycle that it does.
  // verilator lint_off DECLFILENAME
  class network;
    /// For the functions above.
    chandle net;

    /// @param json  a configuration as `toriscope run --config` reads it
    function new(string json, int unsigned flags = 0);
      if (toriscope_abi() != ABI)
        $fatal(1, "toriscope: libtoriscope.so has ABI %0d, toriscope_pkg.sv has %0d", toriscope_abi(), ABI);
      net = toriscope_create(json, flags);
      if (net == null) $fatal(1, "toriscope: %s", toriscope_error());
    endfunction

    /// The memory is free before the simulation ends. The network is not used afterwards.
    function void destroy();
      toriscope_destroy(net);
      net = null;
    endfunction

    function int unsigned terminals();
      return toriscope_terminals(net);
    endfunction

    /// @returns the number of the packet
    function longint unsigned send(int unsigned source, int unsigned destination, int unsigned flits,
                                   int unsigned message_class = 0);
      longint unsigned number;
      check(toriscope_inject(net, source, destination, flits, message_class, number));
      return number;
    endfunction

    /// The next packet sent by send() that has ended. @returns 0: there is none
    function bit receive(output packet_t packet);
      return toriscope_receive(net, packet) == 1;
    endfunction

    function void step(longint unsigned cycles = 1);
      check(toriscope_step(net, cycles));
    endfunction

    /// The cycles done, which is the number of the next one.
    function longint unsigned cycle();
      return toriscope_cycle(net);
    endfunction

    function bit idle();
      return toriscope_idle(net) == 1;
    endfunction

    function void get_statistics(output statistics_t statistics);
      check(toriscope_get_statistics(net, statistics));
    endfunction

    /// Ends the simulation unless the status is OK.
    function void check(int status);
      if (status == FAILED) $fatal(1, "toriscope: %s", toriscope_failure(net));
      if (status == BAD_INPUT) $fatal(1, "toriscope: %s", toriscope_error());
    endfunction
  endclass
`endif

endpackage

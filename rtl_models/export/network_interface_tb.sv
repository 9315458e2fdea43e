// SPDX-License-Identifier: Apache-2.0
// For tests: a bench of network_interface.sv, flit by flit, of what whole networks show rarely: message
// classes that share VCs, a router with fewer VCs than the network, packets that come interleaved. Prints
// "PASS", or what was wrong. With +misuse: what must never happen, which assertions report.
module network_interface_tb;
  localparam int FlitBits = 20;  // 7 fixed ones, the route state, 4 of the destination, 8 of data
  logic clk = 1'b0, rst = 1'b1;
  bit wrong = 1'b0;

  task check(input string what, input logic [FlitBits-1:0] got, input logic [FlitBits-1:0] wanted);
    if (got !== wanted) begin
      $display("%0s: %h instead of %h", what, got, wanted);
      wrong = 1'b1;
    end
  endtask

  // A flit with data d on VC v.
  function automatic logic [FlitBits-1:0] flit(input int d, input int field, input int v, input bit last,
                                               input bit first);
    flit = {8'(d), 5'(field), 4'(v), last, first, 1'b1};
  endfunction

  task edge_of_clock;
    clk = 1'b1;
    #1 clk = 1'b0;
    #1;
  endtask

  // Two classes that share two VCs. The router has room for what it has been sent.
  logic [1:0] send_valid = '0, send_last = '0;
  wire [1:0] send_ready, shared_vcs_back;
  wire [FlitBits-1:0] shared_flit;
  assign shared_vcs_back = shared_flit[0] ? 2'b01 << shared_flit[3] : 2'b00;
  network_interface #(
      .VCS(2), .ENTRY_VCS(2), .ENTRY_DEPTH(3), .FLIT_BITS(FlitBits), .CLASSES(2), .SHARED(1)
  ) shared (
      .clk_i(clk), .rst_i(rst), .flit_o(shared_flit), .credit_i(shared_vcs_back), .flit_i(20'd0), .credit_o(),
      .send_valid_i(send_valid), .send_ready_o(send_ready), .send_data_i({8'hb1, 8'ha0}),
      .send_last_i(send_last), .send_destination_i({4'd9, 4'd5}), .send_state_i(2'b01),
      .receive_valid_o(), .receive_ready_i(1'b1), .receive_data_o(), .receive_last_o(), .receive_vc_o()
  );

  // A class sends.
  task sends(input string what, input bit m, input bit last, input logic [FlitBits-1:0] wanted);
    send_valid = 2'b01 << m;
    send_last = last ? 2'b11 : 2'b00;
    #1 check({what, ", ready"}, FlitBits'(send_ready[m]), 1);
    edge_of_clock;
    check(what, shared_flit, wanted);
    send_valid = '0;
  endtask

  // A router with one VC of two, which has room for two flits.
  logic few_valid = 1'b0, few_takes = 1'b1;
  logic [1:0] few_back = '0;
  wire few_ready;
  wire [1:0] few_credit;
  wire [FlitBits-1:0] few_flit;
  network_interface #(
      .VCS(2), .ENTRY_VCS(1), .ENTRY_DEPTH(2), .FLIT_BITS(FlitBits)
  ) few (
      .clk_i(clk), .rst_i(rst), .flit_o(few_flit), .credit_i(few_back), .flit_i(20'h00801),
      .credit_o(few_credit), .send_valid_i(few_valid), .send_ready_o(few_ready), .send_data_i(8'hc2),
      .send_last_i(1'b1), .send_destination_i(4'd5), .send_state_i(1'b0),
      .receive_valid_o(), .receive_ready_i(few_takes), .receive_data_o(), .receive_last_o(), .receive_vc_o()
  );

  // A narrow link and a buffer.
  logic sends_two = 1'b0, reads_none = 1'b0;
  narrow_sender #(.FLIT_BITS(FlitBits), .CYCLES(3)) sender (
      .clk_i(clk), .rst_i(rst), .flit_i({19'd0, sends_two}), .word_o()
  );
  vc_buffer #(.DEPTH(2), .FLIT_BITS(FlitBits)) buffer (
      .clk_i(clk), .rst_i(rst), .write_i(1'b0), .flit_i(20'd0), .read_i(reads_none), .front_o(), .holds_o()
  );

  // Packets received from two VCs: whole ones, and flit by flit.
  logic [FlitBits-1:0] comes = '0;
  logic ready = 1'b0;
  wire [1:0] valid, last;
  wire [7:0] vc;
  wire [15:0] data;
  wire [3:0] back;
  for (genvar w = 0; w < 2; w++) begin : gen_received
    network_interface #(
        .VCS(2), .ENTRY_VCS(2), .EXIT_DEPTH(2), .FLIT_BITS(FlitBits), .WHOLE_PACKETS(w)
    ) received (
        .clk_i(clk), .rst_i(rst), .flit_o(), .credit_i(2'b00), .flit_i(comes), .credit_o(back[2*w+:2]),
        .send_valid_i(1'b0), .send_ready_o(), .send_data_i(8'd0), .send_last_i(1'b0),
        .send_destination_i(4'd0), .send_state_i(1'b0),
        .receive_valid_o(valid[w]), .receive_ready_i(ready), .receive_data_o(data[8*w+:8]),
        .receive_last_o(last[w]), .receive_vc_o(vc[4*w+:4])
    );
  end

  // A flit comes, or none; then what is offered by either: 0, or {data, VC, last}.
  task cycle(input logic [FlitBits-1:0] f, input int by_flit, input int whole);
    comes = f;
    #1;
    for (int w = 0; w < 2; w++)
      check(w == 0 ? "flit by flit" : "whole packets",
            valid[w] ? FlitBits'({data[8*w+:8], vc[4*w+:4], 3'd0, last[w]}) : '0,
            FlitBits'(w == 0 ? by_flit : whole));
    edge_of_clock;
    for (int w = 0; w < 2; w++)
      check("credit", FlitBits'(back[2*w+:2]), ready && valid_before[w] ? 20'd1 << vc_before[w] : 20'd0);
  endtask
  logic [1:0] valid_before, vc_before;
  always @(posedge clk) begin
    valid_before <= valid;
    vc_before <= {vc[4], vc[0]};
  end

  initial begin
    #1;
    edge_of_clock;
    edge_of_clock;
    rst = 1'b0;
    check("nothing sent", shared_flit, '0);
    if ($test$plusargs("misuse")) begin
      few_back = 2'b01;
      edge_of_clock;
      few_back  = 2'b00;
      few_takes = 1'b0;
      edge_of_clock;
      few_takes = 1'b1;
      sends_two = 1'b1;
      repeat (2) edge_of_clock;
      sends_two  = 1'b0;
      reads_none = 1'b1;
      edge_of_clock;
      $display("all was done");
      $finish;
    end

    // The VC that is next may be that of another class's packet.
    sends("one flit", 0, 1, flit('ha0, 'h15, 0, 1, 1));
    sends("head", 0, 0, flit('ha0, 'h15, 1, 0, 1));
    sends("of the other class", 1, 1, flit('hb1, 'h09, 0, 1, 1));
    sends("beside an open packet", 1, 0, flit('hb1, 'h09, 0, 0, 1));
    sends("body without a field", 0, 0, flit('ha0, 0, 1, 0, 0));
    sends("tail", 1, 1, flit('hb1, 0, 0, 1, 0));
    sends("tail of the first", 0, 1, flit('ha0, 0, 1, 1, 0));

    few_valid = 1'b1;
    for (int k = 0; k < 2; k++) begin
      #1 check("room", FlitBits'(few_ready), 1);
      edge_of_clock;
      check("on the VC that there is", few_flit, flit('hc2, 'h05, 0, 1, 1));
    end
    #1 check("no room", FlitBits'(few_ready), 0);
    edge_of_clock;
    check("waits", few_flit, '0);
    few_back = 2'b01;
    #1 check("room again", FlitBits'(few_ready), 1);
    edge_of_clock;
    few_back = 2'b00;
    #1 check("none again", FlitBits'(few_ready), 0);
    check("no credits without buffers", FlitBits'(few_credit), 0);

    // Two packets of two flits, interleaved, while nothing is taken; then all of it is.
    cycle(flit('h10, 0, 0, 0, 1), 'h1000, 'h1000);
    cycle(flit('h20, 0, 1, 0, 1), 'h1000, 'h1000);
    cycle(flit('h11, 0, 0, 1, 0), 'h1000, 'h1000);
    cycle(flit('h21, 0, 1, 1, 0), 'h1000, 'h1000);
    ready = 1'b1;
    cycle('0, 'h1000, 'h1000);
    cycle('0, 'h2010, 'h1101);
    cycle('0, 'h1101, 'h2010);
    cycle('0, 'h2111, 'h2111);
    cycle('0, 0, 0);
    // What is offered stays, although the other VC is next.
    ready = 1'b0;
    cycle(flit('h22, 0, 1, 0, 1), 'h2210, 'h2210);
    cycle(flit('h12, 0, 0, 1, 1), 'h2210, 'h2210);
    // A whole packet waits for the rest of the one that has begun.
    ready = 1'b1;
    cycle('0, 'h2210, 'h2210);
    cycle('0, 'h1201, 0);
    cycle(flit('h23, 0, 1, 1, 0), 'h2311, 'h2311);
    cycle('0, 0, 'h1201);
    cycle('0, 0, 0);
    if (!wrong) $display("PASS");
    $finish;
  end
endmodule

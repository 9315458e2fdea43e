// SPDX-License-Identifier: Apache-2.0
// The network interface of a terminal (docs/model.md, "Network interface"): streams of packets with valid and ready on
// one side, the flits and credits of the terminal on the other.
//
//   streams    a flit of payload moves at the edge at which valid and ready are high; `last` marks the last one of a
//              packet. A stream for each message class; a class that has no turn or no credit is not ready.
//   sending    the first VC with a credit at or after a pointer takes a packet, whole. A flit that moves at edge t is
//              in the register flit_o after it: the router is shown it in t+1. Between the flits of a packet valid may be
//              low. send_ready_o follows credit_i within the cycle, and with several classes send_valid_i, too.
//   receiving  receive_valid_o follows flit_i within the cycle: a flit that the network shows in t may move at edge t.
//              EXIT_DEPTH = 0: the network does not wait, and receive_ready_i must always be high. Else flits wait in a
//              buffer for each VC, and the credit of a flit that moves at edge t is in the register credit_o after it.
//   VCs        flits of packets on different VCs may alternate; receive_vc_o tells them apart. With WHOLE_PACKETS a
//              packet that has begun is completed first.
module network_interface #(
    /// VCs per port.
    parameter int VCS = 4,
    /// Of these, the first, that the router has which packets enter by.
    parameter int ENTRY_VCS = VCS,
    /// Flits per VC buffer there.
    parameter int ENTRY_DEPTH = 8,
    /// Flits per VC buffer of reception; 0: none, the network has unlimited credits.
    parameter int EXIT_DEPTH = 0,
    /// Bits of a flit.
    parameter int FLIT_BITS = 64,
    /// Bits of the destination in a head flit.
    parameter int DST_BITS = 4,
    /// Bits of the route state in a head flit; may be 0.
    parameter int STATE_BITS = 1,
    /// Message classes, each with VCS / CLASSES VCs.
    parameter int CLASSES = 1,
    /// 1: the classes have all VCs in common; then there is one stream of packets received.
    parameter int SHARED = 0,
    /// 1: flits of another packet come only after the last one of a packet; needs EXIT_DEPTH.
    parameter int WHOLE_PACKETS = 0,
    /// Not to be set: bits of payload in a flit.
    parameter int DATA_BITS = FLIT_BITS - 7 - DST_BITS - STATE_BITS,
    /// Not to be set: bits of send_state_i for a class.
    parameter int STATE_WIDTH = STATE_BITS > 0 ? STATE_BITS : 1,
    /// Not to be set: streams of packets received.
    parameter int STREAMS = SHARED != 0 ? 1 : CLASSES
) (
    /// Clock; everything happens at its rising edge.
    input  logic                           clk_i,
    /// Synchronous reset, that of the network.
    input  logic                           rst_i,
    /// To the network: flits sent, a register.
    output logic [          FLIT_BITS-1:0] flit_o,
    /// Credits for them, a bit per VC.
    input  logic [                VCS-1:0] credit_i,
    /// From the network: flits to receive.
    input  logic [          FLIT_BITS-1:0] flit_i,
    /// Credits for them, a register; 0 without EXIT_DEPTH.
    output logic [                VCS-1:0] credit_o,
    /// Packets to send, by class.
    input  logic [            CLASSES-1:0] send_valid_i,
    output logic [            CLASSES-1:0] send_ready_o,
    input  logic [  CLASSES*DATA_BITS-1:0] send_data_i,
    input  logic [            CLASSES-1:0] send_last_i,
    /// The terminal; looked at with the first flit of a packet.
    input  logic [   CLASSES*DST_BITS-1:0] send_destination_i,
    /// Where the routing draws a packet's way: the route state drawn, looked at with the first flit. Else 0.
    input  logic [CLASSES*STATE_WIDTH-1:0] send_state_i,
    /// Packets received, by class.
    output logic [            STREAMS-1:0] receive_valid_o,
    input  logic [            STREAMS-1:0] receive_ready_i,
    output logic [  STREAMS*DATA_BITS-1:0] receive_data_o,
    output logic [            STREAMS-1:0] receive_last_o,
    output logic [          STREAMS*4-1:0] receive_vc_o
);

  // The fixed places in a flit (links/flit.h).
  localparam int Valid = 0;
  localparam int Tail = 2;
  localparam int VcShift = 3;
  localparam int VcBits = 4;
  localparam int FieldShift = 7;
  localparam int FieldBits = STATE_BITS + DST_BITS;
  localparam int DataShift = FieldShift + FieldBits;

  if (WHOLE_PACKETS != 0 && EXIT_DEPTH == 0) begin : gen_no_buffers  // as in router.sv
`ifdef __ICARUS__
    WHOLE_PACKETS_needs_limited_reception parameters ();
`else
    $error("WHOLE_PACKETS needs limited reception: EXIT_DEPTH is 0");
`endif
  end

  function automatic logic [VcBits-1:0] number_of(input logic [VCS-1:0] one_vc);
    number_of = '0;
    for (int w = 0; w < VCS; w++) if (one_vc[w]) number_of = VcBits'(w);
  endfunction

  // The VCs of a class or stream, of n.
  function automatic logic [VCS-1:0] vcs_of(input int part, input int n);
    for (int w = 0; w < VCS; w++) vcs_of[w] = w * n / VCS == part;
  endfunction

  // Sending.
  localparam int CreditBits = $clog2(ENTRY_DEPTH + 1);

  logic [VCS-1:0] has_credit, used, busy;
  logic [CLASSES-1:0] open_q;  // by class: a packet is under way
  logic [CLASSES*VCS-1:0] vc_q;  // by class: its VC, one bit
  logic [CLASSES*VCS-1:0] picked, able_vc, vc_pointer_next, vc_pointer_q;
  logic [CLASSES-1:0] able, turn, moves, class_pointer_q, class_pointer_next;
  logic [CLASSES*FLIT_BITS-1:0] flits;

  for (genvar v = 0; v < VCS; v++) begin : gen_credit
    if (v < ENTRY_VCS) begin : gen_counted
      logic [CreditBits-1:0] credits_q, credits;
      assign credits = credits_q + CreditBits'(credit_i[v]);
      assign has_credit[v] = credits != '0;
      always_ff @(posedge clk_i) begin
        if (rst_i) credits_q <= CreditBits'(ENTRY_DEPTH);
        else credits_q <= credits - CreditBits'(used[v]);
      end
`ifndef SYNTHESIS
      always @(posedge clk_i) begin
        if (!rst_i) begin
          begin : credit_overflow
            assert (!credit_i[v] || credits_q != CreditBits'(ENTRY_DEPTH))
            else $error("more credits than there are slots");
          end
        end
      end
`endif
    end else begin : gen_no_vc
      logic unused_vc;
      assign unused_vc = credit_i[v] ^ used[v];
      assign has_credit[v] = 1'b0;
    end
  end

  function automatic logic [VCS-1:0] vcs_under_way(input logic [CLASSES-1:0] open,
                                                   input logic [CLASSES*VCS-1:0] vcs);
    vcs_under_way = '0;
    for (int m = 0; m < CLASSES; m++) if (open[m]) vcs_under_way = vcs_under_way | vcs[m*VCS+:VCS];
  endfunction

  assign busy = SHARED != 0 ? vcs_under_way(open_q, vc_q) : '0;

  for (genvar m = 0; m < CLASSES; m++) begin : gen_class
    localparam int Pointer = SHARED != 0 ? 0 : m;
    localparam logic [VCS-1:0] Vcs = SHARED != 0 ? '1 : vcs_of(m, CLASSES);

    round_robin #(
        .WIDTH(VCS)
    ) choose_vc (
        .request_i(has_credit & Vcs & ~busy),
        .pointer_i(vc_pointer_q[Pointer*VCS+:VCS]),
        .pick_o   (picked[m*VCS+:VCS]),
        .next_o   (vc_pointer_next[m*VCS+:VCS])
    );

    assign able_vc[m*VCS+:VCS] = open_q[m] ? vc_q[m*VCS+:VCS] & has_credit : picked[m*VCS+:VCS];
    assign able[m] = able_vc[m*VCS+:VCS] != '0;

    // The flit: a head has the destination and the route state, any other 0 in their place.
    logic [FieldBits-1:0] field;
    if (STATE_BITS > 0) begin : gen_state
      assign field = {send_state_i[m*STATE_WIDTH+:STATE_WIDTH], send_destination_i[m*DST_BITS+:DST_BITS]};
    end else begin : gen_no_state
      logic unused_state;
      assign unused_state = send_state_i[m];
      assign field = send_destination_i[m*DST_BITS+:DST_BITS];
    end
    assign flits[m*FLIT_BITS+:FLIT_BITS] = {
      send_data_i[m*DATA_BITS+:DATA_BITS],
      open_q[m] ? FieldBits'(0) : field,
      number_of(able_vc[m*VCS+:VCS]),
      send_last_i[m],
      !open_q[m],
      1'b1
    };

    always_ff @(posedge clk_i) begin
      if (rst_i) open_q[m] <= 1'b0;
      else if (moves[m]) open_q[m] <= !send_last_i[m];
    end

    always_ff @(posedge clk_i) if (moves[m] && !open_q[m]) vc_q[m*VCS+:VCS] <= picked[m*VCS+:VCS];
  end

  // Pointers of VCs, one for each class or one for all.
  function automatic logic [VCS-1:0] any_next(input logic [CLASSES-1:0] begins, input logic [VCS-1:0] pointer,
                                              input logic [CLASSES*VCS-1:0] next);
    any_next = pointer;
    for (int m = 0; m < CLASSES; m++) if (begins[m]) any_next = next[m*VCS+:VCS];
  endfunction

  for (genvar m = 0; m < CLASSES; m++) begin : gen_pointer
    localparam logic [CLASSES-1:0] Own = SHARED != 0 ? '1 : CLASSES'(1) << m;
    always_ff @(posedge clk_i) begin
      if (rst_i) vc_pointer_q[m*VCS+:VCS] <= '0;
      else
        vc_pointer_q[m*VCS+:VCS] <= any_next(moves & ~open_q & Own, vc_pointer_q[m*VCS+:VCS], vc_pointer_next);
    end
  end

  // One class has its turn.
  round_robin #(
      .WIDTH(CLASSES)
  ) choose_class (
      .request_i(able & send_valid_i),
      .pointer_i(class_pointer_q),
      .pick_o   (turn),
      .next_o   (class_pointer_next)
  );

  assign send_ready_o = CLASSES == 1 ? able : turn;
  assign moves = send_valid_i & send_ready_o;

  function automatic logic [VCS-1:0] any_vc(input logic [CLASSES-1:0] one_class, input logic [CLASSES*VCS-1:0] vcs);
    any_vc = '0;
    for (int m = 0; m < CLASSES; m++) if (one_class[m]) any_vc = vcs[m*VCS+:VCS];
  endfunction

  function automatic logic [FLIT_BITS-1:0] any_flit(input logic [CLASSES-1:0] one_class,
                                                    input logic [CLASSES*FLIT_BITS-1:0] by_class);
    any_flit = '0;
    for (int m = 0; m < CLASSES; m++) if (one_class[m]) any_flit = by_class[m*FLIT_BITS+:FLIT_BITS];
  endfunction

  assign used = any_vc(moves, able_vc);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      class_pointer_q <= '0;
      flit_o          <= '0;
    end else begin
      class_pointer_q <= class_pointer_next;
      flit_o          <= any_flit(moves, flits);
    end
  end

  // Receiving.
  logic [VCS*FLIT_BITS-1:0] fronts;
  logic [VCS-1:0] holds;
  logic [STREAMS*VCS-1:0] reads;

  function automatic logic [VCS-1:0] any_read(input logic [STREAMS*VCS-1:0] by_stream);
    any_read = '0;
    for (int s = 0; s < STREAMS; s++) any_read = any_read | by_stream[s*VCS+:VCS];
  endfunction

  function automatic logic [FLIT_BITS-1:0] front_of(input logic [VCS*FLIT_BITS-1:0] by_vc,
                                                    input logic [VCS-1:0] one_vc);
    front_of = '0;
    for (int w = 0; w < VCS; w++) if (one_vc[w]) front_of = by_vc[w*FLIT_BITS+:FLIT_BITS];
  endfunction

  logic [VCS-1:0] moved;  // receiving: a flit of this VC
  assign moved = any_read(reads);

  for (genvar v = 0; v < VCS; v++) begin : gen_receive
    logic arrives;
    assign arrives = flit_i[Valid] && flit_i[VcShift+:VcBits] == VcBits'(v);
    if (EXIT_DEPTH > 0) begin : gen_buffer
      vc_buffer #(
          .DEPTH    (EXIT_DEPTH),
          .FLIT_BITS(FLIT_BITS)
      ) buffer (
          .clk_i  (clk_i),
          .rst_i  (rst_i),
          .write_i(arrives),
          .flit_i (flit_i),
          .read_i (moved[v]),
          .front_o(fronts[v*FLIT_BITS+:FLIT_BITS]),
          .holds_o(holds[v])
      );
    end else begin : gen_no_buffer
      assign fronts[v*FLIT_BITS+:FLIT_BITS] = flit_i;
      assign holds[v] = arrives;
    end
  end

  if (EXIT_DEPTH > 0) begin : gen_exit_credit
    always_ff @(posedge clk_i) credit_o <= rst_i ? '0 : moved;
  end else begin : gen_no_exit_credit
    logic unused_moves;
    assign unused_moves = ^moved;
    assign credit_o = '0;
`ifndef SYNTHESIS
    always @(posedge clk_i) begin
      if (!rst_i) begin
        begin : flit_lost
          assert ((receive_valid_o & ~receive_ready_i) == '0)
          else $error("a flit is lost: without EXIT_DEPTH receive_ready_i must be high");
        end
      end
    end
`endif
  end

  for (genvar s = 0; s < STREAMS; s++) begin : gen_stream
    localparam logic [VCS-1:0] Vcs = vcs_of(s, STREAMS);
    logic [VCS-1:0] vc, pointer_q, pointer_next, kept_q;
    logic [FLIT_BITS-1:0] flit;
    logic unused_fields;

    round_robin #(
        .WIDTH(VCS)
    ) choose_vc (
        .request_i(holds & Vcs & (kept_q == '0 ? '1 : kept_q)),
        .pointer_i(pointer_q),
        .pick_o   (vc),
        .next_o   (pointer_next)
    );

    assign flit = front_of(fronts, vc);
    assign unused_fields = ^flit[DataShift-1:0];
    assign reads[s*VCS+:VCS] = receive_ready_i[s] ? vc : '0;
    assign receive_valid_o[s] = vc != '0;
    assign receive_data_o[s*DATA_BITS+:DATA_BITS] = flit[DataShift+:DATA_BITS];
    assign receive_last_o[s] = flit[Tail];
    assign receive_vc_o[s*VcBits+:VcBits] = number_of(vc);

    // What is offered stays until it moves, and with WHOLE_PACKETS so does its VC until the packet's last flit.
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        pointer_q <= '0;
        kept_q    <= '0;
      end else if (receive_valid_o[s]) begin
        if (receive_ready_i[s]) pointer_q <= pointer_next;
        kept_q <= receive_ready_i[s] && (flit[Tail] || WHOLE_PACKETS == 0) ? '0 : vc;
      end
    end
  end

endmodule

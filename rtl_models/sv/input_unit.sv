// SPDX-License-Identifier: Apache-2.0
// One input port: the buffers of its VCs, what each VC is doing with the packet at its front, and the input
// sides of RC, VA and SA (docs/model.md, "Order within a cycle").
//
// A head is routed when it comes in, so that the port needs one route unit and not one for each VC. The answer waits
// beside the head in the buffer, and RC takes it when the head is at the front.
module input_unit #(
    /// Ports of the router, the local ones included.
    parameter int PORTS = 5,
    /// VCs per port.
    parameter int VCS = 4,
    /// Of these, the first, that this port has.
    parameter int IN_VCS = VCS,
    /// Flits per VC buffer.
    parameter int DEPTH = 8,
    /// Bits of a flit.
    parameter int FLIT_BITS = 64,
    /// Bits of the destination in a head flit.
    parameter int DST_BITS = 4,
    /// Bits of the route state in a head flit; may be 0.
    parameter int STATE_BITS = 1,
    /// 0: single_cycle; 1: RC, VA, SA and ST in a cycle each.
    parameter bit FOUR_STAGE = 1'b0,
    /// Options of an answer of the route table.
    parameter int OPTIONS = 1,
    /// Bits of an option's weight; 0: options are not compared.
    parameter int WEIGHT_BITS = 0,
    /// Bits of the count of flits that wait behind an output port.
    parameter int QUEUE_BITS = 1,
    /// Not to be set: bits of a port number, and of an option (route_table.sv).
    parameter int PORT_BITS = $clog2(PORTS),
    /// Not to be set.
    parameter int OPTION_BITS = WEIGHT_BITS + STATE_BITS + VCS + PORT_BITS
) (
    /// Clock; everything happens at its rising edge.
    input  logic                                 clk_i,
    /// Synchronous reset.
    input  logic                                 rst_i,
    /// The incoming link.
    input  logic [                FLIT_BITS-1:0] flit_i,
    /// Slots freed, a bit per VC; a register.
    output logic [                      VCS-1:0] credit_o,
    /// RC: the answer of the route unit to the head that comes in.
    input  logic [      OPTIONS*OPTION_BITS-1:0] answer_i,
    /// RC: flits that wait behind each output port; looked at with WEIGHT_BITS.
    input  logic [         PORTS*QUEUE_BITS-1:0] queue_i,
    /// VA: output VCs that no packet owns, by output port and VC.
    input  logic [                PORTS*VCS-1:0] free_i,
    /// VA: the output port of the packet at the front, by VC.
    output logic [            VCS*PORT_BITS-1:0] port_o,
    /// VA: the VC of that port that is asked for (one bit or none), by VC.
    output logic [                  VCS*VCS-1:0] wanted_o,
    /// VA: granted, by VC.
    input  logic [                      VCS-1:0] va_won_i,
    /// SA: output VCs with a credit, by output port and VC.
    input  logic [                PORTS*VCS-1:0] has_credit_i,
    /// SA: the flit of the VC picked is a tail.
    output logic                                 picked_tail_o,
    /// SA: the output port that it leaves by.
    output logic [                PORT_BITS-1:0] picked_port_o,
    /// SA: the output VC that it leaves on (one bit or none).
    output logic [                      VCS-1:0] picked_vc_o,
    /// SA: the pick was granted.
    input  logic                                 sa_won_i,
    /// ST: the flit of the VC picked - with FOUR_STAGE in the cycle before - as it leaves; not valid when
    /// none was.
    output logic [                FLIT_BITS-1:0] switched_flit_o
);

  // The fixed places in a flit (links/flit.h).
  localparam int Valid = 0;
  localparam int Head = 1;
  localparam int Tail = 2;
  localparam int VcShift = 3;
  localparam int VcBits = 4;
  localparam int FieldShift = 7;

  localparam int AnswerBits = OPTIONS * OPTION_BITS;

  // Of a comparison.
  localparam int WeightWidth = WEIGHT_BITS > 0 ? WEIGHT_BITS : 1;
  localparam int CostBits = WeightWidth + QUEUE_BITS + 1;

  /// What a VC is doing with the packet at its front.
  typedef enum logic [1:0] {
    IDLE,     // no packet, or its head has not been routed
    WAITING,  // routed; asks for an output VC
    ACTIVE    // owns an output VC
  } vc_state_e;

  logic [VCS*FLIT_BITS-1:0] leaving;  // by VC: the front flit as it would leave
  logic [VCS*VCS-1:0] out_vc;  // by VC: the output VC owned, one bit or none
  logic [VCS-1:0] asks, pick, read;

  // The first option with a free VC; the first one of all when there is none.
  function automatic logic [OPTION_BITS-1:0] option_of(input logic [OPTIONS*OPTION_BITS-1:0] options,
                                                       input logic [PORTS*VCS-1:0] free_vcs);
    option_of = options[0+:OPTION_BITS];
    for (int k = OPTIONS - 1; k >= 0; k--)
      if ((options[k*OPTION_BITS+PORT_BITS+:VCS] &
           free_vcs[options[k*OPTION_BITS+:PORT_BITS]*VCS+:VCS]) != '0)
        option_of = options[k*OPTION_BITS+:OPTION_BITS];
  endfunction

  // With weights: the option whose queue times weight is the least, of equal ones the first, in the first place.
  function automatic logic [OPTIONS*OPTION_BITS-1:0] kept_of(input logic [OPTIONS*OPTION_BITS-1:0] options,
                                                             input logic [PORTS*QUEUE_BITS-1:0] queues);
    logic [CostBits-1:0] cost, least;
    kept_of = options;
    least   = '1;
    for (int k = 0; k < OPTIONS && WEIGHT_BITS > 0; k++) begin
      cost = CostBits'(options[(k+1)*OPTION_BITS-1-:WeightWidth]) *
          CostBits'(queues[options[k*OPTION_BITS+:PORT_BITS]*QUEUE_BITS+:QUEUE_BITS]);
      if (options[k*OPTION_BITS+PORT_BITS+:VCS] != '0 && cost < least) begin
        least = cost;
        kept_of = (OPTIONS * OPTION_BITS)'(options[k*OPTION_BITS+:OPTION_BITS]);
      end
    end
  endfunction

  function automatic logic [VcBits-1:0] number_of(input logic [VCS-1:0] one_vc);
    number_of = '0;
    for (int w = 0; w < VCS; w++) if (one_vc[w]) number_of = VcBits'(w);
  endfunction

  function automatic logic [FLIT_BITS-1:0] flit_of(input logic [VCS*FLIT_BITS-1:0] flits,
                                                   input logic [VCS-1:0] one_vc);
    flit_of = '0;
    for (int w = 0; w < VCS; w++) if (one_vc[w]) flit_of = flits[w*FLIT_BITS+:FLIT_BITS];
  endfunction

  function automatic logic [PORT_BITS-1:0] port_of(input logic [VCS*PORT_BITS-1:0] ports,
                                                   input logic [VCS-1:0] one_vc);
    port_of = '0;
    for (int w = 0; w < VCS; w++) if (one_vc[w]) port_of = ports[w*PORT_BITS+:PORT_BITS];
  endfunction

  function automatic logic [VCS-1:0] vcs_of(input logic [VCS*VCS-1:0] vcs, input logic [VCS-1:0] one_vc);
    vcs_of = '0;
    for (int w = 0; w < VCS; w++) if (one_vc[w]) vcs_of = vcs[w*VCS+:VCS];
  endfunction

  for (genvar v = IN_VCS; v < VCS; v++) begin : gen_no_vc
    logic unused_vc;
    assign unused_vc = va_won_i[v];
    assign port_o[v*PORT_BITS+:PORT_BITS] = '0;
    assign wanted_o[v*VCS+:VCS] = '0;
    assign out_vc[v*VCS+:VCS] = '0;
    assign leaving[v*FLIT_BITS+:FLIT_BITS] = '0;
    assign asks[v] = 1'b0;
  end

  for (genvar v = 0; v < IN_VCS; v++) begin : gen_vc
    logic [FLIT_BITS-1:0] front;
    logic [AnswerBits-1:0] front_answer;
    logic taken, holds;

    assign taken = flit_i[Valid] && flit_i[VcShift+:VcBits] == VcBits'(v);

    vc_buffer #(
        .DEPTH    (DEPTH),
        .FLIT_BITS(AnswerBits + FLIT_BITS)
    ) buffer (
        .clk_i  (clk_i),
        .rst_i  (rst_i),
        .write_i(taken),
        .flit_i ({answer_i, flit_i}),
        .read_i (read[v]),
        .front_o({front_answer, front}),
        .holds_o(holds)
    );

    // RC. A head that came to the front in this cycle is routed in this cycle; its packet keeps the answer.
    // Without FOUR_STAGE the answer, and what VA grants, also goes past the registers.
    vc_state_e state_q;
    logic [AnswerBits-1:0] answer_q, answer;
    logic routed, asks_va;

    assign routed = state_q == IDLE && holds && front[Head];
    assign answer = state_q == IDLE ? kept_of(front_answer, queue_i) : answer_q;
    assign asks_va = state_q == WAITING || (!FOUR_STAGE && routed);

    // VA: the first option with a free VC, and in it the first free VC at or after the pointer. An active
    // packet keeps its option in the first place.
    logic [VCS-1:0] eligible, wanted, out_vc_q;
    logic [VCS-1:0] va_pointer_q, va_pointer_next;
    logic [OPTION_BITS-1:0] option;
    logic [PORT_BITS-1:0] out_port;

    assign option = option_of(answer, asks_va ? free_i : '0);
    assign eligible = asks_va ? option[PORT_BITS+:VCS] & free_i[out_port*VCS+:VCS] : '0;
    assign out_port = option[0+:PORT_BITS];

    round_robin #(
        .WIDTH(VCS)
    ) choose_vc (
        .request_i(eligible),
        .pointer_i(va_pointer_q),
        .pick_o   (wanted),
        .next_o   (va_pointer_next)
    );

    assign port_o[v*PORT_BITS+:PORT_BITS] = out_port;
    assign wanted_o[v*VCS+:VCS] = wanted;
    assign out_vc[v*VCS+:VCS] = state_q == ACTIVE ? out_vc_q : !FOUR_STAGE && va_won_i[v] ? wanted : '0;

    // SA: ask; and the flit as it would leave: on its output VC, a head with its next route state.
    logic [FLIT_BITS-1:FieldShift] rest;
    logic [VcBits-1:0] vc_number;

    assign asks[v] = holds && (out_vc[v*VCS+:VCS] & has_credit_i[out_port*VCS+:VCS]) != '0;

    assign vc_number = number_of(out_vc[v*VCS+:VCS]);

    if (STATE_BITS > 0) begin : gen_state
      localparam int StateShift = FieldShift + DST_BITS;
      logic [STATE_BITS-1:0] next_state;
      assign next_state = front[Head] ? option[PORT_BITS+VCS+:STATE_BITS] : front[StateShift+:STATE_BITS];
      assign rest = {front[FLIT_BITS-1:StateShift+STATE_BITS], next_state, front[StateShift-1:FieldShift]};
    end else begin : gen_no_state
      assign rest = front[FLIT_BITS-1:FieldShift];
    end
    assign leaving[v*FLIT_BITS+:FLIT_BITS] = {rest, vc_number, front[VcShift-1:0]};

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        state_q      <= IDLE;
        va_pointer_q <= '0;
      end else begin
        if (read[v] && front[Tail]) state_q <= IDLE;
        else if (va_won_i[v]) state_q <= ACTIVE;
        else if (routed) state_q <= WAITING;
        if (va_won_i[v]) va_pointer_q <= va_pointer_next;
      end
    end

    always_ff @(posedge clk_i) begin
      answer_q <= answer;
      if (va_won_i[v]) begin
        answer_q[0+:OPTION_BITS] <= option;
        out_vc_q                 <= wanted;
      end
    end

`ifndef SYNTHESIS
    always @(posedge clk_i) begin
      if (!rst_i && state_q == IDLE && holds) begin
        begin : head_first
          assert (front[Head])
          else $error("a body flit without its head");
        end
      end
    end
`endif
  end

  // SA: the port picks one of its VCs; its pointer moves only when the pick is granted.
  logic [VCS-1:0] sa_pointer_q, sa_pointer_next;

  round_robin #(
      .WIDTH(VCS)
  ) pick_vc (
      .request_i(asks),
      .pointer_i(sa_pointer_q),
      .pick_o   (pick),
      .next_o   (sa_pointer_next)
  );

  logic [FLIT_BITS-1:0] picked_flit;

  assign picked_flit   = flit_of(leaving, pick);
  assign picked_port_o = port_of(port_o, pick);
  assign picked_vc_o   = vcs_of(out_vc, pick);
  assign picked_tail_o = picked_flit[Tail];
  assign read = sa_won_i ? pick : '0;

  if (FOUR_STAGE) begin : gen_switch_register
    always_ff @(posedge clk_i) switched_flit_o <= picked_flit;
  end else begin : gen_no_switch_register
    assign switched_flit_o = picked_flit;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sa_pointer_q <= '0;
      credit_o     <= '0;
    end else begin
      if (sa_won_i) sa_pointer_q <= sa_pointer_next;
      credit_o <= read;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (!rst_i) begin
      begin : vc_in_range
        assert (!flit_i[Valid] || 32'(flit_i[VcShift+:VcBits]) < IN_VCS)
        else $error("a flit on a VC that does not exist");
      end
      begin : route_known
        assert (!flit_i[Valid] || !flit_i[Head] || answer_i[PORT_BITS+:VCS] != '0)
        else $error("the route table has no answer for this head");
      end
    end
  end
`endif

endmodule

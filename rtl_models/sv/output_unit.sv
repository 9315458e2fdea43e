// SPDX-License-Identifier: Apache-2.0
// One output port: who owns its VCs, their credits, the output sides of VA and SA, and the output register
// (docs/model.md, "Order within a cycle"). An output VC is free again in the cycle after SA granted its tail,
// or, DRAINED, in the cycle after its last credit came back.
module output_unit #(
    /// Ports of the router, the local ones included.
    parameter int PORTS = 5,
    /// VCs per port.
    parameter int VCS = 4,
    /// Flits per VC buffer downstream: the credits after reset.
    parameter int DEPTH = 8,
    /// Bits of a flit.
    parameter int FLIT_BITS = 64,
    /// 1: each VC has as many as slots_i tells, DEPTH at most.
    parameter bit TOLD = 1'b0,
    /// 1: a flit occupies the link for as many cycles as flit_cycles_i tells; else for one.
    parameter bit NARROW = 1'b0,
    /// The number of this port.
    parameter int PORT = 0,
    /// 1: credits are unlimited, as those of local ports are.
    parameter bit UNLIMITED = 1'b0,
    /// 1: a VC is free when its last credit has come back; else when its tail has left.
    parameter bit DRAINED = 1'b0,
    /// 1: a flit crosses the switch in the cycle after SA granted it; else in the same.
    parameter bit FOUR_STAGE = 1'b0,
    /// Bits of queue_o.
    parameter int QUEUE_BITS = 1,
    /// Not to be set: bits of a port number.
    parameter int PORT_BITS = $clog2(PORTS)
) (
    /// Clock; everything happens at its rising edge.
    input  logic                           clk_i,
    /// Synchronous reset.
    input  logic                           rst_i,
    /// TOLD: flits per VC buffer downstream, a constant; 0: there is no such VC.
    input  logic [              VCS*7-1:0] slots_i,
    /// NARROW: cycles in which the link carries a flit, a constant; 0 is 1.
    input  logic [                    7:0] flit_cycles_i,
    /// Credits from downstream, a bit per VC.
    input  logic [                VCS-1:0] credit_i,
    /// The outgoing link; a register.
    output logic [          FLIT_BITS-1:0] flit_o,
    /// RC: flits sent, over all VCs, whose credits have not come.
    output logic [         QUEUE_BITS-1:0] queue_o,
    /// VA: VCs that no packet owns.
    output logic [                VCS-1:0] free_o,
    /// VA: the output port that an input VC asks for, by input VC.
    input  logic [PORTS*VCS*PORT_BITS-1:0] port_i,
    /// VA: the VC of that port (one bit or none), by input VC.
    input  logic [      PORTS*VCS*VCS-1:0] wanted_i,
    /// VA: input VCs that one of this port's VCs is granted to.
    output logic [          PORTS*VCS-1:0] va_grant_o,
    /// SA: VCs with a credit, also one that comes in right now; none while the link carries a flit.
    output logic [                VCS-1:0] has_credit_o,
    /// SA: the flit picked is a tail, by input port.
    input  logic [              PORTS-1:0] picked_tail_i,
    /// SA: the output port that it leaves by, by input port.
    input  logic [    PORTS*PORT_BITS-1:0] picked_port_i,
    /// SA: the output VC that it leaves on (none: nothing was picked), by input port.
    input  logic [          PORTS*VCS-1:0] picked_vc_i,
    /// SA: the input port granted (one bit or none).
    output logic [              PORTS-1:0] sa_grant_o,
    /// ST: the flit picked (FOUR_STAGE: in the cycle before), by input port.
    input  logic [    PORTS*FLIT_BITS-1:0] switched_flit_i
);

  localparam int InputVcs = PORTS * VCS;
  localparam int CountBits = $clog2(DEPTH + 1);

  /// Who has a VC.
  typedef enum logic [1:0] {
    FREE,
    OWNED,    // by a packet
    DRAINING  // the packet has left, not all of its credits have come back
  } vc_state_e;

  logic [VCS-1:0] used;  // SA: the VC that the flit granted leaves on
  logic tail;            // SA: that flit is a tail
  logic sending;         // the link carries a flit that SA granted before

  // VA: each VC grants the first input VC that asks for it.
  logic [VCS*InputVcs-1:0] grants;
  logic [VCS*CountBits-1:0] gone;  // by VC: credits that have not come back

  for (genvar w = 0; w < VCS; w++) begin : gen_vc
    logic [InputVcs-1:0] asked, va_pointer_q, va_pointer_next;
    logic all_back;  // all credits, if they are waited for
    vc_state_e state_q;
    logic [CountBits-1:0] slots;
    logic unused_slots;

    assign slots = TOLD ? slots_i[w*7+:CountBits] : CountBits'(DEPTH);
    assign unused_slots = ^slots_i[w*7+:7];

    always_comb begin
      for (int i = 0; i < InputVcs; i++)
        asked[i] = wanted_i[i*VCS+w] && port_i[i*PORT_BITS+:PORT_BITS] == PORT_BITS'(PORT);
    end

    round_robin #(
        .WIDTH(InputVcs)
    ) grant_vc (
        .request_i(asked),
        .pointer_i(va_pointer_q),
        .pick_o   (grants[w*InputVcs+:InputVcs]),
        .next_o   (va_pointer_next)
    );

    assign free_o[w] = state_q == FREE && slots != '0;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        state_q      <= FREE;
        va_pointer_q <= '0;
      end else begin
        if (used[w] && tail) state_q <= DRAINED && !UNLIMITED ? DRAINING : FREE;
        else if (asked != '0) state_q <= OWNED;
        else if (state_q == DRAINING && all_back) state_q <= FREE;
        va_pointer_q <= va_pointer_next;
      end
    end

    if (UNLIMITED) begin : gen_unlimited
      logic unused_credit;
      assign unused_credit   = credit_i[w];
      assign has_credit_o[w] = !sending;
      assign all_back        = 1'b1;
      assign gone[w*CountBits+:CountBits] = '0;
    end else begin : gen_credits
      logic [CountBits-1:0] credits_q, credits;
      assign credits         = credits_q + CountBits'(credit_i[w]);
      assign has_credit_o[w] = credits != '0 && !sending;
      assign all_back        = credits == slots;
      assign gone[w*CountBits+:CountBits] = slots - credits;

      always_ff @(posedge clk_i) begin
        if (rst_i) credits_q <= slots;
        else credits_q <= credits - CountBits'(used[w]);
      end

`ifndef SYNTHESIS
      always @(posedge clk_i) begin
        if (!rst_i) begin
          begin : credit_overflow
            assert (!credit_i[w] || credits_q != slots)
            else $error("more credits than there are slots");
          end
        end
      end
`endif
    end
  end

  function automatic logic [InputVcs-1:0] any_vc(input logic [VCS*InputVcs-1:0] by_vc);
    any_vc = '0;
    for (int w = 0; w < VCS; w++) any_vc = any_vc | by_vc[w*InputVcs+:InputVcs];
  endfunction

  assign va_grant_o = any_vc(grants);

  function automatic logic [QUEUE_BITS-1:0] sum_of(input logic [VCS*CountBits-1:0] counts);
    sum_of = '0;
    for (int w = 0; w < VCS; w++) sum_of = sum_of + QUEUE_BITS'(counts[w*CountBits+:CountBits]);
  endfunction

  assign queue_o = sum_of(gone);

  // SA: the port grants the first input port whose pick wants to leave here.
  logic [PORTS-1:0] sa_asked, sa_pointer_q, sa_pointer_next;

  always_comb begin
    for (int p = 0; p < PORTS; p++)
      sa_asked[p] = picked_vc_i[p*VCS+:VCS] != '0 &&
          picked_port_i[p*PORT_BITS+:PORT_BITS] == PORT_BITS'(PORT);
  end

  round_robin #(
      .WIDTH(PORTS)
  ) grant_port (
      .request_i(sa_asked),
      .pointer_i(sa_pointer_q),
      .pick_o   (sa_grant_o),
      .next_o   (sa_pointer_next)
  );

  function automatic logic [VCS-1:0] vcs_of(input logic [PORTS*VCS-1:0] vcs,
                                              input logic [PORTS-1:0] one_port);
    vcs_of = '0;
    for (int p = 0; p < PORTS; p++) if (one_port[p]) vcs_of = vcs[p*VCS+:VCS];
  endfunction

  assign used = vcs_of(picked_vc_i, sa_grant_o);

  assign tail = (sa_grant_o & picked_tail_i) != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) sa_pointer_q <= '0;
    else sa_pointer_q <= sa_pointer_next;
  end

  if (NARROW) begin : gen_narrow
    logic [7:0] left_q;  // cycles that the link still carries a flit

    assign sending = left_q != '0;

    always_ff @(posedge clk_i) begin
      if (rst_i) left_q <= '0;
      else if (sending) left_q <= left_q - 8'd1;
      else if (sa_grant_o != '0 && flit_cycles_i != '0) left_q <= flit_cycles_i - 8'd1;
    end
  end else begin : gen_wide
    logic unused_cycles;
    assign unused_cycles = ^flit_cycles_i;
    assign sending       = 1'b0;
  end

  // ST.
  logic [PORTS-1:0] switch_on;
  logic [FLIT_BITS-1:0] sent;

  if (FOUR_STAGE) begin : gen_switch_register
    always_ff @(posedge clk_i) switch_on <= rst_i ? '0 : sa_grant_o;
  end else begin : gen_no_switch_register
    assign switch_on = sa_grant_o;
  end

  function automatic logic [FLIT_BITS-1:0] flit_of(input logic [PORTS*FLIT_BITS-1:0] flits,
                                                   input logic [PORTS-1:0] one_port);
    flit_of = '0;
    for (int p = 0; p < PORTS; p++) if (one_port[p]) flit_of = flits[p*FLIT_BITS+:FLIT_BITS];
  endfunction

  assign sent = flit_of(switched_flit_i, switch_on);

  always_ff @(posedge clk_i) flit_o <= rst_i ? '0 : sent;

endmodule

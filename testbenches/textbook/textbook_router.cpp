// SPDX-License-Identifier: Apache-2.0
// See textbook_router.h. The quoted sentences are those of docs/model.md.
#include "testbenches/textbook/textbook_router.h"

#include <stdexcept>
#include <string>

namespace toriscope::textbook {

router::router(sc_core::sc_module_name name, node_id node, unsigned ports, const routing_function& routing,
               const flit_layout& layout, const router_config& config)
    : sc_module(name),
      flit_in("flit_in", ports),
      credit_out("credit_out", ports),
      flit_out("flit_out", ports),
      credit_in("credit_in", ports),
      node_(node),
      ports_(ports),
      routing_(routing),
      layout_(layout),
      config_(config),
      vcs_(config.vcs),
      inputs_(ports, std::vector<input_vc>(config.vcs)),
      outputs_(ports, std::vector<output_vc>(config.vcs)),
      switch_input_pointer_(ports, 0),
      switch_output_pointer_(ports, 0),
      link_pointer_(ports, 0),
      granted_now_(ports),
      granted_before_(ports),
      freed_(ports, std::vector<bool>(config.vcs, false)) {
  for (auto& port : outputs_) {
    for (output_vc& out : port) out.credits = config.depth;
  }
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
}

void router::cycle() {
  remember_start();
  take();
  compute_routes();
  allocate_vcs();
  if (config_.pipeline == pipeline::paper2009) {
    move_to_output_buffers();
    traverse_links();
  } else {
    allocate_switch();
    traverse_switch();
  }
  for (unsigned p = 0; p < ports_; ++p) {
    credit_word word;
    for (unsigned v = 0; v < vcs_; ++v) {
      if (freed_[p][v]) word.vcs = static_cast<std::uint16_t>(word.vcs + (1u << v));
    }
    credit_out[p].write(word);
  }
  ++now_;
}

void router::remember_start() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      output_vc& out = outputs_[p][v];
      out.credits_at_start = out.credits;
      out.full_at_start = out.full;
      freed_[p][v] = false;
    }
    granted_before_[p] = granted_now_[p];
    granted_now_[p].any = false;
  }
}

// "a flit goes into the buffer of the input VC named in it, a credit is added to the output VC"
void router::take() {
  for (unsigned p = 0; p < ports_; ++p) {
    const flit_word flit = flit_in[p].read();
    if (flit.valid()) {
      if (flit.vc() >= vcs_)
        throw std::logic_error(std::string(name()) + ": a flit names a VC that is not there");
      std::deque<flit_word>& buffer = inputs_[p][flit.vc()].buffer;
      if (buffer.size() == config_.depth)
        throw std::logic_error(std::string(name()) + ": a buffer overflows");
      buffer.push_back(flit);
    }
    const credit_word credit = credit_in[p].read();
    for (unsigned v = 0; v < vcs_; ++v) {
      if ((credit.vcs >> v) % 2 == 0) continue;
      if (outputs_[p][v].credits == config_.depth)
        throw std::logic_error(std::string(name()) + ": a credit too many");
      ++outputs_[p][v].credits;
    }
  }
}

// "Every input VC whose front flit is a head that has not been routed asks the routing function for its
// options."
void router::compute_routes() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      input_vc& in = inputs_[p][v];
      if (in.buffer.empty() || in.routed) continue;
      const flit_word head = in.buffer.front();
      if (!head.head()) throw std::logic_error(std::string(name()) + ": a packet without a head");
      route_request request;
      request.node = node_;
      request.in_port = static_cast<port_id>(p);
      request.in_vc = static_cast<std::uint8_t>(v);
      request.destination = layout_.destination(head);
      request.state = layout_.state(head);
      route_option options[routing_function::max_options];
      const unsigned count = routing_.route(request, options);
      in.options.assign(options, options + count);
      in.routed = true;
      in.routed_in = now_;
    }
  }
}

bool router::is_free(unsigned port, unsigned vc) const {
  const output_vc& out = outputs_[port][vc];
  if (out.owned) return false;
  if (config_.pipeline == pipeline::paper2009 && out.full_at_start) return false;
  // "from the cycle after the one in which the last credit outstanding has been shown"
  if (config_.regrant == regrant::drained && !is_local(port) && out.credits_at_start != config_.depth)
    return false;
  return true;
}

void router::allocate_vcs() {
  struct request {
    bool any = false;
    unsigned port = 0;
    unsigned vc = 0;
    route_state state = 0;
  };
  std::vector<request> asked(ports_ * vcs_);

  bool anybody = false;
  // "takes the first of its options that has a free output VC in its set, and in it the first free VC at or
  // after the input VC's own pointer"
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      const input_vc& in = inputs_[p][v];
      if (!in.routed || in.owns) continue;
      if (config_.pipeline == pipeline::four_stage && in.routed_in == now_) continue;
      request& ask = asked[p * vcs_ + v];
      for (const route_option& option : in.options) {
        for (unsigned k = 0; k < vcs_; ++k) {
          const unsigned candidate = (in.pointer + k) % vcs_;
          const bool in_set = (option.vcs >> candidate) % 2 == 1;
          if (in_set && is_free(option.out_port, candidate)) {
            ask = {true, option.out_port, candidate, option.state};
            break;
          }
        }
        if (ask.any) break;
      }
      if (ask.any) anybody = true;
    }
  }

  if (!anybody) return;

  // "Each output VC asked for grants the first asking input VC i at or after its pointer."
  const unsigned input_vcs = ports_ * vcs_;
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      output_vc& out = outputs_[p][v];
      for (unsigned k = 0; k < input_vcs; ++k) {
        const unsigned i = (out.pointer + k) % input_vcs;
        if (!asked[i].any || asked[i].port != p || asked[i].vc != v) continue;
        input_vc& winner = inputs_[i / vcs_][i % vcs_];
        winner.owns = true;
        winner.owns_since = now_;
        winner.out_port = p;
        winner.out_vc = v;
        winner.next_state = asked[i].state;
        winner.pointer = (v + 1) % vcs_;
        out.owned = true;
        out.pointer = (i + 1) % input_vcs;
        break;
      }
    }
  }
}

bool router::has_credit(unsigned port, unsigned vc) const {
  return is_local(port) || outputs_[port][vc].credits > 0;
}

void router::use_credit(unsigned port, unsigned vc) {
  if (!is_local(port)) --outputs_[port][vc].credits;
}

// The front flit leaves the buffer, on the output VC that its packet owns; a tail ends route and ownership.
flit_word router::read_out(unsigned port, unsigned vc) {
  input_vc& in = inputs_[port][vc];
  flit_word flit = in.buffer.front();
  in.buffer.pop_front();
  freed_[port][vc] = true;
  flit = flit.on_vc(in.out_vc);
  if (flit.head()) flit = layout_.with_state(flit, in.next_state);
  if (flit.tail()) {
    outputs_[in.out_port][in.out_vc].owned = false;
    in.owns = false;
    in.routed = false;
    in.options.clear();
  }
  return flit;
}

void router::allocate_switch() {
  // "Each input port picks the first asking VC at or after its pointer"
  std::vector<bool> picked(ports_, false);
  std::vector<unsigned> picked_vc(ports_, 0);
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned k = 0; k < vcs_; ++k) {
      const unsigned v = (switch_input_pointer_[p] + k) % vcs_;
      const input_vc& in = inputs_[p][v];
      if (!in.owns || in.buffer.empty() || !has_credit(in.out_port, in.out_vc)) continue;
      if (config_.pipeline == pipeline::four_stage && in.owns_since == now_) continue;
      picked[p] = true;
      picked_vc[p] = v;
      break;
    }
  }
  // "each output port grants the first picked input port at or after its pointer"
  for (unsigned out = 0; out < ports_; ++out) {
    for (unsigned k = 0; k < ports_; ++k) {
      const unsigned p = (switch_output_pointer_[out] + k) % ports_;
      if (!picked[p] || inputs_[p][picked_vc[p]].out_port != out) continue;
      const unsigned v = picked_vc[p];
      switch_input_pointer_[p] = (v + 1) % vcs_;
      switch_output_pointer_[out] = (p + 1) % ports_;
      picked[p] = false;  // its VC may no longer own anything: no other output port must look at it
      use_credit(out, inputs_[p][v].out_vc);
      granted_now_[out].flit = read_out(p, v);
      granted_now_[out].any = true;
      break;
    }
  }
}

// "ST sends what SA granted": in this cycle with single_cycle, in the one before with four_stage.
void router::traverse_switch() {
  const auto& granted = config_.pipeline == pipeline::single_cycle ? granted_now_ : granted_before_;
  for (unsigned p = 0; p < ports_; ++p) flit_out[p].write(granted[p].any ? granted[p].flit : flit_word{});
}

// paper2009, SW: "finds that output VC's buffer empty at the start of the cycle, moves the flit there"
void router::move_to_output_buffers() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      const input_vc& in = inputs_[p][v];
      if (!in.owns || in.buffer.empty()) continue;
      output_vc& out = outputs_[in.out_port][in.out_vc];
      if (out.full_at_start) continue;
      out.buffer = read_out(p, v);
      out.full = true;
    }
  }
}

// paper2009, LT: "of the output VCs whose buffer was full at the start of the cycle and that have a credit,
// the first at or after the port's pointer"
void router::traverse_links() {
  for (unsigned p = 0; p < ports_; ++p) {
    flit_word sent;
    for (unsigned k = 0; k < vcs_; ++k) {
      const unsigned v = (link_pointer_[p] + k) % vcs_;
      output_vc& out = outputs_[p][v];
      if (!out.full_at_start || !has_credit(p, v)) continue;
      sent = out.buffer;
      out.full = false;
      use_credit(p, v);
      link_pointer_[p] = (v + 1) % vcs_;
      break;
    }
    flit_out[p].write(sent);
  }
}

std::uint64_t router::flits_held() const {
  std::uint64_t held = 0;
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      held += inputs_[p][v].buffer.size();
      if (outputs_[p][v].full) ++held;
    }
    if (config_.pipeline == pipeline::four_stage && granted_now_[p].any) ++held;
  }
  return held;
}

}  // namespace toriscope::textbook

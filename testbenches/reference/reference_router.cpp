// SPDX-License-Identifier: Apache-2.0
// See reference_router.h. The quoted sentences are those of docs/model.md.
#include "testbenches/reference/reference_router.h"

#include <stdexcept>
#include <string>

namespace toriscope::reference {

router::router(sc_core::sc_module_name name, const router_setting& setting, const routing_function& routing,
               const flit_layout& layout, packet_registry& office)
    : sc_module(name),
      flit_in("flit_in", setting.out.size()),
      credit_out("credit_out", setting.out.size()),
      flit_out("flit_out", setting.out.size()),
      credit_in("credit_in", setting.out.size()),
      node_(setting.node),
      ports_(static_cast<unsigned>(setting.out.size())),
      routing_(routing),
      layout_(layout),
      office_(office),
      config_(setting.config),
      vcs_(setting.config.vcs),
      route_vcs_(setting.route_vcs),
      first_local_(setting.first_local),
      local_credits_(setting.local_credits),
      links_(setting.out),
      inputs_(ports_, std::vector<input_vc>(vcs_)),
      vc_allocator_(config_, ports_, setting.most_vcs),
      switch_allocator_(config_, ports_),
      speculative_allocator_(config_, ports_),
      link_arbiters_(ports_, arbiter(arbiter_kind::round_robin, setting.most_vcs)),
      sending_until_(ports_, 0),
      granted_(ports_),
      freed_(ports_, std::vector<bool>(vcs_, false)),
      granted_in_(ports_, false),
      granted_out_(ports_, false) {
  for (const outgoing_link& link : links_) {
    outputs_.emplace_back(link.vcs);
    for (output_vc& out : outputs_.back()) out.credits = link.depth;
  }
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
}

void router::cycle() {
  remember_start();
  take();
  compute_routes();
  give_up_heads_without_options();
  allocate_vcs();
  if (is_paper2009()) {
    move_to_output_buffers();
    discard();
    traverse_links();
  } else {
    allocate_switch();
    if (config_.speculative) allocate_switch_speculatively();
    discard();
    traverse_switch();
  }
  return_credits();
  ++now_;
}

void router::remember_start() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (output_vc& out : outputs_[p]) {
      out.credits_at_start = out.credits;
      out.full_at_start = out.full;
    }
    freed_[p].assign(vcs_, false);
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
    for (unsigned v = 0; v < flit_word::max_vcs; ++v) {
      if ((credit.vcs >> v) % 2 == 0) continue;
      if (v >= outputs_[p].size() || outputs_[p][v].credits == links_[p].depth)
        throw std::logic_error(std::string(name()) + ": a credit too many");
      ++outputs_[p][v].credits;
    }
  }
}

// "Every input VC whose front flit is a head that has not been routed asks the routing function for its
// options." The routing function of a message class sees the VCs of that class only.
void router::compute_routes() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      input_vc& in = inputs_[p][v];
      if (in.buffer.empty() || in.routed) continue;
      const flit_word head = in.buffer.front();
      if (!head.head()) throw std::logic_error(std::string(name()) + ": a packet without a head");
      const unsigned first_vc = v / route_vcs_ * route_vcs_;  // of its class
      route_request request;
      request.node = node_;
      request.in_port = static_cast<port_id>(p);
      request.in_vc = static_cast<std::uint8_t>(v - first_vc);
      request.destination = layout_.destination(head);
      request.state = layout_.state(head);
      route_option options[routing_function::max_options];
      const unsigned count = routing_.route(request, options);
      in.options.assign(options, options + count);
      if (routing_.compares_queues() && count > 1) {
        // "the option whose queue times weight is the least, of equal ones the first"
        // "of those over live links; of none, the first"
        const std::vector<route_option> live = live_options(in);
        if (live.size() > 1) {
          std::vector<unsigned> products(live.size());
          routing_.weigh(request, static_cast<unsigned>(live.size()), products.data());
          for (std::size_t k = 0; k < live.size(); ++k) products[k] *= flits_without_credit(live[k].out_port);
          const auto least = std::min_element(products.begin(), products.end());
          in.options.assign(1, live[static_cast<std::size_t>(least - products.begin())]);
        } else {
          in.options.assign(1, live.empty() ? in.options.front() : live.front());
        }
      }
      for (route_option& option : in.options) option.vcs = static_cast<vc_mask>(option.vcs << first_vc);
      in.routed = true;
      in.number = office_.sequence_number(layout_.tag(head));
      in.va_from = now_ + cycles_to_va(static_cast<unsigned>(in.options.size()));
    }
  }
}

unsigned router::flits_without_credit(unsigned out_port) const {
  unsigned flits = 0;
  for (const output_vc& vc : outputs_[out_port])
    flits += has_credits(out_port) ? links_[out_port].depth - vc.credits : 0;
  return flits;
}

// "a head routed in t takes part in VA from t + rc on", "for a head to which the routing function gave more
// than one option, rc is e cycles longer", "rc (with e) counts only as far as it is longer than va + sa + st"
unsigned router::cycles_to_va(unsigned options) const {
  if (is_paper2009()) return 0;
  const stage_counts stages = config_.counts();
  const unsigned rc = stages.rc + (options > 1 ? config_.adaptive_delay_cycles : 0);
  if (!config_.lookahead) return rc;
  const unsigned beside = stages.va + stages.sa + stages.st;
  return rc > beside ? rc - beside : 0;
}

bool router::may_be_allocated(const input_vc& in) const {
  return in.routed && !in.owns && !in.discarding && now_ >= in.va_from;
}

// "An option over a dead link is no option."
std::vector<route_option> router::live_options(const input_vc& in) const {
  std::vector<route_option> live;
  for (const route_option& option : in.options) {
    if (!is_dead(option.out_port)) live.push_back(option);
  }
  return live;
}

// "In VA of cycle t, a routed head that may take part in VA and has no option left is discarded"
void router::give_up_heads_without_options() {
  for (auto& port : inputs_) {
    for (input_vc& in : port) {
      if (!may_be_allocated(in) || !live_options(in).empty()) continue;
      in.discarding = true;
      office_.discard_packet(layout_.tag(in.buffer.front()), node_, now_);
    }
  }
}

// "from t on, at SA, its VC gives up one flit per cycle, when it holds one, until the tail is gone. Nothing
// is sent, the credit goes upstream as after SA"
void router::discard() {
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      input_vc& in = inputs_[p][v];
      if (!in.discarding || in.buffer.empty()) continue;
      const flit_word flit = in.buffer.front();
      in.buffer.pop_front();
      freed_[p][v] = true;
      if (flit.tail()) {
        in.discarding = false;
        in.routed = false;
      }
    }
  }
}

bool router::is_free(unsigned port, unsigned vc) const {
  const output_vc& out = outputs_[port][vc];
  if (out.owned || is_dead(port)) return false;
  if (is_paper2009() && out.full_at_start) return false;
  // "from the cycle after the one in which the last credit outstanding has been shown"
  if (config_.vc_reallocation == vc_reallocation::atomic && has_credits(port) &&
      out.credits_at_start != links_[port].depth)
    return false;
  return true;
}

void router::allocate_vcs() {
  if (config_.speculative) speculative_ = no_switch_requests();
  std::vector<vc_request> requests(ports_ * vcs_);
  bool any_request = false;
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      const input_vc& in = inputs_[p][v];
      if (!may_be_allocated(in)) continue;
      requests[p * vcs_ + v] = {true, live_options(in), in.number};
      any_request = true;
    }
  }
  if (!any_request) return;

  free_vcs free(ports_);
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < outputs_[p].size(); ++v) free[p].push_back(is_free(p, v));
  }

  // "each input VC that asks in VA also asks, speculatively, for the output port of its option, unless the
  // port is still sending"
  for (unsigned i = 0; config_.speculative && i < requests.size(); ++i) {
    const route_option* option = requests[i].any ? option_to_ask_for(requests[i], free) : nullptr;
    if (option && now_ >= sending_until_[option->out_port])
      speculative_[i / vcs_][i % vcs_] = {true, option->out_port, requests[i].age};
  }

  for (const vc_grant& grant : vc_allocator_.allocate(requests, free)) {
    input_vc& winner = inputs_[grant.input / vcs_][grant.input % vcs_];
    winner.owns = true;
    winner.sa_from = now_ + (is_paper2009() ? 0 : config_.counts().va);
    winner.out_port = grant.option.out_port;
    winner.out_vc = grant.out_vc;
    winner.next_state = grant.option.state;
    outputs_[grant.option.out_port][grant.out_vc].owned = true;
  }
}

bool router::has_credit(unsigned port, unsigned vc) const {
  return !has_credits(port) || outputs_[port][vc].credits > 0;
}

void router::use_credit(unsigned port, unsigned vc) {
  if (has_credits(port)) --outputs_[port][vc].credits;
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

router::switch_requests router::no_switch_requests() const {
  return switch_requests(ports_, std::vector<switch_request>(vcs_));
}

// "An input VC asks when it owns an output VC, holds a flit, and that output VC has a credit." "An input VC
// whose output port is still sending does not ask in SA."
void router::allocate_switch() {
  granted_in_.assign(ports_, false);
  granted_out_.assign(ports_, false);
  switch_requests requests = no_switch_requests();
  bool any_request = false;
  for (unsigned p = 0; p < ports_; ++p) {
    for (unsigned v = 0; v < vcs_; ++v) {
      const input_vc& in = inputs_[p][v];
      if (!in.owns || now_ < in.sa_from || in.buffer.empty()) continue;
      if (!has_credit(in.out_port, in.out_vc) || now_ < sending_until_[in.out_port]) continue;
      requests[p][v] = {true, in.out_port, in.number};
      any_request = true;
    }
  }
  if (!any_request) return;
  for (const switch_grant& grant : switch_allocator_.allocate(requests)) {
    switch_allocator_.move(grant);
    granted_in_[grant.in_port] = true;
    granted_out_[grant.out_port] = true;
    send(grant);
  }
}

// "Of its grants those count whose input VC was granted an output VC by VA in t, of that output port and with
// a credit, and whose input port and output port were granted nothing by the first switch allocator in t."
void router::allocate_switch_speculatively() {
  for (const switch_grant& grant : speculative_allocator_.allocate(speculative_)) {
    const input_vc& in = inputs_[grant.in_port][grant.in_vc];
    if (!in.owns || in.out_port != grant.out_port || !has_credit(in.out_port, in.out_vc)) continue;
    if (granted_in_[grant.in_port] || granted_out_[grant.out_port]) continue;
    speculative_allocator_.move(grant);
    send(grant);
  }
}

// "The flit is read out of its buffer, the credit is taken, and the credit of the freed slot is sent upstream
// in t." "a flit to which SA grants the switch in t is sent in t + x"; x = sa + st - 1
void router::send(const switch_grant& grant) {
  const stage_counts stages = config_.counts();
  use_credit(grant.out_port, inputs_[grant.in_port][grant.in_vc].out_vc);
  granted_[grant.out_port].push_back(
      {now_ + stages.sa + stages.st - 1, read_out(grant.in_port, grant.in_vc)});
  sending_until_[grant.out_port] = now_ + links_[grant.out_port].flit_cycles;
}

void router::traverse_switch() {
  for (unsigned p = 0; p < ports_; ++p) {
    flit_word sent;
    if (!granted_[p].empty() && granted_[p].front().sent_in == now_) {
      sent = granted_[p].front().flit;
      granted_[p].pop_front();
    }
    flit_out[p].write(sent);
  }
}

void router::return_credits() {
  for (unsigned p = 0; p < ports_; ++p) {
    credit_word word;
    for (unsigned v = 0; v < vcs_; ++v) {
      if (freed_[p][v]) word.vcs = static_cast<std::uint16_t>(word.vcs + (1u << v));
    }
    credit_out[p].write(word);
  }
}

}  // namespace toriscope::reference

// SPDX-License-Identifier: Apache-2.0
#include "router/network_interface.h"

#include <string>

#include "base/bit_set.h"
#include "router/invariant.h"

namespace toriscope {

network_interface::network_interface(terminal_id terminal, node_id node, network_state& network,
                                     const router_config& entry, const router_config& exit)
    : network_(network),
      terminal_(terminal),
      node_(node),
      with_credit_(vc_set::below(entry.vcs)),
      credits_(make_array<std::uint8_t>(network.memory, network.config.vcs)),
      arriving_(make_array<arriving>(network.memory, network.config.vcs)) {
  for (unsigned v = 0; v < network.config.vcs; ++v) credits_[v] = static_cast<std::uint8_t>(entry.depth);
  if (network.message_classes == 1 && !network.limited_reception) return;
  options_ = make_one<options>(network.memory);
  if (network.message_classes > 1) options_->classes = make_one<class_queues>(network.memory, network);
  if (network.limited_reception)
    options_->reception = make_one<reception_buffer>(network.memory, network, exit.depth);
}

void network_interface::connect(flit_wire& injection, credit_wire& injection_credit, flit_wire& ejection,
                                credit_wire* ejection_credit) {
  if (options_) options_->ejection_credit = ejection_credit;
  injection_ = &injection;
  injection_credit_ = &injection_credit;
  ejection_ = &ejection;
}

void network_interface::enqueue(packet_id packet) {
  if (options_ && options_->classes) return options_->classes->enqueue(packet);
  if (queue_.length == 0) wanted_ = network_.all_vcs();
  queue_.enqueue(network_.packets, packet);
}

inline void network_interface::send(flit_word f, cycle_t now) {
  if (--credits_[f.vc()] == 0) with_credit_.remove(f.vc());
  injection_->send_word(now, f);
  ++network_.counters.flits_injected;
  ++flits_sent_;
}

inline void network_interface::take_credits(cycle_t now) {
  for (const unsigned v : bits_of(injection_credit_->arrived(now).vcs)) {
    ++credits_[v];
    with_credit_.add(v);
  }
}

void network_interface::start_packet(cycle_t now) {
  const unsigned vc = with_credit_.first_at_or_after(queue_.vc_pointer);
  queue_.start(network_.packets, network_.layout, vc, now, network_.injection);
  queue_.vc_pointer = static_cast<std::uint8_t>(vc + 1);
  wanted_ = vc_set::of(vc);
}

void network_interface::finish_packet(cycle_t now) {
  const packet_id sent = queue_.finish(network_.packets);
  wanted_ = queue_.length > 0 ? network_.all_vcs() : vc_set();
  if (options_ && network_.gate) network_.gate->packet_sent(sent, network_.packets[sent], now);
}

inline void network_interface::inject(cycle_t now) {
  if (queue_.sent == 0) start_packet(now);
  const flit_word f = queue_.next_flit(network_.layout);
  send(f, now);
  if (f.tail()) finish_packet(now);
}

void network_interface::broken(flit_word f, const char* what) const {
  throw invariant_violation(node_, "packet " + std::to_string(network_.packet_of(f)) + ": " + what);
}

bool network_interface::right_class(flit_word f, packet_id packet) const {
  const unsigned classes = network_.message_classes;
  return network_.shared_classes ||
         (network_.packets.has(packet) &&
          f.vc() / (network_.config.vcs / classes) == network_.packets[packet].message_class);
}

void network_interface::accept_head(flit_word f) {
  const flit_layout& layout = network_.layout;
  arriving& open = arriving_[f.vc()];
  if (open.body.valid()) broken(f, "its head came within another packet of the same VC");
  if (layout.destination(f) != terminal_) broken(f, "it was ejected at the wrong node");
  if (options_ && !right_class(f, network_.packet_of(f)))
    broken(f, "it was ejected on a VC of another message class");
  open = {layout.body(0, layout.tag(f), false), 0};
}

/// The packet whose tail this is has arrived.
void network_interface::receive(flit_word tail, cycle_t now) {
  const packet_id packet = network_.packet_of(tail);
  if (arriving_[tail.vc()].flits != network_.packets[packet].flits) broken(tail, "flits are missing");
  arriving_[tail.vc()] = {};
  network_.receive(packet, now);
}

/// A flit leaves the network.
inline void network_interface::accept(flit_word f, cycle_t now) {
  arriving& open = arriving_[f.vc()];
  if (f.head())
    accept_head(f);
  else if (f.in_itself() != network_.layout.with_index(open.body, open.flits))
    broken(f, open.body == network_.layout.body(0, network_.layout.tag(f), false)
                  ? "its flits arrive out of order"
                  : "a flit at the wrong position arrived");
  ++open.flits;
  ++network_.counters.flits_ejected;
  if (f.tail()) receive(f, now);
}

inline void network_interface::take_flit(cycle_t now) { accept(ejection_->arrived(now), now); }

bool network_interface::step(cycle_t now, arrival_mask arrivals) {
  if (options_) return step_with_options(now, arrivals);
  if (arrivals >> ejection_arrival & 1u) take_flit(now);
  if (arrivals >> injection_credit_arrival & 1u) take_credits(now);
  if (can_send()) inject(now);
  return can_send();
}

/// Limited reception: what has been admitted leaves the buffer.
void network_interface::release(cycle_t now) {
  const vc_set freed = options_->reception->release(now, [&](flit_word f) { accept(f, now); });
  if (freed) options_->ejection_credit->send(now, {freed.mask()});
}

void network_interface::inject_of_class(cycle_t now) {
  if (options_->classes->length() == 0) return;
  const flit_word f = options_->classes->next_flit(now, with_credit_);
  if (f.valid()) send(f, now);
}

bool network_interface::step_with_options(cycle_t now, arrival_mask arrivals) {
  reception_buffer* const reception = options_->reception;
  if (arrivals >> ejection_arrival & 1u) {
    const flit_word f = ejection_->arrived(now);
    if (reception)
      reception->take(node_, f);
    else
      accept(f, now);
  }
  if (reception && !reception->empty()) release(now);
  if (arrivals >> injection_credit_arrival & 1u) take_credits(now);
  if (options_->classes)
    inject_of_class(now);
  else if (can_send())
    inject(now);
  return queue_length() > 0 || (reception && !reception->empty());
}

}  // namespace toriscope

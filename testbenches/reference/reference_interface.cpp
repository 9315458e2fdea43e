// SPDX-License-Identifier: Apache-2.0
// See reference_interface.h. The quoted sentences are those of docs/model.md.
#include "testbenches/reference/reference_interface.h"

#include <stdexcept>
#include <string>

namespace toriscope::reference {

namespace {
// "The NI always goes round robin."
constexpr arbiter_kind in_turn = arbiter_kind::round_robin;
}  // namespace

interface::interface(sc_core::sc_module_name name, const interface_setting& setting,
                     const flit_layout& layout, packet_registry& office)
    : sc_module(name),
      setting_(setting),
      layout_(layout),
      office_(office),
      senders_(setting.message_classes),
      vc_arbiters_(setting.shared_classes ? 1 : setting.message_classes, arbiter(in_turn, setting.vcs)),
      class_arbiter_(in_turn, setting.message_classes),
      credits_(setting.vcs, setting.depth),
      receivers_(setting.received_vcs) {
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
}

void interface::enqueue(unsigned message_class, terminal_id destination, std::uint32_t flits,
                        std::uint64_t tag, route_state state) {
  senders_.at(message_class).queue.push_back({destination, flits, tag, state});
}

void interface::cycle() {
  office_.create_packets(now_);
  take();
  receive();
  send();
  ++now_;
}

void interface::take() {
  const credit_word credit = injection_credit.read();
  for (unsigned v = 0; v < setting_.vcs; ++v) {
    if ((credit.vcs >> v) % 2 == 1) ++credits_[v];
    if (credits_[v] > setting_.depth) throw std::logic_error(std::string(name()) + ": a credit too many");
  }
  const flit_word flit = ejection.read();
  if (!flit.valid()) return;
  receiver& in = receivers_.at(flit.vc());
  if (setting_.limited_reception && in.buffer.size() == setting_.received_depth)
    throw std::logic_error(std::string(name()) + ": a buffer overflows");
  in.buffer.push_back(flit);
}

// Limited reception: "for each VC in ascending order, if there is a flit at the front of its buffer and its
// packet has been admitted, one flit leaves, and its credit is sent in t. A head at the front is first
// offered for admission in every cycle until the reception gate says yes." Without it a flit leaves at once.
void interface::receive() {
  credit_word credits;
  for (unsigned v = 0; v < setting_.received_vcs; ++v) {
    receiver& in = receivers_[v];
    if (in.buffer.empty() || !may_leave(in)) continue;
    receive_flit(in, in.buffer.front());
    in.buffer.pop_front();
    if (setting_.limited_reception) credits.vcs = static_cast<std::uint16_t>(credits.vcs + (1u << v));
  }
  ejection_credit.write(credits);
}

bool interface::may_leave(const receiver& in) const {
  const flit_word flit = in.buffer.front();
  if (!setting_.limited_reception || !flit.head()) return true;
  return office_.admit_packet(layout_.tag(flit), now_);
}

void interface::receive_flit(receiver& in, flit_word flit) {
  ++flits_received_;
  if (flit.head()) {
    if (in.under_way) throw std::logic_error(std::string(name()) + ": a head within a packet");
    if (layout_.destination(flit) != setting_.terminal)
      throw std::logic_error(std::string(name()) + ": not the destination");
    in.under_way = true;
    in.tag = layout_.tag(flit);
    in.next_index = 1;
  } else {
    const std::uint64_t index = in.next_index % (layout_.index_mask() + 1);
    if (!in.under_way || in.tag != layout_.tag(flit) || index != layout_.index(flit))
      throw std::logic_error(std::string(name()) + ": a flit out of order");
    ++in.next_index;
  }
  if (flit.tail()) {
    in.under_way = false;
    office_.receive_packet(in.tag, setting_.terminal, now_);
  }
}

bool interface::is_under_way_on(unsigned vc) const {
  for (const sender& s : senders_) {
    if (s.next_flit > 0 && s.vc == vc) return true;
  }
  return false;
}

// "class m owns the VCs mV/N .. (m+1)V/N - 1 of every port, local ones included"; shared: "the first VC at or
// after the (one) VC pointer that has a credit and on which this interface has no packet under way"
std::vector<contender> interface::vcs_for_head(unsigned message_class) const {
  std::vector<contender> list;
  const unsigned share = setting_.vcs / setting_.message_classes;
  for (unsigned v = 0; v < setting_.vcs; ++v) {
    if (credits_[v] == 0) continue;
    const bool usable = setting_.shared_classes ? !is_under_way_on(v) : v / share == message_class;
    if (usable) list.push_back({v, 0});
  }
  return list;
}

// "a packet under way and a credit on its VC, or else a packet in the queue and a credit on some VC of the
// class"
bool interface::can_send(unsigned message_class) const {
  const sender& from = senders_[message_class];
  if (from.next_flit > 0) return credits_[from.vc] > 0;
  return !from.queue.empty() && !vcs_for_head(message_class).empty();
}

// "In a cycle one class sends a flit: the first at or after the interface's class pointer, which becomes m +
// 1, of those that can"
void interface::send() {
  std::vector<contender> classes;
  for (unsigned m = 0; m < setting_.message_classes; ++m) {
    if (can_send(m)) classes.push_back({m, 0});
  }
  flit_word sent;
  if (!classes.empty()) {
    const unsigned m = classes[class_arbiter_.pick(classes)].number;
    class_arbiter_.granted(m);
    sent = send_flit(m);
  }
  injection.write(sent);
}

flit_word interface::send_flit(unsigned message_class) {
  sender& from = senders_[message_class];
  const outgoing packet = from.queue.front();
  if (from.next_flit == 0) {
    // "The VC is chosen when the head is sent"
    arbiter& pointer = vc_arbiters_[setting_.shared_classes ? 0 : message_class];
    const std::vector<contender> candidates = vcs_for_head(message_class);
    from.vc = candidates[pointer.pick(candidates)].number;
    pointer.granted(from.vc);
  }
  const bool tail = from.next_flit == packet.flits - 1;
  const flit_word flit = from.next_flit == 0
                             ? layout_.head(packet.destination, packet.state, packet.tag, tail)
                             : layout_.body(from.next_flit, packet.tag, tail);
  --credits_[from.vc];
  ++flits_sent_;
  ++from.next_flit;
  if (tail) {
    from.queue.pop_front();
    from.next_flit = 0;
    office_.packet_sent(packet.tag, now_);
  }
  return flit.on_vc(from.vc);
}

}  // namespace toriscope::reference

// SPDX-License-Identifier: Apache-2.0
// See textbook_interface.h.
#include "testbenches/textbook/textbook_interface.h"

#include <stdexcept>
#include <string>

namespace toriscope::textbook {

interface::interface(sc_core::sc_module_name name, node_id node, const flit_layout& layout,
                     const router_config& config, packet_office& office)
    : sc_module(name),
      node_(node),
      layout_(layout),
      config_(config),
      office_(office),
      credits_(config.vcs, config.depth),
      incoming_(config.vcs) {
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
}

void interface::enqueue(node_id destination, std::uint32_t flits, std::uint64_t tag) {
  queue_.push_back({destination, flits, tag});
}

void interface::cycle() {
  office_.create_packets(now_);
  receive();
  send();
  ++now_;
}

void interface::receive() {
  const credit_word credit = injection_credit.read();
  for (unsigned v = 0; v < config_.vcs; ++v) {
    if ((credit.vcs >> v) % 2 == 1) ++credits_[v];
    if (credits_[v] > config_.depth) throw std::logic_error(std::string(name()) + ": a credit too many");
  }

  const flit_word flit = ejection.read();
  if (!flit.valid()) return;
  ++flits_received_;
  incoming& in = incoming_.at(flit.vc());
  if (flit.head()) {
    if (in.under_way) throw std::logic_error(std::string(name()) + ": a head within a packet");
    if (layout_.destination(flit) != node_)
      throw std::logic_error(std::string(name()) + ": not the destination");
    in = {true, layout_.tag(flit), 1};
  } else {
    const std::uint64_t index = in.next_index % (layout_.index_mask() + 1);
    if (!in.under_way || in.tag != layout_.tag(flit) || index != layout_.index(flit)) {
      throw std::logic_error(std::string(name()) + ": a flit out of order");
    }
    ++in.next_index;
  }
  if (flit.tail()) {
    in.under_way = false;
    office_.receive_packet(in.tag, node_, now_);
  }
}

void interface::send() {
  flit_word sent;
  if (!queue_.empty()) {
    const outgoing& packet = queue_.front();
    bool may_send = false;
    if (next_flit_ == 0) {
      // "the first VC with a credit at or after the pointer, which becomes the VC + 1 (mod V)"
      for (unsigned k = 0; k < config_.vcs && !may_send; ++k) {
        const unsigned v = (pointer_ + k) % config_.vcs;
        if (credits_[v] == 0) continue;
        vc_ = v;
        pointer_ = (v + 1) % config_.vcs;
        may_send = true;
      }
    } else {
      may_send = credits_[vc_] > 0;
    }
    if (may_send) {
      const bool tail = next_flit_ == packet.flits - 1;
      sent = next_flit_ == 0 ? layout_.head(packet.destination, 0, packet.tag, tail)
                             : layout_.body(next_flit_, packet.tag, tail);
      sent = sent.on_vc(vc_);
      --credits_[vc_];
      ++flits_sent_;
      ++next_flit_;
      if (tail) {
        queue_.pop_front();
        next_flit_ = 0;
      }
    }
  }
  injection.write(sent);
}

}  // namespace toriscope::textbook

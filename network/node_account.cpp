// SPDX-License-Identifier: Apache-2.0
#include "network/node_account.h"

#include <algorithm>

#include "base/bit_set.h"

namespace toriscope {

node_account::node_account(unsigned ports, const network_state& network, unsigned local_ports)
    : network_(network),
      first_local_(ports - local_ports),
      vcs_(network.config.vcs),
      links_(ports),
      credits_(ports * vcs_, network.config.depth),
      slots_(std::size_t{ports} * vcs_) {}

void node_account::set_link(port_id p, const router_config& behind, unsigned flit_cycles) {
  links_[p].flit_cycles = flit_cycles;
  links_[p].vcs = behind.vcs;
  for (unsigned v = 0; v < vcs_; ++v) credits_[p * vcs_ + v] = behind.depth;
}

void node_account::flit_in(port_id p, flit_word f, cycle_t now) {
  if (!f.valid()) return;
  const std::size_t slot = std::size_t{p} * vcs_ + f.vc();
  slots_.flit_in(slot);
  ++flits_;
  inside& here = packets_.try_emplace(network_.packet_of(f), inside{now, 0, slot}).first->second;
  ++here.flits;
  revisited_ = revisited_ || here.slot != slot;
}

void node_account::credits_in(port_id p, credit_word c) {
  for (const unsigned v : bits_of(c.vcs)) ++credits_[p * vcs_ + v];
}

std::string node_account::flit_out(port_id p, flit_word f, cycle_t now) {
  if (!f.valid()) return {};
  const packet_id packet = network_.packet_of(f);
  const auto found = packets_.find(packet);
  if (found == packets_.end())
    return "a flit of packet " + std::to_string(packet) + " left, and none is inside";
  if (f.head()) {  // which tables of the next router are read by
    const node_id to = network_.layout.destination(f), own = network_.packets[packet].destination;
    if (to != own)
      return "the head of packet " + std::to_string(packet) + " left with destination " + std::to_string(to) +
             "; the packet's is " + std::to_string(own);
  }
  --flits_;
  slots_.flit_left(found->second.slot);
  if (--found->second.flits == 0) packets_.erase(found);
  output_link& link = links_[p];
  if (now < link.free_from)
    return "a flit of packet " + std::to_string(packet) + " left " +
           std::to_string(now + link.flit_cycles - link.free_from) + " cycles after the one before, and the link "
           "carries a flit in " + std::to_string(link.flit_cycles);
  link.free_from = now + link.flit_cycles;
  const bool unlimited = p >= first_local_ && !network_.limited_reception;
  if (unlimited) return {};
  if (f.vc() >= std::min(vcs_, link.vcs) || credits_[p * vcs_ + f.vc()] == 0)
    return "a flit of packet " + std::to_string(packet) + " left on VC " + std::to_string(f.vc()) +
           ", for which there is no credit";
  --credits_[p * vcs_ + f.vc()];
  return {};
}

std::string node_account::credits_out(port_id p, credit_word c) {
  for (const unsigned v : bits_of(c.vcs))
    if (v >= vcs_ || !slots_.credit(p * vcs_ + v))
      return "a credit for VC " + std::to_string(v) +
             " of an input buffer that is empty: every flit that came in has had its credit";
  return {};
}

node_contents node_account::contents() const {
  node_contents all;
  all.flits = flits_;
  all.packets = packets_.size();
  for (const auto& [packet, here] : packets_)
    if (all.oldest == no_packet || here.since < all.since ||
        (here.since == all.since && packet < all.oldest)) {
      all.oldest = packet;
      all.since = here.since;
    }
  return all;
}

}  // namespace toriscope

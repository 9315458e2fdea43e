// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/ingress_port.h"

#include "rtl_models/rtl_router.h"

namespace toriscope {

ingress_port::ingress_port(const node_context& context, const adapter_config& config, unsigned number,
                           bool unbuffered, packet_scoreboard& scoreboard)
    : config_(config),
      depth_(context.network.config.depth),
      number_(number),
      port_(static_cast<port_id>(config.ports[number].of_node)),
      unbuffered_(unbuffered),
      scoreboard_(scoreboard),
      vcs_(context.network.config.vcs),
      credits_(config.vcs, config.depth),
      entered_(config.vcs),
      returned_(config.vcs) {}

void ingress_port::arrive(flit_word f) {
  if (!f.valid()) return;
  std::deque<flit_word>& flits = vcs_[f.vc()].flits;
  flits.push_back(f);
  if (flits.size() > depth_)
    throw rtl_assertion("a flit arrived at its port " + config_.ports[number_].text() + " for VC " +
                        std::to_string(f.vc()) + " of the adapter, whose buffer of " +
                        std::to_string(depth_) + " flits is full");
}

bool ingress_port::choose(std::uint32_t vcs, cycle_t now) {
  const unsigned first = within_packet_ ? vc_ : vc_ + 1;
  const unsigned tries = within_packet_ ? 1 : static_cast<unsigned>(vcs_.size());
  for (unsigned tried = 0; tried < tries; ++tried) {
    const unsigned v = (first + tried) % static_cast<unsigned>(vcs_.size());
    input_vc& in = vcs_[v];
    if (in.flits.empty() || !(vcs >> (config_.vcs > 1 ? v : 0) & 1u)) continue;
    if (config_.atomic_vcs && in.flits.front().head() && !is_empty(config_.vcs > 1 ? v : 0)) continue;
    if (!in.packet) in.packet = scoreboard_.open(in.flits.front(), port_, v, now);
    if (!in.packet) continue;  // no tag is free
    vc_ = v;
    return true;
  }
  return false;
}

bool ingress_port::is_empty(unsigned v) const { return scoreboard_.taken(port_, v) == 0; }

const wide_flit* ingress_port::offer(std::uint32_t vcs, cycle_t now) {
  if (offered_ && config_.vcs == 1) return &flit_;
  offered_ = choose(vcs, now);
  if (!offered_) return nullptr;
  const input_vc& in = vcs_[vc_];
  flit_ = scoreboard_.encode(*in.packet, in.flits.front(), in.packet->entered);
  return &flit_;
}

void ingress_port::accepted() {
  input_vc& in = vcs_[vc_];
  const flit_word f = in.flits.front();
  in.flits.pop_front();
  scoreboard_.enter(*in.packet, f);
  ++entered_[offered_vc()];
  if (f.tail()) in.packet = nullptr;
  within_packet_ = config_.vcs == 1 && !f.tail();
  offered_ = false;
  if (unbuffered_) return;
  ++in.freed;
  --credits_[offered_vc()];
}

void ingress_port::router_credits(std::uint32_t vcs) {
  for (unsigned v = 0; v < config_.vcs; ++v) {
    if (!(vcs >> v & 1u)) continue;
    scoreboard_.credit(port_, v);
    ++returned_[v];
    unsigned& counter = unbuffered_ ? vcs_[v].freed : credits_[v];
    if (++counter > config_.depth)
      throw rtl_assertion("it gave back more credits for VC " + std::to_string(v) + " of its input port " +
                          config_.ports[number_].text() + " than the " + std::to_string(config_.depth) +
                          " slots that it has (depth): " + std::to_string(entered_[v]) +
                          " flits have entered, and " + std::to_string(returned_[v]) + " credits came back");
  }
}

std::uint32_t ingress_port::with_credit() const {
  if (unbuffered_) return ~0u;
  std::uint32_t mask = 0;
  for (unsigned v = 0; v < config_.vcs; ++v) mask |= (credits_[v] > 0 ? 1u : 0u) << v;
  return mask;
}

credit_word ingress_port::freed() {
  vc_set credits;
  for (unsigned v = 0; v < vcs_.size(); ++v)
    if (vcs_[v].freed > 0) {
      --vcs_[v].freed;
      credits.add(v);
    }
  return {credits.mask()};
}

std::size_t ingress_port::waiting() const {
  std::size_t flits = 0;
  for (const input_vc& v : vcs_) flits += v.flits.size();
  return flits;
}

}  // namespace toriscope

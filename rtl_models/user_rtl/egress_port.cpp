// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/egress_port.h"

#include <algorithm>

#include "base/bit_set.h"
#include "rtl_models/rtl_router.h"
#include "topologies/wire_place.h"

namespace toriscope {

egress_port::egress_port(const node_context& context, const adapter_config& config, unsigned number,
                         bool counted, packet_scoreboard& scoreboard)
    : context_(context),
      config_(config),
      number_(number),
      out_(config.ports[number].of_node),
      local_(out_ >= 0 && context.wiring.is_local(context.id, static_cast<port_id>(out_))),
      unlimited_(local_ && !context.network.limited_reception),
      counted_(counted),
      scoreboard_(scoreboard),
      from_(config.vcs),
      to_(context.network.config.vcs, context.network.config.depth) {
  if (!exists()) return;
  const wire_id out = wire_out_of(context.wiring, context.id, static_cast<port_id>(out_));
  if (out != no_wire) flit_cycles_ = wire_at(context.wiring, out).flit_cycles;
}

void egress_port::credits(credit_word c) {
  for (const unsigned v : vc_set(c.vcs)) {
    if (v >= to_.size()) break;
    ++to_[v];
    if (!counted_) ++from_[v].pulses;
  }
}

std::uint32_t egress_port::ready() const {
  if (out_ < 0) return ~0u;  // take() tells what is wrong with it
  if (waiting() >= config_.output_flits) return 0;
  if (config_.vcs == 1) {
    const int vc = from_[0].sent_on;
    if (vc >= 0) return has_credit(to_[static_cast<unsigned>(vc)]);
    return std::any_of(to_.begin(), to_.end(),
                       [this](unsigned credits) { return is_free(credits) && has_credit(credits); });
  }
  std::uint32_t mask = 0;
  for (unsigned v = 0; v < to_.size(); ++v) mask |= (has_credit(to_[v]) ? 1u : 0u) << v;
  return mask;
}

std::uint32_t egress_port::pulses() {
  std::uint32_t mask = 0;
  for (unsigned v = 0; v < from_.size(); ++v)
    if (from_[v].pulses > 0) {
      --from_[v].pulses;
      mask |= 1u << v;
      if (config_.one_credit_at_a_time) break;
    }
  return mask;
}

std::uint32_t egress_port::on() const {
  std::uint32_t mask = 0;
  for (unsigned v = 0; v < from_.size(); ++v)
    mask |= (from_[v].flits.size() + config_.slack < config_.depth ? 1u : 0u) << v;
  return mask;
}

void egress_port::check_room() const {
  for (unsigned v = 0; v < from_.size(); ++v)
    if (from_[v].flits.size() > config_.depth)
      throw rtl_assertion("a flit left by port " + config_.ports[number_].name + " on VC " +
                          std::to_string(v) + ", which was off for longer than " +
                          std::to_string(config_.slack) + " flits (slack): its " +
                          std::to_string(config_.depth) + " slots downstream are full (depth)");
}

void egress_port::take(const wide_flit& flit) {
  const std::string name = config_.ports[number_].text();
  const bit_field vc_field = config_.format.vc();
  const std::uint64_t vc = config_.vcs > 1 ? vc_field.of(flit) : 0;
  if (vc >= from_.size())
    throw rtl_assertion("a flit left by port " + name + " on VC " + std::to_string(vc) + "; it has VC 0 to " +
                        std::to_string(from_.size() - 1) +
                        (vc == from_.size() ? ", or valid was set for several VCs" : ""));
  router_vc& from = from_[vc];
  waiting_flit waiting;
  if (!from.packet) {
    from.packet = &scoreboard_.find(flit, name);
    waiting.packet = *from.packet;
  }
  packet_inside& p = *from.packet;
  if (out_ < 0)
    throw rtl_assertion(scoreboard_.describe(p) + " left by port " + name + ", where the node has no link");
  if (local_ && p.values[quantity::dest] != context_.wiring.leaving(context_.id, static_cast<port_id>(out_)))
    throw rtl_assertion(scoreboard_.describe(p) + " left by port " + name + ", " +
                        (context_.wiring.local_ports(context_.id) == 1 ? "the local one" : "a local one") +
                        ", of node " + std::to_string(context_.id));
  waiting.flit = scoreboard_.leave(p, flit, name);
  if (waiting.flit.tail()) from.packet = nullptr;
  from.flits.push_back(std::move(waiting));
}

bool egress_port::is_free(unsigned credits) const {
  return unlimited_ || context_.network.config.vc_reallocation == vc_reallocation::non_atomic ||
         credits == context_.network.config.depth;
}

void egress_port::wrong_way(const packet_inside& p) const {
  const adapter_config::port& asked = config_.ports[static_cast<std::size_t>(p.values[quantity::port])];
  throw rtl_assertion(scoreboard_.describe(p) + " left by port " + config_.ports[number_].text() +
                      ", but the network's routing sends it by " + asked.text() +
                      ": two routings in one network can deadlock; choose the router's routing (--routing "
                      "xy goes x first), or give it the port in its headers or route tables");
}

void egress_port::wrong_vc(const packet_inside& p, unsigned vc, vc_mask allowed) const {
  std::string list;
  for (const unsigned v : vc_set(allowed)) list += (list.empty() ? "" : ", ") + std::to_string(v);
  throw rtl_assertion(scoreboard_.describe(p) + " came on VC " + std::to_string(p.in_vc) +
                      " and leaves by port " + config_.ports[number_].text() + " on VC " +
                      std::to_string(vc) + "; the network's routing allows it VC " + list +
                      " there, and other VCs can deadlock: the router has to follow this VC rule");
}

vc_mask egress_port::vcs_of_class(const packet_inside& p) const {
  const network_state& network = context_.network;
  if (network.shared_classes || network.message_classes == 1) return network.all_vcs().mask();
  const unsigned count = network.config.vcs / network.message_classes;
  const unsigned first = p.in_vc / count * count;
  return (vc_set::below(first + count) - vc_set::below(first)).mask();
}

bool egress_port::allocate(router_vc& from) {
  waiting_flit& first = from.flits.front();
  const flit_layout& layout = context_.network.layout;
  const int vc = config_.vcs > 1 ? static_cast<int>(&from - from_.data()) : -1;
  std::optional<route_option> option = routed(first.packet, context_, out_, vc);
  if (!option) {
    const bool own = config_.own_routes && layout.state_bits() == 0;
    const vc_mask allowed = own ? vcs_of_class(first.packet) : routed_vcs(first.packet, context_, out_);
    if (allowed == 0) wrong_way(first.packet);
    if (vc >= 0 && !vc_set(allowed).has(static_cast<unsigned>(vc)))
      wrong_vc(first.packet, static_cast<unsigned>(vc), allowed);
    option = route_option{static_cast<port_id>(out_), allowed, 0};
  }
  if (vc >= 0) {
    from.sent_on = vc;
  } else {
    for (unsigned tried = 0; tried < to_.size() && from.sent_on < 0; ++tried) {
      const unsigned v = (next_to_ + tried) % static_cast<unsigned>(to_.size());
      if (vc_set(option->vcs).has(v) && is_free(to_[v]) && has_credit(to_[v]))
        from.sent_on = static_cast<int>(v);
    }
    if (from.sent_on < 0) return false;
    next_to_ = static_cast<unsigned>(from.sent_on) + 1;
  }
  first.flit = layout.with_state(first.flit, option->state);
  return true;
}

flit_word egress_port::send() {
  if (busy_cycles_ > 0) {
    --busy_cycles_;
    return {};
  }
  for (unsigned tried = 0; tried < from_.size(); ++tried) {
    const unsigned number = (next_from_ + tried) % static_cast<unsigned>(from_.size());
    router_vc& from = from_[number];
    if (from.flits.empty()) continue;
    if (from.sent_on < 0 && !allocate(from)) continue;
    unsigned& credits = to_[static_cast<unsigned>(from.sent_on)];
    if (!has_credit(credits)) continue;
    if (!unlimited_ && credits-- == 0)
      throw rtl_assertion("a flit left by port " + config_.ports[number_].text() + " on VC " +
                          std::to_string(from.sent_on) + ", for which it has no credit");
    const flit_word f = from.flits.front().flit.on_vc(static_cast<unsigned>(from.sent_on));
    from.flits.pop_front();
    if (counted_ || unlimited_) ++from.pulses;
    if (f.tail()) from.sent_on = -1;
    next_from_ = number + 1;
    busy_cycles_ = flit_cycles_ - 1;
    return f;
  }
  return {};
}

void egress_port::check_credits() const {
  for (unsigned v = 0; v < from_.size(); ++v)
    if (from_[v].flits.size() + from_[v].pulses > config_.depth)
      throw rtl_assertion(
          "a flit left by port " + config_.ports[number_].text() + " on VC " + std::to_string(v) +
          ", for which it has no credit: " + std::to_string(config_.depth) +
          " slots are downstream (depth), and " + std::to_string(from_[v].flits.size() + from_[v].pulses) +
          " flits have left without one coming back");
}

std::size_t egress_port::waiting() const {
  std::size_t flits = 0;
  for (const router_vc& v : from_) flits += v.flits.size();
  return flits;
}

bool egress_port::open() const {
  if (!exists() || waiting() > 0) return false;
  if (std::any_of(from_.begin(), from_.end(), [](const router_vc& v) { return v.packet != nullptr; }))
    return false;
  return std::all_of(to_.begin(), to_.end(), [](unsigned credits) { return credits > 0; });
}

bool egress_port::blocked() const {
  if (!exists() || unlimited_) return false;
  return waiting() > 0 ||
         std::any_of(to_.begin(), to_.end(), [](unsigned credits) { return credits == 0; });
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/router_adapter.h"

#include <algorithm>
#include <stdexcept>

namespace toriscope {
namespace {

constexpr unsigned longest_stay = 50;  // in a router that is not quiet, times the patience
constexpr unsigned looks = 8;          // for starvation, in the time of the patience

adapter_config checked(const node_context& context, adapter_config config) {
  const router_config& network = context.network.config;
  const std::string where = context.wiring.path(context.id) + ": ";
  if (config.vcs != 1 && config.vcs != network.vcs)
    throw std::invalid_argument(where + "the router has " + std::to_string(config.vcs) +
                                " VCs and the network " + std::to_string(network.vcs) + ": run with --vcs " +
                                std::to_string(config.vcs));
  if (config.vcs == 1 && context.network.message_classes > 1)
    throw std::invalid_argument(where +
                                "a router without VCs would mix the message classes, which can deadlock");
  if (config.vcs > 1 && !config.format.vc())
    throw std::invalid_argument(where + "the router has " + std::to_string(config.vcs) +
                                " VCs, and no field of its flits is 'vc'");
  config.format.check();
  for (adapter_config::port& port : config.ports)
    if (port.of_node >= 0)
      port.model_name = context.wiring.port_name(context.id, static_cast<port_id>(port.of_node));
  const unsigned ports = context.wiring.port_count(context.id);
  for (unsigned p = 0; p < ports; ++p)
    if (std::none_of(config.ports.begin(), config.ports.end(),
                     [p](const adapter_config::port& port) { return port.of_node == static_cast<int>(p); }))
      throw std::invalid_argument(where + "the node has a port " +
                                  context.wiring.port_name(context.id, static_cast<port_id>(p)) +
                                  ", which no port of the router stands for");
  return config;
}

}  // namespace

router_adapter::router_adapter(const node_context& context, adapter_config config,
                               std::unique_ptr<router_pins> pins, bool unbuffered, bool counted)
    : config_(checked(context, std::move(config))),
      parameters_(parameters_of(context.wiring, context.id, context.network.layout, context.network.config,
                                context.kind().config, context.network.limited_reception)),
      pins_(std::move(pins)),
      scoreboard_(context, config_),
      starvation_(context, config_),
      router_port_(context.wiring.port_count(context.id)),
      sent_(router_port_.size()),
      freed_(router_port_.size()),
      idle_(config_.format.idle_flit(node_values(context.wiring, context.id, context.network.config.vcs,
                                                 context.network.config.depth))) {
  for (unsigned r = 0; r < config_.ports.size(); ++r) {
    const int p = config_.ports[r].of_node;
    egress_.emplace_back(context, config_, r, counted, scoreboard_);
    ingress_.push_back(p < 0 ? nullptr
                             : std::make_unique<ingress_port>(context, config_, r, unbuffered, scoreboard_));
    if (p >= 0) router_port_[static_cast<std::size_t>(p)] = r;
  }
}

void router_adapter::set_flit(port_id p, flit_word f) { ingress_[router_port_[p]]->arrive(f); }
void router_adapter::set_credit(port_id p, credit_word c) { egress_[router_port_[p]].credits(c); }

void router_adapter::clock_edge() {
  for (unsigned k = 0; k < config_.clocks_per_cycle; ++k) clock(now_);
  for (std::size_t p = 0; p < router_port_.size(); ++p) {
    sent_[p] = egress_[router_port_[p]].send();
    freed_[p] = ingress_[router_port_[p]]->freed();
  }
  starvation_.cycle_done([this](unsigned r) {
    const int p = config_.ports[r].of_node;
    return p >= 0 && !sent_[static_cast<std::size_t>(p)].valid() && egress_[r].open();
  });
  if (watches_) look_for_losses();
  ++now_;
}

std::optional<std::uint64_t> router_adapter::flits_inside() const {
  std::uint64_t flits = scoreboard_.flits();
  for (const auto& port : ingress_) flits += port ? port->waiting() : 0;
  for (const egress_port& port : egress_) flits += port.waiting();
  return flits;
}

std::string router_adapter::starved() {
  return starvation_.look(scoreboard_, now_, [this](const packet_inside& p) {
    return ingress_[router_port_[p.in_port]]->waiting(p.in_vc) > 0;
  });
}

bool router_adapter::drive_in(unsigned r, std::uint32_t vcs, cycle_t now) {
  const wide_flit* const offered = ingress_[r] ? ingress_[r]->offer(vcs, now) : nullptr;
  pins_->set_in(r, offered != nullptr, offered ? *offered : idle_);
  return offered != nullptr;
}

void router_adapter::sample_out(unsigned r, std::uint32_t vcs) {
  if (!pins_->out_valid(r)) return;
  const wide_flit flit = pins_->out_flit(r);
  const std::uint64_t vc = config_.vcs > 1 ? config_.format.vc().of(flit) : 0;
  if (vc >= config_.vcs || (vcs >> vc & 1u)) egress_[r].take(flit);
}

void router_adapter::look_for_losses() {
  const bool blocked =
      std::any_of(egress_.begin(), egress_.end(), [](const egress_port& e) { return e.blocked(); });
  const bool moved = std::any_of(sent_.begin(), sent_.end(), [](flit_word f) { return f.valid(); });
  if (scoreboard_.packets() == 0 || blocked || moved) quiet_since_ = now_;
  if (scoreboard_.packets() == 0) return;
  if ((now_ + 1) % (config_.patience_cycles / looks + 1) == 0)
    if (const std::string packet = starved(); !packet.empty()) throw rtl_assertion(packet);
  if ((now_ + 1) % config_.patience_cycles != 0) return;
  const packet_inside* const oldest = scoreboard_.oldest();
  const bool quiet = now_ - quiet_since_ >= config_.patience_cycles;
  if (!oldest) {
    if (quiet) never_ready();
    return;
  }
  if (!quiet && now_ - oldest->since < longest_stay * config_.patience_cycles) return;
  throw rtl_assertion(
      scoreboard_.describe(*oldest) + " entered " + std::to_string(now_ - oldest->since) +
      " cycles ago by port " + config_.ports[router_port_[oldest->in_port]].text() + ", " +
      std::to_string(oldest->left) + " of its flits left" +
      (quiet ? ", and nothing has since, although every output is free: flits are lost, or "
               "the router waits for what cannot happen" +
                   std::string(oldest->left == 0 && scoreboard_.finished() == 0
                                   ? "; no packet has ever left it: perhaps its reset (pin, polarity)"
                                   : "")
             : ": lost, or never served"));
}

/// Flits are offered, and none was ever taken.
void router_adapter::never_ready() const {
  for (unsigned r = 0; r < config_.ports.size(); ++r)
    if (ingress_[r] && ingress_[r]->waiting() > 0)
      throw rtl_assertion("its input port " + config_.ports[r].text() + " was not ready in the last " +
                          std::to_string(now_ - quiet_since_) +
                          " cycles although a flit is offered there, nothing "
                          "is inside and every output is free: the reset (its pin, its polarity), or ready");
}

// --- ready/valid ---

ready_valid_adapter::ready_valid_adapter(const node_context& context, adapter_config config,
                                         std::unique_ptr<router_pins> pins)
    : router_adapter(context, std::move(config), std::move(pins), false, true), offered_(router_ports()) {}

void ready_valid_adapter::clock(cycle_t now) {
  for (unsigned r = 0; r < router_ports(); ++r) {
    offered_[r] = drive_in(r, config().vcs == 1 || config().ready_of_offer ? ~0u : pins().in_back(r), now);
    pins().set_out_back(r, egress(r).ready());
  }
  pins().eval();
  for (unsigned r = 0; r < router_ports(); ++r)
    if (offered_[r] && (pins().in_back(r) >> ingress(r)->offered_vc() & 1u)) ingress(r)->accepted();
  for (unsigned r = 0; r < router_ports(); ++r) sample_out(r, egress(r).ready());
  pins().clock_edge();
}

// --- on/off ---

on_off_adapter::on_off_adapter(const node_context& context, adapter_config config,
                               std::unique_ptr<router_pins> pins)
    : router_adapter(context, std::move(config), std::move(pins), false, true) {}

void on_off_adapter::clock(cycle_t now) {
  const auto sample = [this] {
    for (unsigned r = 0; r < router_ports(); ++r) {
      sample_out(r, ~0u);
      egress(r).check_room();
    }
  };
  for (unsigned r = 0; r < router_ports(); ++r) {
    if (drive_in(r, pins().in_back(r), now)) ingress(r)->accepted();
    pins().set_out_back(r, egress(r).on());
  }
  if (!config().registered_outputs) {
    pins().eval();
    sample();
  }
  pins().clock_edge();
  if (config().registered_outputs) sample();
}

// --- credits ---

namespace {

adapter_config with_credits(adapter_config config) {
  config.gives_credits = true;
  return config;
}

/// Whether neighbours and router may count each other's credits.
bool straight(const node_context& context, const adapter_config& config) {
  return config.vcs == context.network.config.vcs && config.depth == context.network.config.depth;
}

}  // namespace

credit_adapter::credit_adapter(const node_context& context, adapter_config config,
                               std::unique_ptr<router_pins> pins)
    : router_adapter(context, with_credits(config), std::move(pins), straight(context, config),
                     !straight(context, config)) {}

void credit_adapter::clock(cycle_t now) {
  for (unsigned r = 0; r < router_ports(); ++r) {
    if (drive_in(r, ingress(r) ? ingress(r)->with_credit() : 0, now)) ingress(r)->accepted();
    pins().set_out_back(r, egress(r).pulses());
  }
  if (config().registered_outputs) {
    pins().clock_edge();
    sample();
  } else {
    pins().eval();
    sample();
    pins().clock_edge();
  }
}

void credit_adapter::sample() {
  for (unsigned r = 0; r < router_ports(); ++r) {
    sample_out(r, ~0u);
    egress(r).check_credits();
    if (ingress(r)) ingress(r)->router_credits(pins().in_back(r));
  }
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/user_rtl/packet_scoreboard.h"

#include <algorithm>

#include "base/hash.h"
#include "rtl_models/rtl_router.h"

namespace toriscope {
namespace {

constexpr unsigned max_tag_bits = 12;  // a router holds less than 4096 packets

/// x, y and z of a node are its last digit, the one before it, and the one before that.
void set_coordinates(quantity_values& values, const netlist& wiring, node_id node, quantity x) {
  const std::vector<unsigned> digits = wiring.digits(node);
  for (unsigned d = 0; d < 3; ++d)
    values[static_cast<quantity>(static_cast<unsigned>(x) + d)] =
        d < digits.size() ? digits[digits.size() - 1 - d] : 0;
}

template <class Visit>
void for_each_option(const packet_inside& p, const node_context& context, Visit&& visit) {
  route_option options[routing_function::max_options];
  const flit_layout& layout = context.network.layout;
  const unsigned count = context.network.routing.route(
      {context.id, p.in_port, p.in_vc, layout.destination(p.head), layout.state(p.head)}, options);
  for (unsigned i = 0; i < count; ++i) visit(options[i]);
}

}  // namespace

quantity_values node_values(const netlist& wiring, node_id node, unsigned vcs, unsigned depth) {
  quantity_values values;
  values[quantity::id] = node;
  values[quantity::nodes] = wiring.node_count();
  values[quantity::terminals] = wiring.terminal_count();
  values[quantity::ports] = wiring.port_count(node);
  values[quantity::local_ports] = wiring.local_ports(node);
  values[quantity::vcs] = vcs;
  values[quantity::depth] = depth;
  set_coordinates(values, wiring, node, quantity::x);
  set_coordinates(values, wiring, wiring.node_count() - 1, quantity::size_x);
  for (const quantity size : {quantity::size_x, quantity::size_y, quantity::size_z}) ++values[size];
  return values;
}

std::optional<route_option> routed(const packet_inside& p, const node_context& context, int out, int vc) {
  std::optional<route_option> found;
  for_each_option(p, context, [&](const route_option& o) {
    if (!found && (out < 0 || o.out_port == out) && (vc < 0 || vc_set(o.vcs).has(static_cast<unsigned>(vc))))
      found = o;
  });
  return found;
}

vc_mask routed_vcs(const packet_inside& p, const node_context& context, int out) {
  vc_set vcs;
  for_each_option(p, context, [&](const route_option& o) {
    if (o.out_port == out) vcs |= vc_set(o.vcs);
  });
  return vcs.mask();
}

packet_scoreboard::packet_scoreboard(const node_context& context, const adapter_config& config)
    : context_(context),
      network_(context.network),
      config_(config),
      by_tag_(std::size_t{1} << std::min(config.format.tag().count, max_tag_bits)),
      slots_(std::size_t{context.wiring.port_count(context.id)} * config.vcs) {}

packet_inside* packet_scoreboard::open(flit_word head, port_id in_port, unsigned in_vc, cycle_t now) {
  for (std::size_t tried = 0; tried < by_tag_.size(); ++tried) {
    const std::size_t tag = next_tag_;
    next_tag_ = (next_tag_ + 1) % by_tag_.size();
    packet_inside& p = by_tag_[tag];
    if (p.packet != no_packet) continue;
    p = packet_inside{};
    p.packet = network_.packet_of(head);
    p.head = head;
    p.in_port = in_port;
    p.in_vc = static_cast<std::uint8_t>(in_vc);
    p.since = now;
    const packet_record& record = network_.packets[p.packet];
    p.length = record.flits;
    p.values = node_values(context_.wiring, context_.id, network_.config.vcs, network_.config.depth);
    p.values[quantity::dest] = record.destination;
    p.values[quantity::source] = record.source;
    const netlist& wiring = context_.wiring;
    const netlist_terminal to = wiring.terminal(record.destination), from = wiring.terminal(record.source);
    p.values[quantity::dest_node] = to.exit;
    p.values[quantity::dest_local] = to.exit_port - wiring.local_port(to.exit);
    p.values[quantity::source_node] = from.node;
    p.values[quantity::source_local] = from.port - wiring.local_port(from.node);
    set_coordinates(p.values, wiring, to.exit, quantity::dest_x);
    set_coordinates(p.values, wiring, from.node, quantity::source_x);
    p.values[quantity::length] = record.flits;
    p.values[quantity::state] = network_.layout.state(head);
    const port_id out = routed(p, context_, -1)->out_port;
    const auto port = std::find_if(config_.ports.begin(), config_.ports.end(),
                                   [out](const adapter_config::port& r) { return r.of_node == out; });
    p.values[quantity::port] = port - config_.ports.begin();
    p.values[quantity::tag] = static_cast<std::int64_t>(tag);
    ++packets_;
    return &p;
  }
  return nullptr;
}

quantity_values packet_scoreboard::flit_values(const packet_inside& p, flit_word f, unsigned number) const {
  quantity_values values = p.values;
  values[quantity::index] = number;
  values[quantity::head] = f.head();
  values[quantity::tail] = f.tail();
  values[quantity::vc] = config_.vcs > 1 ? f.vc() : 0;
  values[quantity::payload] = static_cast<std::int64_t>(mix(p.packet, number));
  return values;
}

wide_flit packet_scoreboard::encode(const packet_inside& p, flit_word f, unsigned number) const {
  return config_.format.encode(flit_values(p, f, number));
}

void packet_scoreboard::enter(packet_inside& p, flit_word f) {
  p.flits.push_back(f);
  ++p.entered;
  slots_.flit_in(slot_of(p));
}

packet_inside& packet_scoreboard::find(const wide_flit& head, const std::string& port) {
  if (!config_.format.says_head(head).value_or(true))
    throw rtl_assertion(
        "a flit that is not a head left its port " + port +
        ", where no packet is in progress: the head is lost, or packets are mixed up; it is " +
        config_.format.text(head));
  const bit_field field = config_.format.tag();
  const std::uint64_t tag = field ? field.of(head) : 0;
  if (tag >= by_tag_.size() || by_tag_[tag].entered == 0)
    throw rtl_assertion("a head left by its port " + port + " with the tag " + std::to_string(tag) +
                        ", which no packet inside has (" + tags_inside() + "): an invented flit, or bits " +
                        (field ? to_string(field) : "") + " do not survive the router; it is " +
                        config_.format.text(head));
  packet_inside& p = by_tag_[tag];
  if (p.leaving) throw rtl_assertion(describe(p) + " left twice, last by port " + port);
  p.leaving = true;
  return p;
}

flit_word packet_scoreboard::leave(packet_inside& p, const wide_flit& flit, const std::string& port) {
  const std::string where = ", flit " + std::to_string(p.left) + " (from 0), out of port " + port + ": ";
  if (p.flits.empty())
    throw rtl_assertion(describe(p) + where + "only " + std::to_string(p.entered) + " have entered");
  const flit_word f = p.flits.front();
  const std::string wrong = config_.format.difference(flit, flit_values(p, f, p.left));
  if (!wrong.empty()) throw rtl_assertion(describe(p) + where + wrong);
  p.flits.pop_front();
  slots_.flit_left(slot_of(p));
  if (++p.left == p.length) {
    p.packet = no_packet;
    p.entered = 0;
    --packets_;
    ++finished_;
  }
  return f;
}

const packet_inside* packet_scoreboard::oldest() const {
  const packet_inside* found = nullptr;
  for_each([&](const packet_inside& p) {
    if (!found || p.since < found->since) found = &p;
  });
  return found;
}

std::size_t packet_scoreboard::flits() const {
  std::size_t sum = 0;
  for_each([&](const packet_inside& p) { sum += p.flits.size(); });
  return sum;
}

std::string packet_scoreboard::describe_slot(std::optional<std::size_t> slot) const {
  if (!slot) return {};
  const auto in_port = static_cast<int>(*slot / config_.vcs);
  const auto port = std::find_if(config_.ports.begin(), config_.ports.end(),
                                 [in_port](const adapter_config::port& r) { return r.of_node == in_port; });
  return "it has not given back a credit for VC " + std::to_string(*slot % config_.vcs) +
         " of its input port " + port->text() + " although the flit left " +
         std::to_string(config_.patience_cycles) +
         " cycles ago or earlier; each flit that leaves its buffer gives back one credit";
}

std::string packet_scoreboard::tags_inside() const {
  constexpr std::size_t most = 8;
  std::string list;
  std::size_t count = 0;
  for_each([&](const packet_inside& p) {
    if (count++ < most) list += (list.empty() ? "" : ", ") + std::to_string(p.values[quantity::tag]);
  });
  if (count == 0) return "none is inside";
  return "inside: " + list + (count > most ? " and " + std::to_string(count - most) + " more" : "");
}

std::string packet_scoreboard::describe(const packet_inside& p) const {
  const std::string place = context_.wiring.has_plain_terminals() ? "node " : "terminal ";
  return "packet " + std::to_string(p.packet) + " (from " + place + std::to_string(p.values[quantity::source]) +
         " to " + place + std::to_string(p.values[quantity::dest]) + ", " + std::to_string(p.length) +
         (p.length == 1 ? " flit)" : " flits)");
}

}  // namespace toriscope

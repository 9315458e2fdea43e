// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "base/words.h"
#include "network/clock_domain.h"
#include "network/conservation.h"
#include "network/network_part.h"
#include "network/saved_network.h"
#include "network/silence.h"
#include "network/watchdog.h"
#include "network/wire_hasher.h"
#include "topologies/routing_fit.h"

namespace toriscope {
namespace {

const network_config& checked(const network_config& config) {
  const std::vector<std::string> errors = config.validate();
  if (!errors.empty()) throw std::invalid_argument(joined(errors, "; "));
  return config;
}

/// A node that stands beside its state, in the network's arena, which is released as a whole.
template <class Node>
class packed final : public Node {
 public:
  using Node::Node;
  static void* operator new(std::size_t bytes, arena& memory) {
    return memory.allocate(bytes, alignof(packed));
  }
  static void operator delete(void*) {}
  static void operator delete(void*, arena&) {}
};

/// A module that only groups: a basic module, a subnetwork of a level.
class group final : public sc_core::sc_module {
 public:
  template <class Build>
  group(const sc_core::sc_module_name& name, Build&& build) : sc_core::sc_module(name) {
    build();
  }
};

}  // namespace

struct network::impl final : cycle_listener {
  impl(std::string name, std::shared_ptr<const netlist> w, std::shared_ptr<const routing_function> r,
       const network_config& c, const partition& p)
      : top_name(std::move(name)),
        wiring(std::move(w)),
        routing(std::move(r)),
        config(checked(c)),
        kinds(*wiring, config),
        ranges(*wiring, p.whole() ? parts_for(config.threads, wiring->node_count()) : 1),
        wires(*wiring, config, kinds, ranges),
        parts(make_parts(*wiring, *routing, config, wires, ranges.count())),
        links("link_clock"),
        domain(*wiring, parts, ranges, p.whole() ? config.threads : 1, nodes, links),
        failures(*wiring, *routing, config),
        part(p) {
    // What comes from another rank is shown at once.
    part.whole() ? links.listen(*this) : links.listen_before_links(*this);
  }

  network_part& part_of(node_id n) { return *parts[ranges.of(n)]; }
  /// Of the first part: what the parts have in common.
  network_state& state() { return parts.front()->state; }
  node_context context_of(node_id n) { return {n, *wiring, part_of(n).state, wires, kinds}; }

  const network_counters& counters() {
    if (parts.size() == 1) return state().counters;
    counted = {};
    for (const auto& p : parts) counted += p->state.counters;
    return counted;
  }

  /// SystemC looks for a module that goes in a list, from the start, and puts the last one in its place. In
  /// this order it finds each at the first of our places; in any other a million modules would take hours.
  ~impl() override {
    if (!modules.empty()) modules.front().reset();
    while (!modules.empty()) modules.pop_back();
  }

  // --- elaboration ---

  /// The modules of the hierarchy level `level` whose digits, together with those above, are `prefix`.
  void build_level(std::size_t level, node_id prefix, std::size_t first_digit, const node_factory& factory) {
    const hierarchy_level& h = wiring->hierarchy()[level];
    node_id children = 1;
    for (unsigned d = 0; d < h.digits; ++d) children *= wiring->radices()[first_digit + d];
    for (node_id child = 0; child < children; ++child) {
      const std::string name = module_name(h, child, first_digit);
      const node_id number = prefix * children + child;
      if (level + 1 == wiring->hierarchy().size())
        build_node(number, name, factory);
      else
        build_group(name, [&] { build_level(level + 1, number, first_digit + h.digits, factory); });
    }
  }

  /// Nodes with names of their own, each in the modules that its name begins with: `first` characters are done.
  void build_named(const std::vector<node_id>& of_module, std::size_t first, const node_factory& factory) {
    std::vector<std::pair<std::string, std::vector<node_id>>> parts;  // in the order of their first nodes
    for (const node_id n : of_module) {
      const std::string path = wiring->path(n);
      const std::size_t dot = path.find('.', first);
      const std::string name = path.substr(first, dot - first);
      if (dot == std::string::npos) {
        build_node(n, name, factory);
        continue;
      }
      auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == name; });
      if (part == parts.end()) part = parts.insert(parts.end(), {name, {}});
      part->second.push_back(n);
    }
    for (const auto& [name, nodes_of_part] : parts)
      build_group(name, [&, part = &nodes_of_part, after = first + name.size() + 1] {
        build_named(*part, after, factory);
      });
  }

  std::string module_name(const hierarchy_level& h, node_id number, std::size_t first_digit) const {
    std::string digits;
    for (unsigned d = h.digits; d-- > 0;) {
      const unsigned radix = wiring->radices()[first_digit + d];
      digits = "_" + std::to_string(number % radix) + digits;
      number /= radix;
    }
    return h.prefix + digits;
  }

  template <class Build>
  void build_group(const std::string& name, Build&& build) {
    const std::size_t place = modules.size();
    modules.emplace_back();
    auto made = std::make_unique<group>(name.c_str(), build);
    modules[place] = std::move(made);
  }

  void build_node(node_id n, const std::string& name, const node_factory& factory) {
    if (!part.own(n)) return;
    const node_context context = context_of(n);
    arena& memory = context.network.memory;
    std::unique_ptr<node> built = factory ? factory(name.c_str(), context) : nullptr;
    has_foreign_routers = has_foreign_routers || (built && !built->core());
    if (!built && wiring->local_ports(n) > 1)
      built.reset(new (memory) packed<concentrating_node>(name.c_str(), context));
    else if (!built)
      built.reset(new (memory) packed<model_node>(name.c_str(), context));
    nodes[n] = built.get();
    modules.push_back(std::move(built));
  }

  void elaborate(const node_factory& factory) {
    nodes.resize(wiring->node_count());
    if (wiring->has_node_names()) {
      std::vector<node_id> all(wiring->node_count());
      std::iota(all.begin(), all.end(), node_id{0});
      build_named(all, 0, factory);
    } else {
      build_level(0, 0, 0, factory);
    }
    if (!part.whole()) {
      border = std::make_unique<partition_boundary>(part, *wiring, wires, state());
      for (const std::vector<std::uint64_t>& words : border->gather({has_foreign_routers}))
        has_foreign_routers = has_foreign_routers || words.front() != 0;
    }
    for (node* n : nodes)
      if (n) n->connect(context_of(n->id()));
    for (const auto& cut : wires.cut_flits()) part_of(cut.from).add_crossing(cut, ranges.of(cut.to));
    for (const auto& cut : wires.cut_credits()) part_of(cut.from).add_crossing(cut, ranges.of(cut.to));
    if (!config.dead_links.empty()) {
      failures.check(nodes);
      domain.set_failures(&failures);
    }
    if (config.wire_hash) hash_wires();
  }

  /// Every wire on its sender's side.
  void hash_wires() {
    const std::size_t links_of_netlist = wiring->links().size();
    const auto sends = [&](std::size_t number, bool credits) {
      if (number >= links_of_netlist) return wires.has_flit(number);
      const netlist_link& l = wiring->links()[number];
      return part.own(credits ? l.to : l.from);
    };
    for (std::size_t number = 0; number < wires.size(); ++number) {
      const wire_place place = wire_at(*wiring, static_cast<wire_id>(number));
      if (sends(number, false))
        flit_hashers.push_back(std::make_unique<wire_hasher<flit_word>>(part_of(place.from).wire_hash,
                                                                        wires.flit(number), number));
      const bool ejects = place.what == wire_kind::ejection;
      const node_id reader = ejects ? wiring->terminal(place.terminal).node : place.to;
      if (sends(number, true) && wires.credit(number))
        credit_hashers.push_back(std::make_unique<wire_hasher<credit_word>>(
            part_of(reader).wire_hash, *wires.credit(number), number + (std::uint64_t{1} << 32)));
    }
  }

  /// The channel that shows wire `number`, made when first asked for.
  /// @param n       after which it is named
  /// @param sender  node that sends on it
  template <class Channel, class Wire>
  Channel& channel(std::unordered_map<std::size_t, std::unique_ptr<Channel>>& made, std::size_t number,
                   Wire& w, node_id n, const std::string& what, node_id sender) {
    std::unique_ptr<Channel>& entry = made[number];
    if (!entry)
      entry = std::make_unique<Channel>(top_name + "." + wiring->path(n) + "." + what, links, w, ranges.of(sender));
    return *entry;
  }

  // --- simulation ---

  void edge() {
    if (failure) return;
    try {
      domain.edge();
    } catch (const invariant_violation& broken) {
      fail(links.visible(), top_name + "." + wiring->path(broken.node) + ": " + broken.what(), broken.node);
    }
  }

  void fail(cycle_t cycle, const std::string& message, node_id where) {
    network_failure f;
    f.cycle = f.since = cycle;
    f.message = "broken invariant in cycle " + std::to_string(cycle) + ": " + message;
    f.nodes = {where};
    stop(std::move(f));
  }

  void stop(network_failure f) {
    if (border) f = border->stop(f);
    stop_here(std::move(f));
  }

  void stop_here(network_failure f) {
    failure = std::make_unique<network_failure>(std::move(f));
    if (!stops_simulation) return;
    if (config.on_failure == failure_action::stop)
      sc_core::sc_stop();
    else
      failed.notify(sc_core::SC_ZERO_TIME);  // this may be the update phase, where nothing may be thrown
  }

  void cycle_done(cycle_t done) override {
    if (config.checks == check_level::full) {
      const std::string wrong = toriscope::check_conservation(*wiring, nodes, wires, state(), counters(), done);
      if (!wrong.empty()) return fail(done, wrong, 0);
    }
    const cycle_t interval = config.watchdog_cycles / 4 + 1;
    const bool look = config.watchdog_cycles > 0 && done % interval == interval - 1;
    const bool suspects = look && any_front_flit_waits(nodes, done, config.watchdog_cycles);
    if (border) {  // ranks suspect together, so that they search together
      if (!look && done + 1 != meeting && !border->window_ends(done)) return;
      if (const auto elsewhere = border->meet_after(done, suspects)) return stop_here(*elsewhere);
    }
    if (!look || (border && border->was_over_before(done))) return;
    part_sharer share;
    if (border) share = [this](std::vector<std::uint64_t> words) { return border->gather(std::move(words)); };
    std::optional<network_failure> stuck;
    if (has_foreign_routers)  // what is on a wire does not wait
      stuck = quiet.look(*wiring, nodes, state(), counters(), done,
                         config.watchdog_cycles + wires.longest_delay() - 1, share);
    if (!stuck && (border ? border->suspected() : suspects))
      stuck = find_deadlock(*wiring, nodes, wires, state(), done, share);
    if (stuck) stop_here(std::move(*stuck));
  }

  network_pieces pieces() { return {*wiring, ranges, parts, nodes, wires, domain, links, part, border.get()}; }

  const std::string top_name;
  const std::shared_ptr<const netlist> wiring;
  const std::shared_ptr<const routing_function> routing;
  const network_config config;
  const router_kinds kinds;
  const node_ranges ranges;
  wire_table wires;
  std::vector<std::unique_ptr<network_part>> parts;  ///< of the ranges
  network_counters counted;                          ///< the sum of those of the parts
  link_clock links;
  std::vector<node*> nodes;
  clock_domain domain;
  link_failures failures;
  bool has_foreign_routers = false;  ///< routers that are not the model's, also in other parts
  silence_watch quiet;
  const partition part;
  std::unique_ptr<partition_boundary> border;  ///< of a part
  cycle_t meeting = 0;                         ///< the ranks meet when this many cycles are done
  std::vector<std::uint64_t> archived;
  std::vector<std::unique_ptr<sc_core::sc_module>> modules;  ///< groups and nodes, in the order of construction
  std::unordered_map<std::size_t, std::unique_ptr<flit_link>> flit_links;
  std::unordered_map<std::size_t, std::unique_ptr<credit_link>> credit_links;
  std::vector<std::unique_ptr<wire_hasher<flit_word>>> flit_hashers;
  std::vector<std::unique_ptr<wire_hasher<credit_word>>> credit_hashers;
  std::unique_ptr<network_failure> failure;
  sc_core::sc_event failed{"failed"};
  bool stops_simulation = true;
};

network::network(const sc_core::sc_module_name& name, std::shared_ptr<const netlist> wiring,
                 std::shared_ptr<const routing_function> routing, const network_config& config,
                 const node_factory& factory, const partition& part)
    : sc_core::sc_module(name),
      impl_(std::make_unique<impl>(this->name(), std::move(wiring), std::move(routing), config, part)) {
  const std::string misfit = routing_misfit(this->wiring(), this->routing(), impl_->config.router.vcs,
                                            impl_->state().shared_classes ? 1 : config.message_classes);
  if (!misfit.empty()) throw std::invalid_argument(std::string(this->name()) + ": " + misfit);
  impl_->elaborate(factory);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(tell_failure);
  sensitive << impl_->failed;
  dont_initialize();
}

network::~network() = default;

void network::edge() try { impl_->edge(); } catch (...) {
  thrown_ = std::current_exception();
  throw;
}
void network::tell_failure() { report_failure(name(), *failure()); }

const netlist& network::wiring() const { return *impl_->wiring; }
const routing_function& network::routing() const { return *impl_->routing; }
const network_config& network::config() const { return impl_->config; }
const flit_layout& network::layout() const { return impl_->state().layout; }
const router_kinds& network::kinds() const { return impl_->kinds; }

node& network::at(node_id n) { return *impl_->nodes.at(n); }
const node& network::at(node_id n) const { return *impl_->nodes.at(n); }

flit_link& network::link_at(link_id l) {
  const netlist_link& place = wiring().links().at(l);
  return impl_->channel(impl_->flit_links, l, impl_->wires.flit(l), place.to,
                        "in_" + wiring().port_name(place.to, place.to_port), place.from);
}

credit_link& network::credit_at(link_id l) {
  const netlist_link& place = wiring().links().at(l);
  return impl_->channel(impl_->credit_links, l, *impl_->wires.credit(l), place.from,
                        "credit_" + wiring().port_name(place.from, place.from_port), place.to);
}

flit_link& network::injection_link(terminal_id t) {
  const std::size_t number = impl_->wires.injection(t);
  const netlist_terminal at = wiring().terminal(t);
  return impl_->channel(impl_->flit_links, number, impl_->wires.flit(number), at.node,
                        "in_" + wiring().port_name(at.node, at.port), at.node);
}

flit_link& network::ejection_link(terminal_id t) {
  const std::size_t number = impl_->wires.ejection(t);
  const netlist_terminal at = wiring().terminal(t);
  return impl_->channel(impl_->flit_links, number, impl_->wires.flit(number), at.exit,
                        "out_" + wiring().port_name(at.exit, at.exit_port), at.exit);
}

const flit_wire& network::flits_on(wire_id w) const { return impl_->wires.flit(w); }
const credit_wire* network::credits_of(wire_id w) const { return impl_->wires.credit(w); }

credit_link& network::injection_credit(terminal_id t) {
  const std::size_t number = impl_->wires.injection(t);
  const netlist_terminal at = wiring().terminal(t);
  const std::string which = wiring().local_ports(at.node) == 1 ? "" : wiring().port_name(at.node, at.port).substr(5);
  return impl_->channel(impl_->credit_links, number, *impl_->wires.credit(number), at.node, "credit_ni" + which,
                        at.node);
}

credit_link& network::ejection_credit(terminal_id t) {
  const std::size_t number = impl_->wires.ejection(t);
  credit_wire* const credits = impl_->wires.credit(number);
  if (!credits) throw std::logic_error("the ejection link has no credits: reception is not limited");
  const netlist_terminal at = wiring().terminal(t);
  return impl_->channel(impl_->credit_links, number, *credits, at.exit,
                        "credit_" + wiring().port_name(at.exit, at.exit_port), at.node);
}

void network::set_gate(reception_gate* gate) {
  for (const auto& p : impl_->parts) p->state.gate = gate;
}
void network::set_source(traffic_source* source) { impl_->domain.set_source(source); }
void network::add_sink(packet_sink* sink) {
  for (const auto& p : impl_->parts) p->state.sinks.push_back(sink);
}
void network::send(const packet_request& request) { impl_->domain.send(request); }

cycle_t network::cycles_done() const { return impl_->links.visible(); }
link_clock& network::clock_of_links() { return impl_->links; }
void network::watch_node(node_id n) { impl_->domain.watch(n); }
const std::vector<node_id>& network::stepped_watched_nodes() const { return impl_->domain.stepped_watched(); }

const network_counters& network::counters() const { return impl_->counters(); }
const packet_table& network::packets() const { return impl_->state().packets; }
std::uint64_t network::packet_hash() const {
  std::uint64_t sum = 0;
  for (const auto& p : impl_->parts) sum += p->state.packet_hash;
  return sum;
}
std::uint64_t network::wire_hash() const {
  std::uint64_t sent = 0;
  for (const auto& p : impl_->parts) sent += p->wire_hash;
  for (const auto& hasher : impl_->flit_hashers) sent -= hasher->not_yet(impl_->state().now);
  return sent;
}

std::uint64_t network::flits_sent(wire_id w) const {
  const wire_place place = wire_at(wiring(), w);
  node* const from = impl_->nodes[place.from];
  if (!from) return 0;
  return place.what == wire_kind::injection ? from->ni_of(place.terminal).flits_sent()
                                            : from->flits_sent(place.from_port);
}

std::uint64_t network::count_cut_pairs() { return impl_->failures.count_cut_pairs(); }

void network::meet_after(cycle_t cycles) { impl_->meeting = cycles; }
bool network::idle() const { return impl_->state().packets.alive() == 0; }
const network_failure* network::failure() const { return impl_->failure.get(); }

void network::fail(node_id where, const std::string& what) {
  if (!failure())
    impl_->fail(impl_->links.visible(), impl_->top_name + "." + wiring().path(where) + ": " + what, where);
}

void network::share_work(const std::vector<node_id>& of, const std::function<void(node_id)>& work) {
  impl_->domain.share_work(of, work);
}

void network::leave_kernel(const sc_core::sc_time& period) {
  impl_->links.leave_kernel(period.value());
  keep_simulating_after_failure();
}

void network::step() {
  impl_->links.update_now();  // of what was sent since the last cycle
  impl_->edge();
  impl_->links.update_now();
}

void network::keep_simulating_after_failure() { impl_->stops_simulation = false; }

void network::close_border() {
  if (!impl_->border || failure()) return;
  if (const auto elsewhere = impl_->border->close())
    impl_->failure = std::make_unique<network_failure>(*elsewhere);
}

partition_boundary* network::border() { return impl_->border.get(); }
bool network::has_foreign_routers() const { return impl_->has_foreign_routers; }
foreign_contents network::in_foreign_routers() const { return contents_of_foreign_routers(impl_->nodes); }

std::string network::check_conservation() {
  if (cycles_done() == 0) return {};
  const cycle_t done = cycles_done() - 1;
  // First, for all ranks must take part.
  const std::string across = impl_->border ? check_across_ranks(wiring(), impl_->nodes, impl_->wires,
                                                                impl_->state(), done, *impl_->border)
                                           : check_records(impl_->state(), impl_->counters());
  if (!across.empty()) return across;
  for (const node* n : impl_->nodes)
    if (const std::string wrong = n ? n->at_end() : ""; !wrong.empty())
      return impl_->top_name + "." + wiring().path(n->id()) + ": " + wrong;
  return toriscope::check_conservation(wiring(), impl_->nodes, impl_->wires, impl_->state(), impl_->counters(),
                                       done);
}

void network::archive(state_archive& a) {
  if (has_foreign_routers()) throw std::invalid_argument("routers that are not the model's have no state to save");
  if (impl_->domain.has_sent()) throw std::invalid_argument("packets that processes send cannot be saved");
  cycle_t now = cycles_done();
  a.number(now);
  a.require(now > 0 && now < cycle_t{1} << 50, "the cycle is out of its range");
  if (a.reads()) impl_->failures.close_outputs(impl_->nodes, now - 1);
  impl_->archived = archive_network(a, impl_->pieces(), now);
  const std::string wrong = a.reads() && !impl_->border ? check_conservation() : "";
  if (!wrong.empty()) throw damaged_state(wrong);
}

std::string network::end_archive(bool read) {
  if (!impl_->border) return {};
  const std::string wrong = end_archive_of_ranks(impl_->pieces(), cycles_done(), impl_->archived, read);
  return read && wrong.empty() ? check_conservation() : wrong;
}

std::string network::settle() {
  for (node* const n : impl_->nodes)
    if (const std::string wrong = n ? n->settle() : ""; !wrong.empty())
      return impl_->top_name + "." + wiring().path(n->id()) + ": " + wrong;
  return {};
}

}  // namespace toriscope

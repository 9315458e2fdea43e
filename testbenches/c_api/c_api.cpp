// SPDX-License-Identifier: Apache-2.0
// The functions of <toriscope/c_api.h>: no exception leaves one.
#include "include/toriscope/c_api.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "base/words.h"
#include "testbenches/c_api/stepped_network.h"
#include "testbenches/c_api/wiring_text.h"
#include "testbenches/simulation/configuration/parameters.h"

using toriscope::stepped_network;

struct toriscope_network {
  stepped_network net;
  // What was returned last.
  std::string config, wiring, failure, results, signals;
};

namespace {

std::string& last_error() {
  thread_local std::string text;
  return text;
}

/// What f() returns, or `otherwise` where it throws.
template <class Result, class F>
Result guarded(Result otherwise, F f) noexcept {
  try {
    try {
      return f();
    } catch (const std::exception& error) {
      last_error() = toriscope::one_line(error.what());
    } catch (...) {
      last_error() = "an exception of a type that is not known";
    }
  } catch (...) {  // no memory for the text
  }
  return otherwise;
}

template <class Network>
Network& given(Network* net, const char* what = "network") {
  if (!net) throw std::invalid_argument(std::string("the ") + what + " is NULL");
  return *net;
}

const char* given(const char* text, const char* what) {
  if (!text) throw std::invalid_argument(std::string("the ") + what + " is NULL");
  return text;
}

template <class F>
void attempted(F f) noexcept {
  guarded<bool>(false, [&] { return f(), true; });
}

int status_of(const stepped_network& net) {
  const toriscope::network_failure* const failure = net.run().failure();
  if (!failure) return TORISCOPE_OK;
  last_error() = toriscope::one_line(failure->message);
  return TORISCOPE_FAILED;
}

/// DPI-C aligns structs to four bytes.
template <class Struct>
void copy(const Struct& from, void* to) {
  std::memcpy(to, &from, sizeof from);
}

template <class F>
int status(toriscope_network* net, F f) noexcept {
  return guarded<int>(TORISCOPE_BAD_INPUT, [&] {
    f(given(net).net);
    return status_of(net->net);
  });
}

/// Keeps the text that f() returns in a member of the network.
template <class F>
const char* text(toriscope_network* net, std::string toriscope_network::*kept, F f) noexcept {
  return guarded<const char*>(nullptr, [&] {
    std::string made = f(given(net).net);
    return (net->*kept = std::move(made)).c_str();
  });
}

toriscope_network* created(const char* json, unsigned flags, const std::string& outside) noexcept {
  return guarded<toriscope_network*>(nullptr, [&] {
    if ((flags & ~unsigned{TORISCOPE_WITH_TRAFFIC | TORISCOPE_ALLOW_DEADLOCK}) != 0)
      throw std::invalid_argument("unknown flags " + std::to_string(flags) +
                                  "; expected TORISCOPE_WITH_TRAFFIC, "
                                  "TORISCOPE_ALLOW_DEADLOCK");
    return new toriscope_network{{given(json, "configuration"), (flags & TORISCOPE_WITH_TRAFFIC) != 0,
                                  (flags & TORISCOPE_ALLOW_DEADLOCK) != 0, outside},
                                 {},
                                 {},
                                 {},
                                 {},
                                 {}};
  });
}

toriscope::node_id known(const toriscope_network* net, uint32_t node) {
  if (node >= given(net).net.run().wiring().node_count())
    throw std::invalid_argument("there is no node " + std::to_string(node));
  return node;
}

/// One that no router has, where a port_id does not hold it.
toriscope::port_id port_of(uint32_t port) {
  constexpr toriscope::port_id most = ~toriscope::port_id{0};
  return static_cast<toriscope::port_id>(std::min<uint32_t>(port, most));
}

/// What `get` says of a port.
int words(toriscope_network* net,
          stepped_network::port_words (stepped_network::*get)(toriscope::node_id, toriscope::port_id),
          uint32_t node, uint32_t port, uint64_t* flit, uint32_t* credits) noexcept {
  return status(net, [&](stepped_network& n) {
    if (!flit || !credits) throw std::invalid_argument("there is no place for flit and credits: NULL");
    const stepped_network::port_words found = (n.*get)(node, port_of(port));
    *flit = found.flit.bits;
    *credits = found.credits.vcs;
  });
}

}  // namespace

extern "C" {

// SystemC's library names it; no program of the C interface calls it. One that has its own uses that.
[[gnu::weak]] TORISCOPE_API int sc_main(int, char**) { return 0; }

unsigned toriscope_abi(void) { return TORISCOPE_ABI; }
const char* toriscope_version(void) { return TORISCOPE_VERSION; }
const char* toriscope_error(void) {
  return guarded<const char*>("", [] { return last_error().c_str(); });
}

toriscope_network* toriscope_create(const char* json, unsigned flags) { return created(json, flags, ""); }

toriscope_network* toriscope_create_around(const char* json, unsigned flags, const char* nodes) {
  return guarded<toriscope_network*>(nullptr, [&] {
    const std::string outside = given(nodes, "text of nodes");
    if (outside.empty()) throw std::invalid_argument("no node is named; expected patterns as for --rtl");
    return created(json, flags, outside);
  });
}

void toriscope_destroy(toriscope_network* net) {
  attempted([&] { delete net; });
}

const char* toriscope_config(toriscope_network* net) {
  return text(net, &toriscope_network::config,
              [](stepped_network& n) { return toriscope::as_tree(n.run().config()).dump(2) + "\n"; });
}

const char* toriscope_wiring(toriscope_network* net) {
  return text(net, &toriscope_network::wiring,
              [](stepped_network& n) { return wiring_text(n.run().made()); });
}

uint32_t toriscope_terminals(const toriscope_network* net) {
  return guarded<uint32_t>(0, [&] { return given(net).net.run().wiring().terminal_count(); });
}

int toriscope_inject(toriscope_network* net, uint32_t source, uint32_t destination, uint32_t flits,
                     uint32_t message_class, uint64_t* number) {
  return status(net, [&](stepped_network& n) {
    if (message_class > 255)
      throw std::invalid_argument("there is no message class " + std::to_string(message_class));
    const uint64_t id = n.inject({source, destination, flits, static_cast<std::uint8_t>(message_class)});
    if (number) *number = id;
  });
}

int toriscope_step(toriscope_network* net, uint64_t cycles) {
  return status(net, [&](stepped_network& n) { n.step(cycles); });
}

uint64_t toriscope_cycle(const toriscope_network* net) {
  return guarded<uint64_t>(0, [&] { return given(net).net.net().cycles_done(); });
}

int toriscope_idle(const toriscope_network* net) {
  return guarded<int>(1, [&] { return given(net).net.idle() ? 1 : 0; });
}

int toriscope_receive(toriscope_network* net, toriscope_packet* packet) {
  return guarded<int>(0, [&] {
    if (!packet) throw std::invalid_argument("the packet is NULL");
    toriscope_packet received{};
    if (!given(net).net.receive(received)) return 0;
    copy(received, packet);
    return 1;
  });
}

const char* toriscope_failure(toriscope_network* net) {
  if (net && !net->net.run().failure()) return nullptr;
  return text(net, &toriscope_network::failure, [](stepped_network& n) {
    const toriscope::network_failure& f = *n.run().failure();
    std::string lines = toriscope::one_line(f.message);
    for (const std::string& line : f.detail) lines += '\n' + line;
    return lines;
  });
}

uint32_t toriscope_find_node(toriscope_network* net, const char* nodes, uint32_t i) {
  return guarded<uint32_t>(UINT32_MAX, [&] {
    const auto& found = given(net).net.nodes(given(nodes, "text of nodes"));
    return i < found.size() ? found[i] : UINT32_MAX;
  });
}

uint32_t toriscope_ports(const toriscope_network* net, uint32_t node) {
  return guarded<uint32_t>(0, [&] { return given(net).net.run().wiring().port_count(known(net, node)); });
}

uint32_t toriscope_local_ports(const toriscope_network* net, uint32_t node) {
  return guarded<uint32_t>(0, [&] { return given(net).net.run().wiring().local_ports(known(net, node)); });
}

uint32_t toriscope_vcs(const toriscope_network* net) {
  return guarded<uint32_t>(0, [&] { return given(net).net.run().config().network.router.vcs; });
}

int toriscope_shown(toriscope_network* net, uint32_t node, uint32_t port, uint64_t* flit, uint32_t* credits) {
  return words(net, &stepped_network::shown, node, port, flit, credits);
}

int toriscope_sent(toriscope_network* net, uint32_t node, uint32_t port, uint64_t* flit, uint32_t* credits) {
  return words(net, &stepped_network::sent, node, port, flit, credits);
}

int toriscope_compare(toriscope_network* net, uint32_t node, uint32_t port, uint64_t flit, uint32_t credits) {
  return guarded<int>(TORISCOPE_BAD_INPUT, [&] {
    const std::string difference =
        given(net).net.difference(known(net, node), port_of(port), {flit}, credits);
    if (difference.empty()) return int{TORISCOPE_OK};
    last_error() = difference;
    return int{TORISCOPE_DIFFERS};
  });
}

int toriscope_drive(toriscope_network* net, uint32_t node, uint32_t port, uint64_t flit, uint32_t credits) {
  return status(net, [&](stepped_network& n) {
    if (credits >> 16 != 0) throw std::invalid_argument("credits are 16 bits, one for each VC");
    n.drive(node, port_of(port), {{flit}, {static_cast<std::uint16_t>(credits)}});
  });
}

int toriscope_get_statistics(const toriscope_network* net, toriscope_statistics* statistics) {
  return guarded<int>(TORISCOPE_BAD_INPUT, [&] {
    if (!statistics) throw std::invalid_argument("the statistics are NULL");
    copy(given(net).net.statistics_so_far(), statistics);
    return status_of(net->net);
  });
}

void toriscope_clear_statistics(toriscope_network* net) {
  attempted([&] { given(net).net.clear_statistics(); });
}

size_t toriscope_wire_flits(const toriscope_network* net, uint64_t* flits, size_t room) {
  return guarded<size_t>(0, [&] {
    const toriscope::packet_network& n = given(net).net.net();
    const std::size_t wires = toriscope::wire_count(n.wiring());
    for (std::size_t w = 0; flits && w < wires && w < room; ++w) flits[w] = n.flits_sent(w);
    return wires;
  });
}

int toriscope_run(toriscope_network* net) {
  return status(net, [&](stepped_network& n) { n.run_as_configured(); });
}

const char* toriscope_results(toriscope_network* net) {
  return text(net, &toriscope_network::results, [](stepped_network& n) { return n.results(); });
}

const char* toriscope_signals(toriscope_network* net, const char* pattern) {
  return text(net, &toriscope_network::signals,
              [&](stepped_network& n) { return n.signals().names(given(pattern, "pattern")); });
}

toriscope_signal* toriscope_find_signal(toriscope_network* net, const char* name) {
  return guarded<toriscope_signal*>(nullptr,
                                    [&] { return &given(net).net.signals().find(given(name, "name")); });
}

uint64_t toriscope_value(const toriscope_signal* signal) {
  return guarded<uint64_t>(TORISCOPE_NONE, [&] { return given(signal, "signal").value(); });
}

unsigned toriscope_width(const toriscope_signal* signal) {
  return guarded<unsigned>(0, [&] { return unsigned{given(signal, "signal").place.width}; });
}

int toriscope_watch(toriscope_network* net, const char* pattern, toriscope_watcher watcher, void* user) {
  return status(net, [&](stepped_network& n) {
    if (!watcher) throw std::invalid_argument("the watcher is NULL");
    n.watch(given(pattern, "pattern"), watcher, user);
  });
}

void toriscope_unwatch(toriscope_network* net) {
  attempted([&] { given(net).net.signals().unwatch(); });
}

int toriscope_wave_on(toriscope_network* net, const char* spec, const char* file) {
  return status(net, [&](stepped_network& n) { n.wave_on(given(spec, "spec"), given(file, "file")); });
}

int toriscope_wave_off(toriscope_network* net) {
  return status(net, [&](stepped_network& n) { n.wave_off(); });
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// The functions of <toriscope/c_api.h> by VPI, the Verilog procedural interface, for simulators without DPI-C:
// $toriscope_step(net, cycles) and so on, in the module toriscope.vpi.
//
//   values   networks are numbers from 1 on, 0 means none; structs are vectors with the first member in the lowest
//            bits, as in toriscope_pkg.sv
//   outputs  functions return numbers of 32 bits; all else goes into arguments, texts into vectors of characters
//   errors   $toriscope_error(text) says why a call failed; a call with too few arguments ends the simulation
#include <toriscope/c_api.h>
#include <vpi_user.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// Icarus Verilog only: the exit status.
extern "C" __attribute__((weak)) void vpip_set_return_value(int value);

namespace {

/// Those made, by number - 1; null: destroyed.
std::vector<toriscope_network*>& networks() {
  static std::vector<toriscope_network*> all;
  return all;
}

std::uint32_t number_of(toriscope_network* net) {
  if (!net) return 0;
  networks().push_back(net);
  return static_cast<std::uint32_t>(networks().size());
}

/// The arguments of the call that is being done.
class call {
 public:
  call() : self_(vpi_handle(vpiSysTfCall, nullptr)) {
    if (const vpiHandle all = vpi_iterate(vpiArgument, self_))
      while (const vpiHandle one = vpi_scan(all)) arguments_.push_back(one);
  }

  std::uint64_t number(std::size_t i) const {
    s_vpi_value value{};
    value.format = vpiVectorVal;
    vpi_get_value(arguments_.at(i), &value);
    const bool is_wide = vpi_get(vpiSize, arguments_[i]) > 32;
    return std::uint32_t(value.value.vector[0].aval) |
           (is_wide ? std::uint64_t{std::uint32_t(value.value.vector[1].aval)} << 32 : 0);
  }
  std::uint32_t number32(std::size_t i) const { return static_cast<std::uint32_t>(number(i)); }
  std::string text(std::size_t i) const {
    s_vpi_value value{};
    value.format = vpiStringVal;
    vpi_get_value(arguments_.at(i), &value);
    return value.value.str ? value.value.str : "";
  }
  /// Null: there is no such network.
  toriscope_network* net() const {
    const std::uint32_t n = number32(0);
    return n - 1 < networks().size() ? networks()[n - 1] : nullptr;
  }

  void put(std::size_t i, const void* data, std::size_t bytes) const { put(arguments_.at(i), data, bytes); }
  template <class Value>
  void put(std::size_t i, const Value& value) const {
    put(i, &value, sizeof value);
  }
  void put_text(std::size_t i, const char* text) const {
    std::string kept = text ? text : "";
    const std::size_t room = static_cast<std::size_t>(vpi_get(vpiSize, arguments_.at(i))) / 8;
    kept.resize(std::min(kept.size(), room));
    s_vpi_value value{};
    value.format = vpiStringVal;
    value.value.str = kept.data();
    vpi_put_value(arguments_[i], &value, nullptr, vpiNoDelay);
  }
  template <class Value>
  void result(Value value) const {
    static_assert(sizeof value == 4);
    put(self_, &value, sizeof value);
  }

 private:
  static void put(vpiHandle place, const void* data, std::size_t bytes) {
    // The simulator reads all words of the variable, which may be wider.
    const auto bits = static_cast<std::size_t>(std::max<PLI_INT32>(vpi_get(vpiSize, place), 0));
    const std::size_t given = bytes / 4;
    std::vector<s_vpi_vecval> words(std::max(given, (bits + 31) / 32));
    for (std::size_t w = 0; w < given; ++w)
      std::memcpy(&words[w].aval, static_cast<const char*>(data) + 4 * w, 4);
    s_vpi_value value{};
    value.format = vpiVectorVal;
    value.value.vector = words.data();
    vpi_put_value(place, &value, nullptr, vpiNoDelay);
  }

  vpiHandle self_;
  std::vector<vpiHandle> arguments_;
};

enum class kind { task, function };

struct entry {
  const char* name;
  std::size_t arguments;
  kind what;
  void (*run)(const call& c);
};

const entry entries[] = {
    {"$toriscope_abi", 0, kind::function, [](const call& c) { c.result(toriscope_abi()); }},
    {"$toriscope_error", 1, kind::task, [](const call& c) { c.put_text(0, toriscope_error()); }},
    {"$toriscope_create", 2, kind::function,
     [](const call& c) { c.result(number_of(toriscope_create(c.text(0).c_str(), c.number32(1)))); }},
    {"$toriscope_create_around", 3, kind::function,
     [](const call& c) {
       c.result(number_of(toriscope_create_around(c.text(0).c_str(), c.number32(1), c.text(2).c_str())));
     }},
    {"$toriscope_destroy", 1, kind::task,
     [](const call& c) {
       toriscope_destroy(c.net());
       if (c.net()) networks()[c.number32(0) - 1] = nullptr;
     }},
    {"$toriscope_terminals", 1, kind::function,
     [](const call& c) { c.result(toriscope_terminals(c.net())); }},
    {"$toriscope_inject", 6, kind::function,
     [](const call& c) {
       std::uint64_t number = 0;
       c.result(
           toriscope_inject(c.net(), c.number32(1), c.number32(2), c.number32(3), c.number32(4), &number));
       c.put(5, number);
     }},
    {"$toriscope_step", 2, kind::function,
     [](const call& c) { c.result(toriscope_step(c.net(), c.number(1))); }},
    {"$toriscope_cycle", 2, kind::task, [](const call& c) { c.put(1, toriscope_cycle(c.net())); }},
    {"$toriscope_idle", 1, kind::function, [](const call& c) { c.result(toriscope_idle(c.net())); }},
    {"$toriscope_receive", 2, kind::function,
     [](const call& c) {
       toriscope_packet packet{};
       const int received = toriscope_receive(c.net(), &packet);
       if (received) c.put(1, packet);
       c.result(received);
     }},
    {"$toriscope_failure", 2, kind::task, [](const call& c) { c.put_text(1, toriscope_failure(c.net())); }},
    {"$toriscope_find_node", 3, kind::function,
     [](const call& c) { c.result(toriscope_find_node(c.net(), c.text(1).c_str(), c.number32(2))); }},
    {"$toriscope_ports", 2, kind::function,
     [](const call& c) { c.result(toriscope_ports(c.net(), c.number32(1))); }},
    {"$toriscope_local_ports", 2, kind::function,
     [](const call& c) { c.result(toriscope_local_ports(c.net(), c.number32(1))); }},
    {"$toriscope_vcs", 1, kind::function, [](const call& c) { c.result(toriscope_vcs(c.net())); }},
    {"$toriscope_shown", 5, kind::function,
     [](const call& c) {
       std::uint64_t flit = 0;
       std::uint32_t credits = 0;
       c.result(toriscope_shown(c.net(), c.number32(1), c.number32(2), &flit, &credits));
       c.put(3, flit);
       c.put(4, credits);
     }},
    {"$toriscope_sent", 5, kind::function,
     [](const call& c) {
       std::uint64_t flit = 0;
       std::uint32_t credits = 0;
       c.result(toriscope_sent(c.net(), c.number32(1), c.number32(2), &flit, &credits));
       c.put(3, flit);
       c.put(4, credits);
     }},
    {"$toriscope_compare", 5, kind::function,
     [](const call& c) {
       c.result(toriscope_compare(c.net(), c.number32(1), c.number32(2), c.number(3), c.number32(4)));
     }},
    {"$toriscope_drive", 5, kind::function,
     [](const call& c) {
       c.result(toriscope_drive(c.net(), c.number32(1), c.number32(2), c.number(3), c.number32(4)));
     }},
    {"$toriscope_get_statistics", 2, kind::function,
     [](const call& c) {
       toriscope_statistics statistics{};
       c.result(toriscope_get_statistics(c.net(), &statistics));
       c.put(1, statistics);
     }},
    {"$toriscope_clear_statistics", 1, kind::task,
     [](const call& c) { toriscope_clear_statistics(c.net()); }},
    {"$toriscope_wave_on", 3, kind::function,
     [](const call& c) { c.result(toriscope_wave_on(c.net(), c.text(1).c_str(), c.text(2).c_str())); }},
    {"$toriscope_wave_off", 1, kind::function, [](const call& c) { c.result(toriscope_wave_off(c.net())); }},
};

const entry& entry_of(PLI_BYTE8* user) { return *reinterpret_cast<const entry*>(user); }

PLI_INT32 run(PLI_BYTE8* user) {
  entry_of(user).run(call());
  return 0;
}

/// At compilation: the number of arguments.
PLI_INT32 check(PLI_BYTE8* user) {
  std::size_t count = 0;
  if (const vpiHandle all = vpi_iterate(vpiArgument, vpi_handle(vpiSysTfCall, nullptr)))
    while (vpi_scan(all)) ++count;
  const entry& e = entry_of(user);
  if (count == e.arguments) return 0;
  vpi_printf(const_cast<char*>("toriscope: %s has %u arguments; expected %u\n"), e.name,
             static_cast<unsigned>(count), static_cast<unsigned>(e.arguments));
  if (vpip_set_return_value) vpip_set_return_value(1);
  vpi_control(vpiFinish, 1);
  return 0;
}

void announce() {
  for (const entry& e : entries) {
    s_vpi_systf_data data{};
    data.type = e.what == kind::function ? vpiSysFunc : vpiSysTask;
    data.sysfunctype = e.what == kind::function ? vpiIntFunc : 0;
    data.tfname = const_cast<char*>(e.name);
    data.calltf = run;
    data.compiletf = check;
    data.user_data = reinterpret_cast<PLI_BYTE8*>(const_cast<entry*>(&e));
    vpi_register_systf(&data);
  }
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) void (*vlog_startup_routines[])() = {announce, nullptr};
}

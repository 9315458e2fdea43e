// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "testbenches/tlm/tlm_test_bench.h"

namespace toriscope {

namespace {

constexpr unsigned vcs = 4;

topology make_network(const char* spec) {
  topology_options options;
  options.vcs = vcs;
  options.message_classes = tlm_network::message_classes;
  return make_topology(spec, options);
}

network_config network_settings(const topology& made, const tlm_config& config, cycle_t cut_off) {
  network_config settings;
  settings.router.vcs = vcs;
  settings.message_classes = tlm_network::message_classes;
  settings.limited_reception = config.request_queue > 0;
  if (cut_off == tlm_test_bench::never) return settings;
  const auto& links = made.wiring->links();
  for (link_id l = 0; l < links.size(); ++l)
    if (links[l].to == tlm_test_bench::cut_off_node) settings.dead_links.push_back({l, cut_off});
  return settings;
}

tlm_config with_map(tlm_config config) {
  for (node_id n = 1; n <= tlm_test_bench::scripted_phases_node; ++n) {
    address_range range{n, tlm_test_bench::address(n), 0x1000};
    if (n == tlm_test_bench::scripted_node) range.target_base = 0x100;
    range.writable = n != tlm_test_bench::read_only_node;
    config.map.add(range);
  }
  return config;
}

}  // namespace

tlm_test_bench::tlm_test_bench(const char* name, tlm_config config, cycle_t cut_off, const char* spec)
    : made(make_network(spec)),
      net(name, made.wiring, made.routing, network_settings(made, config, cut_off)),
      sockets((name + std::string("_tlm")).c_str(), net, with_map(config)),
      initiator((name + std::string("_initiator")).c_str()),
      scripted((name + std::string("_scripted")).c_str()),
      scripted_phases((name + std::string("_scripted_phases")).c_str()),
      memories(made.wiring->terminal_count()),
      name_(name) {
  net.clk(clock);
  base_protocol_checker& checker = new_checker(initiator_node, false);
  initiator.socket.bind(checker.from_initiator);
  checker.to_target.bind(sockets.target_socket(initiator_node));

  random_memory::config memory;
  memory.plain = true;
  add_memory(blocking_node, target_call::blocking, memory);
  add_memory(non_blocking_node, target_call::non_blocking, memory);
  add_memory(read_only_node, target_call::blocking, memory);
  add_memory(cut_off_node, target_call::blocking, memory);
  random_memory::config holding = memory;
  holding.holds_requests = true;
  add_memory(holding_node, target_call::non_blocking, holding);
  random_memory::config refusing = memory;
  refusing.bytes = 0x800;
  refusing.byte_enables = refusing.streaming = refusing.commands = false;
  add_memory(refusing_node, target_call::blocking, refusing);
  bind(scripted_node, target_call::blocking, scripted.socket);
  bind(scripted_phases_node, target_call::non_blocking, scripted_phases.socket);
}

base_protocol_checker& tlm_test_bench::new_checker(node_id n, bool target) {
  const std::string name = name_ + "_checker_" + std::to_string(n) + (target ? "_out" : "_in");
  checkers_.push_back(std::make_unique<base_protocol_checker>(name.c_str()));
  return *checkers_.back();
}

void tlm_test_bench::add_memory(node_id n, target_call call, random_memory::config config) {
  memories[n] = std::make_unique<random_memory>((name_ + "_memory_" + std::to_string(n)).c_str(), config);
  bind(n, call, memories[n]->socket);
}

void tlm_test_bench::bind(node_id n, target_call call, tlm::tlm_target_socket<>& target) {
  base_protocol_checker& checker = new_checker(n, true);
  sockets.initiator_socket(n, call).bind(checker.from_initiator);
  checker.to_target.bind(target);
}

void tlm_test_bench::spawn(const std::function<void()>& script) { sc_core::sc_spawn(script); }

bool tlm_test_bench::run(const std::function<void()>& script) {
  bool done = false;
  spawn([&] {
    script();
    done = true;
  });
  for (unsigned i = 0; i < 1000 && !done; ++i) sc_core::sc_start(100, sc_core::SC_NS);
  return done;
}

tlm::tlm_response_status tlm_test_bench::access(managed_payload& payload, sc_core::sc_time delay) {
  initiator.socket->b_transport(payload, delay);
  return payload.get_response_status();
}

tlm::tlm_response_status tlm_test_bench::write(std::uint64_t to, const std::vector<unsigned char>& data) {
  managed_payload payload;
  payload.data = data;
  payload.prepare(tlm::TLM_WRITE_COMMAND, to, static_cast<unsigned>(data.size()));
  return access(payload);
}

std::vector<unsigned char> tlm_test_bench::read(std::uint64_t from, std::size_t bytes) {
  managed_payload payload;
  payload.data.resize(bytes, 0xee);
  payload.prepare(tlm::TLM_READ_COMMAND, from, static_cast<unsigned>(bytes));
  access(payload);
  return payload.data;
}

std::vector<std::string> tlm_test_bench::violations() const {
  std::vector<std::string> all;
  for (const auto& c : checkers_) all.insert(all.end(), c->violations().begin(), c->violations().end());
  return all;
}

}  // namespace toriscope

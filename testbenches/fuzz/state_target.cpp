// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/state_target.h"

#include "testbenches/fuzz/input_file.h"
#include "testbenches/simulation/simulation.h"
#include "testbenches/simulation/state_file.h"

namespace toriscope {
namespace {

/// A run that a state goes on with, with traffic of its kind.
run_config saved_config(char kind) {
  run_config config;
  config.topology.spec = "torus:2x2";
  config.network.router.vcs = 2;
  config.network.router.depth = 2;
  config.network.wire_hash = true;
  config.traffic.rate_flits_per_node_cycle = 0.4;
  config.traffic.packet_flits = "3";
  config.measurement.warmup_cycles = 20;
  config.measurement.measure_cycles = 60;
  config.measurement.drain_cycles = 200;
  switch (kind) {
    case 'r':
      config.traffic.mode = traffic_mode::request_reply;
      config.network.message_classes = 2;
      config.traffic.reply_flits = "2:1,4:1";
      config.traffic.reply_queue = 2;
      break;
    case 'f':
      config.traffic.flows = file_with("flows.json", R"({"flows": [{"name": "a", "from": "*", "to": "*",
        "rate": 0.3, "packet": 3}, {"name": "b", "from": "0", "to": "3", "rate": 0.1, "packet": 2}]})");
      break;
    case 'd':
      config.traffic.file = file_with(
          "trace", "0 0 1 4\n0 0 2 4\n0 0 3 4\n1 1 2 40\n2 3 0 4 after=0,1 delay=3\n5 2 1 90 after=4\n"
                   "6 1 0 9 after=3\n");
      config.traffic.file_timing = file_timing::dependencies;
      config.traffic.outstanding = 1;
      break;
    case 'p':
      config.measurement.precision = .2;
      config.measurement.max_cycles = 2000;
      break;
    case 'o':  // with output buffers
      config.network.router.pipeline = pipeline::paper2009;
      config.network.router.depth = 1;
      config.network.limited_reception = true;
      break;
    case 'v': config.topology.routing = "valiant"; break;
    case 'x': config.network.dead_links = {{1, 38}}; break;
    case 'm':  // routers with fewer VCs than others
      config.topology.spec =
          "file:" + file_with("mixed.json", R"({"nodes": [{"id": "a", "vcs": 2}, {"id": "b", "vcs": 3}, {"id": "c"}],
            "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}, {"source": "c", "target": "a"}]})");
      config.network.router.vcs = 4;
      break;
    case 'c':
      config.network.router.pipeline = pipeline::custom;
      config.network.router.va_allocator = config.network.router.sa_allocator = allocator_kind::islip;
      config.network.router.arbiter = arbiter_kind::matrix;
      config.network.router.speculative = true;
  }
  return config;
}

cycle_t saved_in(char kind) { return kind == 'p' ? 300 : 40; }

}  // namespace

void read_state(const std::string& bytes) {
  const char kind = bytes.empty() ? ' ' : bytes[0];
  simulation run(saved_config(kind));
  run.leave_kernel();
  write_state_file(test_file("state"), run.config(), run.config().hashes_of_files(),
                   {saved_in(kind), bytes.substr(bytes.empty() ? 0 : 1)});
  run.go_on_from(test_file("state"));
  run.elaborate();
  run.run();
  run.results();
}

std::string a_state(char kind) {
  simulation run(saved_config(kind));
  run.leave_kernel();
  run.elaborate();
  run.save_state(saved_in(kind), 0, test_file("saved"));
  run.run();
  return kind + read_state_file(test_file("saved"), run.config(), run.config().hashes_of_files()).state;
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// One run without the program: of the configuration below, or of a configuration file.
//   one_run [FILE]
#include <toriscope/toriscope.h>

#include <iostream>

int sc_main(int argc, char** argv) {
  toriscope::run_config config;
  config.topology.spec = "torus:4x4";
  config.traffic.rate_flits_per_node_cycle = 0.1;
  config.network.router.depth = 4;
  const toriscope::run_result result = argc > 1 ? toriscope::simulate_file(argv[1]) : toriscope::simulate(config);
  std::cout << (result.stable() ? "stable" : "not stable") << " at " << result.figure("accepted")
            << " flits/node/cycle, mean latency " << result.figure("latency.mean") << " cycles\n";
  return result.failed() ? 1 : 0;
}

// SPDX-License-Identifier: Apache-2.0
// `toriscope bench`: what simulation costs on this machine, by size and load. Every figure comes from the
// program itself as a child process: SystemC elaborates once per process.
//
//   router-cycles  nodes times simulated cycles, whether a node had something to do or not
//   flit-hops      flits that passed a router: flits over links, and flits ejected
//   CPU time       user and system, of the simulation alone: without elaboration and report
//   bytes/node     peak resident memory of the process beyond that of a torus:2x2, per node
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace toriscope {

struct bench_request {
  std::vector<unsigned> sizes = {8, 16, 32, 64};  ///< nodes in a dimension of the torus, 2 to 1024
  std::vector<std::string> loads = {"0.02", "0.1", "0.2", "saturated"};  ///< flits/node/cycle offered
  bool observation = true;  ///< also what observed links and waveforms cost
  bool large = false;    ///< also TTN(2,5,0), 1,048,576 nodes
  bool quick = false;    ///< short runs, once
  unsigned repeats = 0;  ///< 0: 3, or 1 when quick
  std::string json;      ///< "-" is standard output; empty: none
};

/// Adds the options of `bench`; they are read into `request`.
void add_bench_options(CLI::App& bench, bench_request& request);

/// @returns an exit status; what is wrong is one line on stderr
int bench_command(const bench_request& request);

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope prove` beyond those of the topology.
#include <CLI/CLI.hpp>

#include "testbenches/program/prove_command.h"

namespace toriscope {

void add_prove_outputs(CLI::App& prove, prove_outputs& o) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* description) {
    prove.add_option(name, value, description)
        ->type_name(type)
        ->group("Proof")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  };
  add("--method", o.method, "NAME", "exhaustive, symmetric, sampled [the best that is affordable]");
  add("--json", o.json, "FILE", "verdict, method, sizes and cycle as JSON; - is standard output");
  add("--certificate", o.certificate, "FILE", "when proven: a numbering of the channels that shows it");
  add("--check", o.check, "FILE", "only check a certificate, by walking packets through its network");
  add("--witness", o.witness, "FILE", "when cyclic: packets that freeze the network, for --traffic-file");
  add("--wave", o.wave, "FILE", "when cyclic: waveform of the freezing network");
  prove.add_flag("--no-witness", o.no_witness, "when cyclic: look for no packets that freeze the network")
      ->group("Proof");
  prove.add_flag("--quiet", o.quiet, "no text: the exit status tells")->group("Proof");
  prove.footer(
      "Status 0: proven free of deadlock. 1: the channel-dependency graph has a cycle, or nothing was\n"
      "proven. 2: bad input.\n\n"
      "Examples:\n  toriscope prove --topology ttn:2,5,0\n"
      "  toriscope prove --topology ttn:2,2,0 --vc-rule paper --vcs 2 --witness packets.txt --wave "
      "frozen.vcd\n"
      "  toriscope run --topology ttn:2,2,0 --vc-rule paper --vcs 2 --allow-deadlock --traffic-file "
      "packets.txt\n"
      "  toriscope prove --topology ttn:2,3,1 --certificate proof.txt\n"
      "  toriscope prove --check proof.txt\n"
      "  toriscope prove --topology torus:8x8 --classes 2 --json -");
}

}  // namespace toriscope

// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope prove` beyond those of the topology.
#include "testbenches/program/prove_command.h"
#include "testbenches/program/text_options.h"

namespace toriscope {

void add_prove_outputs(CLI::App& prove, prove_outputs& o) {
  text_options options(prove, "Proof");
  options.add("--method", o.method, "NAME", "exhaustive, symmetric, sampled [the strongest that is affordable]");
  options.add("--json", o.json, "FILE", "verdict, method, sizes and cycle as JSON; - is standard output");
  options.add("--certificate", o.certificate, "FILE",
              "when proven: write a numbering of the channels that proves it");
  options.add("--check", o.check, "FILE", "only check this certificate, by walking packets through its network");
  options.add("--witness", o.witness, "FILE",
              "when cyclic: write packets that freeze the network, for --traffic-file");
  options.add("--wave", o.wave, "FILE", "when cyclic: write a waveform of the network as it freezes");
  options.add_flag("--no-witness", o.no_witness, "when cyclic: do not search for packets that freeze the network");
  options.add_flag("--quiet", o.quiet, "print nothing; only set the exit status");
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
      "  toriscope prove --topology torus:8x8 --message-classes 2 --json -");
}

}  // namespace toriscope

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/rtl_cells.sh [FILE]: what the RTL router costs. Synthesises rtl_models/sv/router.sv with yosys for several
# numbers of ports, VCs and slots and both pipelines, and writes a table of cells (default docs/rtl_cells.md; -: to the
# terminal). Some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
out=${1:-docs/rtl_cells.md}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=$(sed 's,^,rtl_models/sv/,' rtl_models/sv/router.f | tr '\n' ' ')

# cells PORTS VCS DEPTH FOUR_STAGE: flip-flops, 6-input look-up tables, memory bits of the buffers and of the table
cells() {
  local ports=$1 vcs=$2 depth=$3 four_stage=$4
  # An 8x8 network and one bit of route state; the answers are random, so that no logic can be saved.
  awk -v seed=1 'BEGIN { srand(seed); for (i = 0; i < 128; i++) printf "%06x\n", int(rand() * 16777216) }' \
      >"$work/routes.hex"
  cat >"$work/top.sv" <<END
module top (input logic clk_i, rst_i, input logic [$((ports * 64 - 1)):0] flit_i,
            input logic [$((ports * vcs - 1)):0] credit_i, output logic [$((ports * 64 - 1)):0] flit_o,
            output logic [$((ports * vcs - 1)):0] credit_o);
  router #(.PORTS($ports), .VCS($vcs), .DEPTH($depth), .DST_BITS(6), .STATE_BITS(1), .FOUR_STAGE($four_stage),
           .ROUTE_TABLE("$work/routes.hex")) unit (.slots_i('0), .*);
endmodule
END
  yosys -q -p "read_verilog -sv $sources $work/top.sv; synth -top top -flatten -run begin:fine; opt -fast -full
    opt -undriven -fine; techmap; opt -fast; abc -fast -lut 6; opt_clean; tee -q -o $work/cells.json stat -json
    dump -o $work/memories.txt t:\$mem_v2" >"$work/yosys.log" 2>&1 || { tail -n 5 "$work/yosys.log" >&2; return 1; }
  python3 - "$work/cells.json" "$work/memories.txt" <<'END'
import json, re, sys
cells = json.load(open(sys.argv[1]))["design"]["num_cells_by_type"]
memories = re.split(r"\n  cell ", open(sys.argv[2]).read())[1:]
parameter = lambda cell, name: int(re.search(r"parameter (?:signed )?\\" + name + r" (\d+)", cell).group(1))
bits = {"buffer": 0, "routes": 0}
for cell in memories:
    kind = "routes" if "routes" in cell.split("\n")[0] else "buffer"
    bits[kind] += parameter(cell, "SIZE") * parameter(cell, "WIDTH")
flip_flops = sum(count for kind, count in cells.items() if "DFF" in kind)
print("%d | %d | %d | %d" % (flip_flops, cells["$lut"], bits["buffer"], bits["routes"]))
END
}

{
  cat <<'END'
# What the RTL router costs

After this page you know how many flip-flops and look-up tables (LUTs) the RTL (register-transfer level) router takes.
`scripts/rtl_cells.sh` writes it: yosys synthesises `rtl_models/sv/router.sv` (`synth -flatten`, `abc -fast -lut 6`) for
a node of an 8x8 network with one bit of route state. Memories are counted in bits and not mapped to cells. VCs are
virtual channels.

| PORTS | VCS | DEPTH | pipeline | flip-flops | 6-input LUTs | bits of buffers | bits of the route table |
|---:|---:|---:|---|---:|---:|---:|---:|
END
  for shape in "5 1 4" "5 2 4" "5 4 8" "5 4 16"; do
    for four_stage in 0 1; do
      read -r ports vcs depth <<<"$shape"
      pipeline=$( ((four_stage)) && echo four_stage || echo single_cycle)
      echo "| $ports | $vcs | $depth | \`$pipeline\` | $(cells "$ports" "$vcs" "$depth" "$four_stage") |"
    done
  done
  cat <<'END'

The 1439 flip-flops of 5 ports, 4 VCs, 8 slots, `single_cycle` are: 400 for pointers of VC allocation (VA), 20 bits for
each of 20 output VCs; 320 for `flit_o`; 28 for each of 20 input VCs (state, answer of route computation, output VC,
pointer, indices of the buffer); 159 for credits, owners and switch allocation (SA). `four_stage` adds a flit per port
between SA and switch traversal, and saves look-up tables, because the crossbar is no longer behind the arbiters.
Arbiters of VA grow with (PORTS VCS)^2; more slots cost memory and a few more index bits.
END
} >"$work/table.md"
if [[ $out == - ]]; then cat "$work/table.md"; else cp "$work/table.md" "$out"; fi

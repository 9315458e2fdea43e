#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/rtl_cells.sh [FILE]: what the RTL router costs. Synthesises rtl_models/sv/router.sv with yosys for several
# numbers of ports, VCs and slots and both pipelines, and its route units for three networks (TORISCOPE, by default
# build/release/toriscope, exports them), and writes tables of cells (default docs/rtl_cells.md; -: to the terminal).
# Some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
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
           .ROUTE_TABLE("$work/routes.hex")) unit (.slots_i('0), .flit_cycles_i('0), .node_i('0), .*);
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

# route_luts TOP: 4-input look-up tables of a module, route tables as logic
route_luts() {
  yosys -q -p "read_verilog -sv -D SYNTHESIS rtl_models/sv/route_*.sv $work/$1.sv; synth -top top -flatten -lut 4
    tee -q -o $work/cells.json stat -json" >"$work/yosys.log" 2>&1 || { tail -n 5 "$work/yosys.log" >&2; return 1; }
  python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["design"]["num_cells_by_type"].get("$lut", 0))' "$work/cells.json"
}

# route_units SPEC NODE: route computation of a node with 4 VCs by a table with a read port for each input VC, by one
# with a read port for each input port, and by arithmetic
route_units() {
  local spec=$1 node=$2 name=${1%%:*} program=${TORISCOPE:-build/release/toriscope} router
  "$program" export --topology "$spec" --vcs 4 --sv "$work/table" >/dev/null
  "$program" export --topology "$spec" --vcs 4 --sv "$work/arithmetic" --route-unit arithmetic >/dev/null
  router=$(grep -m1 'define ROUTER' "$work/arithmetic/rtl/$name.sv" | sed 's/.*FLIT_BITS(FLIT_BITS), //')
  value() { sed "s/.*\.$1(\([^)]*\)).*/\1/" <<<"$router"; }
  local ports vcs dst state classes path field answer kind
  ports=$(value PORTS) vcs=$(value VCS) dst=$(value DST_BITS) state=$(value STATE_BITS) classes=$(value CLASS_BITS)
  path=$(find "$work/table/routes" -name '*.hex' | sort | sed -n "$((node + 1))p")
  field=$((dst + state)) answer=$(python3 -c "print($state + $vcs + ($ports - 1).bit_length())")
  table() { # NAME READ-PORTS VCS-OF-EACH
    cat >"$work/$1.sv" <<END
module top (input logic [$(($2 * field - 1)):0] field_i, input logic [$(($2 * 4 - 1)):0] vc_i,
            output logic [$(($2 * answer - 1)):0] answer_o);
  route_table #(.PORTS($2), .VCS($3), .FIELD_BITS($field), .ANSWER_BITS($answer), .CLASS_BITS($classes),
                .FILE("$path")) unit (.*);
endmodule
END
  }
  table by_vc $((ports * vcs)) 1
  sed -i "s/unit (\.\*)/unit (.vc_i('0), .field_i(field_i), .answer_o(answer_o))/" "$work/by_vc.sv"
  table by_port "$ports" "$vcs"
  kind=$([[ $(value ROUTE_UNIT) == 1 ]] && echo cube || echo ttn)
  {
    echo "module top (input logic [$((ports * field - 1)):0] field_i, input logic [$((ports * 4 - 1)):0] vc_i,"
    echo "            output logic [$((ports * answer - 1)):0] answer_o);"
    for ((p = 0; p < ports; p++)); do
      echo "  route_$kind #($([[ $kind == ttn ]] && echo ".PORT($p), ").PORTS($ports), .VCS($vcs), .DST_BITS($dst),"
      echo "    .STATE_BITS($state), .NETWORK($(value ROUTE_NETWORK))) unit_$p (.node_i($dst'd$node),"
      echo "    .field_i(field_i[$((p * field))+:$field]), .answer_o(answer_o[$((p * answer))+:$answer])"
      echo "    $([[ $kind == cube ]] && echo ", .vc_i(vc_i[$((p * 4))+:4])"));"
    done
    echo "endmodule"
  } >"$work/computed.sv"
  printf '| `%s` | %s | %s | %s | %s | %s | %s |\n' "$spec" "$node" $((ports * vcs)) "$(route_luts by_vc)" "$ports" \
    "$(route_luts by_port)" "$(route_luts computed)"
  rm -rf "$work/table" "$work/arithmetic"
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
between SA and switch traversal, and with 4 VCs saves look-up tables, because the crossbar is no longer behind the
arbiters. Arbiters of VA grow with (PORTS VCS)^2; more slots cost memory and a few more index bits.

## Route units
The route computation (RC) of a router with 4 VCs alone, in 4-input LUTs as those of an iCE40 (`synth -flatten -lut 4`).
The contents of route tables are logic here, since each read port of an asynchronous memory is a copy of it. *By VC*: a
read port for each input VC, as a router needs that routes heads at the front of their VCs. *By port*: a read port for
each input port, as the router has. *Arithmetic*: `route_cube.sv` or `route_ttn.sv` at each input port
(`export --route-unit arithmetic`), with the node's number as a constant. The answer waits in the buffer: 8 bits for
each slot with 4 VCs, 5 ports and one bit of state, counted among the bits of buffers above.

| network | node | read ports by VC | LUTs | read ports by port | LUTs | LUTs, arithmetic |
|---|---:|---:|---:|---:|---:|---:|
END
  route_units mesh:8x8 27
  route_units torus:8x8 27
  route_units ttn:2,2,0 83
  cat <<'END'

In the middle of a TTN the table is smaller: its node is asked little, and what is never asked is 0. A dense table
grows with the number of nodes, arithmetic with the number of digits; it needs no contents, and routers differ by a
constant only.
END
} >"$work/table.md"
if [[ $out == - ]]; then cat "$work/table.md"; else cp "$work/table.md" "$out"; fi

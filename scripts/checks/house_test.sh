#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/house_test.sh ROOT: house.sh and headers.sh find what they are there to find.
set -euo pipefail
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
spdx='// SPDX-License-Identifier: Apache-2.0'

# A little house in order: expect SCRIPT STATUS PATTERN runs on it and wants both.
fresh() {
  rm -rf "$work/house"
  mkdir -p "$work/house"/{topologies,links,router,network,traces,testbenches/simulation/traffic}
  cd "$work/house"
  for room in topologies links router network traces testbenches; do echo "page" >"$room/README.md"; done
  printf '%s\n#pragma once\nusing node_id = unsigned;\n' "$spdx" >topologies/route.h
  printf '%s\n#pragma once\nstruct netlist {};\n' "$spdx" >topologies/netlist.h
  printf '%s\n#pragma once\nstruct flit_word {};\n' "$spdx" >links/flit.h
  printf '%s\n#pragma once\n#include "links/flit.h"\n#include "topologies/route.h"\nstruct router {};\n' \
         "$spdx" >router/router.h
  printf '%s\n#pragma once\n#include "router/router.h"\nstruct network {};\n' "$spdx" >network/network.h
}
expect() {
  local what=$1 script=$2 status=$3 pattern=$4 got=0 output
  output=$("$root/scripts/checks/$script" "$work/house" c++ 2>&1) || got=$?
  if [[ $got != "$status" ]] || ! grep -qE "$pattern" <<<"$output"; then
    echo "FAILED: $what: wanted status $status and /$pattern/, got status $got and:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

fresh; expect "a house in order" house.sh 0 'no offence'
fresh; echo '#include "network/network.h"' >>links/flit.h
expect "links include network" house.sh 1 'links/flit.h:4: links/ includes "network/network.h"'
fresh; echo '#include "topologies/netlist.h"' >>router/router.h
expect "router includes the netlist" house.sh 1 'router/router.h:6: .*topologies/route.h'
fresh; printf '%s\n#include "topologies/netlist.h"\n' "$spdx" >router/router_test.cpp
expect "a router test includes the netlist" house.sh 0 'no offence'
fresh; echo '  #  include "testbenches/simulation/traffic/uniform.h"' >>traces/vcd.h
sed -i "1i $spdx" traces/vcd.h
expect "traces include testbenches" house.sh 1 'traces/vcd.h:2: '
fresh; echo '#include "links/flit.h"' >>topologies/netlist.h
expect "topologies include links" house.sh 1 'topologies/netlist.h:4: .*may lean on: base'
fresh; echo '#include "flit.h"' >>links/delay_line.h
sed -i "1i $spdx" links/delay_line.h
expect "an include without its room" house.sh 1 'links/delay_line.h:2: .*write "links/flit.h"'
fresh; echo '#include <systemc>' >>router/router.h
expect "SystemC in the router" house.sh 1 'router/router.h:6: mentions SystemC'
fresh; echo 'struct sc_module; // a name is enough' >>topologies/netlist.h
expect "SystemC in a topology" house.sh 1 'topologies/netlist.h:4: mentions SystemC'
fresh; sed -i 1d network/network.h
expect "no licence" house.sh 1 'network/network.h:1: no SPDX'
fresh; rm router/README.md
expect "a room without a page" house.sh 1 'router/README.md: missing'
fresh; yes '//' | head -n 500 >>links/flit.h || true
expect "a long file" house.sh 1 'links/flit.h:501: has 503 lines'

fresh; expect "headers in order" headers.sh 0 '5 headers'
fresh; echo 'inline std::string name();' >>links/flit.h
expect "a header that needs another one" headers.sh 1 'links/flit.h'
fresh; echo '#include <systemc>' >>topologies/route.h
expect "SystemC reaches the core" headers.sh 1 'topologies/route.h'

if ((failures > 0)); then exit 1; fi
echo "house_test.sh: all found"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/layering_test.sh ROOT: layering.py, headers.sh and words.py find what they are there to find.
set -euo pipefail
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
spdx='// SPDX-License-Identifier: Apache-2.0'

# A small tree in order: expect SCRIPT STATUS PATTERN runs on it and expects both.
fresh() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree"/{topologies,links,router,network,traces,testbenches/simulation/traffic}
  cd "$work/tree"
  for layer in topologies links router network traces testbenches; do echo "page" >"$layer/README.md"; done
  printf '%s\n#pragma once\nnamespace toriscope { using node_id = unsigned; }\n' "$spdx" >topologies/route.h
  printf '%s\n#pragma once\nnamespace toriscope { struct netlist {}; }\n' "$spdx" >topologies/netlist.h
  printf '%s\n#pragma once\nnamespace toriscope { struct flit_word {}; }\n' "$spdx" >links/flit.h
  printf '%s\n#pragma once\n#include "links/flit.h"\n#include "topologies/route.h"\n%s\n' "$spdx" \
         'namespace toriscope { struct router {}; }' >router/router.h
  printf '%s\n#pragma once\n#include "router/router.h"\nnamespace toriscope { struct network {}; }\n' "$spdx" \
         >network/network.h
}
expect() {
  local what=$1 script=$2 status=$3 pattern=$4 got=0 output
  output=$("$root/scripts/checks/$script" "$work/tree" c++ 2>&1) || got=$?
  if [[ $got != "$status" ]] || ! grep -qE "$pattern" <<<"$output"; then
    echo "FAILED: $what: expected status $status and /$pattern/, got status $got and:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

fresh; expect "sources in order" layering.py 0 'no violation'
fresh; echo '#include "network/network.h"' >>links/flit.h
expect "links include network" layering.py 1 'links/flit.h:4: links/ includes "network/network.h"'
fresh; echo '#include "topologies/netlist.h"' >>router/router.h
expect "router includes the netlist" layering.py 1 'router/router.h:6: .*topologies/route.h'
fresh; printf '%s\n#include "topologies/netlist.h"\n' "$spdx" >router/router_test.cpp
expect "a router test includes the netlist" layering.py 0 'no violation'
fresh; echo '  #  include "testbenches/simulation/traffic/uniform.h"' >>traces/vcd.h
sed -i "1i $spdx" traces/vcd.h
expect "traces include testbenches" layering.py 1 'traces/vcd.h:2: '
fresh; echo '#include "links/flit.h"' >>topologies/netlist.h
expect "topologies include links" layering.py 1 'topologies/netlist.h:4: .*may include: base'
fresh; mkdir topologies/{ttn,rdt}
printf '%s\n#pragma once\n#include "topologies/rdt/rdt.h"\n' "$spdx" >topologies/ttn/ttn.h
expect "a family includes another one" layering.py 1 'topologies/ttn/ttn.h:3: topologies/ttn/ includes'
fresh; echo '#include "flit.h"' >>links/delay_line.h
sed -i "1i $spdx" links/delay_line.h
expect "an include without its directory" layering.py 1 'links/delay_line.h:2: .*write "links/flit.h"'
fresh; echo '#include <systemc>' >>router/router.h
expect "SystemC in the router" layering.py 1 'router/router.h:6: mentions SystemC'
fresh; echo 'struct sc_module; // a name is enough' >>topologies/netlist.h
expect "SystemC in a topology" layering.py 1 'topologies/netlist.h:4: mentions SystemC'
fresh; sed -i 's/namespace toriscope {/namespace {/' network/network.h
expect "a header outside the namespace" layering.py 1 'network/network.h:1: declares nothing in namespace toriscope'
fresh; printf 'using namespace std;\n#define DEPTH 4\n' >>network/network.h
expect "a namespace opened" layering.py 1 'network/network.h:5: opens a namespace'
expect "a macro without the prefix" layering.py 1 'network/network.h:6: defines DEPTH: macros begin with TORISCOPE_'
fresh; mkdir router/pipelines
printf '%s\n#pragma once\n#include "router/router.h"\nnamespace toriscope {}\n' "$spdx" >router/pipelines/a.h
expect "a pipeline includes the router" layering.py 1 \
       'router/pipelines/a.h:3: router/pipelines/ includes "router/router.h"'
fresh; sed -i 1d network/network.h
expect "no licence" layering.py 1 'network/network.h:1: no SPDX'
fresh; rm router/README.md
expect "a layer without a README" layering.py 1 'router/README.md:1: missing'
fresh; yes '//' | head -n 500 >>links/flit.h || true
expect "a long file" layering.py 1 'links/flit.h:501: has 503 lines'
fresh; printf '// %0118d\n' 0 >>links/flit.h; printf 'auto s = R"(\n%0121d\n)";\n// %0117d\n' 0 0 >>links/flit.h
expect "a long line" layering.py 1 'links/flit.h:4: has 121 columns'
expect "a long line of a raw literal, and one of 120 columns" layering.py 1 'layering.py: 1 violations'
fresh; printf 'auto s = "%0109d";\n' 0 >>links/flit.h; printf '%s\nset(a %0114d)\n' "#$spdx" 0 >CMakeLists.txt
mkdir scripts; printf '%s\na = """R"(\n%0121d\n)" """\n' "#$spdx" 0 >scripts/count.py
expect "a long text" layering.py 1 'links/flit.h:4: has 121 columns'
expect "a long line of CMake" layering.py 1 'CMakeLists.txt:2: has 121 columns'
expect "a long line of a script" layering.py 1 'scripts/count.py:3: has 121 columns'

fresh; expect "headers in order" headers.sh 0 '5 headers'
fresh; echo 'inline std::string name();' >>links/flit.h
expect "a header that needs another one" headers.sh 1 'links/flit.h'
fresh; echo '#include <systemc>' >>topologies/route.h
expect "SystemC reaches the core" headers.sh 1 'topologies/route.h'

fresh
echo 'The page says what is not a room. There is no other, and it is no longer than `so many` lines.' >router/README.md
expect "pages and comments in order" words.py 0 'no violation'
fresh; printf 'One line.\nThe credit goes to whoever asks.\n' >router/README.md
expect "a person for a module" words.py 1 "router/README.md:2: 'whoever': write the signal, module or packet instead"
fresh; printf 'A plain page.\n\nMore than one VC is not to be\nhad of it.\n' >README.md
expect "a phrase across two lines" words.py 1 "README.md:3: 'to be had': write available, supported instead"
fresh; mkdir docs; printf '```\nso many\n```\n\n    so many\n\nA wire is no router.\n' >docs/links.md
expect "a phrase behind code" words.py 1 "^docs/links.md:7: 'is no router': write is not a"
expect "code is not prose" words.py 1 'words.py: 1 violations'
fresh; printf 'The key is\nwanted.\n' >traces/README.md
expect "a phrase begins in the line before" words.py 1 "traces/README.md:1: 'is wanted'"
fresh; printf '// The flit is\n// wanted.\nint key;  // that `nobody` reads\n' >>links/flit.h
expect "a comment over two lines" words.py 1 "links/flit.h:4: 'is wanted': write is expected instead"
fresh; echo "int nobody = '\"';  // plain" >>links/flit.h; echo 'auto s = "so many";' >links/flit_test.cpp
expect "names are not prose, nor are strings of a test" words.py 0 'no violation'
printf 'auto s = "it is "\n  "refused", t = R"(line\nso many)";\n' >>links/flit.h
expect "a message over two lines" words.py 1 "links/flit.h:5: 'is refused': write is rejected instead"
echo 'auto u = "one\nso many";' >>links/flit.h
expect "a phrase behind an escaped newline" words.py 1 "links/flit.h:8: 'so many'"
expect "a raw string" words.py 1 "links/flit.h:7: 'so many'"
fresh
echo 'int x = 1; // "a" is put by itself' >>links/flit.h
expect "a comment behind code" words.py 1 "links/flit.h:4: 'by itself'"
fresh; printf '# The hook\n# that nobody reads.\nset(nobody "# so many")\n' >CMakeLists.txt
expect "a comment of CMake" words.py 1 "CMakeLists.txt:2: 'nobody'"
fresh; mkdir scripts; printf 'words = """so many"""\n"""A docstring of\nso many lines."""\n' >scripts/count.py
expect "a docstring" words.py 1 "scripts/count.py:3: 'so many'"
expect "other strings of a script are not prose" words.py 1 'words.py: 1 violations'

if ((failures > 0)); then exit 1; fi
echo "layering_test.sh: all found"

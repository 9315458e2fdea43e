#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/house.sh [ROOT]: the rules of the house that can be read off the sources, without compiling.
# Prints one line per offence, "file:line: what, what would be right", and leaves with 1 when there is one.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# --- the rules -------------------------------------------------------------------------------------------------
# Who may include whom: room -> the rooms (or single headers) below it. A room may always include itself.
declare -A may_include=(
  [base]=""
  [topologies]="base"
  [links]="base"
  [router]="links topologies/route.h base"
  [network]="router links topologies base"
  [traces]="network router links topologies base"
  [rtl_models]="network router links topologies base"
  [testbenches]="traces rtl_models network router links topologies base"
)
# Tests of the router may wire up a real topology; the product may not.
router_tests="links topologies base"

# What must stay free of SystemC.
plain_cxx=(base topologies router links/{flit,wire,arrival_schedule,wake_calendar}.h links/flit.cpp)

# Files longer than 500 lines, each with its reason.
declare -A long_files=()
# ---------------------------------------------------------------------------------------------------------------

offences=0
offence() { echo "$1"; offences=$((offences + 1)); }

sources() { find "$@" -name build -prune -o \( -name '*.h' -o -name '*.cpp' \) -type f -print | sort; }
rooms=()
for room in "${!may_include[@]}"; do if [[ -d $room ]]; then rooms+=("$room"); fi; done

# Includes go downward, and by room.
while IFS=: read -r file line text; do
  included=${text#*\"}
  included=${included%%\"*}
  room=${file%%/*}
  target=${included%%/*}
  if [[ ! $included =~ / || ! ${may_include[$target]+known} ]]; then
    # A generated or foreign header (a verilated model) stands in no room; a header of ours that is named without its
    # room is an offence.
    if [[ -f ${file%/*}/$included ]]; then
      offence "$file:$line: includes \"$included\" without its room: write \"${file%/*}/$included\""
    fi
    continue
  fi
  allowed=${may_include[$room]}
  if [[ $room == router && $file == *_test.cpp ]]; then allowed=$router_tests; fi
  ok=
  for a in $room $allowed; do
    if [[ $a == "$target" || $a == "$included" ]]; then ok=yes; fi
  done
  if [[ ! $ok ]]; then
    offence "$file:$line: $room/ includes \"$included\", but may lean on: ${allowed:-nothing of ours}"
  fi
done < <(sources "${rooms[@]}" | xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null || true)

# The core knows no SystemC.
present=()
for f in "${plain_cxx[@]}"; do if [[ -e $f ]]; then present+=("$f"); fi; done
while IFS=: read -r file line text; do
  offence "$file:$line: mentions SystemC ($text): topologies/, router/ and the flit format do without"
done < <(sources "${present[@]}" |
         xargs grep -nE '<(systemc|tlm|sysc/)|sc_(core|dt|module|signal|time|trace)\b|flit_systemc|links/link' /dev/null |
         grep -vE ':[0-9]+:[[:space:]]*//' || true)

# Every file says under which licence it stands, within its first three lines.
while read -r file; do
  head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
    offence "$file:1: no SPDX-License-Identifier: Apache-2.0 in the first lines"
done < <(find . -path ./build -prune -o -path ./.git -prune -o -type f \
           \( -name '*.h' -o -name '*.cpp' -o -name '*.sv' -o -name '*.v' -o -name '*.vlt' -o -name '*.sh' \
              -o -name '*.cmake' -o -name CMakeLists.txt -o -path './.ci/*' \) -print | sort)

# A page per room, and files that one can read.
for room in "${rooms[@]}"; do
  [[ -f $room/README.md ]] || offence "$room/README.md: missing: what lives here, what may be touched, the flit walk"
done
while read -r lines file; do
  if [[ $file != total && $lines -gt 500 && ! ${long_files[$file]+known} ]]; then
    offence "$file:501: has $lines lines: split it, or list it with its reason in scripts/checks/house.sh"
  fi
done < <(sources "${rooms[@]}" | xargs wc -l)

# No loose ends.
while IFS=: read -r file line text; do
  offence "$file:$line: a loose end: $text"
done < <(sources "${rooms[@]}" | xargs grep -nE '\b(TO''DO|FIX''ME)\b' /dev/null || true)

if ((offences > 0)); then
  echo "house.sh: $offences offences"
  exit 1
fi
echo "house.sh: $(sources "${rooms[@]}" | wc -l) sources in ${#rooms[@]} rooms, no offence"

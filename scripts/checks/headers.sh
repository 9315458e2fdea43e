#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/headers.sh ROOT COMPILER: every header compiles on its own - those that their own source includes
# first have been seen to do so by the build - and topologies/, the router core and the flit format do where SystemC is
# out of reach (a directory in front of the search path poisons it).
set -euo pipefail
cd "$1"
compiler=${2:-c++}
# The RTL bridge includes the headers of Verilator.
rtl_flags=
if command -v verilator >/dev/null; then rtl_flags="-isystem $(verilator --getenv VERILATOR_ROOT)/include"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for header in systemc systemc.h tlm tlm.h; do
  echo '#error "SystemC is out of reach here"' >"$work/$header"
done

# check NAME FLAG...: whether standard input, which includes it, compiles.
check() {
  local name=$1 output
  shift
  # The errors of one header stand together.
  if ! output=$("$compiler" -std=c++17 -fsyntax-only -Wall -Wextra -I. "$@" -x c++ - 2>&1); then
    printf '%s does not compile on its own:\n%s\n' "$name" "$(head -n 8 <<<"$output")"
    return 1
  fi
}
check_header() {
  local flags=()
  if [[ $1 == rtl_models/* ]]; then flags=($rtl_flags); fi
  if grep -qxF "$1" "$work/with_systemc"; then flags+=(-include "$work/before/systemc.h"); fi
  check "$1" "${flags[@]}" <<<"#include \"$1\""
}
export -f check check_header
export compiler rtl_flags work

# What the build has shown: a header that its own source includes first.
shown_by_source() {
  local source=${1%.h}.cpp
  [[ -f $source && $(grep -m 1 '^#include' "$source") == "#include \"$1\"" ]]
}

mapfile -t headers < <(find . -path ./build -prune -o -name '*.h' -type f -print | sed 's|^\./||' | sort)

# Headers that include SystemC, themselves or by others, find it compiled already: it is most of what they cost, and
# hides nothing that they would not have.
grep -H '^#include' "${headers[@]}" | sed -E 's/:#include [<"]([^>"]*)[>"].*/ \1/' | awk '
  { from[NR] = $1; to[NR] = $2 }
  END {
    reach["systemc"] = reach["tlm"] = 1
    do {
      grew = 0
      for (i = 1; i <= NR; ++i) if (reach[to[i]] && !reach[from[i]]) { reach[from[i]] = grew = 1; print from[i] }
    } while (grew)
  }' >"$work/with_systemc"
mkdir "$work/before"
echo '#include <systemc>' >"$work/before/systemc.h"
"$compiler" -std=c++17 -Wall -Wextra -x c++-header "$work/before/systemc.h" -o "$work/before/systemc.h.gch"

alone=() plain=()
for header in "${headers[@]}"; do
  case $header in
    rtl_models/on_demand/model_wrapper.h) # part of a source that is generated for a model, and names it
      continue ;;
    base/* | topologies/* | router/* | links/flit.h | links/delay_line*.h | links/wake_calendar.h)
      plain+=("$header") ;;
  esac
  if ! shown_by_source "$header"; then alone+=("$header"); fi
done

failed=
printf '%s\n' "${alone[@]}" | xargs -P 2 -I{} bash -c 'check_header {}' || failed=yes
printf '#include "%s"\n' "${plain[@]}" | check "What does without SystemC" -isystem "$work" || failed=yes
if [[ $failed ]]; then
  echo "headers.sh: not every header compiles on its own"
  exit 1
fi
echo "headers.sh: ${#alone[@]} of ${#headers[@]} headers compile on their own, the others in their own sources;" \
     "${#plain[@]} without SystemC"

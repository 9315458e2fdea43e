#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/headers.sh ROOT COMPILER: every header compiles on its own, and topologies/, the router core and the
# flit format do so where SystemC is out of reach (a directory in front of the search path poisons it).
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

check() {
  local header=$1 flags=() output
  case $header in
    topologies/* | router/* | links/flit.h | links/wire*.h | links/wake_calendar.h | links/arena.h | links/hash.h) flags=(-isystem "$work") ;;
    rtl_models/*) flags=($rtl_flags) ;;
  esac
  # The errors of one header stand together.
  if ! output=$(echo "#include \"$header\"" |
                "$compiler" -std=c++17 -fsyntax-only -Wall -Wextra -I. "${flags[@]}" -x c++ - 2>&1); then
    printf '%s does not compile on its own:\n%s\n' "$header" "$(head -n 8 <<<"$output")"
    return 1
  fi
}
export -f check
export compiler work rtl_flags

mapfile -t headers < <(find . -path ./build -prune -o -name '*.h' -type f -print | sed 's|^\./||' | sort)
if ! printf '%s\n' "${headers[@]}" | xargs -P 2 -I{} bash -c 'check {}'; then
  echo "headers.sh: not every header compiles on its own"
  exit 1
fi
echo "headers.sh: ${#headers[@]} headers compile on their own"

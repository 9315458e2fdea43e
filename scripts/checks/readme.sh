#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/readme.sh ROOT PROGRAM: the calls of the program that README.md shows work.
set -euo pipefail
readme=$(cd "$1" && pwd)/README.md
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

calls=0
while IFS= read -r call; do
  calls=$((calls + 1))
  if ! eval "\"$program\" ${call#build/release/toriscope}" >"$work/log" 2>&1; then
    echo "README.md: does not work: $call"
    cat "$work/log"
    exit 1
  fi
done < <(grep -E '^build/release/toriscope' "$readme" | sed 's/  *#.*//')
((calls >= 5)) || { echo "readme.sh: only $calls calls found"; exit 1; }
for file in results.json ttn.vcd ttn.gtkw; do
  [[ -s $file ]] || { echo "README.md: $file was not written"; exit 1; }
done
echo "readme.sh: $calls calls work"

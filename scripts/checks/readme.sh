#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/readme.sh ROOT PROGRAM: the calls of the program that README.md, docs/commands.md and the tutorials
# show work. A call is a line that begins with build/release/toriscope; its comment may begin with "status N", the
# status that is right. The sweep prints the table that stands there. Without Verilator the calls with --rtl are left
# out, and so are those of what the program was built without.
set -euo pipefail
root=$(cd "$1" && pwd)
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

calls=0 without=
for page in README.md docs/commands.md docs/tutorials/{waveform,my_rtl,a_papers_figure,your_chip}.md; do
  mkdir -p "$work/$page"
  cd "$work/$page"
  ln -s "$root/rtl_models" rtl_models
  mkdir docs
  ln -s "$root/docs/your_chip" docs/your_chip
  while IFS= read -r line; do
    expected=0
    if [[ $line =~ '# status '([0-9]+) ]]; then expected=${BASH_REMATCH[1]}; fi
    call=${line%% #*}
    if [[ $call == *" --rtl"* ]] && ! command -v verilator >/dev/null; then continue; fi
    calls=$((calls + 1))
    status=0
    eval "\"$program\" ${call#build/release/toriscope}" >"$work/log" 2>&1 || status=$?
    if grep -q "this toriscope was built without" "$work/log"; then
      without=yes
      continue
    fi
    cat "$work/log" >>printed
    if ((status != expected)); then
      echo "$page: status $status, not $expected: $call"
      cat "$work/log"
      exit 1
    fi
  done < <(grep -E '^build/release/toriscope' "$root/$page")
done
((calls >= 30)) || { echo "readme.sh: only $calls calls found"; exit 1; }
written=(README.md/frozen.gtkw docs/commands.md/{results.json,ttn.vcd,ttn.gtkw} docs/tutorials/waveform.md/packet.gtkw)
written+=(docs/tutorials/your_chip.md/{chip.svg,chip.vcd,chip.gtkw})
[[ $without ]] || written+=({README.md/report,docs/tutorials/your_chip.md/chip}.html)
for file in "${written[@]}"; do
  [[ -s $work/$file ]] || { echo "$file was not written"; exit 1; }
done
table=$(sed -n '/^curve  /,/^```/p' "$root/README.md" | sed '$d')
[[ $(wc -l <<<"$table") == 7 && $(<"$work/README.md/printed") == *"$table"* ]] ||
  { echo "README.md: the sweep does not print this table:"$'\n'"$table"; exit 1; }
echo "readme.sh: $calls calls work"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/mutants.sh [--rtl | --lines] [DIRECTORY]: are the equality tests able to fail? Builds the engine with one line
# changed, for each of testbenches/reference/mutants/*.mutant, and runs the equality tests of the small networks: they
# must fail. --rtl: the same for the SystemVerilog router, rtl_models/mutants/*.mutant and the lockstep test. Leaves
# with 1 when a mutant survives or its line is no longer there. --lines: only looks whether the lines of all are there,
# and whether no mutant is argued twice in equivalent_mutants.txt.
# DIRECTORY (default build/mutants, build/rtl_mutants) keeps the objects.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
field() { sed -n "s/^$1 *//p" "$2"; }
# has_line MUTANT TREE: its line is there, once.
has_line() { [[ $(grep -cF -- "$(field - "$1")" "$2/$(field file "$1")") == 1 ]]; }
if [[ ${1:-} == --lines ]]; then
  status=0
  for mutant in testbenches/reference/mutants/*.mutant rtl_models/mutants/*.mutant; do
    has_line "$mutant" . || { echo "$mutant: its line is not in $(field file "$mutant"), or more than once"; status=1; }
  done
  twice=$(grep -v '^#' scripts/equivalent_mutants.txt | cut -f 1,2 | sort | uniq -d)
  [[ -z $twice ]] || { echo "scripts/equivalent_mutants.txt: argued twice: $twice"; status=1; }
  exit $status
fi
mutants=testbenches/reference/mutants target=equality_test filter='tier/equality.*-*ttn*' directory=build/mutants
changed=(router network links) options=()
if [[ ${1:-} == --rtl ]]; then
  mutants=rtl_models/mutants target=rtl_router_lockstep_test filter='*every_pin*-*long*' directory=build/rtl_mutants
  changed=(rtl_models/sv) options=(-DTORISCOPE_VERILATED_OPTIMIZE=-O0)
  shift
fi
directory=${1:-$directory}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
tree=$directory/tree
rm -rf "$tree"
mkdir -p "$tree"
tar -cf - --exclude=./build --exclude=./.git --exclude="./${directory##*/}" . | tar -xf - -C "$tree"

export SC_COPYRIGHT_MESSAGE=DISABLE
build() {
  cmake --build "$directory/build" --target "$target" >"$directory/build.log" 2>&1 ||
    { tail -n 30 "$directory/build.log" >&2; return 1; }
}
passes() {
  "$directory/build/tests/$target" --gtest_filter="$filter" --gtest_fail_fast \
    --gtest_brief=1 >"$directory/test.log" 2>&1
}

cmake -S "$tree" -B "$directory/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTORISCOPE_BUILD_PROGRAM=OFF \
  "${options[@]}" >"$directory/configure.log" 2>&1 || { tail -n 30 "$directory/configure.log" >&2; exit 1; }
# Which test failed, without its suite.
catcher() {
  sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$directory/test.log" | head -n 1 |
    sed 's/.*every_pin_in_every_cycle\///'
}

# Objects of an earlier run may be those of a mutant that was interrupted.
find "${changed[@]/#/$tree/}" -type f -exec touch {} +
build
if ! passes; then
  echo "mutants.sh: the tests fail without any mutant: see $directory/test.log" >&2
  exit 1
fi

survivors=0
printf '%-26s %-28s %-9s\n    %s\n' mutant file outcome "what it breaks"
for mutant in "$mutants"/*.mutant; do
  file=$(field file "$mutant")
  old=$(field - "$mutant")
  new=$(field + "$mutant")
  content=$(<"$tree/$file")
  if ! has_line "$mutant" "$tree"; then
    outcome=NO_LINE
    survivors=$((survivors + 1))
  else
    printf '%s\n' "${content/"$old"/"$new"}" >"$tree/$file"
    if ! build; then
      outcome=NO_BUILD
      survivors=$((survivors + 1))
    elif passes; then
      outcome=SURVIVED
      survivors=$((survivors + 1))
    else
      outcome="caught by $(catcher)"
    fi
    printf '%s\n' "$content" >"$tree/$file"
  fi
  name=${mutant##*/}
  printf '%-26s %-28s %-9s\n    %s\n' "${name%.mutant}" "$file" "$outcome" "$(field breaks "$mutant")"
done
if ((survivors > 0)); then
  echo "mutants.sh: $survivors mutants were not caught" >&2
  exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/mutants.sh [DIRECTORY]: are the equality tests able to fail? Builds the engine with one line changed, for each
# of testbenches/textbook/mutants/*.mutant, and runs the equality tests of the small networks: they must fail. Leaves
# with 1 when a mutant survives or its line is no longer there. DIRECTORY (default build/mutants) keeps the objects.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
directory=${1:-build/mutants}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
tree=$directory/tree
rm -rf "$tree"
mkdir -p "$tree"
tar -cf - --exclude=./build --exclude=./.git --exclude="./${directory##*/}" . | tar -xf - -C "$tree"

export SC_COPYRIGHT_MESSAGE=DISABLE
build() {
  cmake --build "$directory/build" --target equality_test >"$directory/build.log" 2>&1 ||
    { tail -n 30 "$directory/build.log" >&2; return 1; }
}
passes() {
  "$directory/build/tests/equality_test" --gtest_filter='tier/equality.*-*ttn*' --gtest_fail_fast \
    --gtest_brief=1 >"$directory/test.log" 2>&1
}
field() { sed -n "s/^$1 *//p" "$2"; }

cmake -S "$tree" -B "$directory/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTORISCOPE_BUILD_PROGRAM=OFF \
  >"$directory/configure.log" 2>&1 || { tail -n 30 "$directory/configure.log" >&2; exit 1; }
# Objects of an earlier run may be those of a mutant that was interrupted.
find "$tree/router" "$tree/network" "$tree/links" -name '*.[ch]*' -exec touch {} +
build
if ! passes; then
  echo "mutants.sh: the equality tests fail without any mutant: see $directory/test.log" >&2
  exit 1
fi

survivors=0
printf '%-24s %-34s %-9s %s\n' mutant file outcome "what it breaks"
for mutant in testbenches/textbook/mutants/*.mutant; do
  file=$(field file "$mutant")
  old=$(field - "$mutant")
  new=$(field + "$mutant")
  content=$(<"$tree/$file")
  if [[ $(grep -cF -- "$old" "$tree/$file") != 1 ]]; then
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
      outcome=caught
    fi
    printf '%s\n' "$content" >"$tree/$file"
  fi
  name=${mutant##*/}
  printf '%-24s %-34s %-9s %s\n' "${name%.mutant}" "$file" "$outcome" "$(field breaks "$mutant")"
done
if ((survivors > 0)); then
  echo "mutants.sh: $survivors mutants were not caught" >&2
  exit 1
fi

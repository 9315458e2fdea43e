#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/configure_without.sh [--each] SOURCE_DIR CMAKE: the tree is configured on a machine that has none of
# the optional programs and packages, and one line names each. --each: without one of them at a time, which is named
# beside what this machine has not.
set -euo pipefail
each=
if [[ $1 == --each ]]; then
  each=yes
  shift
fi
cd "$1"
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# configure PRESET OPTION...: what is off, in $work/off.
configure() {
  rm -rf "$work/build"
  "$cmake" --preset "$1" -B "$work/build" "${@:2}" >"$work/log" 2>&1 </dev/null || { cat "$work/log"; exit 1; }
  grep '^-- no ' "$work/log" >"$work/off" || true
}
# has_line TEXT: a line begins with it.
has_line() {
  cut -c 1-$((${#1} + 6)) "$work/off" | grep -qxF -- "-- no $1" && return
  cat "$work/log"
  echo "configure_without.sh: no line begins with '-- no $1'"
  exit 1
}

if [[ ! $each ]]; then
  configure without
  for missing in Verilator "MPI or Boost.MPI" "nodejs or no npm" \
    "python3-numpy python3-pandas python3-matplotlib python3-networkx mypy: what"; do
    has_line "$missing"
  done
  exit
fi
configure release
mv "$work/off" "$work/here"
while IFS='|' read -r missing options; do
  if [[ $missing == Chromium ]] && grep -q '^-- no nodejs' "$work/here"; then continue; fi # there is no page to look at
  configure release $options
  has_line "$missing"
  if others=$(grep -vxF -f "$work/here" "$work/off" | grep -v -e "^-- no $missing"); then
    echo "configure_without.sh: without $missing, other lines too:"$'\n'"$others"
    exit 1
  fi
done <<END
MPI or Boost.MPI|-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
nodejs or no npm|-DTORISCOPE_NPM=
Chromium|-DTORISCOPE_CHROMIUM=
Verilator|-DTORISCOPE_VERILATOR=
vpi_user.h|-DTORISCOPE_VPI_INCLUDE=
python3-numpy|-DTORISCOPE_PYTHON=$PWD/scripts/checks/python_alone
END

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/configure_without.sh SOURCE_DIR CMAKE: the tree is configured on a machine that has none of the
# optional programs and packages, and one line names each.
set -euo pipefail
source_dir=$1
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --preset without -S "$source_dir" -B "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for missing in Verilator "MPI or Boost.MPI" "nodejs or no npm" \
  "python3-numpy python3-pandas python3-matplotlib python3-networkx mypy: what"; do
  if [[ $(grep -c "^-- no $missing" "$work/log") == 0 ]]; then
    cat "$work/log"
    echo "configure_without.sh: no line begins with '-- no $missing'"
    exit 1
  fi
done

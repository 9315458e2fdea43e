#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/build.sh PRESET [TARGET...]: configures build/PRESET and builds what is out of date.
# demo.sh and test.sh call it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?"usage: scripts/build.sh PRESET [TARGET...]"}
shift
targets=()
if (($# > 0)); then targets=(--target "$@"); fi

if [[ ! -f build/$preset/build.ninja ]]; then
  # A configure that broke off leaves a cache that may remember a package as not found.
  rm -f "build/$preset/CMakeCache.txt"
  cmake --preset "$preset"
elif [[ CMakePresets.json -nt build/$preset/build.ninja ]]; then
  cmake --preset "$preset" # ninja looks after the CMakeLists.txt, but not after the presets
fi
cmake --build "build/$preset" --parallel "$(nproc)" "${targets[@]}"

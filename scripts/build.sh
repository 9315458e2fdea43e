#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/build.sh [--without-tests] PRESET [TARGET...]: configures build/PRESET and builds what is out of date.
# demo.sh and test.sh call it. --without-tests concerns the first configuration only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tests=ON
if [[ ${1:-} == --without-tests ]]; then
  tests=OFF
  shift
fi
preset=${1:?"usage: scripts/build.sh [--without-tests] PRESET [TARGET...]"}
shift
targets=()
if (($# > 0)); then targets=(--target "$@"); fi

configured_without_tests() { grep -qs '^TORISCOPE_BUILD_TESTS:BOOL=OFF' "build/$preset/CMakeCache.txt"; }
if [[ ! -f build/$preset/build.ninja ]] || { [[ $tests == ON ]] && configured_without_tests; }; then
  # The cache of an earlier configuration may remember a package as not found that is installed now.
  rm -f "build/$preset/CMakeCache.txt"
  cmake --preset "$preset" -DTORISCOPE_BUILD_TESTS=$tests
elif [[ CMakePresets.json -nt build/$preset/build.ninja ]]; then
  cmake --preset "$preset" # ninja looks after the CMakeLists.txt, but not after the presets
fi
cmake --build "build/$preset" --parallel "$(nproc)" "${targets[@]}"

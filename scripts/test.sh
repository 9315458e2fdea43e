#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs the tests.
#
#   scripts/test.sh              the short tier: every test but those labelled `long` or `bench` (13 to 22 minutes
#                                on two cores, with the build)
#   scripts/test.sh --sanitize   the labels `unit` and `net` under AddressSanitizer and UndefinedBehaviorSanitizer
#   scripts/test.sh --long       the long tier: the tests labelled `long` only
#   scripts/test.sh --bench      what time says: the tests labelled `bench` only, on an idle machine
#
# Further arguments go to ctest, e.g. scripts/test.sh -R links
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
select=(--label-exclude '^(long|bench)$')
case ${1:-} in
  --sanitize)
    preset=asan
    select=(--label-regex '^(unit|net)$' --label-exclude '^long$')
    shift ;;
  --long)
    select=(--label-regex '^long$')
    shift ;;
  --bench)
    select=(--label-regex '^bench$')
    shift ;;
  -h | --help)
    sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0 ;;
esac

scripts/setup.sh test
scripts/build.sh "$preset"
# SystemC keeps what it elaborated until the process ends; that is not a leak of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
jobs=${CTEST_PARALLEL_LEVEL:-$(($(nproc) + 1))} # some tests wait
ctest --test-dir "build/$preset" --output-on-failure --parallel "$jobs" --no-tests=error \
      "${select[@]}" "$@"

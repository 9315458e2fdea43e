#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/fuzz.sh [--seconds N] [--executions N] [--directory DIR] [PARSER ...]: libFuzzer with ASan and UBSan on the
# parsers of files and options that others may have made (testbenches/fuzz/parser_targets.cpp), all of them or those
# named, N seconds each (60 unless told), or N executions if those are over sooner. DIR (default build/fuzz) keeps the
# build, and what each parser has met: a later run goes on from there.
# An input that crashes, takes more than 10 s or 1 GB, or is rejected in other words than one line is kept in
# DIR/found/PARSER and makes the status 1. Needs clang and its fuzzer library: apt-get install clang libclang-rt-14-dev
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=60 executions=-1 directory=build/fuzz parsers=()
while (($#)); do
  case $1 in
    -h | --help) sed -n '3,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    --seconds) seconds=${2:?--seconds needs a number}; shift 2 ;;
    --executions) executions=${2:?--executions needs a number}; shift 2 ;;
    --directory) directory=${2:?--directory needs a directory}; shift 2 ;;
    -*) echo "fuzz.sh: unknown option $1; see --help" >&2; exit 2 ;;
    *) parsers+=("$1"); shift ;;
  esac
done
command -v clang++ >/dev/null ||
  { echo "fuzz.sh: needs clang++: apt-get install clang libclang-rt-14-dev" >&2; exit 2; }

mkdir -p "$directory"
exec {lock}>"$directory/lock"
flock "$lock" # parsers may be fuzzed side by side, but one of them builds
cmake -S . -B "$directory/build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
      -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" -DTORISCOPE_FUZZ=ON -DTORISCOPE_SANITIZE=address,undefined \
      -DTORISCOPE_BATCHES=ON -DTORISCOPE_PRECOMPILED_HEADERS=OFF >"$directory/configure.log"
cmake --build "$directory/build" --target parser_fuzzer >"$directory/build.log" 2>&1 ||
  { tail -n 30 "$directory/build.log" >&2; exit 2; }
exec {lock}>&-
fuzzer=$(find "$directory/build" -name parser_fuzzer -type f)
fuzzer=$(realpath "$fuzzer")
known=$({ TORISCOPE_FUZZ='' "$fuzzer" -runs=1 2>&1 || true; } | sed -n '/one of:$/,$p' | tail -n +2)
if ((${#parsers[@]} == 0)); then mapfile -t parsers <<<"$known"; fi

status=0
# What ASan keeps of freed memory is not what a parser takes.
export SC_COPYRIGHT_MESSAGE=DISABLE ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=32
printf '%-20s %12s %10s  %s\n' parser executions inputs found
for parser in "${parsers[@]}"; do
  grep -qxF "$parser" <<<"$known" || { echo "fuzz.sh: unknown parser $parser; known:" $known >&2; exit 2; }
  mkdir -p "$directory/met/$parser" "$directory/found/$parser"
  export TORISCOPE_FUZZ=$parser TORISCOPE_FUZZ_SEEDS=$directory/met/$parser
  export TORISCOPE_FUZZ_WORDS=$directory/$parser.words
  "$fuzzer" -runs=0 >"$directory/$parser.log" 2>&1 || status=1 # writes the dictionary, which is read before the seeds
  "$fuzzer" -dict="$TORISCOPE_FUZZ_WORDS" -max_total_time="$seconds" \
    -runs="$executions" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$directory/found/$parser/" \
    "$directory/met/$parser" >"$directory/$parser.log" 2>&1 || status=1
  printf '%-20s %12s %10s  %s\n' "$parser" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$directory/$parser.log")" \
    "$(find "$directory/met/$parser" -type f | wc -l)" "$(find "$directory/found/$parser" -type f | wc -l)"
done
exit $status

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/record_runs_test.sh ROOT: record_runs.py finds what differs between two recordings, and only that.
set -euo pipefail
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# A recording of two cases, whose copy is then changed.
fresh() {
  rm -rf before after words
  mkdir -p before/run/a/files before/wrong/001
  cat >before/run/a/outputs.json <<'END'
[{"command": "run", "ranks": 1, "status": 0,
  "stdout": ["the room of 12 rooms   1.50 cycles", "packet_hash bff3f2e377d7fb42"], "stderr": []}]
END
  cat >before/wrong/001/outputs.json <<'END'
[{"command": "runn", "ranks": 1, "status": 2, "stdout": [], "stderr": ["toriscope: no room"]}]
END
  printf 'room,5\n' >before/run/a/files/r.csv
  echo '0123abcd 5000000' >before/run/a/files/room.bin.sha256
  echo '{"instructions/x": 1000000}' >before/costs.json
  echo '{"ctest": ["t"], "gtest": ["t s.c"], "assertions": {"t.cpp": 7}}' >before/tests.json
  cp -r before after
}
expect() {  # expect WHAT STATUS PATTERN ARGS...: what --compare says
  local what=$1 status=$2 pattern=$3 got=0 output
  shift 3
  output=$(python3 "$root/scripts/record_runs.py" --compare before after "$@" 2>&1) || got=$?
  if [[ $got != "$status" ]] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: $what: expected status $status and /$pattern/, got status $got and:"
    echo "$output"
    failures=$((failures + 1))
  fi
}
words() { printf "$1\n" >words; }

fresh; expect "two equal recordings" 0 '^2 cases compared, 0 differences'
fresh; sed -i 's/1\.50/1.51/' after/run/a/outputs.json
expect "a figure" 1 '^run/a: stdout line 1: .*1\.50.* -> .*1\.51'
fresh; sed -i 's/d7fb42/d7fb43/' after/run/a/outputs.json
expect "a hash" 1 '^run/a: stdout line 2'
fresh; sed -i 's/,5/,6/' after/run/a/files/r.csv
expect "a file" 1 "^run/a: r.csv line 1: 'room,5' -> 'room,6'"
fresh; sed -i 's/0123/0124/' after/run/a/files/room.bin.sha256
expect "a large file" 1 '^run/a: room.bin.sha256'
fresh; rm after/run/a/files/r.csv; expect "a missing file" 1 '^run/a: r.csv is missing'
fresh; touch after/run/a/files/toriscope.vcd; expect "a file left" 1 '^run/a: toriscope.vcd is new'
fresh; rm -r after/run; expect "a missing case" 1 '^run/a: not in after'
fresh; sed -i 's/"status": 0/"status": 1/' after/run/a/outputs.json; expect "a status" 1 '^run/a: status 0 -> 1'

# Words.
renamed() {
  fresh
  sed -i 's/the room of 12 rooms  /the directory of 12 rooms/' after/run/a/outputs.json
  sed -i 's/room/directory/' after/run/a/files/r.csv
  mv after/run/a/files/room.bin.sha256 after/run/a/files/directory.bin.sha256
}
renamed; expect "a renamed word that is not declared" 1 '^run/a: stdout line 1'
renamed; words 'room\tdirectory'; expect "a declared word" 0 ', 0 differences' --words words
renamed; words 'room\tdirectory'; sed -i 's/1\.50/1.51/' after/run/a/outputs.json
expect "a figure beside a declared word" 1 '^run/a: stdout line 1' --words words
renamed; words 'room\tdirectory'; sed -i 's/,5/,6/' after/run/a/files/r.csv
expect "a figure in a file" 1 '^run/a: r.csv line 1' --words words
fresh; words '1.50\t1.51'; expect "a number in the table" 1 "words:1: '1.50' is a number or a hash" --words words
fresh; words 'hash\tbff3f2e377d7fb42'; expect "a hash in the table" 1 'words:1: .bff3f2e377d7fb42' --words words
fresh; words 'vc1\tvc2'; expect "digits in the table" 1 'words:1: the digits' --words words
fresh; words 'room'; expect "a word without another" 1 'words:1: expected old, a tab, new' --words words

# Wrong inputs, costs, tests.
fresh; sed -i 's/no room/no directory/' after/wrong/001/outputs.json
expect "another wording" 0 '^note: wrong/001: .*no room.* -> .*no directory'
fresh; sed -i 's/"toriscope: no room"/"toriscope: no room", "see --help"/' after/wrong/001/outputs.json
expect "two lines" 1 '^wrong/001: stderr line 2'
fresh; sed -i 's/"status": 2/"status": 1/' after/wrong/001/outputs.json; expect "another status" 1 '^wrong/001: status'
fresh; echo '{"instructions/x": 1009000}' >after/costs.json; expect "less than 1 % more" 0 ', 0 differences'
fresh; echo '{"instructions/x": 1011000}' >after/costs.json; expect "more than 1 % more" 1 '^costs: instructions/x'
fresh; rm after/costs.json; expect "no costs" 1 '^costs.json: only in before'
fresh; sed -i 's/s\.c/s.d/' after/tests.json; expect "a lost test" 1 '^tests: gtest t s.c is missing'
fresh; sed -i 's/7/6/' after/tests.json; expect "a lost assertion" 1 '^tests: assertions in t.cpp 7 -> 6'

# Recording: what differs from run to run is left out, all else is kept.
cat >program <<'END'
#!/bin/bash
if [[ $1 == list ]]; then exit 0; fi
echo "  simulate_cpu_s   0.0$RANDOM  s"
echo "toriscope: in $PWD of $0 ${FIGURE:-1}" >&2
echo "{\"elaborate_s\": 0.$RANDOM, \"hash\": \"${FIGURE:-1}\"}" >left.json
exit 2
END
chmod +x program
recorded() { python3 "$root/scripts/record_runs.py" --program ./program --out "$1" --only wrong/001 >"$1.log"; }
rm -rf before after; recorded before; recorded after
expect "two recordings" 0 '^1 cases compared, 0 differences, 0 messages'
FIGURE=2 recorded after
expect "two recordings of different programs" 1 '^wrong/001: left.json line 1'
grep -q '^wrong/001: wrong input: status 2, 1 lines of output' before.log || {
  echo "FAILED: a wrong input with output is not named"; failures=$((failures + 1)); }

if ((failures > 0)); then exit 1; fi
echo "record_runs_test.sh: all found"

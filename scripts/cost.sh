#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/cost.sh [--profile | --routing] [PROGRAM]: what a router-cycle and a node cost, as docs/performance.md
# explains. Instructions are counted by callgrind: the same figures on a busy machine. Leaves with 1 when a figure is
# beyond its limit, some 5 per cent above what it was last (docs/performance.md has the targets).
# --profile: where the instructions go instead, by function (what is inlined counts for its caller).
# --routing: what a flit-hop costs under hierarchical and adaptive routing instead, beside dimension order in a torus.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
profile= routing=
case ${1:-} in
  --profile) profile=yes; shift ;;
  --routing) routing=yes; shift ;;
esac
program=${1:-}
if [[ ! $program ]]; then
  scripts/setup.sh
  scripts/build.sh release toriscope
  program=build/release/toriscope
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0

# instructions ARGUMENT...: of a whole run; the proof that it starts with is in it every time, so that it cancels.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" "$program" run --quiet --no-cache --drain 0 "$@" \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  sed -nE 's/.*Collected : ([0-9]+)$/\1/p' "$work/log"
}
# per_cycle FEWER MORE ARGUMENT...: instructions of one more cycle, once the start is paid for.
per_cycle() {
  local fewer=$1 more=$2 a b
  shift 2
  a=$(instructions --warmup 500 --cycles "$fewer" "$@")
  b=$(instructions --warmup 500 --cycles "$more" "$@")
  awk -v a="$a" -v b="$b" -v n=$((more - fewer)) 'BEGIN { printf "%.1f", (b - a) / n }'
}
# figure NAME ARGUMENT...: one number out of the JSON result of a run.
figure() {
  local name=$1
  shift
  "$program" run --quiet --json "$work/result.json" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  sed -nE "s/^ *\"$name\": ([-+.e0-9]+),?$/\1/p" "$work/result.json" | head -n 1
}
# row WHAT VALUE UNIT LIMIT
row() {
  local verdict=ok
  if [[ ! $2 ]] || awk -v v="$2" -v t="$4" 'BEGIN { exit !(v > t) }'; then
    verdict=BEYOND
    missed=1
  fi
  printf '%-58s %12.1f  %-28s <= %-8s %s\n' "$1" "${2:-nan}" "$3" "$4" "$verdict"
}
calc() { awk "BEGIN { printf \"%.1f\", $1 }"; }

chip=(--vcs 4 --depth 8 --pipeline four_stage --packet 16 --traffic uniform --seed 1)
small=(--topology torus:8x8 "${chip[@]}")
large=(--topology torus:64x64 "${chip[@]}")

if [[ $profile ]]; then
  for load in 0.02 0.1 1; do
    for topology in torus:8x8 torus:64x64; do
      cycles=$([[ $topology == torus:8x8 ]] && echo 5000 || echo 200)
      instructions "${chip[@]}" --topology "$topology" --rate "$load" --warmup 0 --cycles "$cycles" >/dev/null
      echo "$topology, rate $load: per cent of the instructions of a run, by function"
      callgrind_annotate --inclusive=no --threshold=90 "$work/callgrind" |
        sed -nE 's/^ *[0-9,]+ \( *([0-9.]+)%\) +[^:]*:([^[]+).*/  \1  \2/p' | cut -c1-110 | head -n 12
    done
  done
  exit 0
fi

# hops_per_cycle RATE ARGUMENT...: flits through a router in a cycle.
hops_per_cycle() {
  local rate=$1 hops
  shift
  hops=$(figure flit_hops "$@" --warmup 0 --cycles 6000 --drain 0 --rate "$rate")
  awk -v h="$hops" -v c="$(sed -nE 's/^ *"router_cycles": ([-+.e0-9]+),?$/\1/p' "$work/result.json")" \
      'BEGIN { print h / c }'
}
# per_flit_hop LOAD ARGUMENT...: instructions per flit-hop where LOAD flits pass a router in a cycle.
per_flit_hop() {
  local load=$1 rate=0.01 a b few many
  shift
  for _ in 1 2 3; do
    rate=$(awk -v r="$rate" -v l="$load" -v h="$(hops_per_cycle "$rate" "$@")" 'BEGIN { printf "%.6f", r * l / h }')
  done
  few=(--warmup 0 --cycles 2000 --rate "$rate")
  many=(--warmup 0 --cycles 6000 --rate "$rate")
  a=$(instructions "$@" "${few[@]}")
  b=$(instructions "$@" "${many[@]}")
  awk -v a="$a" -v b="$b" -v f="$(figure flit_hops "$@" "${few[@]}" --drain 0)" \
      -v m="$(figure flit_hops "$@" "${many[@]}" --drain 0)" 'BEGIN { printf "%.1f", (b - a) / (m - f) }'
}

printf '%-58s %12s  %-28s %s\n' figure value unit limit
if [[ $routing ]]; then
  load=0.12 # what a TTN carries at some two thirds of its saturation
  torus=$(per_flit_hop $load --topology torus:16x16 "${chip[@]}")
  row "torus:16x16 dor, $load flits/router/cycle" "$torus" "instructions/flit-hop" 1000
  while read -r arguments; do
    # shellcheck disable=SC2086  # split into words
    cost=$(per_flit_hop $load "${chip[@]}" $arguments)
    row "${arguments#--topology }" "$(calc "$cost / $torus")" "of that ($cost)" 1.5
  done <<'EOF'
--topology torus:16x16 --routing adaptive
--topology ttn:2,2,0 --inter-module-links duplex
--topology tesh:2,2,0 --inter-module-links duplex
--topology sttn:2,2,0 --inter-module-links duplex
--topology htn:4,4,2,1
--topology htn:4,4,2,1 --routing ls --gateways nearest
--topology htn:4,4,2,1 --routing ls+cs --gateways nearest
--topology htn:4,4,2,1 --routing adaptive
--topology mh3dt:4,4,2,2
--topology rdt:alpha,32
--topology rdt:alpha,32 --routing floating4
--topology ccc:6
EOF
  exit $missed
fi

at_2=$(calc "$(per_cycle 2000 10000 "${small[@]}" --rate 0.02) / 64")
at_10=$(calc "$(per_cycle 1000 3000 "${small[@]}" --rate 0.1) / 64")
at_full=$(calc "$(per_cycle 1000 3000 "${small[@]}" --rate 1) / 64")
row "torus:8x8, rate .02" "$at_2" "instructions/router-cycle" 113
row "torus:8x8, rate .1" "$at_10" "instructions/router-cycle" 323
row "torus:8x8, saturated (rate 1)" "$at_full" "instructions/router-cycle" 1145
row "torus:8x8, rate .1, all links observed over none" \
    "$(calc "$(per_cycle 1000 3000 "${small[@]}" --rate 0.1 --observe-links) / 64 / $at_10")" "(instructions)" 2
row "torus:8x8, saturated, all links observed over none" \
    "$(calc "$(per_cycle 1000 3000 "${small[@]}" --rate 1 --observe-links) / 64 / $at_full")" "(instructions)" 2

idle_small=$(per_cycle 1000 21000 "${small[@]}" --rate 0)
idle_large=$(per_cycle 1000 21000 "${large[@]}" --rate 0)
row "rate 0: a cycle of torus:64x64 over one of torus:8x8" "$(calc "$idle_large / $idle_small")" \
    "($idle_large / $idle_small)" 1.2

run=(--warmup 0 --cycles 1000 --drain 0 --rate 0.1)
rss_small=$(figure max_rss_mb "${small[@]}" "${run[@]}")
rss_large=$(figure max_rss_mb "${large[@]}" "${run[@]}")
row "memory: (torus:64x64 - torus:8x8) / 4032" "$(calc "($rss_large - $rss_small) * 1e6 / 4032")" "bytes/node" 4950

huge=(--topology ttn:2,5,0 "${chip[@]}" --warmup 0 --cycles 200 --drain 0 --rate 0.01)
row "ttn:2,5,0, 1048576 nodes, 200 cycles: elaboration" "$(figure elaborate_s "${huge[@]}")" s 30
row "ttn:2,5,0, 1048576 nodes, 200 cycles: memory" \
    "$(sed -nE 's/^ *"max_rss_mb": ([.0-9]+),?$/\1/p' "$work/result.json")" MB 8590

speed=$(sed -nE 's/^ *"router_cycles_per_s": ([-+.e0-9]+),?$/\1/p' "$work/result.json")
row "ttn:2,5,0, 200 cycles, rate .01: CPU time of a router-cycle" "$(calc "1e9 / $speed")" ns 400

exit $missed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh machine to a result table and a waveform: installs a compiler and the libraries where they are missing,
# builds the program without its tests, and runs a Tori-connected Torus Network TTN(2,2,0) of 256 routers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,4s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi

scripts/setup.sh build
scripts/build.sh --without-tests release toriscope

mkdir -p build/demo
cd build/demo
command="../release/toriscope run --topology ttn:2,2,0 --traffic uniform --rate 0.015 --packet 16
  --vcs 4 --depth 8 --pipeline four_stage --warmup 2000 --cycles 10000 --seed 1
  --json ttn.json --wave 'ttn.bm_0_0.*@2000:2400' --wave-file ttn.vcd"
printf '\n$ cd build/demo\n$ %s\n\n' "${command//$'\n'/ \\$'\n'}"
eval "${command//$'\n'/ }"

echo
echo "The waveform of basic module (0,0), cycles 2000 to 2400:  gtkwave build/demo/ttn.gtkw"
echo "The same results for scripts:                             build/demo/ttn.json"
echo "What else the program can do:                             build/release/toriscope --help"
if ! command -v gtkwave >/dev/null; then
  echo "no gtkwave: nothing shows the waveform until it is installed (Debian: apt-get install gtkwave)"
fi

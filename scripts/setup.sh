#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian (bookworm or newer, or Ubuntu 24.04 or newer) packages that building, testing and looking at
# waves need. What is there is left alone; without a missing package nothing is asked and nothing is downloaded.
# demo.sh and test.sh call it first.
set -euo pipefail

packages=(
  # to build: the compiler, CMake, and the libraries of the model and of the program
  git g++ cmake ninja-build pkg-config
  libsystemc-dev libfmt-dev nlohmann-json3-dev libcli11-dev libboost-dev libboost-graph-dev libmetis-dev
  # to test
  libgtest-dev libgmock-dev valgrind
  # RTL: verilator runs it, iverilog and yosys read it with other eyes
  verilator iverilog yosys make python3
  # waves: the viewer, and vcd2fst
  gtkwave
  # compressed packet traces; one network over several processes or machines
  libboost-iostreams-dev libboost-mpi-dev libopenmpi-dev openmpi-bin
  # the report: a charting library from npm, and a browser that its tests look at it with
  chromium
)
# npm stands beside nodejs in Debian, and within it in others' packages of nodejs.
if ! command -v npm >/dev/null; then packages+=(nodejs npm); fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  if [[ ${TORISCOPE_NO_SETUP:-} ]]; then exit 0; fi
  echo "setup.sh: this is no Debian system (no apt-get): install what corresponds to: ${packages[*]};" \
       "then set TORISCOPE_NO_SETUP=1" >&2
  exit 2
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  if [[ $status != installed ]]; then missing+=("$package"); fi
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: these packages are missing, and you are neither root nor is there a sudo:" \
         "apt-get install ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi

# The log is shown only when something goes wrong: a fresh machine sees some hundred packages go by.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null >>"$log" 2>&1; }

echo "Installing ${#missing[@]} packages and what they need: ${missing[*]}"
if ! { apt update && apt install -y --no-install-recommends "${missing[@]}"; }; then
  tail -n 15 "$log" >&2
  echo "setup.sh: apt-get could not install: ${missing[*]} (its last lines are above)" >&2
  exit 2
fi

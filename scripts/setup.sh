#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of Debian (bookworm or newer; or Ubuntu 24.04 or newer) that are missing. If all are there, it
# asks nothing and downloads nothing.
#
#   scripts/setup.sh build   a compiler and the libraries: the program without its optional parts (demo.sh calls it)
#   scripts/setup.sh test    also what the tests, the waves, RTL, several processes, the report and the pages need (the
#                            default; test.sh calls it)
set -euo pipefail

packages=(
  # the compiler, CMake, and the libraries of the model and of the program
  g++ cmake ninja-build pkg-config
  libsystemc-dev libfmt-dev nlohmann-json3-dev libcli11-dev libboost-dev libboost-iostreams-dev libre2-dev
  libmetis-dev
)
case ${1:-test} in
  build) ;;
  test)
    packages+=(
      git libgtest-dev libgmock-dev valgrind
      # RTL: verilator runs it, iverilog and yosys check it independently
      verilator iverilog yosys make python3
      # waves: the viewer, vcd2fst and fst2vcd
      gtkwave
      # one network over several processes or machines
      libboost-mpi-dev libopenmpi-dev openmpi-bin
      # the report: its tests open it in a browser; the pages as a site
      chromium mkdocs
      # Python: what is optional for `import toriscope`, and the check of its stubs
      python3-numpy python3-pandas python3-matplotlib python3-networkx mypy
    )
    # npm is a package of its own in Debian, and part of nodejs in packages from elsewhere.
    if ! command -v npm >/dev/null; then packages+=(nodejs npm); fi ;;
  -h | --help)
    sed -n '3,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0 ;;
  *)
    echo "setup.sh: unknown argument '$1'; use build or test" >&2
    exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  if [[ ${TORISCOPE_NO_SETUP:-} ]]; then exit 0; fi
  echo "setup.sh: apt-get was not found: install packages that correspond to ${packages[*]}," \
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
    echo "setup.sh: packages are missing, and installing needs root or sudo; as root, run:" \
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

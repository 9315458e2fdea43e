#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD_DIRECTORY: what package-lock.json names, into BUILD_DIRECTORY/node_modules. Scripts of packages do
# not run; npm's cache is asked before the network.
set -euo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
cd "$1"
# A copy without the source's mode: the source tree may be read-only.
for file in package.json package-lock.json; do cat "$source_dir/$file" >"$file"; done
if ! npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
  tail -n 5 npm.log >&2
  echo "toriscope report: npm could not install its charting library (the lines above); try again, or configure" \
       "with -DTORISCOPE_REPORT=OFF to build without the report" >&2
  exit 1
fi

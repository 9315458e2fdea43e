#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/bare_machine.sh [DIR]: both commands of the README on a machine with nothing but git, as a user meets them:
# a fresh Debian 12 with the packages of its smallest installation, in DIR (build/bare), without /sys. What is there
# is removed first. Takes root, debootstrap (Debian: apt-get install debootstrap), and half an hour on two cores.
set -euo pipefail
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
machine=${1:-$source_dir/build/bare}
if ! command -v debootstrap >/dev/null || ((EUID != 0)); then
  echo "bare_machine.sh: takes root and debootstrap (Debian: apt-get install debootstrap)" >&2
  exit 2
fi

leave() { if mountpoint -q "$machine/proc"; then umount "$machine/proc"; fi; }
trap leave EXIT
leave
rm -rf --one-file-system "$machine"
mkdir -p "$machine"
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$machine" >"$machine.log" ||
  { tail -n 15 "$machine.log" >&2; exit 2; }
mount -t proc proc "$machine/proc"
git clone -q --no-hardlinks "$source_dir" "$machine/root/toriscope"
for command in scripts/demo.sh scripts/test.sh; do
  echo "\$ $command"
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb chroot "$machine" \
    /bin/bash -c "cd /root/toriscope && exec $command"
done

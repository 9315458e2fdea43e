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
echo "127.0.0.1 localhost $(hostname)" >"$machine/etc/hosts" # mpirun asks for its machine's address
# The certificates of a network that has its own: they are of the way to the packages, not of the machine.
trust=()
if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
  cp /usr/local/share/ca-certificates/*.crt "$machine/usr/local/share/ca-certificates/"
  chroot "$machine" update-ca-certificates >>"$machine.log" 2>&1
  trust=(NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
fi
mount -t proc proc "$machine/proc"
git clone -q --no-hardlinks "$source_dir" "$machine/root/toriscope"
for command in scripts/demo.sh scripts/test.sh; do
  echo "\$ $command"
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb "${trust[@]}" chroot "$machine" \
    /bin/bash -c "cd /root/toriscope && exec $command"
done

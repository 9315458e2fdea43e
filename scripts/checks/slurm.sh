#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/slurm.sh TORISCOPE: a sweep as a job array of a real Slurm - slurmctld, slurmd and munge of our own on
# the loopback, with a configuration of our own - leaves the same files as a sweep in one process.
# Without slurm or root it says so and leaves with 77 (skipped). It ends no daemon but those that it started.
set -euo pipefail
program=$(realpath "${1:?the toriscope program}")
skip() { echo "slurm.sh: skipped: $1"; exit 77; }
for tool in slurmctld slurmd munged sbatch squeue; do
  command -v "$tool" >/dev/null || skip "no $tool (Debian: slurmctld slurmd slurm-client munge)"
done
[[ $(id -u) == 0 ]] || skip "slurmd and munged want to be root here"

# Socket names are short, hence not in the build directory.
work=$(mktemp -d /tmp/toriscope_slurm_XXXXXX)
daemons=()
leave() {
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${daemons[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap leave EXIT
start() { # LOG COMMAND...: in the foreground of a background process, so that it ends with us
  "${@:2}" >"$work/$1.log" 2>&1 &
  daemons+=($!)
}
chmod 755 "$work"
mkdir -p "$work"/{state,spool,munge,run}

head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
chmod 700 "$work/munge"
start munged munged --foreground --force --key-file="$work/munge/key" --socket="$work/run/munge" \
  --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed"

# Two ports that no other program uses, as a rule.
port=$((20000 + $$ % 20000))
cat >"$work/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/run/munge
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
for _ in {1..50}; do [[ -S $work/run/munge ]] && break; sleep 0.1; done
start slurmctld.out slurmctld -D -i -f "$SLURM_CONF"
start slurmd.out slurmd -D -f "$SLURM_CONF" -N "$(hostname -s)"
for _ in {1..300}; do sinfo -h -o %T 2>/dev/null | grep -q idle && break; sleep 0.2; done
sinfo -h -o %T 2>/dev/null | grep -q idle || {
  tail -n 20 "$work"/slurm*.log "$work"/munged.log >&2
  echo "slurm.sh: the node does not come up" >&2
  exit 1
}

cd "$work"
ways() { # NAME OPTION...
  local name=$1
  shift
  "$program" sweep "$@" --quiet --out "$name.here"
  "$program" sweep "$@" --out "$name" --slurm
  sbatch --wait "$name.sbatch" || {
    cat "$name".logs/* >&2
    exit 1
  }
  diff -r "$name.here" "$name"
  echo "slurm.sh: $name: $(grep -o 'array=.*' "$name.sbatch"), the same files"
}
cycles=(--warmup 100 --cycles 400 --drain 400)
ways fixed --topology torus:4x4,mesh:4x4 --rates 0.1:0.9:0.2 --seeds 1:2 "${cycles[@]}"
ways sought --topology torus:4x4,mesh:4x4,mesh:4x2 --seeds 1 --tolerance 0.2 --observe "${cycles[@]}"

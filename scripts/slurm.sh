#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests `mpispec run` with a real srun. The script starts the distribution's Slurm with one node of eight processors,
# and runs programs of MPICH (by PMI-2) and of Open MPI (by PMIx).
#
# usage: slurm.sh [BUILD]
#
#   BUILD   build tree (default: build/release)
#
# Nothing is installed: the packages are unpacked in build/slurm, and appear below /usr for this script alone. This
# needs root. Without root, or without the packages, the script prints `skipped` and the reason.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work="$root/build/slurm"

if [ "${1-}" != inside ]; then
  build=$(cd "${1:-$root/build/release}" && pwd)
  skip() { echo "skipped: $*" && exit 0; }
  [ "$(id -u)" = 0 ] || skip "slurm.sh needs root"
  rm -rf "$work"
  mkdir -p "$work/packages" "$work/state" "$work/spool"
  (cd "$work/packages" && timeout 300 apt-get download -q slurmd slurmctld slurm-client slurm-wlm-basic-plugins libmunge2) \
    >"$work/download.log" 2>&1 || skip "packages of Slurm are not to be had"
  for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/root"; done
  for program in slurmd slurmctld slurmstepd; do ln -sf $program-wlm "$work/root/usr/sbin/$program"; done
  exec unshare -m --propagation private sh "$0" inside "$build"
fi

build=$2
mount -t overlay overlay -o "lowerdir=$work/root/usr:/usr" /usr
export LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/slurm-wlm SLURM_CONF="$work/slurm.conf"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
MessageTimeout=60
SwitchType=switch/none
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmdSpoolDir=$work/spool
StateSaveLocation=$work/state
SlurmdParameters=config_overrides
SlurmctldPort=26817
SlurmdPort=26818
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=8
PartitionName=all Nodes=ALL Default=YES State=UP
END
cd "$work"
slurmctld -D >slurmctld.log 2>&1 &
daemons=$!
slurmd -D >slurmd.log 2>&1 &
daemons="$daemons $!"
# shellcheck disable=SC2064,SC2086 # the numbers of now, words
trap "kill $daemons; wait" EXIT
tries=0
until timeout 20 srun true 2>srun.log; do
  tries=$((tries + 1))
  [ $tries -lt 20 ] || { cat srun.log slurmctld.log slurmd.log && echo "slurm.sh: no job starts" && exit 1; }
  sleep 1
done

PATH="$build/bin:$PATH"
# expect NAME TEXT COMMAND...: the output has the text.
expect() {
  name=$1 text=$2
  shift 2
  timeout 120 "$@" >"$name.log" 2>&1 || { cat "$name.log" && echo "slurm.sh: $name fails" && exit 1; }
  grep -q "$text" "$name.log" || { cat "$name.log" && echo "slurm.sh: $name has no '$text'" && exit 1; }
  echo "$name: $text"
}

for library in mpich:pmi2 openmpi:pmix; do
  mpi=${library%:*} way=${library#*:}
  "mpicc.$mpi" "$root/test/without-llvm/ring.c" -o "ring-$mpi"
  expect "$mpi" 'of 4 messages, 4 took shared memory and 0 went' mpispec run --summary srun --mpi="$way" -n 4 "./ring-$mpi"
  expect "$mpi-behind" 'lanes are open' srun --mpi="$way" -n 2 mpispec run --verbose "./ring-$mpi"
  expect "$mpi-compiled" 'sum 1' sh -c "mpispec mpicc.$mpi -O2 '$root/test/without-llvm/ring.c' -o fast-$mpi &&
    nm fast-$mpi | grep -q mpispec_state && srun --mpi=$way -n 2 ./fast-$mpi"
done
# Ranks that do not find each other are no job, and one line says so.
expect singletons 'each is alone in MPI_COMM_WORLD' mpispec run --verbose srun --mpi=pmix -n 2 ./ring-mpich
status=0
mpispec run srun --mpi=pmi2 -n 2 ./ring-mpich fails >status.log 2>&1 || status=$?
[ "$status" = 3 ] || { cat status.log && echo "slurm.sh: exit status $status instead of 3" && exit 1; }
echo "slurm: ok"

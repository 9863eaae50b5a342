#!/bin/sh
# Runs a job to its end, whatever that is, and looks for what it has left.
#   leftovers.sh <mpiexec> <program> exit | abort | kill <rank>
launcher=$1
shift
# The compiler driver, which may be at work beside us, makes directories only.
names() { find /dev/shm /tmp -maxdepth 1 ! -type d -iname '*mpispec*'; }
before=$(names)
out=$(MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 "$launcher" -n 2 "$@" 2>/dev/null)
echo "$out"
process=$(echo "$out" | sed -n 's/^launcher //p')
for i in 1 2 3 4 5 6 7 8 9 10; do # a killed process may take a moment to be gone
  grep -q "@mpispec.*\.$process\." /proc/net/unix || break
  sleep 0.2
done
grep "@mpispec.*\.$process\." /proc/net/unix && exit 1
[ "$(names)" = "$before" ] || exit 1
echo "nothing left"

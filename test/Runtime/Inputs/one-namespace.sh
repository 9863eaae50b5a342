#!/bin/sh
# one-namespace.sh PROGRAM RUNTIME OUTPUT RANK...: starts a job of two ranks for each RANK, all at once. All ranks run in
# one process namespace, and the launchers do not, as with nsenter and with the exec of containers. Only rank RANK of a
# job preloads RUNTIME, or both if it is "all". Job N writes OUTPUT.N, and says "ended" if it has ended well. Prints
# "skipped" where the system grants no namespace.
program=$1 runtime=$2 output=$3
shift 3
rm -f "$output".*
if ! unshare -p -m --fork --mount-proc true 2>/dev/null || ! nsenter -t $$ -p -m true 2>/dev/null; then
  echo skipped
  exit 0
fi
unshare -p -m --fork --mount-proc sh -c 'touch "$0"; exec sleep 200' "$output.ready" &
while [ ! -e "$output.ready" ]; do sleep 0.1; done
keeper=$(ps -o pid= --ppid $! | tr -d ' ')
cat >"$output.enter" <<END
#!/bin/sh
[ "\$1" != all ] && [ "\$1" != "\$PMI_RANK" ] || export LD_PRELOAD="$runtime"
exec nsenter -t $keeper -p -m "$program"
END
chmod +x "$output.enter"
job=0
for rank in "$@"; do
  job=$((job + 1))
  (MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 MPIEXEC_TIMEOUT=60 ${MPIEXEC:-mpiexec} -n 2 "$output.enter" "$rank" &&
    echo ended) >"$output.$job" 2>&1 &
  jobs="$jobs $!"
done
wait $jobs
kill -9 "$keeper"

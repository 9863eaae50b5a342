#!/bin/sh
# Runs a job with plain MPI and with lanes, each of which prints `<number> ms`, and says whether lanes
# took less. A machine may be busy with other things: one of three tries is enough.
#   faster.sh <arguments of mpiexec>
milliseconds() {
  MPISPEC_MODE=$1 && shift
  MPISPEC_MODE=$MPISPEC_MODE MPIEXEC_TIMEOUT=60 mpiexec "$@" | sed -n 's/^\([0-9]*\) ms$/\1/p'
}
for try in 1 2 3; do
  plain=$(milliseconds off "$@")
  lanes=$(milliseconds lanes "$@")
  echo "plain $plain ms, lanes $lanes ms"
  [ -n "$plain" ] && [ -n "$lanes" ] && [ "$lanes" -lt "$plain" ] && echo "lanes took less" && exit
done
exit 1

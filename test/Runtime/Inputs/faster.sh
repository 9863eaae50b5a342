#!/bin/sh
# Runs a job with plain MPI and with lanes, each of which prints `<number> ms`, in turns, and says whether the best time with
# lanes is less than the best with plain MPI. Other work on a machine only adds to a time: six turns at most.
#   faster.sh <arguments of mpiexec>
milliseconds() {
  MPISPEC_MODE=$1 && shift
  MPISPEC_MODE=$MPISPEC_MODE MPIEXEC_TIMEOUT=60 mpiexec "$@" | sed -n 's/^\([0-9]*\) ms$/\1/p'
}
plain='' lanes=''
best() { [ "$1" ] && printf '%s\n' "$@" | sort -n | sed '/./!d;q'; }
for turn in 1 2 3 4 5 6; do
  plain=$(best "$(milliseconds off "$@")" "$plain") && lanes=$(best "$(milliseconds lanes "$@")" "$lanes") || exit
  echo "after $turn turns: plain $plain ms, lanes $lanes ms"
  [ "$lanes" -lt "$plain" ] && echo "lanes took less" && exit
done
exit 1

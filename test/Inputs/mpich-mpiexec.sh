#!/bin/sh
# MPICH's launcher for tests: its ranks, which wait by polling, give way to each other (polite-library.c), or where
# they outnumber cores each message would cost a time slice. Not where a test says itself what is loaded first.
#   mpich-mpiexec.sh <polite-library.so> <MPICH's mpiexec> <arguments>
if [ -z "${LD_PRELOAD+set}" ] && [ -f "$1" ]; then
  export LD_PRELOAD="$1"
fi
shift
exec "$@"

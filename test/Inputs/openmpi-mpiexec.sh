#!/bin/sh
# Open MPI's launcher for tests that are written for MPICH's: `-genv NAME VALUE` and `-env NAME VALUE` are its
# `-x NAME=VALUE`. It refuses root, and more ranks than cores, unless it is told otherwise (Open MPI 5 in other words
# than 4), and its ranks do not give way to each other. Of two launchers that make the user's directory for temporary
# files at once one fails, so that each gets a place of its own; lit clears them away.
# RANK_FILES is a directory for files of the ranks' output, rank.<number>/stdout and stderr (Open MPI 4).
#   openmpi-mpiexec.sh <Open MPI's mpiexec> <arguments>
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_mpi_yield_when_idle=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
[ -z "${TMPDIR-}" ] || TMPDIR=$(mktemp -d "$TMPDIR/run.XXXXXX")
launcher=$1
shift
count=$#
while [ "$count" -gt 0 ]; do
  word=$1
  shift
  count=$((count - 1))
  case $word in
  -genv | -env)
    set -- "$@" -x "$1=$2"
    shift 2
    count=$((count - 2))
    ;;
  -n | -np)
    set -- "$@" "$word" "$1"
    shift
    count=$((count - 1))
    ;;
  -*) set -- "$@" "$word" ;;
  *) # the program and what follows, but for further parts of the job
    set -- "$@" "$word"
    while [ "$count" -gt 0 ]; do
      word=$1
      set -- "$@" "$word"
      shift
      count=$((count - 1))
      [ "$word" != : ] || break
    done
    ;;
  esac
done
exec "$launcher" ${RANK_FILES:+--output-filename "$RANK_FILES:nojobid,nocopy"} "$@"

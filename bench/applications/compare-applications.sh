#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures applications that exchange halos, with two ranks: plain, with the runtime only, and specialised, in turns.
# The times are those that the applications print. They are LAMMPS (molecular dynamics) and hypre (multigrid), as
# scripts/real-programs.sh builds them. If one is not built, it is left out. A turn of all takes half a minute.
#
#   bench/applications/compare-applications.sh [--turns N] [--realtime] [--write] [--build DIR]
#
# --realtime runs the ranks at real-time priority (needs root). --write puts the table into
# docs/results/applications.md, as the section of this kind of processor.
set -eu
cd "$(dirname "$0")/../.."
turns=11 build=build/release realtime='' write=no
usage() { sed -n '/SPDX/d;2,/^[^#]/s/^# \{0,1\}//p' bench/applications/compare-applications.sh; }
while [ $# -gt 0 ]; do
  case $1 in
  --turns) turns=$2 && shift ;;
  --build) build=$2 && shift ;;
  --realtime) realtime='chrt -f 10' ;;
  --write) write=yes ;;
  --help | -h) usage && exit 0 ;;
  *) usage >&2 && exit 2 ;;
  esac
  shift
done
[ -x "$build/bin/mpispec" ] || { echo "no $build/bin/mpispec; build mpispec first" >&2 && exit 1; }
build=$(cd "$build" && pwd)
programs=$build/programs results=$build/applications
built=''
for program in lammps hypre; do
  if [ -e "$programs/$program/plain.built" ] && [ -e "$programs/$program/special.built" ]; then
    built="$built $program"
  else
    echo "$program is left out: it is not built (sh scripts/real-programs.sh --build $build $program)" >&2
  fi
done
[ "$built" ] || exit 1
rm -rf "$results"
mkdir -p "$results"

# run NAME FLAVOUR MODE DIRECTORY COMMAND...: appends to NAME.VARIANT what the program printed.
run() {
  name=$1 flavour=$2 mode=$3 directory=$4
  shift 4
  case $built in *"${directory%%/*}"*) ;; *) return 0 ;; esac
  variant=$mode
  [ "$flavour" = special ] || variant=plain
  # shellcheck disable=SC2086 # a list of words
  (cd "$programs/${directory%%/*}/$flavour/${directory#*/}" && MPISPEC_MODE=$mode MPIEXEC_TIMEOUT=300 \
    $realtime mpiexec -n 2 -bind-to core "$@") >>"$results/$name.$variant" 2>"$results/errors" </dev/null || {
    echo "compare-applications.sh: $name, $variant did not run; see $results/errors" >&2
    exit 1
  }
}

turn=1
while [ "$turn" -le "$turns" ]; do
  echo "turn $turn of $turns" >&2
  for way in 'plain off' 'special lanes' 'special full'; do
    # shellcheck disable=SC2086 # two words
    {
      for input in lj chain eam; do
        run "lammps-$input" $way lammps/bench ../build/lmp -log none -in "in.$input"
      done
      run lammps-lj-small $way lammps/bench ../build/lmp -log none -in in.lj -var x 0.4 -var y 0.4 -var z 0.4
      run hypre-pfmg $way hypre/src/test ./struct -n 40 40 40 -P 2 1 1 -solver 1
      run hypre-pfmg-small $way hypre/src/test ./struct -n 8 8 8 -P 2 1 1 -solver 1
      run hypre-amg $way hypre/src/test ./ij -n 24 24 24 -P 2 1 1 -solver 1
    }
  done
  turn=$((turn + 1))
done
python3 bench/applications/applications_table.py "$results" "$programs" >"$results/applications.md"
if [ $write = yes ]; then
  versions=$(mpichversion | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p')
  python3 scripts/record_results.py --processor docs/results/applications.md applications "$versions" \
    "$results/applications.md"
fi
cat "$results/applications.md"

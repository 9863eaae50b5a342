#!/bin/sh
# Builds a program plainly and through mpispec, and expects the same diagnostics, the same output and
# the same exit status from both, on several numbers of ranks.
#
# usage: same-both-ways.sh MPISPEC WORK-PREFIX RANKS COMPILER [ARGUMENT...]
#   RANKS   numbers of ranks, quoted: "1 2 4"
#   The arguments go to the compiler, sources among them; -o is added.
#
# Each number of ranks is run as it is, and with odd and even ranks on "nodes" of their own, where the
# library can be told so (PRETENDED_NODES); the
# specialised program with its runtime switched off, and with all it has. A third program, which tests
# what was proven while it runs, is run on the last number of ranks. Output is sorted: ranks print in no
# order. At least one call must really have been rewritten. With QUICK in the environment, the runtime is switched off, and
# "nodes" are pretended, on the last number of ranks only.
set -eu
mpispec=$1 prefix=$2 ranks=$3 last=${3##* }
shift 3
rm -rf "$prefix.remarks"

"$@" -o "$prefix.plain" 2>"$prefix.plain.err"
"$mpispec" --mpispec-remarks="$prefix.remarks" "$@" -o "$prefix.special" 2>"$prefix.special.err"
diff "$prefix.plain.err" "$prefix.special.err" || { echo "diagnostics differ"; exit 1; }
grep -rq '^--- !Passed' "$prefix.remarks" || { echo "no call was rewritten"; exit 1; }

# The facts are found before the compiler optimizes, which would take longer than all else.
"$mpispec" --mpispec-check-facts "$@" -O0 -o "$prefix.checked" 2>/dev/null

run() {
  status=0
  MPIEXEC_TIMEOUT=60 mpiexec -n "$1" "$2" >"$2.raw" 2>&1 || status=$?
  { sort "$2.raw"; echo "status $status"; } >"$2.out"
}
for n in $ranks; do
  nodes=${PRETENDED_NODES:+1} modes='off full'
  if [ "${QUICK-}" ] && [ "$n" != "$last" ]; then
    nodes='' modes=full
  fi
  for cliques in 0 $nodes; do
    export MPIR_CVAR_ODD_EVEN_CLIQUES=$cliques
    run "$n" "$prefix.plain"
    for mode in $modes; do
      export MPISPEC_MODE=$mode
      run "$n" "$prefix.special"
      diff "$prefix.plain.out" "$prefix.special.out" || {
        echo "output differs with $n ranks, cliques $cliques, mode $mode"
        exit 1
      }
    done
    # A program under test must really check something, and end well.
    grep -q 'right' "$prefix.plain.out" && grep -q 'status 0' "$prefix.plain.out" || {
      echo "the program itself fails with $n ranks:"
      cat "$prefix.plain.out"
      exit 1
    }
  done
done

# The last number of ranks, with the odd and even nodes. A prediction may fail.
run "$n" "$prefix.checked"
sed -i '/^mpispec: .* is predicted to /d' "$prefix.checked.out"
diff "$prefix.plain.out" "$prefix.checked.out" || { echo "a proven fact is wrong"; exit 1; }

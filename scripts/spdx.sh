#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the licence line into each source file that has none.
#
# usage: spdx.sh [--check] [DIRECTORY]
#
#   --check     changes nothing; prints the files without the line, and fails if there are any
#   DIRECTORY   the project's (default: that of this script)
#
# The sources of lit tests are left out, because the tests depend on their lines.
set -u
identifier='SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'
check=''
[ "${1-}" != --check ] || { check=yes && shift; }
root=${1-$(dirname "$0")/..}
cd "$root" || exit 2

sources() {
  find CMakeLists.txt lib tools templates runtime bench cmake scripts examples test/unit -type f \( -name '*.c' -o -name '*.h' \
    -o -name '*.cpp' -o -name '*.def' -o -name '*.inc' -o -name '*.h.in' -o -name '*.cmake.in' -o -name '*.ld' -o -name '*.map' \
    -o -name '*.css' -o -name '*.js' -o -name '*.html' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' -o -name '*.make' \
    -o -name Makefile -o -name CMakeLists.txt -o -name '*.F90' -o -name commit-msg \) | sort
}

# Prints the file $1 with the line as a comment of its language: after the title of a C++ file and the interpreter of a
# script, else first.
with_line() {
  awk -v identifier="$identifier" -v file="$1" '
    BEGIN {
      begin = "# "
      if (file ~ /\.(c|h|cpp|def|h\.in|ld|map|css|js)$/) { begin = "/* "; end = " */" }
      if (file ~ /\.html$/) { begin = "<!-- "; end = " -->" }
      if (file ~ /\.(F90|inc)$/) begin = "! "
    }
    NR == 1 && /^\/\/===/ { print; print "// " identifier; next }
    NR == 1 && /^\/\// { begin = "// "; end = "" }
    NR == 1 && /^#!/ { print; print begin identifier end; next }
    NR == 1 { print begin identifier end }
    { print }' "$1"
}

# A function, and the exit on the line of its call: the shell reads no further in this file, which may change as well.
main() {
  sources | {
    missing=0
    while read -r file; do
      ! head -n 3 "$file" | grep -qF "$identifier" || continue
      if [ -n "$check" ]; then
        echo "$file has no line '$identifier'; scripts/spdx.sh writes it"
        missing=1
      else
        with_line "$file" >"$file.spdx" && cat "$file.spdx" >"$file" && rm "$file.spdx" || exit 1
      fi
    done
    exit $missing
  }
}
main; exit

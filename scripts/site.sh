#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes a web site of the pages, which can be searched: DIRECTORY/index.html. A link without a target is an error.
#
# usage: site.sh [DIRECTORY]     (default: build/site)
#
# The script needs the distribution's packages mkdocs and mkdocs-material. The site loads nothing from other places.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1-} in
-*) sed -n '/SPDX/d;2,/^set -eu/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
site=$(mkdir -p "${1-$root/build/site}" && cd "${1-$root/build/site}" && pwd)
command -v mkdocs >/dev/null || { echo "site.sh: there is no mkdocs: apt-get install mkdocs mkdocs-material" >&2; exit 1; }

# Links from page to page are those of the project; what is no page is left out but for examples, recipes and figures.
source="$root/build/site-source"
rm -rf "$source"
mkdir -p "$source"
for name in "$root"/*.md "$root/docs" "$root/examples" "$root/packaging"; do
  [ ! -e "$name" ] || ln -s "$name" "$source/"
done
mkdocs build --strict --clean -f "$root/docs/site/mkdocs.yml" -d "$site"
echo "$site/index.html"

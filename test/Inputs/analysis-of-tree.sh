#!/bin/sh
# Links a mpispec-analyze whose table of templates and template headers are those of another tree. Only the two objects
# that depend on them are compiled; all others are those of the build. The state keeps the build's name, so that the build's
# runtime serves programs.
#
# usage: analysis-of-tree.sh SOURCE BUILD TREE OUTPUT     TREE has lib/ and templates/
set -eu
source=$1 build=$2 tree=$3 output=$4
cmake "-DOUTPUT=$tree/lib/Rewrite/EmbeddedTemplates.inc" \
  "-DFILES=$(ls "$tree"/templates/mpispec/*.h "$build/templates/mpispec/state_symbol.h" | tr '\n' ';')" -P "$source/cmake/EmbedFiles.cmake"
cd "$build"
ninja -t commands bin/mpispec-analyze >"$tree/commands"
for object in Selection/TemplateCatalog Rewrite/TemplateText; do
  grep -- "-c $source/lib/$object.cpp" "$tree/commands" |
    sed "s,$source/lib,$tree/lib,g; s,$source/templates,$tree/templates,g
      s, -MD -MT [^ ]* -MF [^ ]*,,; s, -o [^ ]*, -o $tree/$(basename $object).o," >"$tree/compile"
  sh "$tree/compile"
done
grep -- '-o bin/mpispec-analyze ' "$tree/commands" |
  sed "s,-o bin/mpispec-analyze ,$tree/TemplateCatalog.o $tree/TemplateText.o -o $output ," >"$tree/link"
sh "$tree/link"

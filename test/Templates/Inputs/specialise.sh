#!/bin/sh
# Builds a specialised program whose ordinary calls are counted (ordinary.h).
#
# usage: specialise.sh MPISPEC OUTPUT COMPILER [ARGUMENT...]      arguments of the compiler, sources among them
#
# The runtime is the shared library: --wrap would come between a static one and its own functions.
# OUTPUT.without is the same without the runtime. LIBRARY is the directory of the runtime for the MPI library in use,
# STYLE that of its handles; TEMPLATES has the template headers.
set -eu
here=$(dirname "$0")
mpispec=$1 output=$2
shift 2
mpicc -w -DMPISPEC_STYLE_"$STYLE" -I "$TEMPLATES" -c "$here/ordinary.c" -o "$output.ordinary.o"
wraps=''
for name in $(sed -n 's/^COUNTED(\([A-Za-z_]*\),.*/\1/p' "$here/counted.def"); do
  wraps="$wraps -Wl,--wrap=MPI_$name"
done
"$mpispec" "$@" ${SANITIZE-} -I "$here" -I "$here/../../Inputs" -c -o "$output.o"
"$1" ${SANITIZE-} "$output.o" "$output.ordinary.o" $wraps -L"$LIBRARY" -Wl,-rpath,"$LIBRARY" -lmpispec \
  -o "$output"
"$1" ${SANITIZE-} "$output.o" "$output.ordinary.o" $wraps -lpthread -o "$output.without"

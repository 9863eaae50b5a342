#!/bin/sh
# Makes, in the directory given, an mpiexec whose proxies have a name that nobody knows.
set -e
mkdir -p "$1"
cp "$(readlink -f "$(command -v mpiexec.hydra)")" "$1/mpiexec"
cp "$(readlink -f "$(command -v hydra_pmi_proxy)")" "$1/stranger"
printf '#!/bin/sh\nexec "%s/stranger" "$@"\n' "$1" >"$1/hydra_pmi_proxy"
chmod +x "$1/hydra_pmi_proxy"

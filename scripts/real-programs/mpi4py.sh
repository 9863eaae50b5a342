# mpi4py: MPI for Python, one source file of 200000 lines. The package comes from the Python registry.
#
# Its own suite, the parts that are about messages; each rank's outcomes are compared.
package=mpi4py build_system='Python package' way=links needs='python3-venv python3-dev' time_limit=300

fetch() {
  mkdir -p "$programs/sources"
  [ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv" || return
  find "$programs/sources" -name 'mpi4py-*.tar.gz' | grep . ||
    "$work/venv/bin/python" -m pip download -q --disable-pip-version-check --no-deps --no-binary mpi4py \
      -d "$programs/sources" mpi4py==4.1.2 >&2 && find "$programs/sources" -name 'mpi4py-*.tar.gz'
}

build_program() {
  CFLAGS='-O1 -g0' MPICC=$mpicc "$work/venv/bin/python" -m pip install -q --disable-pip-version-check \
    --no-cache-dir --target "$tree/installed" -v .
}

run_tests() {
  mkdir -p "$outcomes/results"
  for ranks in 1 2; do
    for part in p2p_buf p2p_obj cco_buf cco_obj msgspec request status; do
      PYTHONPATH="$PWD/installed" run "$part-$ranks" "$ranks" "$work/venv/bin/python" test/main.py \
        --no-builddir -v -i "$part"
    done
  done
}

digits() { grep -vE 'Ran [0-9]+ tests|^\[' || true; }

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PT-SCOTCH partitions graphs. It has a makefile and a file Makefile.inc with the compilers.
#
# The tests are the check programs of the parallel library, with the ranks and graphs of its makefile, and its
# partitioner and orderer, which print the partition or the ordering.
package=scotch build_system=make way=links needs='bison flex zlib1g-dev'

# Without threads inside a rank: they make even plain runs differ.
build_program() {
  # shellcheck disable=SC2086 # a list of words
  cd src && sed "/^CC[PD]/s#= [a-z]*#= $mpicc#; s/ -DSCOTCH_PTHREAD_MPI//; s/ -DSCOTCH_PTHREAD//; s/ -DCOMMON_PTHREAD_AFFINITY_LINUX//
      s/ -DCOMMON_PTHREAD//; s/ -DIDXSIZE64//" Make.inc/Makefile.inc.x86-64_pc_linux2 >Makefile.inc &&
    make -j "$jobs" -O ptscotch &&
    make -C check -j "$jobs" -O CC="$mpicc -DSCOTCH_PTSCOTCH" SCOTCHLIBS='-lptscotch -lscotch -lptscotcherr' \
      $scotch_checks
}
scotch_checks='test_scotch_dgraph_band test_scotch_dgraph_check test_scotch_dgraph_coarsen
  test_scotch_dgraph_grow test_scotch_dgraph_induce test_scotch_dgraph_redist'

run_tests() {
  cd src/check || return
  for check in $scotch_checks; do
    for graph in bump bump_b100000; do
      run "$check-$graph" 3 "./$check" "data/$graph.grf"
    done
  done
  for ranks in 2 3 4; do
    run "dgpart-$ranks" "$ranks" ../../bin/dgpart 5 data/bump.grf - -vst
    run "dgord-$ranks" "$ranks" ../../bin/dgord data/bump.grf - -vst
  done
}

# The root prints a line for each vertex, rank by rank in the order in which their messages arrive.
digits() {
  grep -vE '^T[[:space:]]|Elapsed|Time|^Proc .* pid ' | awk '/^[0-9]+\t[0-9]+$/ {print | "sort -n"; next} {print}' || true
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ExaML computes the likelihood of evolutionary trees. A makefile names mpicc.
#
# The program optimizes sums of logarithms over all ranks. If one last bit of a sum differs, it takes other steps.
package=examl build_system=make way=links time_limit=300

build_program() {
  make -C parser -f Makefile.SSE3.gcc -j "$jobs" -O && make -C examl -f Makefile.SSE3.gcc -j "$jobs" -O examl &&
    cd testData && ../parser/parse-examl -s 49 -m DNA -q 49.model -n 49
}

run_tests() {
  cd testData || return
  for test in GAMMA-1 GAMMA-2 GAMMA-3 GAMMA-4 PSR-3; do
    rm -f ExaML_*
    # shellcheck disable=SC2016 # for the ranks
    run "$test" "${test#*-}" sh -c '"$@" && { [ "$PMI_RANK" != 0 ] || cat ExaML_TreeFile.* ExaML_modelFile.*; }' rank \
      ../examl/examl -s 49.binary -t 49.tree -m "${test%-*}" -n short -f e
  done
}

digits() { grep -viE ' time|secs' || true; }

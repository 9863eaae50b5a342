# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Boost.MPI: C++ class templates over MPI, with its own tests. Its build system has no option for a launcher. Therefore
# this file builds it with a makefile. The rest of Boost comes from the distribution's headers of the same version.
package=boost1.81 build_system=make members='boost/libs/mpi/*' strip=3
needs='libboost1.81-dev libboost-serialization1.81-dev'
boost_tests='all_gather_test all_reduce_test all_to_all_test block_nonblock_test broadcast_stl_test broadcast_test
  gather_test graph_topology_test groups_test nonblocking_test non_blocking_any_source pointer_test reduce_test
  ring_test scan_test scatter_test sendrecv_test sendrecv_vector skeleton_content_test wait_all_on_null
  wait_all_vector_test wait_any_test'

[ ! "$small" ] || boost_tests='broadcast_test ring_test sendrecv_test'

# These tests print their messages in the order in which they come.
digits() {
  case $test in
  non_blocking_any_source* | wait_any_test*) sort ;;
  *) cat ;;
  esac
}

build_program() {
  cat >GNUmakefile <<'RULES' && make -j "$jobs" -O CXX="$mpicxx" tests="$boost_tests"
CXXFLAGS = -O2 -Iinclude
objects = $(patsubst src/%.cpp,objects/%.o,$(wildcard src/*.cpp))
all: $(tests:%=bin/%)
objects/%.o: src/%.cpp
	@mkdir -p objects
	$(CXX) $(CXXFLAGS) -c -o $@ $<
libboost_mpi.a: $(objects)
	ar rcs $@ $^
bin/%: test/%.cpp libboost_mpi.a
	@mkdir -p bin
	$(CXX) $(CXXFLAGS) -o $@ $< libboost_mpi.a -lboost_serialization
RULES
}

run_tests() {
  for program in $boost_tests; do
    for ranks in 2 3 4; do
      run "$program-$ranks" "$ranks" "bin/$program"
    done
  done
}

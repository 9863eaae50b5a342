// One text, several element types: each instantiation gets an inline path. The user's compiler has the
// datatype of each, and the analysis has it only for each copy.
#include <mpi.h>

template <class T> MPI_Datatype type_of();
template <> inline MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
template <> inline MPI_Datatype type_of<int>() { return MPI_INT; }
template <> inline MPI_Datatype type_of<char>() { return MPI_CHAR; }

template <class T> static inline void put(const T &x, int to) {
  MPI_Send(&x, 1, type_of<T>(), to, 7, MPI_COMM_WORLD);
}
void real(double x) { put(x, 1); }
void whole(int x) { put(x, 1); }
void letter(char x) { put(x, 1); }

// Must not: one of the copies has a type that nobody knows, or one with gaps.
template <class T> static inline void any(const T &x, MPI_Datatype type) {
  MPI_Send(&x, 1, type, 1, 8, MPI_COMM_WORLD);
}
void known(double x) { any(x, MPI_DOUBLE); }
void unknown(int x, MPI_Datatype type) { any(x, type); }

template <class T> static inline void pair(const T &x, MPI_Datatype type) {
  MPI_Send(&x, 1, type, 1, 9, MPI_COMM_WORLD);
}
void gaps(double x) { pair(x, MPI_DOUBLE_INT); }
void none(int x) { pair(x, MPI_INT); }
void last() {}

// RUN: for style in mpich openmpi abi; do for cxx in g++ clang++-22; do \
// RUN:   $cxx -E -I%inputs/mpi-$style-style %s -o %t.ii && \
// RUN:   %analyze unit --preprocessed=%t.ii --output=%t.new.ii --user-compiler=$(case $cxx in g++) echo gcc;; *) echo clang;; esac) \
// RUN:     -- -I%inputs/mpi-$style-style %s && \
// RUN:   $cxx -Wall -Wextra -Werror -fsyntax-only %t.new.ii && \
// RUN:   $cxx -O2 -S %t.new.ii -o %t.s && awk '/^_Z[0-9]+[a-z]+/ {name = $1} /mpispec_state/ {n[name]++} \
// RUN:     END {for (f in n) print f}' %t.s | grep -oE 'real|whole|letter|unknown|gaps|none|known' | sort -u | tr '\n' ' ' && echo $style || exit 1; \
// RUN: done; done > %t.found
// RUN: FileCheck %s --input-file=%t.found
// RUN: FileCheck %s --input-file=%t.new.ii --check-prefix=TEXT
// CHECK-COUNT-6: letter real whole {{[a-z]+$}}
// TEXT: mpispec_element(unsigned long datatype)
// TEXT: mpispec_Send(buffer, mpispec_count, mpispec_element((unsigned long)datatype), peer, tag, mpispec_comm_world)
// TEXT-COUNT-2: return MPI_Send(buffer, count, datatype, peer, tag, comm);

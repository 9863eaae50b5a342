// Calls wherever C lets an expression stand, declarations in the middle of a line, between pragmas
// and macros. Every form compiles, and no call is lost.
#include <mpi.h>
#include <stdio.h>
#define W MPI_COMM_WORLD
int x;
inline int inl(void) { return MPI_Barrier(W); }
extern inline int inl2(void) { return MPI_Barrier(W); }
static inline int static_inline(void) { return MPI_Barrier(W); }
int knr(a, b) int a; char *b; { return MPI_Send(b, a, MPI_CHAR, 0, 0, W); }
int arr[sizeof(MPI_Barrier(W))];
int (*fp(void))(int) { MPI_Barrier(W); return 0; }
struct s { int a; } st(void) { struct s q = { MPI_Barrier(W) }; return q; }
int gen(void) { return _Generic(MPI_Barrier(W), int: MPI_Barrier(W), default: 0) + ({ int z = MPI_Barrier(W); z; }); }
__typeof__(MPI_Barrier(W)) ty; int after(void)
{ return MPI_Barrier
   (
#ifdef X
 MPI_COMM_SELF
#else
 W
#endif
  ); } ; int more(void) { return MPI_Barrier(W); } ; ; int evenmore(int n, int m[n][MPI_Barrier(W)]) { return (MPI_Barrier)(W) + (*MPI_Barrier)(W) + (&MPI_Barrier)(W); }
_Pragma("omp declare simd") int p(int i) { return MPI_Barrier(W); }
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx2")
int opt(void) { return MPI_Barrier(W); }
#pragma GCC pop_options
int notopt(void) { return MPI_Barrier(W) + inl() + inl2(); }
#define DEF(n) int def##n(void) { return MPI_Barrier(W); }
DEF(1) DEF(2)
DEF(3)
__attribute__((noinline, used)) static int /* c */ last(void) { puts(__FILE__); return MPI_Barrier(W); } int main(void) { return last(); }

// RUN: for compiler in gcc clang-22; do \
// RUN:   flags="-std=gnu11 -I%inputs/mpi-mpich-style"; kind=gcc; \
// RUN:   if [ $compiler = clang-22 ]; then kind=clang; fi; \
// RUN:   $compiler $flags -E %s -o %t.i && \
// RUN:   %analyze unit --preprocessed=%t.i --output=%t.new.i --user-compiler=$kind -- $flags %s && \
// RUN:   $compiler -std=gnu11 -O0 -w -c %t.i -o %t.o && \
// RUN:   $compiler -std=gnu11 -O0 -w -c %t.new.i -o %t.new.o && \
// RUN:   objdump -dr %t.o | grep -c "R_X86_64_PLT32.*MPI_" > %t.calls && \
// RUN:   objdump -dr %t.new.o | grep -c "R_X86_64_PLT32.*MPI_" > %t.new.calls && \
// RUN:   test $(cat %t.new.calls) -ge $(cat %t.calls) || exit 1; done | FileCheck %s
// CHECK: sites=20 rewritten={{[1-9][0-9]}}
// CHECK: sites=20 rewritten={{[1-9][0-9]}}
// RUN: %analyze rewrite -- -std=gnu11 -I%inputs/mpi-mpich-style %s > %t.c
// RUN: gcc -std=gnu11 -w -c -I%templates -I%inputs/mpi-mpich-style %t.c -o %t.o

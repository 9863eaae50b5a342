// A call whose template could only make the ordinary call gets no template. Its text is not compiled, and no
// compiler warns of the use of an unknown size.
#include <mpi.h>

void reduce(void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  for (int i = 0; i < 10; i++)
    MPI_Reduce(in, out, count, type, op, 0, comm);
}
void allreduce(void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  for (int i = 0; i < 10; i++)
    MPI_Allreduce(in, out, count, type, op, comm);
}
void opaque(void *b, int count, MPI_Datatype type) { MPI_Send(b, count, type, 1, 7, MPI_COMM_WORLD); }
void large(double *b) { MPI_Recv(b, 100000, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s | FileCheck %s --check-prefix=ANSWER
// ANSWER: sites=4 rewritten=4 inline=0 ordinary=4 diagnostics=0
// RUN: FileCheck %s --input-file=%t.new.i --implicit-check-not=mpispec_Send --implicit-check-not=mpispec_Recv --implicit-check-not=mpispec_Reduce
// CHECK: struct mpispec_state mpispec_state;
// CHECK: return MPI_Reduce(send_buffer, receive_buffer, count, datatype, op, root, comm);
// CHECK: return MPI_Allreduce(send_buffer, receive_buffer, count, datatype, op, comm);
// CHECK: return MPI_Send(buffer, count, datatype, peer, tag, comm);
// CHECK: return MPI_Recv(buffer, count, datatype, peer, tag, comm, status);
// RUN: for compiler in gcc clang-22; do for level in -O0 -O1 -O2 -O3; do \
// RUN:   $compiler $level -Wall -Wextra -Werror -c %t.new.i -o %t.o || exit 1; done; done

// Facts can be counted there, too.
// RUN: %analyze unit --check-facts --preprocessed=%t.i --output=%t.checked.i -- -I%inputs/mpi-mpich-style %s | FileCheck %s --check-prefix=ANSWER
// RUN: grep -q 'mpispec_check_' %t.checked.i && gcc -c %t.checked.i -o %t.o

// Must not: one that may take its template's fast path has it.
// RUN: sed 's/MPI_Datatype type/MPI_Datatype unused/; s/count, type/count, MPI_INT/; s/, op, /, MPI_SUM, /' %s > %t.known.c
// RUN: gcc -E -I%inputs/mpi-mpich-style %t.known.c -o %t.known.i
// RUN: %analyze unit --preprocessed=%t.known.i --output=%t.known.new.i -- -I%inputs/mpi-mpich-style %t.known.c
// RUN: FileCheck %s --input-file=%t.known.new.i --check-prefix=KNOWN
// KNOWN: mpispec_Reduce(
// KNOWN: mpispec_Allreduce(
// KNOWN: mpispec_Send(buffer, (long long)count, 4,
// RUN: for compiler in gcc clang-22; do for level in -O0 -O1 -O2 -O3; do \
// RUN:   $compiler $level -Wall -Wextra -Werror -Wno-unused-parameter -c %t.known.new.i -o %t.o || exit 1; done; done

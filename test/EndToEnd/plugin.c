/* Specialised calls in a plugin that is loaded after MPI_Init take their fast path. The plugin's copy of
 * the state must not replace the one that the runtime fills in. */
#include <mpi.h>

#ifdef PLUGIN
extern unsigned state[] __asm__(STATE); /* fast_size, ... */

static void bounce(int rank, int value[4]) {
  if (rank == 0) {
    MPI_Send(value, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Recv(value, 4, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(value, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ++value[3];
    MPI_Send(value, 4, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
}

unsigned go(int rank, int value[4]) {
  for (int i = 0; i < 100; ++i)
    bounce(rank, value);
  return state[0];
}

#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, value[4] = {0}, last;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    puts(dlerror());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const unsigned fast = ((unsigned (*)(int, int *))dlsym(plugin, "go"))(rank, value);
  /* One side is the plugin's, the other the program's. */
  if (rank == 0)
    MPI_Send(&value[3], 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  else
    MPI_Recv(&last, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1)
    printf("%d messages, fast for %u ranks\n", last, fast);
  MPI_Finalize();
  return 0;
}
#endif

// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{state} = -DSTATE='"%state"'
// RUN: %mpispec mpicc -O2 -DPLUGIN %{state} -fPIC -shared %s -o plugin.so
// RUN: mpicc -O2 %s -o host && %mpispec mpicc -O2 %s -o specialised
// RUN: %mpispec mpicc -c -O2 %s -o host.o && %mpispec mpicxx host.o -o linked-by-c++
// RUN: %mpispec mpicc -O2 -fuse-ld=gold %s -o linked-by-gold
// RUN: mkdir gold && ln -s "$(command -v ld.gold)" gold/ld && %mpispec mpicc -O2 -Bgold/ %s -o linked-by-b
// RUN: env COMPILER_PATH=$PWD/gold %mpispec mpicc -O2 %s -o linked-by-path
// RUN: for host in specialised linked-by-c++ linked-by-gold linked-by-b linked-by-path; do \
// RUN:   %mpirun -n 2 ./$host ./plugin.so | FileCheck %s || exit 1; \
// RUN:   env LD_PRELOAD=%library/libmpispec.so %mpirun -n 2 ./$host ./plugin.so | FileCheck %s || exit 1; \
// RUN: done
// RUN: env LD_PRELOAD=%library/libmpispec.so %mpirun -n 2 ./host ./plugin.so | FileCheck %s
// CHECK: 100 messages, fast for 2 ranks

// Without a runtime all calls are ordinary.
// RUN: %mpirun -n 2 ./host ./plugin.so | FileCheck --check-prefix=PLAIN %s
// PLAIN: 100 messages, fast for 0 ranks

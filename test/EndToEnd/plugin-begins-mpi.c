/* A program without MPI loads a plugin that initialises and finalises MPI, as Python does. With the runtime
 * preloaded, or brought by the plugin, lanes are open. Without the runtime, its specialised calls are ordinary. */
#ifdef PLUGIN
#include <mpi.h>
#include <stdio.h>

int work(void) {
  int rank, size, value = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 100; ++i)
    if (rank == 0) {
      MPI_Send(&i, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  MPI_Bcast(&value, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  if (rank == 0)
    printf("the last was %d\n", value);
  return MPI_Finalize();
}

#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *plugin = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    puts(dlerror());
    return 1;
  }
  return ((int (*)(void))dlsym(plugin, "work"))();
}
#endif

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: gcc -O2 %s -o host -ldl
// RUN: %mpispec mpicc -O2 -DPLUGIN -fPIC -shared %s -o plugin.so
// RUN: %mpispec mpicc -O2 -DPLUGIN -fPIC -shared %s -o bringing.so -L%library -Wl,-rpath,%library -lmpispec
// DEFINE: %{verbose} = env MPISPEC_VERBOSE=1
// RUN: %{verbose} LD_PRELOAD=%library/libmpispec.so %mpirun -n 2 ./host ./plugin.so >out 2>&1 && FileCheck --check-prefixes=CHECK,OPEN %s <out
// RUN: %{verbose} %mpirun -n 2 ./host ./bringing.so >out 2>&1 && FileCheck --check-prefixes=CHECK,%if openmpi4 %{ASIDE%} %else %{OPEN%} %s <out
// RUN: %{verbose} %mpirun -n 2 ./host ./plugin.so >out 2>&1 && FileCheck --implicit-check-not=mpispec: %s <out
// CHECK-DAG: the last was 99
// OPEN-DAG: mpispec: lanes are open
// (Open MPI 4 shows itself to the whole program, before a runtime that only the plugin sees.)
// ASIDE-DAG: mpispec: all calls go to MPI: another tool or a static link stands before the runtime

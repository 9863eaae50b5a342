/* A start searches for definitions of all functions that the runtime takes. It does so without dladdr, which reads all
 * symbols of an object: that was most of the runtime's own time in MPI_Init. */
#ifdef COUNTS
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static int calls;
static int (*next)(const void *, Dl_info *);

int dladdr(const void *address, Dl_info *info) {
  ++calls;
  if (!next)
    next = (int (*)(const void *, Dl_info *))dlsym(RTLD_NEXT, "dladdr");
  return next(address, info);
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "dladdr: %s\n", calls < 50 ? "few" : "many");
}
#else
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  puts("right");
  fflush(stdout);
  return 0;
}
#endif

// UNSUPPORTED: sanitizer
// RUN: gcc -DCOUNTS -shared -fPIC %s -o %t.counts.so
// RUN: %mpicc -w %s -o %t
// RUN: env LD_PRELOAD="%t.counts.so %library-shared" MPISPEC_VERBOSE=1 %t 2>&1 | FileCheck %s
// CHECK-NOT: another tool
// CHECK: right
// CHECK: dladdr: few

/* The library of CUDA is loaded without the driver, as in a container on a machine without a device. Messages take the
 * lanes, and not each buffer searches for the driver. A driver that is loaded later is found: then the MPI library
 * carries a message in the device's memory.
 *
 * Inputs/device-library.c plays the driver. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

#include "job/accelerator.h" /* counts what the MPI library has carried */

enum { TIMES = 100, BYTES = 4096, DEVICE = 2 };

static int rank, searches;

/* Counts the searches for the driver's function. */
void *dlsym(void *restrict handle, const char *restrict name) {
  static void *(*next)(void *, const char *);
  if (!next)
    *(void **)&next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  searches += !strcmp(name, "cuPointerGetAttribute");
  return next(handle, name);
}

static void send(char *memory) {
  if (rank == 0)
    MPI_Send(memory, BYTES, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
  else
    MPI_Recv(memory, BYTES, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *memory = malloc(BYTES);
  CHECK(mpispec_accelerator_is_queried);
  send(memory);
  searches = 0;
  for (int i = 0; i < TIMES; ++i)
    send(memory);
  CHECK(!searches && !mpispec_accelerator_counts.messages);

  void *driver = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  CHECK(driver);
  void (*const initialize)(void) = (void (*)(void))dlsym(driver, "device_initialize");
  void (*const add)(void *, size_t, int) = (void (*)(void *, size_t, int))dlsym(driver, "device_register");
  initialize();
  add(memory, BYTES, DEVICE);
  memset(memory, 'a' + rank, BYTES);
  send(memory);
  CHECK(searches && mpispec_accelerator_counts.messages == !rank); /* counted where it is sent */
  CHECK(memory[0] == 'a' && memory[BYTES - 1] == 'a');
  MPI_Finalize();
  return rank ? 0 : passed();
}

// The program defines dlsym, which the sanitizers define as well.
// UNSUPPORTED: sanitizer
// RUN: mkdir -p %t.dir && echo 'int cudart;' >%t.c && %mpicc -fPIC -shared %t.c -o %t.dir/libcudart.so.12
// RUN: %mpicc -w -fPIC -shared %tool/device-library.c -o %t.dir/driver.so
// RUN: %mpicc -w %include %s -o %t %runtime -ldl -Wl,--no-as-needed,%t.dir/libcudart.so.12
// RUN: MPISPEC_MODE=lanes %mpirun -n 2 %t %t.dir/driver.so | FileCheck %s
// CHECK: passed

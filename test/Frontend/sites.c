// Calls are found wherever they stand: in macro bodies and arguments, conditions, initializers, nested
// calls. A function pointer, the name alone, PMPI and operands that are not evaluated are no calls of MPI functions.
#include <mpi.h>

#define SEND(B, N) MPI_Send(B, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD)
#define CHECK(CALL) ((CALL) == MPI_SUCCESS ? 0 : 1)
#define NAME MPI_Barrier

extern double b[];
typedef int barrier(MPI_Comm);
int PMPI_Barrier(MPI_Comm);

int calls(MPI_Request *request) {
  int code = MPI_Barrier(MPI_COMM_WORLD);
  SEND(b, 4);
  CHECK(MPI_Bcast(b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  if (NAME(MPI_COMM_WORLD) || (MPI_Barrier)(MPI_COMM_SELF))
    return MPI_Wait(request,
                    MPI_STATUS_IGNORE);
  return code;
}

int no_calls(void) {
  barrier *pointer = &MPI_Barrier;
  barrier *another = MPI_Barrier;
  int sizes = sizeof(MPI_Barrier(MPI_COMM_WORLD)) + _Generic(MPI_Barrier(MPI_COMM_WORLD), int: 1, long: MPI_Barrier(0));
  return pointer(MPI_COMM_WORLD) + another(MPI_COMM_WORLD) + PMPI_Barrier(MPI_COMM_WORLD) + sizes;
}

// RUN: for style in mpich openmpi abi; do %analyze explain --print=sites -- -I%inputs/mpi-$style-style %s | FileCheck %s || exit 1; done
// CHECK:      0: {{.*}}sites.c:14:14 MPI_Barrier(MPI_COMM_WORLD) in calls{{$}}
// CHECK-NEXT: 1: {{.*}}sites.c:15:3 MPI_Send(b, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD) in calls, macro SEND{{$}}
// CHECK-NEXT: 2: {{.*}}sites.c:16:3 MPI_Bcast(b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD) in calls{{$}}
// CHECK-NEXT: 3: {{.*}}sites.c:17:7 MPI_Barrier(MPI_COMM_WORLD) in calls, macro NAME{{$}}
// CHECK-NEXT: 4: {{.*}}sites.c:17:32 MPI_Barrier(MPI_COMM_SELF) in calls{{$}}
// CHECK-NEXT: 5: {{.*}}sites.c:18:12 MPI_Wait(request, MPI_STATUS_IGNORE) in calls{{$}}
// CHECK-NOT:  {{^[0-9]}}

// A source in a ring is a rank and no wildcard if the remainder's numerator is not negative. It is another rank than
// the caller's if the step is between 0 and the size.
#include <mpi.h>

double b[8], c[8];
int decide(void);

#define RECV(FROM) MPI_Recv(b, 1, MPI_DOUBLE, FROM, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

void another(int distance) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 1; k < size; k++) {
    RECV((rank - k + size) % size);
    RECV((size + rank - k) % size);
    MPI_Sendrecv(b, 1, MPI_DOUBLE, (rank + k) % size, 0, c, 1, MPI_DOUBLE, (size - k + rank) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  if (distance > 0 && distance < size)
    RECV((rank - distance + size) % size);
}

/* A rank, but maybe the caller's. */
void any_rank(MPI_Comm other) {
  int rank, size, others;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_size(other, &others);
  for (int k = 0; k < size; k++)
    RECV((rank - k + size) % size);
  for (int k = 1; k <= size; k++)
    RECV((rank - k + size) % size);
  for (int k = 1; k < others; k++)
    RECV((rank - k + others) % size);
}

/* The numerator may be negative, or does not fit the type. */
void any_source(int someone, MPI_Comm other) {
  int rank, size, others;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_size(other, &others);
  for (int k = 1; k <= size + 1; k++)
    RECV((rank - k + size) % size);
  for (int k = 1; k < size; k++) {
    RECV((someone - k + size) % size);
    RECV((rank - k - k + size) % size);
    RECV((rank - k + size - 2) % size);
    RECV((rank - k) % size);
    RECV((rank - k + size + size + size) % size);
    for (int j = 1; j < size; j++)
      RECV((rank - k - j + size) % size);
  }
  for (int k = 1; k < others; k++)
    RECV((rank - k + size) % size);
  for (int k = decide(); k < size; k++)
    RECV((rank - k + size) % size);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} peer=[0, {{.*}} node=remote
// CHECK-NEXT: 1: {{.*}} peer=[0, {{.*}} node=remote
// CHECK-NEXT: 2: {{.*}} node=remote {{.*}} | {{.*}} peer=[0, {{.*}} node=remote
// CHECK-NEXT: 3: {{.*}} peer=[0, {{.*}} node=remote
// CHECK-NOT:  node=
// CHECK:      4: {{.*}} peer=[0,
// CHECK-NOT:  node=
// CHECK:      5: {{.*}} peer=[0,
// CHECK-NOT:  node=
// CHECK:      6: {{.*}} peer=[0,
// CHECK-NOT:  {{node=|peer=\[[0-9]}}
// CHECK:      15: copies=1
// CHECK-NOT:  {{node=|peer=\[[0-9]}}

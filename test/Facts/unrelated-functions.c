// Functions that have nothing to do with a site are not optimized. Functions that may change a variable of a site are
// the exception, because their stores count.
#include <mpi.h>

static int changed_by_unrelated = 12;
static int read_by_unrelated = 12;
double b[64];

void unrelated(int n) { changed_by_unrelated = n; }
static int never_changed = 12;
void changes_nothing(int n) {
  int never = 0;
  if (never)
    never_changed = n;
}
int also_unrelated(void) { return read_by_unrelated; }
static int used_on_the_way(void) { return 3; }

void run(void) {
  MPI_Send(b, changed_by_unrelated, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  MPI_Send(b, read_by_unrelated, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  MPI_Send(b, used_on_the_way(), MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  MPI_Send(b, never_changed, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      0: copies=1 {{[^|]*}}| datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=1 (literal){{$}}
// CHECK-NEXT: 1: {{.*}} count=12
// CHECK-NEXT: 2: {{.*}} count=3
// CHECK-NEXT: 3: {{.*}} count=12

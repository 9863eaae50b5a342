// Constants reach a call through macros, enums, const, sizeof and static variables.
#include <mpi.h>

#define COUNT 40
#define DOUBLE_COUNT(N) (2 * (N))
enum { TAG = 7 };
static const int fixed = 12;
static int never_changed = 30;
struct particle { double x[3]; int id; };
double buffer[200];

void send(void) {
  const int local = 5;
  int still_constant = 20;
  MPI_Send(buffer, COUNT, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
  MPI_Send(buffer, DOUBLE_COUNT(30), MPI_DOUBLE, 1, TAG + 1, MPI_COMM_WORLD);
  MPI_Send(buffer, fixed, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(buffer, never_changed, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(buffer, local, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  still_constant += 10;
  MPI_Send(buffer, still_constant, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(buffer, sizeof(struct particle), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(buffer, sizeof buffer / sizeof *buffer, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | count=40 (macro COUNT) datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=7 (enum constant TAG) bytes=320 (320 bytes) size=long
// CHECK-NEXT: 1: {{.*}} count=60 (macro DOUBLE_COUNT) {{.*}} tag=8 (constant expression)
// CHECK-NEXT: 2: {{.*}} count=12 (const fixed)
// CHECK-NEXT: 3: {{.*}} count=30 (static 'never_changed' never has another value here)
// CHECK-NEXT: 4: {{.*}} count=5 (const local)
// CHECK-NEXT: 5: {{.*}} count=30 (every value of 'still_constant')
// CHECK-NEXT: 6: {{.*}} count=32 (sizeof) {{.*}} size=short
// CHECK-NEXT: 7: {{.*}} count=200 (constant expression) {{.*}} size=long

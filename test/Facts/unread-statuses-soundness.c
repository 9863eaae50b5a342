// Whatever else is done with a status may be a look at it.
#include <mpi.h>
#include <setjmp.h>
#include <string.h>

MPI_Status global;
static MPI_Status own_of_file;
double b[8];
int MPI_Test_cancelled(const MPI_Status *, int *);
int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
int MPI_Get_elements(const MPI_Status *, MPI_Datatype, int *);
int PMPI_Wait(MPI_Request *, MPI_Status *);
int asked(const MPI_Status *);
void kept(MPI_Status *);
void cleaned(MPI_Status *);

int field(MPI_Request *r) {
  MPI_Status status;
  MPI_Wait(r, &status);
  return status.MPI_SOURCE;
}

int error_field(MPI_Request *r) {
  MPI_Status statuses[2];
  int failed = 0;
  if (MPI_Waitall(2, r, statuses) != 0)
    for (int i = 0; i < 2; ++i)
      failed += statuses[i].MPI_ERROR != 0;
  return failed;
}

int count(MPI_Request *r) {
  MPI_Status status;
  int n;
  MPI_Wait(r, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &n);
  return n;
}

int cancelled(MPI_Request *r) {
  MPI_Status status;
  int flag;
  MPI_Wait(r, &status);
  MPI_Test_cancelled(&status, &flag);
  return flag;
}

int elements(MPI_Request *r) {
  MPI_Status status;
  int n;
  MPI_Wait(r, &status);
  MPI_Get_elements(&status, MPI_DOUBLE, &n);
  return n;
}

int by_function(MPI_Request *r) {
  MPI_Status status;
  MPI_Wait(r, &status);
  return asked(&status);
}

int by_pointer(MPI_Request *r) {
  MPI_Status status, *p = &status;
  MPI_Wait(r, &status);
  return p->MPI_TAG;
}

int by_pointer_passed(MPI_Request *r) {
  MPI_Status status, *p = &status;
  MPI_Wait(r, p);
  return status.MPI_TAG;
}

MPI_Status by_copy(MPI_Request *r) {
  MPI_Status status, copy;
  MPI_Wait(r, &status);
  copy = status;
  return copy;
}

void by_memcpy(MPI_Request *r, void *to) {
  MPI_Status statuses[2];
  MPI_Waitall(2, r, statuses);
  memcpy(to, statuses + 1, sizeof(MPI_Status));
}

int by_union(MPI_Request *r) {
  union {
    MPI_Status status;
    int words[5];
  } u;
  MPI_Wait(r, &u.status);
  return u.words[2];
}

int in_structure(MPI_Request *r) {
  struct {
    MPI_Status status;
    int words[5];
  } s;
  MPI_Wait(r, &s.status);
  return ((int *)&s)[2];
}

void by_assembler(MPI_Request *r) {
  MPI_Status status;
  MPI_Wait(r, &status);
  __asm__ volatile("" : : "m"(status));
}

void before_the_next(MPI_Request *r, int n) {
  MPI_Status status = {0};
  for (int i = 0; i < n && status.MPI_TAG != 9; ++i)
    MPI_Wait(r + i, &status);
}

int after_a_jump(MPI_Request *r, jmp_buf place) {
  MPI_Status status;
  if (setjmp(place))
    return status.MPI_TAG;
  MPI_Wait(r, &status);
  longjmp(place, 1);
}

void kept_from_before(MPI_Request *r) {
  MPI_Status status;
  kept(&status);
  MPI_Wait(r, &status);
}

int never_in_clangs_view(MPI_Request *r, double x) {
  MPI_Status status;
  MPI_Wait(r, &status);
  if (0 && x > 1)
    return status.MPI_TAG;
  return 0;
}

void elsewhere(MPI_Request *r, MPI_Status *parameter, MPI_Status array[]) {
  static MPI_Status kept_between_calls;
  volatile MPI_Status seen_by_hardware;
  MPI_Status cleaned_up __attribute__((cleanup(cleaned)));
  MPI_Wait(r, &global);
  MPI_Wait(r, &own_of_file);
  MPI_Wait(r, &kept_between_calls);
  MPI_Wait(r, parameter);
  MPI_Waitall(2, r, array);
  MPI_Wait(r, (MPI_Status *)&seen_by_hardware);
  MPI_Wait(r, &cleaned_up);
}

int one_of_two(MPI_Request *r, int which) {
  MPI_Status left, right;
  MPI_Wait(r, which ? &left : &right);
  return left.MPI_TAG;
}

int by_profiled_name(MPI_Request *r) {
  MPI_Status status;
  PMPI_Wait(r, &status);
  MPI_Wait(r, &status);
  return 0;
}

int measured(MPI_Request *r) {
  MPI_Status statuses[2];
  MPI_Waitall(sizeof statuses / sizeof *statuses, r, statuses);
  return 0;
}

// RUN: %facts %check
// CHECK-NOT: status-unread

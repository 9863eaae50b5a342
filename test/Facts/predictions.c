// Values that an argument is likely to have. They come from copies of the call, ways to it, tables, and the values that
// this file gives to parameters, fields and variables.
#include <mpi.h>

typedef struct {
  MPI_Datatype type;
} params_t;
struct several {
  MPI_Datatype type;
  MPI_Op ops[2];
};
static const MPI_Datatype table[] = {MPI_INT, MPI_DOUBLE};
MPI_Datatype global;

void choice(void *b, int n, int kind) { MPI_Send(b, n, kind ? MPI_INT : MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
void from_table(void *b, int n, int kind) { MPI_Send(b, n, table[kind], 1, 1, MPI_COMM_WORLD); }
void cases(void *b, int n, int kind) {
  MPI_Datatype type;
  switch (kind) {
  case 0:
    type = MPI_INT;
    break;
  case 1:
    type = MPI_FLOAT;
    break;
  default:
    type = MPI_CHAR;
  }
  MPI_Send(b, n, type, 1, 2, MPI_COMM_WORLD);
}
void count(double *b, int kind) { MPI_Send(b, kind ? 16 : 20, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD); }
static void copy(void *b, int n, MPI_Datatype type) { MPI_Send(b, n, type, 1, 4, MPI_COMM_WORLD); }
void first(void *b, int n) { copy(b, n, MPI_INT); }
void second(void *b, int n, MPI_Datatype type) { copy(b, n, type); }
__attribute__((noinline)) void wrapper(void *b, int n, MPI_Datatype type) {
  MPI_Send(b, n, (MPI_Datatype)type, 1, 5, MPI_COMM_WORLD);
}
void field(void *b, int n, params_t p) { MPI_Send(b, n, p.type, 1, 6, MPI_COMM_WORLD); }
void member(void *b, int n, struct several *p) { MPI_Send(b, n, p->type, 1, 7, MPI_COMM_WORLD); }
void variable(void *b, int n) { MPI_Send(b, n, global, 1, 8, MPI_COMM_WORLD); }
void reduce(double *b, double *c, struct several *p) { MPI_Allreduce(b, c, 1, MPI_DOUBLE, p->ops[0], MPI_COMM_WORLD); }
void set(params_t *p, struct several *s, int kind) {
  struct several initial = {MPI_CHAR, {MPI_SUM, MPI_MAX}};
  *s = initial;
  p->type = MPI_LONG;
  global = kind ? MPI_FLOAT : MPI_DOUBLE;
}
void caller(void *b, params_t *p) {
  wrapper(b, 4, MPI_INT);
  wrapper(b, 4, p->type);
}

/* Derived datatypes, of a size that is decided at run time and of a constant one. */
struct panel {
  MPI_Datatype types[2], quarters[2], removed;
};
int MPI_Type_struct(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
void pack(struct panel *p, int n) {
  MPI_Type_contiguous(n, MPI_DOUBLE, &p->types[1]);
  MPI_Type_commit(&p->types[1]);
  MPI_Type_contiguous(4, MPI_DOUBLE, p->quarters);
  MPI_Type_commit(p->quarters);
  MPI_Type_struct(n, 0, 0, p->types, &p->removed);
}
void unpack(struct panel *p) {
  MPI_Type_free(&p->types[0]);
  MPI_Type_free(&p->types[1]);
}
void send_panel(void *b, struct panel *p) {
  MPI_Send(b, 1, p->types[0], 1, 9, MPI_COMM_WORLD);
  MPI_Send(b, 1, p->quarters[0], 1, 9, MPI_COMM_WORLD);
  MPI_Send(b, 1, p->removed, 1, 9, MPI_COMM_WORLD);
}

// Must not: many values, a counter, what another function may write, what nobody knows.
void many(void *b, int n, int kind) {
  MPI_Datatype type = kind == 1   ? MPI_INT
                      : kind == 2 ? MPI_CHAR
                      : kind == 3 ? MPI_FLOAT
                      : kind == 4 ? MPI_SHORT
                                  : MPI_DOUBLE;
  MPI_Send(b, n, type, 1, 10, MPI_COMM_WORLD);
}
void counter(double *b) {
  for (int i = 1; i <= 100; i++)
    MPI_Send(b, i, MPI_DOUBLE, 1, 11, MPI_COMM_WORLD);
}
void written(void *b) {
  MPI_Datatype type = MPI_INT;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Send(b, 1, type, 1, 12, MPI_COMM_WORLD);
}
void nobody(void *b, int n, MPI_Datatype type) { MPI_Send(b, n, type, 1, 13, MPI_COMM_WORLD); }

// RUN: for style in mpich openmpi abi; do %analyze explain --print=predictions -- -I%inputs/mpi-$style-style %s %check
// CHECK: 0: datatype=MPI_DOUBLE 50 % (copies: one of 2 values of 'kind ? MPI_INT : MPI_DOUBLE'), datatype=MPI_INT 50 %
// CHECK-NEXT: 1: datatype=MPI_DOUBLE 50 % (copies: one of 2 values of 'table[kind]'), datatype=MPI_INT 50 %
// CHECK-NEXT: 2: datatype={{MPI_[A-Z]+}} {{[0-9]+}} % {{.*}}, datatype={{.*}}, datatype=
// CHECK-NEXT: 3: count=16 50 % {{.*}}, count=20 50 % (copies: one of 2 values of 'kind ? 16 : 20'){{$}}
// CHECK-NEXT: 4: datatype=MPI_INT 50 % (copies: in some of 2 copies){{$}}
// CHECK-NEXT: 5: {{.*}}datatype=MPI_INT 50 % (unit: what this file gives 'type'), datatype=MPI_LONG 50 %
// CHECK-NEXT: 6: datatype=MPI_LONG 100 % (unit: what this file gives 'p.type'){{$}}
// CHECK-NEXT: 7: datatype=MPI_CHAR 100 %
// CHECK-NEXT: 8: datatype=MPI_DOUBLE 50 % {{.*}} datatype=MPI_FLOAT 50 %
// CHECK-NEXT: 9: op=MPI_MAX 50 % {{.*}} op=MPI_SUM 50 %
// CHECK-NEXT: 10: datatype=derived 100 % (unit: what this file gives 'p->types[0]'){{$}}
// CHECK-NEXT: 11: datatype=derived 100 % (unit: what this file gives 'p->quarters[0]'){{$}}
// CHECK-NEXT: 12: datatype=derived 100 % (unit: what this file gives 'p->removed'){{$}}
// CHECK-NEXT: 13:{{$}}
// CHECK-NEXT: 14:{{$}}
// CHECK-NEXT: 15:{{$}}
// CHECK-NEXT: 16:{{$}}

// Where a second value, another unit or an early look may be, nothing is proven.
#include <mpi.h>

double b[256];
MPI_Datatype seen_by_others; /* another unit may write it */
static MPI_Datatype two_values, escaping, from_outside;
static struct {
  MPI_Datatype type, other;
} fields;
static int count; /* 0 is a count: it may not have been assigned yet */
static int table[] = {1, 2};
static const int large[] = {1, 1000};
static const char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
void opaque(void *);
MPI_Datatype decide(void);

void begin(int kind) {
  seen_by_others = MPI_DOUBLE;
  two_values = MPI_DOUBLE;
  if (kind)
    two_values = MPI_INT;
  escaping = MPI_DOUBLE;
  opaque(&escaping);
  from_outside = MPI_DOUBLE;
  if (kind)
    from_outside = decide();
  fields.type = MPI_DOUBLE;
  fields.other = MPI_INT;
  count = 4;
  opaque(table);
}
void visible(void) { MPI_Send(b, 1, seen_by_others, 1, 0, MPI_COMM_WORLD); }
void two(void) { MPI_Send(b, 1, two_values, 1, 1, MPI_COMM_WORLD); }
void escapes(void) { MPI_Send(b, 1, escaping, 1, 2, MPI_COMM_WORLD); }
void outside(void) { MPI_Send(b, 1, from_outside, 1, 3, MPI_COMM_WORLD); }
void either(int k) { MPI_Send(b, 1, k ? fields.type : fields.other, 1, 4, MPI_COMM_WORLD); }
void early(void) { MPI_Send(b, count, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD); }
void written(int k) { MPI_Send(b, table[k], MPI_DOUBLE, 1, 6, MPI_COMM_WORLD); }
void both_classes(int k) { MPI_Send(b, large[k], MPI_DOUBLE, 1, 7, MPI_COMM_WORLD); }
void across(int k) { MPI_Send(b, *(const short *)(bytes + k), MPI_DOUBLE, 1, 8, MPI_COMM_WORLD); }

void derived_or_not(int kind) {
  MPI_Datatype type = MPI_DOUBLE;
  if (kind) {
    MPI_Type_contiguous(4, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
  }
  MPI_Send(b, 1, type, 1, 9, MPI_COMM_WORLD);
}
void replaced(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(4, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  opaque(&type);
  MPI_Send(b, 1, type, 1, 10, MPI_COMM_WORLD);
}
void committed_only(MPI_Datatype type) {
  MPI_Type_commit(&type);
  MPI_Send(b, 1, type, 1, 11, MPI_COMM_WORLD);
}
void of_unknown(MPI_Datatype old) {
  MPI_Datatype type;
  MPI_Type_contiguous(4, old, &type);
  MPI_Type_commit(&type);
  MPI_Send(b, 1, type, 1, 12, MPI_COMM_WORLD);
}
void blocks(int *lengths, int *displacements) {
  MPI_Datatype type;
  MPI_Type_indexed(2, lengths, displacements, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Send(b, 1, type, 1, 13, MPI_COMM_WORLD);
}
void duplicate(MPI_Datatype old) {
  MPI_Datatype type;
  MPI_Type_dup(old, &type);
  MPI_Send(b, 1, type, 1, 14, MPI_COMM_WORLD);
}

struct halo {
  MPI_Datatype type;
  int count;
};
#define NOINLINE __attribute__((noinline))
NOINLINE static void to_two(const struct halo *h) { MPI_Send(b, h->count, h->type, 1, 15, MPI_COMM_WORLD); }
NOINLINE static void to_escaped(const struct halo *h) { MPI_Send(b, h->count, h->type, 1, 16, MPI_COMM_WORLD); }
NOINLINE void to_others(const struct halo *h) { MPI_Send(b, h->count, h->type, 1, 17, MPI_COMM_WORLD); }
NOINLINE static void to_pointer(const struct halo *h) { MPI_Send(b, h->count, h->type, 1, 18, MPI_COMM_WORLD); }
NOINLINE static void to_copied(const struct halo *h) { MPI_Send(b, h->count, h->type, 1, 19, MPI_COMM_WORLD); }
NOINLINE static void to_received(struct halo *h) {
  MPI_Recv(&h->count, 1, MPI_INT, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(b, h->count, h->type, 1, 21, MPI_COMM_WORLD);
}
NOINLINE static void to_punned(const struct halo *h) { MPI_Send(b, h->count, MPI_DOUBLE, 1, 22, MPI_COMM_WORLD); }
NOINLINE static void to_indexed(const struct halo *h) { MPI_Send(b, h->count, MPI_DOUBLE, 1, 23, MPI_COMM_WORLD); }
NOINLINE static void change(struct halo *h) { h->count += 1; }
NOINLINE static void to_changed(const struct halo *h) { MPI_Send(b, h->count, MPI_DOUBLE, 1, 24, MPI_COMM_WORLD); }
void (*callback)(const struct halo *) = to_pointer;
void by_address(int n, const struct halo *given) {
  struct halo one = {MPI_DOUBLE, 4}, two = {MPI_INT, 500}, escaped = one, copied, received = one, punned = one;
  struct halo many[4] = {{MPI_DOUBLE, 4}, {MPI_DOUBLE, 4}, {MPI_DOUBLE, 4}, {MPI_DOUBLE, 4}}, changed = one;
  to_two(&one);
  to_two(&two);
  opaque(&escaped);
  to_escaped(&escaped);
  to_others(&one);
  to_pointer(&one);
  copied = *given;
  to_copied(&copied);
  to_received(&received);
  ((char *)&punned)[sizeof(MPI_Datatype)] = 1;
  to_punned(&punned);
  many[n].count = 5;
  to_indexed(&many[1]);
  change(&changed);
  to_changed(&changed);
}

// RUN: %facts %check
// CHECK:      0: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | count=1 (literal) peer=1 (literal) tag=0
// CHECK-NEXT: 1: {{.*}} count=1 (literal) peer=1 (literal) tag=1
// CHECK-NEXT: 2: {{.*}} count=1 (literal) peer=1 (literal) tag=2
// CHECK-NEXT: 3: {{.*}} count=1 (literal) peer=1 (literal) tag=3
// CHECK-NEXT: 4: {{.*}} count=1 (literal) peer=1 (literal) tag=4
// CHECK-NEXT: 5: {{.*}} count=[0, 4] {{.*}} tag=5
// CHECK-NEXT: 6: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=6 (literal){{$}}
// CHECK-NEXT: 7: {{.*}} count=[1, 1000] {{.*}} tag=7 (literal) bytes=[8, 8000]{{[^=]*$}}
// CHECK-NEXT: 8: {{.*}} tag=8
// CHECK-NOT: size=
// CHECK:      9: {{.*}} count=1 (literal) peer=1 (literal) tag=9
// CHECK-NEXT: 10: {{.*}} count=1 (literal) peer=1 (literal) tag=10
// CHECK-NEXT: 11: {{.*}} count=1 (literal) peer=1 (literal) tag=11
// CHECK-NEXT: 12: {{.*}} count=1 (literal) datatype=derived {{.*}} tag=12
// CHECK-NOT: size=
// CHECK:      13: {{.*}} count=1 (literal) datatype=derived {{.*}} tag=13
// CHECK-NOT: size=
// CHECK:      14: {{.*}} count=1 (literal) peer=1 (literal) tag=14
// CHECK-NOT: size=
// CHECK-NEXT: 15: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | peer=1 (literal) tag=15 (literal){{$}}
// CHECK-NEXT: 16: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | peer=1 (literal) tag=16 (literal){{$}}
// CHECK-NEXT: 17: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | peer=1 (literal) tag=17 (literal){{$}}
// CHECK-NEXT: 18: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | peer=1 (literal) tag=18 (literal){{$}}
// CHECK-NEXT: 19: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | peer=1 (literal) tag=19 (literal){{$}}
// CHECK-NEXT: 20: {{.*}} tag=20
// CHECK-NEXT: 21: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | peer=1 (literal) tag=21 (literal){{$}}
// CHECK-NEXT: 22: {{.*}} | datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=22 (literal){{$}}
// CHECK-NEXT: 23: {{.*}} | datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=23 (literal){{$}}
// CHECK-NEXT: 24: {{.*}} | datatype=MPI_DOUBLE (macro MPI_DOUBLE) peer=1 (literal) tag=24 (literal){{$}}

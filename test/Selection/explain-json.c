// `explain --format=json`: an object for each call, unknown facts absent.
#include <mpi.h>

double b[8];

void exchange(int left, int n) {
  if (n >= 0 && n < 30 && left >= 0 && left <= 3)
    MPI_Sendrecv(b, n, MPI_DOUBLE, left, 7, b, 8, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// RUN: %analyze explain --format=json -- -I%inputs/mpi-mpich-style %s > %t.json
// RUN: python3 -m json.tool %t.json > /dev/null
// RUN: FileCheck %s < %t.json

// CHECK:      "file": "{{.*}}explain-json.c",
// CHECK-NEXT: "line": 8,
// CHECK-NEXT: "column": 5,
// CHECK-NEXT: "function": "MPI_Sendrecv",
// CHECK-NEXT: "in": "exchange",
// CHECK-NEXT: "template": "",
// CHECK-NEXT: "form": "ordinary",
// CHECK-NEXT: "reason": "a message from any source",
// CHECK-NEXT: "copies": 1,
// CHECK-NEXT: "facts": {
// CHECK-NEXT:   "datatype": "MPI_DOUBLE",
// CHECK-NEXT:   "count": [
// CHECK-NEXT:     0,
// CHECK-NEXT:     29
// CHECK-NEXT:   ],
// CHECK-NEXT:   "size": "short",
// CHECK-NEXT:   "peer": [
// CHECK-NEXT:     0,
// CHECK-NEXT:     3
// CHECK-NEXT:   ],
// CHECK-NEXT:   "tag": 7,
// CHECK-NEXT:   "recv_datatype": "MPI_DOUBLE",
// CHECK-NEXT:   "recv_count": 8,
// CHECK-NEXT:   "recv_size": "short",
// CHECK-NEXT:   "source": "MPI_ANY_SOURCE",
// CHECK-NEXT:   "recv_tag": "MPI_ANY_TAG",
// CHECK-NEXT:   "comm": "MPI_COMM_WORLD",
// CHECK-NEXT:   "status": "ignored",
// CHECK-NEXT:   "origin": {
// CHECK:          "source": "macro MPI_ANY_SOURCE",
// CHECK:      "missed": [
// CHECK:        "id": "wildcard-source",
// CHECK-NEXT:   "argument": "source",
// CHECK-NEXT:   "text": "source is MPI_ANY_SOURCE: name the rank, if only one can send here",
// CHECK-NEXT:   "variable": "MPI_ANY_SOURCE",
// CHECK-NEXT:   "scope": "",
// CHECK-NEXT:   "edit": "name the rank, if only one can send here"
// CHECK:        "id": "wildcard-tag",
// CHECK-NEXT:   "argument": "receive tag",
// CHECK:      "warnings": []

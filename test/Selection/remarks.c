// Remarks in LLVM's format: its own tools read them, and so does `report`.
#include <mpi.h>

double b[8];

void exchange(int left, int n, MPI_Request *request) {
  MPI_Send(b, 8, MPI_DOUBLE, left, 7, MPI_COMM_WORLD);
  MPI_Irecv(b, n, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, request);
  MPI_Start(request);
}

// RUN: rm -rf %t && mkdir %t
// RUN: %mpispec --mpispec-remarks=%t/remarks mpicc -c %s -o %t/remarks.o
// RUN: cat %t/remarks/*.yaml | FileCheck %s

// CHECK:      --- !Analysis
// CHECK-NEXT: Pass:            mpispec
// CHECK-NEXT: Name:            translation-unit
// CHECK-NEXT: Function:        '<translation unit>'
// CHECK:      --- !Passed
// CHECK-NEXT: Pass:            mpispec
// CHECK-NEXT: Name:            specialised
// CHECK-NEXT: DebugLoc:        { File: '{{.*}}remarks.c', Line: 7, Column: 3 }
// CHECK-NEXT: Function:        exchange
// CHECK-NEXT: Args:
// CHECK-NEXT:   - Callee:          MPI_Send
// CHECK:        - Template:        Send
// CHECK:        - Form:            inline
// CHECK:        - datatype:        MPI_DOUBLE
// CHECK:        - count:           '8'
// CHECK:        - size:            short
// CHECK-NOT:      - Template
// CHECK:        - Form:            ordinary
// CHECK:      --- !Missed
// CHECK-NEXT: Pass:            mpispec
// CHECK-NEXT: Name:            wildcard-source
// CHECK:        - Argument:        peer
// CHECK:        - Text:            peer is MPI_ANY_SOURCE
// CHECK:        - Edit:            name the rank, if only one can send here
// CHECK:        - Variable:        MPI_ANY_SOURCE
// CHECK-NOT:  Name:            {{peer-unknown|size-unknown}}
// CHECK:      Name:            no-template
// CHECK:        - Callee:          MPI_Start

// LLVM's tools count them, turn them into its binary form and back, and list them.
// RUN: llvm-remarkutil count --group-by=function %t/remarks/*.yaml | FileCheck %s -check-prefix=COUNT
// RUN: llvm-remarkutil yaml2bitstream %t/remarks/*.yaml -o %t/binary
// RUN: llvm-remarkutil bitstream2yaml %t/binary | FileCheck %s -check-prefix=BACK
// RUN: llvm-opt-report %t/remarks/*.yaml
// COUNT: exchange,4
// BACK:      --- !Passed
// BACK-NEXT: Pass:            mpispec
// BACK-NEXT: Name:            specialised

// RUN: %mpispec report %t/remarks | FileCheck %s -check-prefix=REPORT
// REPORT:      1 translation unit with MPI calls
// REPORT-NEXT: 3 calls: 1 inline, 1 ordinary, 1 left as it is
// REPORT:      CALLS {{ *}}FOUND    INLINE  ORDINARY      LEFT
// REPORT-NEXT: MPI_Irecv {{ *}}1         -         1         -
// REPORT-NEXT: MPI_Send {{ *}}1         1         -         -
// REPORT-NEXT: MPI_Start {{ *}}1         -         -         1
// REPORT-NEXT: all {{ *}}3         1         1         1
// REPORT:      Send {{ *}}1
// REPORT:      MISSED {{ *}}CALLS  MOST IN
// REPORT:      wildcard-source (peer) {{ *}}1 {{.*}}remarks.c
// REPORT:      TO EDIT
// REPORT-NEXT: MPI_ANY_SOURCE, remarks.c {{ *}}1  name the rank

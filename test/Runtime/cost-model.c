/* Cost models in programs. All ranks of a node use the one that its first rank has read, whatever file the others
 * name. A model that cannot be used changes nothing. The costs of the messages are written to a file where the user
 * wants it. */
#include "p2p/cost_model_file.h"

#include "check.h"

#include <mpi.h>
#include <string.h>

enum { SHORTER = 1 << 18, LONGER = 1 << 20, ROUNDS = 400 };
static unsigned char buffer[LONGER];

static int write_model(const char *path, enum mpispec_way used) {
  struct mpispec_cost_model model;
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways)
        for (int back_to_back = 0; back_to_back < 2; ++back_to_back)
          model.costs[distance][class][both_ways][back_to_back] = (struct mpispec_way_costs){
              {[MPISPEC_WAY_PIPE] = 70, [MPISPEC_WAY_SHARED] = 70}, (uint8_t)used, 1};
  return mpispec_cost_model_save(&model, path, 0600);
}

/* One letter for the way of each class and direction, but of the first: its messages take the pipe. */
static void tell_ways(int rank) {
  char letters[2 * MPISPEC_SIZE_CLASSES + 1] = "";
  for (int class = 1; class < MPISPEC_SIZE_CLASSES; ++class)
    for (int both_ways = 0; both_ways < 2; ++both_ways) {
      const struct mpispec_situation situation = {!rank, INT64_C(1) << (16 + class), both_ways, 0};
      strcat(letters, mpispec_way_choose(&situation) == MPISPEC_WAY_PIPE ? "p" : "s");
    }
  tell("ways %s", letters);
}

static void ping_pong(int rank, int bytes) {
  for (int i = 0; i < 2 * ROUNDS; ++i)
    if (i % 2 == rank)
      MPI_Send(buffer, bytes, MPI_BYTE, !rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(buffer, bytes, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  if (argc == 3)
    return write_model(argv[2], strcmp(argv[1], "pipe") ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  setenv("MPISPEC_CACHE", "/proc/none", 1); /* too late to count */
  tell_ways(rank);
  if (argc == 2) {
    ping_pong(rank, SHORTER);
    ping_pong(rank, LONGER);
  }
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: rm -rf %t.d && mkdir %t.d && %t pipe %t.d/pipe && %t shared %t.d/shared
// DEFINE: %{run} = env MPISPEC_VERBOSE=1 %mpirun

// RUN: %{run} -n 2 env MPISPEC_COST_MODEL=%t.d/pipe %t >%t.out 2>&1 && FileCheck --check-prefix=PIPE %s <%t.out
// RUN: %{run} -n 2 env MPISPEC_COST_MODEL=%t.d/shared %t >%t.out 2>&1 && FileCheck --check-prefix=SHARED %s <%t.out
// PIPE-DAG: mpispec: costs of long messages: the file {{.*}}.d/pipe, of 20
// PIPE-DAG: {{^}}ways pppppppppppppppp{{$}}
// PIPE-DAG: {{^}}ways pppppppppppppppp{{$}}
// SHARED-DAG: mpispec: costs of long messages: the file {{.*}}.d/shared, of 20
// SHARED-DAG: {{^}}ways ssssssssssssssss{{$}}
// SHARED-DAG: {{^}}ways ssssssssssssssss{{$}}

// By rank: the first one's counts.
// RUN: %{run} -n 1 env MPISPEC_COST_MODEL=%t.d/pipe %t : -n 1 env MPISPEC_COST_MODEL=%t.d/shared MPISPEC_CACHE=%t.d %t >%t.out 2>&1
// RUN: FileCheck --check-prefix=PIPE %s <%t.out
// RUN: %{run} -n 1 env MPISPEC_COST_MODEL=%t.d/shared %t : -n 1 env MPISPEC_COST_MODEL=built-in %t >%t.out 2>&1
// RUN: FileCheck --check-prefix=SHARED %s <%t.out

// A file that cannot be used leaves the built-in costs, the same as no file.
// RUN: %{run} -n 2 env MPISPEC_COST_MODEL=built-in %t 2>/dev/null | sort >%t.expected
// RUN: head -c 300 %t.d/pipe >%t.d/cut; sed 's/^machine ./machine _/' %t.d/pipe >%t.d/foreign; head -c 3000 /dev/urandom >%t.d/random
// RUN: cp %t.d/pipe %t.d/writable && chmod 0666 %t.d/writable; ln -s pipe %t.d/link
// RUN: for bad in absent cut foreign random writable link .; do \
// RUN:   %{run} -n 2 env MPISPEC_COST_MODEL=%t.d/$bad %t 2>%t.err | sort | diff %t.expected - || exit 1; \
// RUN:   grep "$bad is ignored: " %t.err || exit 1; done

// Learned costs are kept in the user's cache, and used by the next job. A job on a busy machine may learn nothing, because it
// leaves out samples in which a rank has lost its core. Under ThreadSanitizer, messages may not begin soon enough after the
// last one to count as back to back.
// RUN: for try in 1 2 3 4 5 6 7 8; do grep -sq ' 262144 one-way %if !sanitizer %{back%}' %t.d/home/cache/* && \
// RUN:   grep -q ' 1048576 one-way %if !sanitizer %{back%}' %t.d/home/cache/* || \
// RUN:   %{run} -n 2 env MPISPEC_CACHE=%t.d/home/cache %t learn || exit 1; done
// RUN: ls %t.d/home/cache | count 1
// RUN: FileCheck --check-prefixes=LEARNED,%if sanitizer %{SLOW%} %else %{SOON%} %s <$(echo %t.d/home/cache/*)
// RUN: %{run} -n 2 env MPISPEC_CACHE=%t.d/home/cache %t 2>&1 | FileCheck --check-prefix=USED %s
// LEARNED: mpispec cost model 2
// LEARNED-NEXT: machine {{.+}}
// LEARNED-NEXT: #
// SOON: {{^(core|cache|package|machine)}} 262144 one-way back-to-back {{[1-9][0-9]*}} {{[1-9][0-9]*}} {{pipe|shared$}}
// SOON: {{^(core|cache|package|machine)}} 1048576 one-way back-to-back {{[1-9][0-9]*}} {{[1-9][0-9]*}} {{pipe|shared$}}
// SLOW: {{^(core|cache|package|machine)}} 262144 one-way {{apart|back-to-back}} {{[1-9][0-9]*}} {{[1-9][0-9]*}} {{pipe|shared$}}
// SLOW: {{^(core|cache|package|machine)}} 1048576 one-way {{apart|back-to-back}} {{[1-9][0-9]*}} {{[1-9][0-9]*}} {{pipe|shared$}}
// LEARNED: {{^}}end
// USED: the user's file {{.*}}home/cache/long-messages-

// Not kept: where the user has chosen a way or a model, or wants no cache, and where there is no place for it.
// RUN: for off in MPISPEC_LONG_MESSAGES=pipe MPISPEC_COST_MODEL=%t.d/pipe MPISPEC_CACHE=off; do \
// RUN:   %{run} -n 2 env MPISPEC_CACHE=%t.d/none $off %t learn && test ! -e %t.d/none || exit 1; done
// RUN: %{run} -n 2 env -u XDG_CACHE_HOME HOME=/proc/none MPISPEC_CACHE= %t learn
// RUN: ls %t.d | FileCheck --check-prefix=LEFT %s --implicit-check-not=none
// LEFT: home

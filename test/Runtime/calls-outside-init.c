/* Calls that may happen before MPI_Init, beside it and after MPI_Finalize: sessions, MPI_T, questions
 * about the version, children of the process. With "session" as its argument, a session comes
 * first. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;

static void ask_version(void) {
  int version, subversion, length, flag;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  CHECK(!MPI_Get_version(&version, &subversion) && version >= 3);
  CHECK(!MPI_Get_library_version(text, &length) && length > 0);
  CHECK(!MPI_Initialized(&flag) && !MPI_Finalized(&flag));
}

/* A ring of messages, short and long, and a barrier. */
static void exchange(MPI_Comm comm) {
  static int out[100000], in[100000];
  for (int count = 1; count <= 100000; count *= 100) {
    out[count - 1] = rank + count;
    MPI_Sendrecv(out, count, MPI_INT, (rank + 1) % size, 3, in, count, MPI_INT,
                 (rank + size - 1) % size, 3, comm, MPI_STATUS_IGNORE);
    CHECK(in[count - 1] == (rank + size - 1) % size + count);
  }
  MPI_Barrier(comm);
}

#if MPI_VERSION >= 4
static void use_session(MPI_Session session) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "life", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  exchange(comm);
  MPI_Comm_free(&comm);
}

#endif

static int is_mapped(void) {
  char line[512];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    found |= strstr(line, "/memfd:mpispec") != NULL;
  fclose(maps);
  return found;
}

/* Children that end in every way; none inherits a segment. */
static void have_children(void) {
  int status;
  char word[16] = "";
#ifdef OPEN_MPI /* whose shared memory a child removes that ends by exit */
  const int first = 1;
#else
  const int first = 0;
#endif
  for (int way = first; way < 2; ++way) {
    const pid_t child = fork();
    if (!child && way == 0)
      exit(is_mapped());
    if (!child)
      _exit(is_mapped());
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  CHECK(!system("true"));
  FILE *other = popen("echo word", "r");
  CHECK(other && fgets(word, sizeof word, other) && !strcmp(word, "word\n"));
  CHECK(!pclose(other));
}

int main(int argc, char **argv) {
#if MPI_VERSION >= 4
  const int session_first = argc > 1 && !strcmp(argv[1], "session");
  MPI_Session session;
#endif
  int provided;
  ask_version();
#ifndef OPEN_MPI /* which crashes in MPI_T_finalize behind MPI_Finalize */
  CHECK(!MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
#endif
#if MPI_VERSION >= 4
  if (session_first)
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  exchange(MPI_COMM_WORLD);
  have_children();
  exchange(MPI_COMM_WORLD);
#if MPI_VERSION >= 4
  if (!session_first)
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  use_session(session);
  exchange(MPI_COMM_WORLD);
  MPI_Session_finalize(&session);
#endif
  MPI_Finalize();
  ask_version();
#ifndef OPEN_MPI
  MPI_T_finalize();
#endif
  if (rank == 0)
    puts("lived");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1
// RUN: %{lanes} %mpirun -n 3 %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=LIVED,OPEN <%t.out
// (Behind a session, Intel MPI refuses MPI_Init; MPICH 5 crashes where only some ranks have begun one.)
// RUN: %if mpi4 && !intel %{ %{lanes} %mpirun -n 2 %t session >%t.out 2>&1 %}
// RUN: %if mpi4 && !intel %{ FileCheck %s --check-prefixes=LIVED,SESSION <%t.out %}
// RUN: %if mpi4 && !intel && !mpich5 %{ %{lanes} %mpirun -n 2 %t : -n 1 %t session >%t.out 2>&1 %}
// RUN: %if mpi4 && !intel && !mpich5 %{ FileCheck %s --check-prefixes=LIVED,SESSION,WILLING <%t.out %}

// Without a launcher, alone under one, several at a time, in what looks like a batch script.
// RUN: %{lanes} %t >%t.out 2>&1 && FileCheck %s --check-prefixes=LIVED,OPEN <%t.out
// RUN: %{lanes} %mpirun -n 1 %t >%t.out 2>&1 && FileCheck %s --check-prefixes=LIVED,OPEN <%t.out
// RUN: env SLURM_PROCID=0 SLURM_NTASKS=4 MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=LIVED,OPEN <%t.out
// RUN: %if !openmpi %{ %tool/other-launcher.sh %t.launcher %}
// RUN: %{lanes} %tool/side-by-side.sh mpiexec -n 2 %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefix=THREE <%t.out
// RUN: %if !openmpi %{ %{lanes} %tool/side-by-side.sh %t.launcher/mpiexec -n 2 %t >%t.out 2>&1 %}
// RUN: %if !openmpi %{ FileCheck %s --check-prefix=THREE <%t.out %}

// LIVED-DAG: lived
// OPEN-DAG: mpispec: lanes are open
// WILLING-DAG: mpispec: all calls go to MPI: not every rank has this build of the runtime
// SESSION-DAG: mpispec: all calls go to MPI: a session came before MPI_Init
// THREE-DAG: mpispec: lanes are open
// THREE-DAG: mpispec: lanes are open
// THREE-DAG: mpispec: lanes are open
// THREE-DAG: lived
// THREE-DAG: lived
// THREE-DAG: lived

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the variables that launchers set for their ranks, and finds the launcher's process. */
#define _GNU_SOURCE
#include "job/launcher.h"

#include "job/cache_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *first_of(const char *const names[]) {
  for (; *names; ++names)
    if (getenv(*names))
      return getenv(*names);
  return NULL;
}

/* The ranks of Open MPI are those of PMIx. A shell within a job may have passed on variables of
 * another launcher. */
#ifdef MPISPEC_STYLE_OMPI
enum { PMIX_IS_FIRST = 1 };
#define IN_ORDER(OF_HYDRA, OF_PMIX) OF_PMIX, OF_HYDRA
#else
enum { PMIX_IS_FIRST = 0 };
#define IN_ORDER(OF_HYDRA, OF_PMIX) OF_HYDRA, OF_PMIX
#endif

const char *mpispec_launcher_rank(void) {
  static const char *const names[] = {IN_ORDER("PMI_RANK", "PMIX_RANK"), "SLURM_PROCID", NULL};
  static char rank[16]; /* as of the first call: Open MPI sets PMIX_RANK in a process without it */
  const char *found = *rank ? rank : first_of(names);
  if (found && !*rank)
    snprintf(rank, sizeof rank, "%.15s", found);
  return found;
}
static const char *ranks_in_all(void) {
  static const char *const names[] = {IN_ORDER("PMI_SIZE", "OMPI_COMM_WORLD_SIZE"), "SLURM_NTASKS",
                                      NULL};
  return first_of(names);
}
static const char *ranks_here(void) {
  static const char *const names[] = {IN_ORDER("MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"),
                                      NULL};
  return first_of(names);
}

/* Slurm's number is not used, because it is also set in the shell of a batch script. Open MPI sets
 * its own variables in a process that another launcher has started. */
int mpispec_launcher_ranks(void) {
  static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};
  const char *all = first_of(names), *rank = mpispec_launcher_rank();
  const int launched = all ? atoi(all) : 1, least = rank ? atoi(rank) + 1 : 1;
  return launched > least ? launched : least;
}

int mpispec_launcher_ranks_here(void) {
  const char *here = ranks_here();
  return here ? atoi(here) : 0;
}

int mpispec_launcher_spreads(void) {
  if (getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") || getenv("MPIR_CVAR_NUM_CLIQUES"))
    return 1; /* MPICH treats one machine as several nodes */
  if (!mpispec_launcher_rank())
    return 0;
  const char *all = ranks_in_all(), *here = ranks_here();
  return !all || !here || atoi(all) > atoi(here);
}

int mpispec_launcher_sets_level(void) {
  static const char *const names[] = {"MPIR_CVAR_DEFAULT_THREAD_LEVEL",
                                      "MPICH_DEFAULT_THREAD_LEVEL", "OMPI_MPI_THREAD_LEVEL",
                                      "I_MPI_THREAD_LEVEL_DEFAULT", NULL};
  return first_of(names) != NULL;
}

/* The process that has made the socket of PMI: the launcher. 0 if that process is in another
 * process namespace, -1 if there is no such socket. */
static int socket_maker(void) {
  const char *number = getenv("PMI_FD");
  struct ucred maker;
  socklen_t size = sizeof maker;
  if (!number || getsockopt(atoi(number), SOL_SOCKET, SO_PEERCRED, &maker, &size))
    return -1;
  return maker.uid == (uid_t)-1 ? -1 : maker.pid; /* a socket of another family has no maker */
}

/* The parent of a process and the name of its program, from /proc. The name may contain brackets.
 */
static int read_parent(int process, char name[32], int *parent) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  char *begin = fgets(line, sizeof line, file) ? strchr(line, '(') : NULL;
  char *end = begin ? strrchr(begin, ')') : NULL;
  fclose(file);
  if (!end || sscanf(end + 1, " %*c %d", parent) != 1)
    return 0;
  *end = 0;
  snprintf(name, 32, "%s", begin + 1);
  return 1;
}

static int is_launcher(const char *name) {
  static const char *const known[] = {"hydra_pmi_proxy", "slurmstepd", "orted", "prted"};
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (!strcmp(name, known[i]))
      return 1;
  return 0;
}

/* The nearest ancestor whose program is wanted, and its name; 0 if there is none. */
static int find_ancestor(int is_wanted(const char *name), char name[32]) {
  int parent, process = getppid();
  for (int step = 0; step < 16 && process > 1 && read_parent(process, name, &parent); ++step) {
    if (is_wanted(name))
      return process;
    process = parent;
  }
  return 0;
}

/* The launcher's process: the maker of its socket, or the nearest ancestor that is known as a
 * launcher. A shell may be between the launcher and the rank. If no launcher is found, the result
 * is the maker of the socket or the parent, and `name` is "". */
static int launcher(char name[32]) {
  const int maker = socket_maker();
  int parent;
  if (maker > 0 && read_parent(maker, name, &parent) && is_launcher(name))
    return maker;
  const int ancestor = find_ancestor(is_launcher, name);
  if (ancestor)
    return ancestor;
  name[0] = 0;
  return maker >= 0 ? maker : getppid();
}

int mpispec_launcher_is_hidden(void) {
  char name[32];
  return launcher(name) == 0;
}

/* Nonzero for the names of commands by which users start a job. With Open MPI, that command itself
 * starts the ranks of its own machine. */
static int is_command(const char *name) {
  static const char *const known[] = {"mpiexec", "mpirun", "orterun", "prterun"};
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (!strncmp(name, known[i], strlen(known[i])))
      return 1;
  return 0;
}

int mpispec_launcher_process(void) {
  char name[32];
  const int process = launcher(name);
  return name[0] ? process : find_ancestor(is_command, name);
}

int mpispec_launcher_is(const char *program) {
  char name[32];
  launcher(name);
  return !strcmp(name, program);
}

int mpispec_launcher_is_absent(void) {
  char name[32];
  launcher(name);
  return getenv("PMI_RANK") && !getenv("PMI_FD") && !getenv("PMI_PORT") &&
         !getenv("SLURM_PROCID") && !name[0];
}

enum { LONGEST = 24 };

static void write_digest(char text[LONGEST + 1], const char *name) {
  snprintf(text, LONGEST + 1, "%016llx", (unsigned long long)mpispec_cache_number(name));
}

/* Writes the name of this job, which a launcher gives if it serves several jobs. Returns 0 if there
 * is no name. */
static int write_job(char text[LONGEST + 1]) {
  const char *name = getenv("PMIX_NAMESPACE"), *job = getenv("SLURM_JOB_ID"),
             *step = getenv("SLURM_STEP_ID");
  text[0] = 0;
  if (name)
    write_digest(text, name);
  else if (step)
    snprintf(text, LONGEST + 1, "%.12s.%.10s", job ? job : "", step);
  return name || (job && step);
}

/* Process numbers are unique within a namespace only. */
static unsigned long process_namespace(void) {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) ? 0 : (unsigned long)status.st_ino;
}

/* The process or the address that serves the ranks of this job on this machine. An address does not
 * depend on the processes between the server and a rank. Returns 0 if the text may be that of
 * another job's server. */
static int write_server(char text[LONGEST + 1]) {
  const int is_hydra = getenv("PMI_RANK") && !(PMIX_IS_FIRST && getenv("PMIX_RANK"));
  const char *address = getenv(is_hydra ? "PMI_PORT" : "PMIX_SERVER_URI2");
  char name[32];
  if (address) {
    write_digest(text, address);
    return 1;
  }
  const int process = launcher(name);
  snprintf(text, LONGEST + 1, "%d.%lu", process, process_namespace());
  return process != 0;
}

/* A job of Slurm may contain several jobs of PMI. */
int mpispec_launcher_job(char text[MPISPEC_JOB_NAME]) {
  char server[LONGEST + 1], job[LONGEST + 1];
  const int has_server = write_server(server), has_job = write_job(job);
  snprintf(text, MPISPEC_JOB_NAME, "%u.%s.%s", (unsigned)geteuid(), server, job);
  return has_server || (has_job && !getenv("PMI_RANK"));
}

/* Reads the variables that launchers set for their ranks, and finds the launcher's process. */
#include "job/launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *first_of(const char *const names[]) {
  for (; *names; ++names)
    if (getenv(*names))
      return getenv(*names);
  return NULL;
}

/* In each list: Hydra, PMIx or Open MPI, Slurm. */
const char *mpispec_launcher_rank(void) {
  static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "SLURM_PROCID", NULL};
  return first_of(names);
}
static const char *ranks_in_all(void) {
  static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL};
  return first_of(names);
}
static const char *ranks_here(void) {
  static const char *const names[] = {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", NULL};
  return first_of(names);
}

/* Not Slurm's count, which the shell of a batch script has as well. */
int mpispec_launcher_ranks(void) {
  static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};
  const char *all = first_of(names), *rank = mpispec_launcher_rank();
  const int told = all ? atoi(all) : 1, least = rank ? atoi(rank) + 1 : 1;
  return told > least ? told : least;
}

int mpispec_launcher_ranks_here(void) {
  const char *here = ranks_here();
  return here ? atoi(here) : 0;
}

int mpispec_launcher_spreads(void) {
  if (getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") || getenv("MPIR_CVAR_NUM_CLIQUES"))
    return 1; /* MPICH is told to believe so */
  if (!mpispec_launcher_rank())
    return 0;
  const char *all = ranks_in_all(), *here = ranks_here();
  return !all || !here || atoi(all) > atoi(here);
}

/* The parent of a process and the name of its program, from /proc. */
static int read_parent(int process, char name[32], int *parent) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  const int fields = fscanf(file, "%*d (%31[^)]) %*c %d", name, parent);
  fclose(file);
  return fields == 2;
}

static int is_launcher(const char *name) {
  static const char *const known[] = {"hydra_pmi_proxy", "slurmstepd", "orted", "prted"};
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (!strcmp(name, known[i]))
      return 1;
  return 0;
}

/* The nearest ancestor that is known as a launcher, so that a shell between it and the rank does no
 * harm; else the parent. `name` is "" then. */
static int launcher(char name[32]) {
  int process = getppid();
  for (int step = 0; step < 16 && process > 1; ++step) {
    int parent;
    if (!read_parent(process, name, &parent))
      break;
    if (is_launcher(name))
      return process;
    process = parent;
  }
  name[0] = 0;
  return getppid();
}

int mpispec_launcher_is(const char *program) {
  char name[32];
  launcher(name);
  return !strcmp(name, program);
}

enum { LONGEST = 24 };

/* Of names that are longer: what differs stands at the end. */
static const char *end_of(const char *name) {
  const size_t length = strlen(name);
  return length > LONGEST ? name + length - LONGEST : name;
}

/* Where one launcher serves several jobs, it names them. */
static const char *job_name(void) {
  static const char *const names[] = {"PMIX_NAMESPACE", "SLURM_STEP_ID", NULL};
  const char *name = first_of(names);
  return name ? end_of(name) : "";
}

/* Who serves the ranks of this job on this machine. Where it is PMIx that numbers them, the address
 * of its server, which ends with a port: whatever stands between it and a rank does no harm. Else
 * the launcher's process. */
static void write_server(char text[LONGEST + 1]) {
  const char *address = getenv("PMI_RANK") ? NULL : getenv("PMIX_SERVER_URI2");
  char name[32];
  if (address)
    snprintf(text, LONGEST + 1, "%s", end_of(address));
  else
    snprintf(text, LONGEST + 1, "%d", launcher(name));
}

/* Process numbers mean something within a namespace. */
static unsigned long process_namespace(void) {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) ? 0 : (unsigned long)status.st_ino;
}

void mpispec_launcher_job(char text[MPISPEC_JOB_NAME]) {
  char server[LONGEST + 1];
  write_server(server);
  snprintf(text, MPISPEC_JOB_NAME, "%u.%lu.%s.%s", (unsigned)geteuid(), process_namespace(), server,
           job_name());
}

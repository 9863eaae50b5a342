/* Who is willing: a program that has no runtime cannot answer, and must not be waited for. So a
 * willing rank shows itself before it enters PMPI_Init: it binds an abstract Unix socket named
 *
 *     mpispec.<user>.<launcher process>.<name of the job, if it has one>.<rank>
 *
 * PMPI_Init ends on no rank before it has begun on all (the ranks exchange their addresses there).
 * So after it every rank can count the names of its job in /proc/net/unix, and all count the same.
 * Nobody listens on the socket, and the name goes away with the process.
 *
 * The launcher is the nearest ancestor that is known as one, so that a shell between it and the
 * rank does no harm, else the parent. Ranks of other machines cannot be seen; they are expected to
 * run what runs here. */
#define _GNU_SOURCE
#include "announcement.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int announcement = -1;

static const char *first_of(const char *const names[]) {
  for (; *names; ++names)
    if (getenv(*names))
      return getenv(*names);
  return NULL;
}

/* What launchers tell their ranks: Hydra, PMIx, Slurm. */
static const char *own_rank(void) {
  static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "SLURM_PROCID", NULL};
  return first_of(names);
}
static int ranks_here(int world_size) {
  static const char *const names[] = {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", NULL};
  const char *value = first_of(names);
  return value ? atoi(value) : world_size;
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

static int launcher(void) {
  int process = getppid();
  for (int step = 0; step < 16 && process > 1; ++step) {
    char name[32];
    int parent;
    if (!read_parent(process, name, &parent))
      break;
    if (is_launcher(name))
      return process;
    process = parent;
  }
  return getppid();
}

/* Where one launcher serves several jobs, it names them. */
static const char *job_name(void) {
  static const char *const names[] = {"PMIX_NAMESPACE", "SLURM_STEP_ID", NULL};
  const char *name = first_of(names);
  return name ? name : "";
}

static void job_prefix(char text[64]) {
  snprintf(text, 64, "mpispec.%u.%d.%.30s.", (unsigned)geteuid(), launcher(), job_name());
}

void mpispec_announce(void) {
  const char *rank = own_rank();
  if (!rank)
    return;
  char prefix[64];
  job_prefix(prefix);
  struct sockaddr_un address = {.sun_family = AF_UNIX}; /* abstract: sun_path begins with a zero */
  const int length =
      snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%s", prefix, rank);
  announcement = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (announcement >= 0)
    (void)!bind(announcement, (struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length));
}

/* How many names of our job are bound. */
static int count_announced(void) {
  char prefix[64], line[512];
  job_prefix(prefix);
  FILE *file = fopen("/proc/net/unix", "re");
  if (!file)
    return 0;
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    const char *name = strchr(line, '@'); /* how the kernel shows the zero */
    count += name && !strncmp(name + 1, prefix, strlen(prefix));
  }
  fclose(file);
  return count;
}

int mpispec_all_announced(int world_size) {
  /* A second look, and more, for a library whose initialisation lets some ranks through early. */
  enum { LOOKS = 20 };
  const struct timespec between = {0, 10 * 1000 * 1000};
  for (int look = 0; look < LOOKS; ++look) {
    if (world_size == 1 || count_announced() >= ranks_here(world_size))
      return 1;
    nanosleep(&between, NULL);
  }
  return 0;
}

void mpispec_announcement_withdraw(void) {
  if (announcement >= 0)
    close(announcement);
  announcement = -1;
}

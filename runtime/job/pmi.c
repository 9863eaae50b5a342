/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PMI version 1, as Hydra implements it. See pmi.h.
 *
 * Hydra, MPICH's launcher, answers lines of text on the descriptor PMI_FD. The runtime reads the
 * name of the job's key space and stores its keys before the MPI library first writes to the
 * descriptor. It may read keys after MPI_Init. Each request has one answer. Therefore no
 * unread text is left on the descriptor for the library. The library's initialization contains a
 * barrier of the launcher, which makes the keys visible.
 *
 * Other launchers use other protocols on the same descriptor. The runtime sends them nothing. */
#include "job/pmi.h"

#include "job/launcher.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE = 1024, SPACE_NAME = 256 };

/* A process that has initialized PMI must also finalize it. Otherwise Hydra treats its end as a
 * crash and ends the job. MPI libraries finalize PMI in PMPI_Finalize. Open MPI does not, because
 * it never uses Hydra's PMI. */
#ifdef MPISPEC_STYLE_OMPI
enum { LIBRARY_TAKES_LEAVE = 0 };
#else
enum { LIBRARY_TAKES_LEAVE = 1 };
#endif

static int descriptor = -1;
static char space[SPACE_NAME];

/* Not the C library's `send`, because a program that is linked with the runtime may define a
 * function with this name. */
static ssize_t send_text(const char *text, size_t length) {
  return syscall(SYS_sendto, descriptor, text, length, MSG_NOSIGNAL, NULL, 0);
}

static int write_all(const char *text, size_t length) {
  while (length) {
    const ssize_t done = send_text(text, length);
    if (done < 0 && errno != EINTR)
      return 0;
    text += done > 0 ? done : 0;
    length -= (size_t)(done > 0 ? done : 0);
  }
  return 1;
}

/* The bytes up to the end of the line among those that have arrived, at most `room`. */
static ssize_t length_of_arrived(char *bytes, size_t room) {
  const ssize_t arrived = syscall(SYS_recvfrom, descriptor, bytes, room, MSG_PEEK, NULL, NULL);
  const char *end = arrived > 0 ? memchr(bytes, '\n', (size_t)arrived) : NULL;
  return end ? end - bytes + 1 : arrived;
}

/* Text behind the line is for the library. Therefore the length of the line is determined before it
 * is read. */
static int read_line(char line[LINE]) {
  for (ssize_t length = 0; length < LINE - 1;) {
    const ssize_t more = length_of_arrived(&line[length], (size_t)(LINE - 1 - length));
    const ssize_t done = more > 0 ? read(descriptor, &line[length], (size_t)more) : more;
    if (done == 0 || (done < 0 && errno != EINTR))
      return 0;
    length += done > 0 ? done : 0;
    if (length && line[length - 1] == '\n') {
      line[length - 1] = 0;
      return 1;
    }
  }
  return 0;
}

/* Sends one request and reads its answer, which must contain `expected`. */
static int request(const char *text, const char *expected, char answer[LINE]) {
  return write_all(text, strlen(text)) && read_line(answer) && strstr(answer, expected);
}

/* A launcher that is hidden has no name, but only Hydra sets this variable. */
static int launcher_is_hydra(void) {
  return mpispec_launcher_is("hydra_pmi_proxy") ||
         (mpispec_launcher_is_hidden() && getenv("MPI_LOCALNRANKS"));
}

int mpispec_pmi_open(void) {
  const char *number = getenv("PMI_FD");
  char answer[LINE];
  if (!LIBRARY_TAKES_LEAVE || !number || !launcher_is_hydra())
    return 0;
  descriptor = atoi(number);
  if (request("cmd=init pmi_version=1 pmi_subversion=1\n", "rc=0", answer) &&
      request("cmd=get_my_kvsname\n", "kvsname=", answer) &&
      sscanf(strstr(answer, "kvsname="), "kvsname=%255s", space) == 1)
    return 1;
  descriptor = -1;
  return 0;
}

int mpispec_pmi_put(const char *key) {
  char question[LINE], answer[LINE];
  snprintf(question, sizeof question, "cmd=put kvsname=%s key=%s value=1\n", space, key);
  return descriptor >= 0 && request(question, "rc=0", answer);
}

int mpispec_pmi_has(const char *key) {
  char question[LINE], answer[LINE];
  snprintf(question, sizeof question, "cmd=get kvsname=%s key=%s\n", space, key);
  return descriptor >= 0 && request(question, "rc=0", answer);
}

/* The launcher's answers are read line by line, in few system calls, however they arrive. The text behind a line is for
 * the MPI library and stays unread. The test stands in for the launcher. */
#include "check.h"
#include "job/launcher.h"
#include "job/pmi.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int mpispec_launcher_is(const char *program) { return !strcmp(program, "hydra_pmi_proxy"); }
int mpispec_launcher_is_hidden(void) { return 0; }

static int reads;

ssize_t __real_read(int, void *, size_t);
ssize_t __wrap_read(int descriptor, void *to, size_t bytes) {
  ++reads;
  return __real_read(descriptor, to, bytes);
}

static int launcher;

static void answer(const char *text) {
  CHECK(write(launcher, text, strlen(text)) == (ssize_t)strlen(text));
}

int main(void) {
  int ends[2];
  char number[16], rest[32] = "";
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  launcher = ends[1];
  snprintf(number, sizeof number, "%d", ends[0]);
  setenv("PMI_FD", number, 1);
  answer("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
  answer("cmd=my_kvsname kvsname=kvs_1_0_1_host\n");
  CHECK(mpispec_pmi_open());
  CHECK(reads == 2);
  answer("cmd=get_result rc=0 msg=success value=1\nfor the library");
  CHECK(mpispec_pmi_has("key"));
  CHECK(reads == 3);
  CHECK(__real_read(ends[0], rest, sizeof rest) == 15 && !strcmp(rest, "for the library"));
  if (!fork()) { /* a line in two parts */
    answer("cmd=get_result rc=0 msg=suc");
    usleep(50 * 1000);
    answer("cess value=1\n");
    _exit(0);
  }
  CHECK(mpispec_pmi_has("key"));
  answer("cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
  CHECK(!mpispec_pmi_has("other"));
  return passed();
}

// LABEL: core
// UNSUPPORTED: openmpi
// RUN: %mpicc %include -I%S -Wl,--wrap=read %s %sources/job/pmi.c -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed

/* The name of a job in the announcements of its ranks. Servers may have long addresses, and launchers may give jobs long
 * names. Two such jobs have different names, even if these texts end alike. */
#include "check.h"
#include "job/launcher.h"

#include <stdlib.h>
#include <string.h>

#define END "a-text-of-thirty-characters@:1"

static void name_with(const char *variable, const char *value, char name[MPISPEC_JOB_NAME]) {
  CHECK(setenv(variable, value, 1) == 0);
  CHECK(mpispec_launcher_job(name) == 1);
  CHECK(strlen(name) < MPISPEC_JOB_NAME - 1); /* nothing was cut off */
}

static void differ_by(const char *variable) {
  char one[MPISPEC_JOB_NAME], again[MPISPEC_JOB_NAME], other[MPISPEC_JOB_NAME];
  name_with(variable, "one/" END, one);
  name_with(variable, "other/" END, other);
  CHECK(strcmp(one, other));
  name_with(variable, "one/" END, again);
  CHECK(!strcmp(one, again));
}

int main(void) {
  char name[MPISPEC_JOB_NAME];
  unsetenv("PMI_RANK");
  differ_by("PMIX_SERVER_URI2");
  differ_by("PMIX_NAMESPACE");
  unsetenv("PMIX_NAMESPACE");
  setenv("SLURM_JOB_ID", "4294967295", 1);
  name_with("SLURM_STEP_ID", "4294967295", name);
  CHECK(strstr(name, "4294967295.4294967295"));
  return passed();
}

// RUN: %mpicc %include -I%S %s %sources/job/launcher.c %sources/job/cache_file.c -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sdsm_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void arguments_usage(const char *program, const char *words) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr,
            "usage: %s %s[--page BYTES] [--cache BYTES] [--threads N] [--second-mapping]\n"
            "         [--awake] [--probe] [--size NX NY NZ] [--steps N] [--block N] [--verify]\n",
            program, words);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  exit(2);
}

/* A positive number, or 0. */
static size_t number(const char *text) {
  char *end;
  const unsigned long long value = text ? strtoull(text, &end, 0) : 0;
  return text && *text && !*end && text[0] != '-' ? (size_t)value : 0;
}

static int count(const char *text) {
  const size_t value = number(text);
  return value <= 1 << 20 ? (int)value : 0;
}

/* Reads the option at argv[i]. Returns how many words it has, or 0 if it is wrong. */
static int option(struct arguments *arguments, char **argv, int i) {
  const char *name = argv[i], *value = argv[i + 1];
  struct sdsm_options *sdsm = &arguments->sdsm;
  if (strcmp(name, "--second-mapping") == 0)
    return sdsm->second_mapping = true;
  if (strcmp(name, "--awake") == 0)
    return sdsm->awake = true;
  if (strcmp(name, "--probe") == 0)
    return sdsm->probe = true;
  if (strcmp(name, "--verify") == 0)
    return arguments->verify = true;
  if (strcmp(name, "--page") == 0)
    return (sdsm->page = number(value)) ? 2 : 0;
  if (strcmp(name, "--cache") == 0)
    return (sdsm->cache = number(value)) ? 2 : 0;
  if (strcmp(name, "--threads") == 0)
    return (sdsm->threads = count(value)) ? 2 : 0;
  if (strcmp(name, "--steps") == 0)
    return (arguments->steps = count(value)) ? 2 : 0;
  if (strcmp(name, "--block") == 0)
    return (arguments->block = count(value)) ? 2 : 0;
  if (strcmp(name, "--size") != 0)
    return 0;
  for (int k = 0; k < 3; ++k) /* the words are NX NY NZ */
    if (!argv[i + 1 + k] || (arguments->size[2 - k] = number(argv[i + 1 + k])) == 0)
      return 0;
  return 4;
}

struct arguments arguments_begin(int argc, char **argv, int first, const char *words) {
  struct arguments arguments = {
      .sdsm = {.page = 4096, .cache = (size_t)64 << 20, .threads = 1},
      .size = {256, 256, 256},
      .steps = 128,
      .block = 16,
  };
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (argc < first)
    arguments_usage(argv[0], words);
  for (int i = first; i < argc;) {
    const int taken = option(&arguments, argv, i);
    if (taken == 0)
      arguments_usage(argv[0], words);
    i += taken;
  }
  return arguments;
}

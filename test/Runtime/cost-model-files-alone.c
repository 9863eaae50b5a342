/* Which file a cost model is read from, which files are ignored, and how one is replaced. */
#define _GNU_SOURCE
#include "job/installation.h"
#undef MPISPEC_SYSTEM_DIRECTORY
static char systems_directory[512];
#define MPISPEC_SYSTEM_DIRECTORY systems_directory
#include "p2p/cost_model_file.c"

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

enum { NOBODY = 65534, WRITERS = 4, ROUNDS = 200 };

static char root[512], cache[600], users[MPISPEC_COST_MODEL_PATH_BYTES],
    systems[MPISPEC_COST_MODEL_PATH_BYTES], origin[MPISPEC_COST_MODEL_ORIGIN_BYTES];

/* A model in which each cost is the same number. */
static void save(const char *path, uint16_t cost, int mode) {
  struct mpispec_cost_model model;
  mpispec_cost_model_build_in(&model);
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      for (int i = 0; i < 4; ++i)
        model.costs[distance][class][i / 2][i % 2] = (struct mpispec_way_costs){
            {[MPISPEC_WAY_PIPE] = cost, [MPISPEC_WAY_SHARED] = cost}, MPISPEC_WAY_SHARED, 1};
  CHECK(!mpispec_cost_model_save(&model, path, mode));
}

/* The number of the model that is loaded, or 0: it is built in. */
static uint32_t load(const char *chosen) {
  struct mpispec_cost_model model;
  mpispec_cost_model_load(&model, chosen, cache, origin);
  const struct mpispec_way_costs *first = &model.costs[0][0][0][0];
  const uint32_t cost = first->picoseconds[MPISPEC_WAY_PIPE];
  for (int distance = 0; distance < MPISPEC_DISTANCES; ++distance)
    for (int class = 0; class < MPISPEC_SIZE_CLASSES; ++class)
      if (first->is_measured)
        CHECK(model.costs[distance][class][1][1].picoseconds[MPISPEC_WAY_SHARED] == cost);
  CHECK(!first->is_measured == !strncmp(origin, "the built-in costs for ", 23));
  return first->is_measured ? cost : 0;
}

static int says(const char *words) { return strstr(origin, words) != NULL; }

static int mode_of(const char *path) {
  struct stat status;
  CHECK(!stat(path, &status));
  return status.st_mode & 0777;
}

static void order(void) {
  CHECK(!load(NULL) && !says("ignored"));
  save(systems, 1001, 0644);
  CHECK(load(NULL) == 1001 && says("the administrator's file") && says(systems) && says(", of 2"));
  CHECK(mode_of(systems) == 0644 && mode_of(systems_directory) == 0755);
  save(users, 1002, 0600);
  CHECK(load(NULL) == 1002 && says("the user's file") && says(users));
  CHECK(mode_of(users) == 0600 && mode_of(cache) == 0700);
  char chosen[700];
  snprintf(chosen, sizeof chosen, "%s/chosen", root);
  CHECK(!load(chosen) && says("is ignored: it is not there"));
  save(chosen, 1003, 0600);
  CHECK(load(chosen) == 1003 && says("the file"));
  CHECK(load("") == 1002);
  CHECK(!load("built-in") && !says("ignored"));
}

/* The user's file is ignored, and says why; the administrator's is read in its place. */
static void is_ignored(const char *why) {
  CHECK(load(NULL) == 1001 && says("the user's file") && says(why));
  CHECK(!unlink(users) || !rmdir(users));
  save(users, 1002, 0600);
  CHECK(load(NULL) == 1002);
}

static void write_users(const char *text, size_t length) {
  const int file = open(users, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK(file >= 0 && write(file, text, length) == (ssize_t)length && !close(file));
}

static void distrusted(void) {
  static const char zeros[MPISPEC_COST_MODEL_BYTES + 1];
  CHECK(!chmod(users, 0602));
  is_ignored("others may write it");
  CHECK(!chmod(users, 0620));
  is_ignored("others may write it");
  CHECK(!unlink(users) && !symlink(systems, users));
  is_ignored("symbolic link");
  CHECK(!unlink(users) && !mkfifo(users, 0600));
  is_ignored("no ordinary file");
  CHECK(!unlink(users) && !mkdir(users, 0700));
  is_ignored("no ordinary file");
  write_users(zeros, sizeof zeros);
  is_ignored("too large");
  write_users("mpispec cost model 2\nmachine other\nend\n", 39);
  is_ignored("another kind of machine");
  write_users("mpispec cost model 1\n", 21);
  is_ignored("of this version");
  write_users("mpispec cost model 2\n\0", 22);
  is_ignored("damaged");
  write_users("", 0);
  is_ignored("of this version");
  if (!chown(users, NOBODY, NOBODY)) /* only root can give a file away */
    is_ignored("belongs to another user");
}

/* For a user who is not root, a file of root's counts, and a directory that cannot be read has
 * none. */
static void as_nobody(void) {
  int status;
  const pid_t child = fork();
  if (!child) {
    if (setgid(NOBODY) || setuid(NOBODY) || access(systems, R_OK))
      _exit(0);
    _exit(load(NULL) != 1001 || !says("Permission denied"));
  }
  CHECK(waitpid(child, &status, 0) == child && !status);
}

static void places(void) {
  char path[MPISPEC_COST_MODEL_PATH_BYTES];
  setenv("HOME", "/home/user", 1);
  unsetenv("XDG_CACHE_HOME");
  mpispec_cost_model_users_path(NULL, path);
  CHECK(!strncmp(path, "/home/user/.cache/mpispec/long-messages-", 40));
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  mpispec_cost_model_users_path("", path);
  CHECK(!strncmp(path, "/xdg/mpispec/long-messages-", 27));
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "", 1);
  mpispec_cost_model_users_path(NULL, path);
  CHECK(!*path);
  mpispec_cost_model_users_path("off", path);
  CHECK(!*path);
}

/* Files of the cache. */
static int count_files(void) {
  int count = 0;
  DIR *directory = opendir(cache);
  CHECK(directory);
  while (readdir(directory))
    ++count;
  closedir(directory);
  return count - 2;
}

/* Several write at once, and each reading finds one whole model. */
static void concurrent_writers(void) {
  pid_t writers[WRITERS];
  for (int i = 0; i < WRITERS; ++i)
    if (!(writers[i] = fork())) {
      for (int round = 0; round < ROUNDS; ++round)
        save(users, (uint32_t)(2000 + i), 0600);
      _exit(0);
    }
  for (int round = 0; round < ROUNDS; ++round) {
    const uint32_t found = load(NULL);
    CHECK(found == 1002 || (found >= 2000 && found < 2000 + WRITERS));
  }
  for (int i = 0; i < WRITERS; ++i) {
    int status;
    CHECK(waitpid(writers[i], &status, 0) == writers[i] && !status);
  }
  CHECK(load(NULL) >= 2000 && count_files() == 1);
}

static void what_cannot_be_written(void) {
  struct mpispec_cost_model model;
  mpispec_cost_model_build_in(&model);
  CHECK(mpispec_cost_model_save(&model, "/proc/mpispec/file", 0600));
  CHECK(mpispec_cost_model_save(&model, "/dev/null/mpispec/file", 0600));
}

int main(int argc, char **argv) {
  CHECK(argc == 2 && snprintf(root, sizeof root, "%s", argv[1]) < 400);
  CHECK(snprintf(systems_directory, sizeof systems_directory, "%s/etc/mpispec", root) < 500);
  snprintf(cache, sizeof cache, "%s/home/cache", root);
  mpispec_cost_model_users_path(cache, users);
  mpispec_cost_model_systems_path(systems);
  order();
  distrusted();
  as_nobody();
  concurrent_writers();
  what_cannot_be_written();
  places();
  return passed();
}

// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %mpicc %include %s %sources/job/cache_file.c %sources/p2p/cost_model.c %sources/p2p/machine_key.c -o %t
// RUN: timeout 100 %t %t.d | FileCheck %s
// CHECK: passed

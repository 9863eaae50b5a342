/* A process with two copies of the library by which MPI libraries poll. Each caller reaches the copy that it would
 * have reached without the runtime. All callers see the first copy, and only the plugin that needs it sees the
 * second. */
#include <dlfcn.h>
#include <stdio.h>

#if defined(COPY)
unsigned ucp_worker_progress(void *worker) { return COPY; }
#elif defined(CALLER)
unsigned ucp_worker_progress(void *worker);
unsigned poll_once(void) {
  const unsigned events = ucp_worker_progress(0);
  __asm__ volatile("" ::: "memory"); /* no tail call */
  return events;
}
#else
static void poll_by(const char *plugin) {
  void *handle = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
  unsigned (*poll_once)(void) = handle ? (unsigned (*)(void))dlsym(handle, "poll_once") : 0;
  if (!poll_once)
    puts(dlerror());
  for (int i = 0; poll_once && i < 2; ++i)
    printf("%u", poll_once());
}

int main(int argc, char **argv) {
  poll_by(argv[1]);
  poll_by(argv[2]);
  poll_by(argv[1]);
  puts(".");
  return 0;
}
#endif

// Preloads into programs that know nothing of a sanitizer.
// UNSUPPORTED: sanitizer
// RUN: %mpicc -w -fPIC -shared -DCOPY=1 %s -o %t.one.so
// RUN: %mpicc -w -fPIC -shared -DCOPY=2 %s -o %t.other.so
// RUN: %mpicc -w -fPIC -shared -DCALLER %s -o %t.calls-one.so -Wl,--no-as-needed %t.one.so
// RUN: %mpicc -w -fPIC -shared -DCALLER %s -o %t.calls-other.so -Wl,--no-as-needed %t.other.so
// RUN: gcc -w %s -o %t.plain -ldl
// RUN: gcc -w %s -o %t.first -Wl,--no-as-needed %t.one.so -ldl
// RUN: for program in plain first; do \
// RUN:   env LD_PRELOAD=%library-shared %t.$program %t.calls-one.so %t.calls-other.so | FileCheck %s || exit 1; done
// CHECK: 112211.

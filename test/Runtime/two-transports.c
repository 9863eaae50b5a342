/* A process with two copies of the library by which MPI libraries poll. Each caller reaches the copy that it would
 * have reached without the runtime. If the program itself needs the first copy, all callers reach it; else each plugin
 * reaches the copy that it needs. A preloaded library that defines the function comes before both copies. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#if defined(COPY)
unsigned ucp_worker_progress(void *worker) { return COPY; }
#elif defined(TOOL)
unsigned ucp_worker_progress(void *worker) {
  unsigned (*next)(void *) = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
  return next ? 3 + next(worker) : 3;
}
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
// RUN: %mpicc -w -fPIC -shared -DTOOL %s -o %t.tool.so -ldl
// RUN: for program in plain first; do for tool in "" %t.tool.so; do \
// RUN:   env LD_PRELOAD="$tool" %t.$program %t.calls-one.so %t.calls-other.so || exit 1; \
// RUN: done; done >%t.expected && FileCheck %s <%t.expected
// CHECK: 112211.
// CHECK-NEXT: 333333.
// CHECK-NEXT: 111111.
// CHECK-NEXT: 444444.
// RUN: for program in plain first; do for tool in "" %t.tool.so; do \
// RUN:   env LD_PRELOAD="%library-shared $tool" %t.$program %t.calls-one.so %t.calls-other.so || exit 1; \
// RUN: done; done | diff %t.expected -
// A tool before the runtime finds no next definition in %t.plain, with or without the runtime.
// RUN: env LD_PRELOAD="%t.tool.so %library-shared" %t.first %t.calls-one.so %t.calls-other.so >%t.before
// RUN: tail -n 1 %t.expected | diff - %t.before
// A second copy of the runtime gets no call. Behind it, each plugin's own libraries come first.
// RUN: cp %library-shared %t.copy.so
// RUN: env LD_PRELOAD="%library-shared %t.copy.so" %t.plain %t.calls-one.so %t.calls-other.so | FileCheck --check-prefix=COPY %s
// COPY: 112211.

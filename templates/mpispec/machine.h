/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* machine.h - code that depends on the processor, for templates and runtime
 *
 * Each function has one form for x86-64 and one in C for all other processors. The text that is
 * pasted into a unit has only the form for its processor, and no function for the runtime. */
#ifndef MPISPEC_MACHINE_H
#define MPISPEC_MACHINE_H

/* The compilers' __ATOMIC_RELAXED, __ATOMIC_ACQUIRE and __ATOMIC_RELEASE. Templates cannot use the
 * macros, because they are pasted into preprocessed text. */
enum { mpispec_relaxed = 0, mpispec_acquire = 2, mpispec_release = 3 };

/* Called between two polls of a word that another core will write. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ __volatile__("" : : : "memory");
#endif
}

/* Nonzero if the highest byte of a word that another core writes differs from that of `ours`. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_high_bytes_differ(const unsigned long long *theirs, const unsigned long long *ours) {
#if defined(__x86_64__)
  const unsigned char *byte = (const unsigned char *)theirs + 7;
  return __atomic_load_n(byte, mpispec_acquire) != ((const unsigned char *)ours)[7];
#else
  return (__atomic_load_n(theirs, mpispec_acquire) ^ *ours) >> 56 != 0;
#endif
}

/* Operations on two floating-point numbers. On x86-64 they are inline assembly, because
 * compiler options cannot reorder, contract or widen instructions of inline assembly. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) double
mpispec_add_double(double a, double b) {
#if defined(__x86_64__)
  __asm__("addsd {%1, %0|%0, %1}" : "+x"(a) : "x"(b));
  return a;
#else
  return a + b;
#endif
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) double
mpispec_multiply_double(double a, double b) {
#if defined(__x86_64__)
  __asm__("mulsd {%1, %0|%0, %1}" : "+x"(a) : "x"(b));
  return a;
#else
  return a * b;
#endif
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) float
mpispec_add_float(float a, float b) {
#if defined(__x86_64__)
  __asm__("addss {%1, %0|%0, %1}" : "+x"(a) : "x"(b));
  return a;
#else
  return a + b;
#endif
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) float
mpispec_multiply_float(float a, float b) {
#if defined(__x86_64__)
  __asm__("mulss {%1, %0|%0, %1}" : "+x"(a) : "x"(b));
  return a;
#else
  return a * b;
#endif
}

/* Prefetches a line of memory for writing. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_prefetch(const void *line) {
#if defined(__x86_64__)
  __asm__ __volatile__("prefetchw %0" : : "m"(*(const unsigned char *)line));
#else
  __builtin_prefetch(line, 1);
#endif
}

#ifdef MPISPEC_RUNTIME

#include <stdint.h>
#include <string.h>

/* A clock that is cheap to read: ticks of the time stamp counter, or nanoseconds. */
#if defined(__x86_64__)
static inline uint64_t mpispec_ticks(void) { return __builtin_ia32_rdtsc(); }
#else
#include <time.h>
static inline uint64_t mpispec_ticks(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
#endif

/* mpispec_touch writes a byte without changing it. mpispec_await_memory waits until all earlier
 * loads are complete. */
#if defined(__x86_64__)
static inline void mpispec_touch(unsigned char *byte) {
  __asm__ volatile("lock orb $0, %0" : "+m"(*byte));
}
static inline void mpispec_await_memory(void) { __builtin_ia32_lfence(); }
#else
static inline void mpispec_touch(unsigned char *byte) {
  __atomic_fetch_or(byte, 0, __ATOMIC_RELAXED);
}
static inline void mpispec_await_memory(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

/* Nonzero if a core that reads a line from another core's cache gets the line in exclusive state,
 * as for a write. Then the next write by another core is slow, even though the line was only read
 * (shm/copy.h). */
#if defined(__x86_64__)
static inline int mpispec_has_migratory_sharing(void) { return __builtin_cpu_is("amd"); }
#else
static inline int mpispec_has_migratory_sharing(void) { return 0; }
#endif

/* Families of processors for which costs of copies were measured (p2p/cost_model.c). */
enum mpispec_processor { MPISPEC_UNKNOWN_PROCESSOR, MPISPEC_AMD_ZEN, MPISPEC_INTEL };
#if defined(__x86_64__)
static inline enum mpispec_processor mpispec_processor_family(void) {
  return __builtin_cpu_is("amd")     ? MPISPEC_AMD_ZEN
         : __builtin_cpu_is("intel") ? MPISPEC_INTEL
                                     : MPISPEC_UNKNOWN_PROCESSOR;
}
/* Nonzero if vector instructions copy faster than string instructions even from one core's cache to
 * another's. EPYC 7003: 1 MiB through the pipe of a rendezvous (p2p/rts.h) takes 43 us by vectors
 * and 53 us by strings. EPYC 9005: vectors are up to 20 % slower. */
static inline int mpispec_vectors_are_faster(void) {
  return (__builtin_cpu_is("amdfam17h") || __builtin_cpu_is("amdfam19h")) &&
         __builtin_cpu_supports("avx2");
}
/* Nonzero if a long message comes faster into a buffer that is in no cache if its stores pass the
 * caches. EPYC 9004, both ways at once: 4 MiB take 580 us by other vector stores and 480 us by
 * these, 16 MiB take 2450 and 1800 us. */
static inline int mpispec_stores_pass_caches(void) {
  return __builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx");
}
/* Nonzero if string instructions copy faster from another core's cache after a prefetch of the
 * lines. Xeon, family 6 model 207: 64 KiB take 5.2 us with the prefetch and 5.7 us without. */
static inline int mpispec_strings_need_prefetch(void) { return __builtin_cpu_is("intel"); }
/* Nonzero if a long message comes faster from another core's cache, and into a buffer in no cache,
 * if several pages are copied at once. Xeon, family 6 model 167, both ways at once, written and
 * read: 256 KiB take 33.6 us by pages and 38 us by strings with prefetches. */
static inline int mpispec_pages_are_faster(void) {
  return __builtin_cpu_is("intel") && __builtin_cpu_supports("avx2");
}
#else
static inline enum mpispec_processor mpispec_processor_family(void) {
  return MPISPEC_UNKNOWN_PROCESSOR;
}
static inline int mpispec_strings_need_prefetch(void) { return 0; }
static inline int mpispec_pages_are_faster(void) { return 0; }
static inline int mpispec_vectors_are_faster(void) { return 0; }
static inline int mpispec_stores_pass_caches(void) { return 0; }
#endif

/* The identity that the processor itself returns (cpuid): its vendor, the word with family, model
 * and stepping, and the vendor of the hypervisor. Empty on processors other than x86-64. */
struct mpispec_processor_identity {
  char vendor[13], hypervisor[13];
  uint32_t signature;
};
#if defined(__x86_64__)
#include <cpuid.h>
static inline struct mpispec_processor_identity mpispec_processor_identify(void) {
  enum { HYPERVISOR = 0x40000000 };
  struct mpispec_processor_identity identity = {{0}, {0}, 0};
  uint32_t a = 0, b = 0, c = 0, d = 0;
  __cpuid(0, a, b, c, d);
  memcpy(identity.vendor, (const uint32_t[]){b, d, c}, 12);
  __cpuid(1, identity.signature, b, c, d);
  if (c >> 31) { /* the bit that processors leave to hypervisors */
    __cpuid(HYPERVISOR, a, b, c, d);
    memcpy(identity.hypervisor, (const uint32_t[]){b, c, d}, 12);
  }
  return identity;
}
#else
static inline struct mpispec_processor_identity mpispec_processor_identify(void) {
  return (struct mpispec_processor_identity){{0}, {0}, 0};
}
#endif

/* The widest vectors of this processor: those that the compiler uses by default, AVX2 or AVX-512.
 * The macros below are attributes of functions that use the wider ones. */
enum mpispec_width { MPISPEC_IS_NARROW, MPISPEC_IS_WIDER, MPISPEC_IS_WIDEST, MPISPEC_WIDTHS };

/* Copies by AVX2 vectors, which the processor must have. The C library's memcpy uses string
 * instructions for long copies. In mpispec_copy_by_vectors, stores are aligned to cache lines.
 * The length for mpispec_copy_block_by_vectors is at least MPISPEC_BLOCK_COPY_LEAST
 * bytes (shm/cell_copy.h). */
#if defined(__x86_64__)
static inline __attribute__((__target__("avx2"), __always_inline__)) void
mpispec_copy_128_by_vectors(unsigned char *to, const unsigned char *from) {
  typedef long long vector __attribute__((vector_size(32), aligned(1), may_alias));
  const vector a = *(const vector *)from, b = *(const vector *)(from + 32),
               c = *(const vector *)(from + 64), d = *(const vector *)(from + 96);
  *(vector *)to = a;
  *(vector *)(to + 32) = b;
  *(vector *)(to + 64) = c;
  *(vector *)(to + 96) = d;
}
static __attribute__((__target__("avx2"), __unused__)) void
mpispec_copy_by_vectors(unsigned char *to, const unsigned char *from, int64_t length) {
  enum { LINE = 64 };
  const int64_t to_line = (int64_t)(-(uintptr_t)to & (LINE - 1)),
                head = to_line < length ? to_line : length,
                whole = head + (length - head) / (2 * LINE) * (2 * LINE);
  memcpy(to, from, (size_t)head);
  for (int64_t at = head; at < whole; at += 2 * LINE) {
    mpispec_copy_128_by_vectors(to + at, from + at);
    __asm__ volatile("" ::: "memory"); /* otherwise the compiler calls memcpy */
  }
  memcpy(to + whole, from + whole, (size_t)(length - whole));
}
static inline __attribute__((__target__("avx2"), __always_inline__)) void
mpispec_copy_56_by_vectors(unsigned char *to, const unsigned char *from) {
  typedef long long vector __attribute__((vector_size(32), aligned(1), may_alias));
  const vector first = *(const vector *)from, last = *(const vector *)(from + 24);
  *(vector *)to = first;
  *(vector *)(to + 24) = last;
}
static __attribute__((__target__("avx2"), __unused__)) void
mpispec_copy_block_by_vectors(unsigned char *to, const unsigned char *from, uint64_t length) {
  const int64_t last = (int64_t)length - 128;
  for (int64_t at = 0; at < last; at += 128) {
    mpispec_copy_128_by_vectors(to + at, from + at);
    __asm__ volatile("" ::: "memory"); /* otherwise the compiler calls memcpy */
  }
  mpispec_copy_128_by_vectors(to + last, from + last);
}
static inline enum mpispec_width mpispec_vector_width(void) {
  return __builtin_cpu_supports("avx512f") ? MPISPEC_IS_WIDEST
         : __builtin_cpu_supports("avx2")  ? MPISPEC_IS_WIDER
                                           : MPISPEC_IS_NARROW;
}
#define MPISPEC_WIDER __attribute__((__target__("avx2")))
#define MPISPEC_WIDEST __attribute__((__target__("avx512f")))
#else
static inline void mpispec_copy_by_vectors(unsigned char *to, const unsigned char *from,
                                           int64_t length) {
  memcpy(to, from, (size_t)length);
}
static inline void mpispec_copy_56_by_vectors(unsigned char *to, const unsigned char *from) {
  memcpy(to, from, 56);
}
static inline void mpispec_copy_block_by_vectors(unsigned char *to, const unsigned char *from,
                                                 uint64_t length) {
  memcpy(to, from, length);
}
static inline enum mpispec_width mpispec_vector_width(void) { return MPISPEC_IS_NARROW; }
#define MPISPEC_WIDER
#define MPISPEC_WIDEST
#endif

/* Between these two calls, floating-point exceptions raise no signal, whatever the program has
 * enabled. The second function restores all flags. */
#if defined(__x86_64__)
struct mpispec_exceptions {
  uint32_t x87[7], sse;
};
static inline struct mpispec_exceptions mpispec_exceptions_hold(void) {
  struct mpispec_exceptions before;
  __asm__ volatile("fnstenv %0\n\tstmxcsr %1" : "=m"(before.x87), "=m"(before.sse));
  const uint32_t masked = before.sse | 0x1f80;
  __asm__ volatile("ldmxcsr %0" : : "m"(masked));
  return before;
}
static inline void mpispec_exceptions_restore(const struct mpispec_exceptions *before) {
  __asm__ volatile("fldenv %0\n\tldmxcsr %1" : : "m"(before->x87), "m"(before->sse));
}
#else
#include <fenv.h>
struct mpispec_exceptions {
  fenv_t environment;
};
static inline struct mpispec_exceptions mpispec_exceptions_hold(void) {
  struct mpispec_exceptions before;
  feholdexcept(&before.environment);
  return before;
}
static inline void mpispec_exceptions_restore(const struct mpispec_exceptions *before) {
  fesetenv(&before->environment);
}
#endif

/* Calls another function of the same type and returns its result. If the compiler has the attribute
 * `musttail`, the call is a jump. Therefore the caller saves no registers. */
#if __has_attribute(musttail)
#define MPISPEC_JUMP __attribute__((musttail)) return
#else
#define MPISPEC_JUMP return
#endif

#endif /* MPISPEC_RUNTIME */

#endif

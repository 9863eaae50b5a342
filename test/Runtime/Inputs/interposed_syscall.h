/* Defines syscall(): refused() decides which calls fail, and sets errno for them. All others are made by the instruction
 * itself, because a sanitizer makes one before dlsym can find the next definition. */
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

static int refused(long number, const long *a);

static long make_call(long number, const long *a) {
  register long fourth __asm__("r10") = a[3];
  register long fifth __asm__("r8") = a[4];
  register long sixth __asm__("r9") = a[5];
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  if (result < 0 && result >= -4095) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i)
    a[i] = va_arg(rest, long);
  va_end(rest);
  return refused(number, a) ? -1 : make_call(number, a);
}

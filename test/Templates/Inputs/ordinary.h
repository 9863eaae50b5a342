/* Counts the ordinary calls that a specialised program makes: those that its templates hand over.
 * The program is linked with ordinary.c and --wrap for each row of counted.def (specialise.sh). */
#ifndef ORDINARY_H
#define ORDINARY_H

#include "expect.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#define COUNTED(NAME, PARAMETERS, ARGUMENTS) extern int ordinary_##NAME;
#include "counted.def"
#undef COUNTED

/* A template that waits, waits as long as it takes; or as long as the runtime says again. */
void templates_wait(int long_enough);
#ifdef __cplusplus
}
#endif

/* Does the next communicator get the handle of one that was freed? Open MPI's handles are addresses, and an address
 * sanitizer keeps freed addresses. */
#if defined(OPEN_MPI) && defined(__SANITIZE_ADDRESS__)
enum { HANDLES_COME_AGAIN = 0 };
#else
enum { HANDLES_COME_AGAIN = 1 };
#endif

/* Are the fast paths open in this run? The test says so. On several nodes that depends. */
static inline int is_fast(void) { return getenv("FAST") != NULL; }
static inline int is_mixed(void) { return getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") != NULL; }

enum { ROUNDS = 100 };

/* A function of the MPI library, which the runtime does not see. By the name PMPI_... itself the program would have no
 * runtime. */
#define BEHIND(NAME) ((__typeof__(&PMPI_##NAME))dlsym(RTLD_DEFAULT, "PMPI_" #NAME))

/* The library's errors for a null pointer in place of a request's, and for a negative number of requests. */
#ifdef OPEN_MPI
enum { NULL_REQUEST = MPI_ERR_REQUEST, NEGATIVE_COUNT = MPI_ERR_ARG };
#else
enum { NULL_REQUEST = MPI_ERR_ARG, NEGATIVE_COUNT = MPI_ERR_COUNT };
#endif

/* The ordinary calls among ROUNDS messages of so many bytes: the first, and one for each credit, which is a quarter of a
 * lane's cells. One more, because a credit of earlier messages may be due. */
enum { CELLS_OF_A_CREDIT = 64 };
#define CELLS(BYTES) ((BYTES) <= 48 ? 1 : 1 + ((BYTES) - 48 + 55) / 56)
#define CREDITS(BYTES) (2 + ROUNDS * CELLS(BYTES) / CELLS_OF_A_CREDIT)

/* At most MOST of ROUNDS calls were ordinary if the fast paths are open, and all of them if not. */
#define FEW(NAME, MOST)                                                                            \
  do {                                                                                             \
    EXPECT(is_mixed() || (is_fast() ? ordinary_##NAME <= (MOST) : ordinary_##NAME == ROUNDS));     \
    ordinary_##NAME = 0;                                                                           \
  } while (0)

/* The same where the number of calls depends on time. */
#define FEW_AT_ALL(NAME, MOST)                                                                     \
  do {                                                                                             \
    EXPECT(is_mixed() || !is_fast() || ordinary_##NAME <= (MOST));                                 \
    ordinary_##NAME = 0;                                                                           \
  } while (0)

/* The statement makes so many ordinary calls, in every mode. */
#define HANDS_OVER(NAME, CALLS, STATEMENT)                                                         \
  do {                                                                                             \
    const int before = ordinary_##NAME;                                                            \
    STATEMENT;                                                                                     \
    EXPECT(ordinary_##NAME == before + (CALLS));                                                   \
  } while (0)

/* The statement makes none if the fast paths are open. */
#define TAKES(NAME, CALLS, STATEMENT)                                                              \
  do {                                                                                             \
    const int before = ordinary_##NAME;                                                            \
    STATEMENT;                                                                                     \
    EXPECT(ordinary_##NAME == before + (is_fast() ? 0 : (CALLS)));                                 \
  } while (0)

#endif

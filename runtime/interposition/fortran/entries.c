/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes the functions from the rows of Entries.def. entries.h shows the path of each call.
 *
 * A Fortran compiler passes every argument by its address. The length of a string follows all other
 * arguments, as a value. Each argument is one word. An `ierror` that the program leaves out is
 * null. */
#include "interposition/fortran/entries.h"

#include "collective/child_slot.h"
#include "comm/communicator.h"
#include "interposition/fortran/kinds.h"
#include "interposition/library/next.h"
#include "interposition/library/window_calls.h"
#include "p2p/completion.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/origin.h"

#include <stdatomic.h>

/* --- lists of arguments ------------------------------------------------------------------------*/

/* EACH(F, A, B) is F(A, a) F(B, b). */
#define NUMBER(...) NUMBER_(_, ##__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define NUMBER_(NONE, A, B, C, D, E, F, G, H, I, J, K, L, N, ...) N
#define EACH(M, ...) JOIN(EACH_, NUMBER(__VA_ARGS__))(M, ##__VA_ARGS__)
#define JOIN(A, B) JOIN_(A, B)
#define JOIN_(A, B) A##B
#define EACH_0(M)
#define EACH_1(M, A) M(A, a)
#define EACH_2(M, A, B) EACH_1(M, A) M(B, b)
#define EACH_3(M, A, B, C) EACH_2(M, A, B) M(C, c)
#define EACH_4(M, A, B, C, D) EACH_3(M, A, B, C) M(D, d)
#define EACH_5(M, A, B, C, D, E) EACH_4(M, A, B, C, D) M(E, e)
#define EACH_6(M, A, B, C, D, E, F) EACH_5(M, A, B, C, D, E) M(F, f)
#define EACH_7(M, A, B, C, D, E, F, G) EACH_6(M, A, B, C, D, E, F) M(G, g)
#define EACH_8(M, A, B, C, D, E, F, G, H) EACH_7(M, A, B, C, D, E, F, G) M(H, h)
#define EACH_9(M, A, B, C, D, E, F, G, H, I) EACH_8(M, A, B, C, D, E, F, G, H) M(I, i)
#define EACH_10(M, A, B, C, D, E, F, G, H, I, J) EACH_9(M, A, B, C, D, E, F, G, H, I) M(J, j)
#define EACH_11(M, A, B, C, D, E, F, G, H, I, J, K) EACH_10(M, A, B, C, D, E, F, G, H, I, J) M(K, k)
#define EACH_12(M, A, B, C, D, E, F, G, H, I, J, K, L)                                             \
  EACH_11(M, A, B, C, D, E, F, G, H, I, J, K) M(L, l)

/* The four parts of a kind (kinds.h). */
#define PARAMETER(KIND, X) FIRST(KIND_##KIND(X)),
#define BEFORE(KIND, X) SECOND(KIND_##KIND(X));
#define ARGUMENT(KIND, X) , THIRD(KIND_##KIND(X))
#define AFTERWARDS(KIND, X) FOURTH(KIND_##KIND(X));
#define SAME(KIND, X) X,
#define FIRST(...) FIRST_(__VA_ARGS__)
#define SECOND(...) SECOND_(__VA_ARGS__)
#define THIRD(...) THIRD_(__VA_ARGS__)
#define FOURTH(...) FOURTH_(__VA_ARGS__)
#define REST(...) REST_(__VA_ARGS__)
#define FIRST_(A, ...) A
#define SECOND_(A, B, ...) B
#define THIRD_(A, B, C, ...) C
#define FOURTH_(A, B, C, D) D
#define REST_(A, ...) __VA_ARGS__

/* Arguments that the runtime passes on unchanged. Each argument is one machine word. */
typedef const void *word;
#define WORDS_2 word a, word b
#define WORDS_3 WORDS_2, word c
#define WORDS_4 WORDS_3, word d
#define WORDS_5 WORDS_4, word e
#define WORDS_6 WORDS_5, word f
#define WORDS_7 WORDS_6, word g
#define WORDS_8 WORDS_7, word h
#define WORDS_9 WORDS_8, word i
#define WORDS_10 WORDS_9, word j
#define WORDS_11 WORDS_10, word k
#define WORDS_12 WORDS_11, word l
#define VALUES_2 a, b
#define VALUES_3 VALUES_2, c
#define VALUES_4 VALUES_3, d
#define VALUES_5 VALUES_4, e
#define VALUES_6 VALUES_5, f
#define VALUES_7 VALUES_6, g
#define VALUES_8 VALUES_7, h
#define VALUES_9 VALUES_8, i
#define VALUES_10 VALUES_9, j
#define VALUES_11 VALUES_10, k
#define VALUES_12 VALUES_11, l
#define LAST_2 b
#define LAST_3 c
#define LAST_4 d
#define LAST_5 e
#define LAST_6 f
#define LAST_7 g
#define LAST_9 i
#define LAST_10 j

/* --- the functions -----------------------------------------------------------------------------*/

/* MAKE(spelling, name, ...) for each spelling that the library has. */
#define SPELLINGS(MAKE, NAME, ...)                                                                 \
  MODULE(MAKE, NAME, ##__VA_ARGS__) HEADER(MAKE, NAME, ##__VA_ARGS__)

enum {
#define PLACE(SPELLING, NAME, ...) ENTRY_##SPELLING,
#define FORWARD(FUNCTION, NAME, ...) SPELLINGS(PLACE, NAME)
#define FORWARD_IN_MODULE(FUNCTION, NAME, ...) MODULE(PLACE, NAME)
#define FORWARD_IN_HEADER(FUNCTION, NAME, ...) HEADER(PLACE, NAME)
#define CONSTRUCTOR(NAME, COUNT) SPELLINGS(PLACE, NAME)
#define BLOCKING(NAME, COUNT) SPELLINGS(PLACE, NAME)
#define BLOCKING_IN_HEADER(NAME, COUNT) HEADER(PLACE, NAME)
#define WINDOW(NAME, COUNT) SPELLINGS(PLACE, NAME)
#define WINDOW_IN_HEADER(NAME, COUNT) HEADER(PLACE, NAME)
#define TARGET(NAME, COUNT, WINDOW, RANK, EPOCHS) SPELLINGS(PLACE, NAME)
#include "interposition/fortran/Entries.def"
#undef FORWARD
#undef FORWARD_IN_MODULE
#undef FORWARD_IN_HEADER
#undef CONSTRUCTOR
#undef BLOCKING
#undef BLOCKING_IN_HEADER
#undef WINDOW
#undef WINDOW_IN_HEADER
#undef TARGET
  ENTRIES
};

/* The function that executes a call: a tool's, or the binding's, which is searched for at the first
 * call. Null if a function of C executes the call. All threads that search find the same
 * function. */
static _Atomic(void *) next[ENTRIES];

static void *get_next(int entry) {
  return atomic_load_explicit(&next[entry], memory_order_relaxed);
}

void mpispec_fortran_forward_to(int entry, void *function) {
  atomic_store_explicit(&next[entry], function, memory_order_relaxed);
}

static void *find_next(int entry) {
  if (!get_next(entry))
    mpispec_fortran_forward_to(entry,
                               mpispec_binding_function(mpispec_fortran_entries[entry].profiling));
  return get_next(entry);
}

/* Nonzero if the call goes to a tool or to the binding. It goes to the binding if another copy of
 * the runtime gets all calls of C (next.h). The binding calls that copy. */
static int is_forwarded(int entry) { return get_next(entry) || mpispec_is_duplicate; }

static int initialise(void) { return MPI_Init(NULL, NULL); }

static int initialise_thread(int required, int *provided) {
  return MPI_Init_thread(NULL, NULL, required, provided);
}

static MPI_Comm communicator(word handle) { return MPI_Comm_f2c(*(const MPI_Fint *)handle); }

/* Called by all members of `parent`. The agreement is the same as in the constructors of C
 * (mpi_comm.c), because other members may call the constructor from C. */
static MPI_Fint agree(MPI_Comm parent, MPI_Comm made, const void *caller) {
  const int error = mpispec_child_slot_agree(parent, made, caller);
  return error ? mpispec_raise(parent, error) : MPI_SUCCESS;
}

#define PUBLIC(SPELLING) mpi_##SPELLING
#define NEXT(SPELLING) ((__typeof__(&PUBLIC(SPELLING)))find_next(ENTRY_##SPELLING))
/* All functions are in one section. The linker defines symbols for its ends, which a profile reads
 * (profile/binding_frames.c). */
#define SHOWN __attribute__((__weak__, __visibility__("default"), __section__("mpispec_fortran")))

#define DEFINE_FORWARD(SPELLING, NAME, FUNCTION, ...)                                              \
  SHOWN void PUBLIC(SPELLING)(EACH(PARAMETER, ##__VA_ARGS__) MPI_Fint * ierror) {                  \
    if (is_forwarded(ENTRY_##SPELLING)) {                                                          \
      NEXT(SPELLING)(EACH(SAME, ##__VA_ARGS__) ierror);                                            \
      return;                                                                                      \
    }                                                                                              \
    EACH(BEFORE, ##__VA_ARGS__)                                                                    \
    const int error = FUNCTION(REST(0 EACH(ARGUMENT, ##__VA_ARGS__)));                             \
    EACH(AFTERWARDS, ##__VA_ARGS__)                                                                \
    if (ierror)                                                                                    \
      *ierror = error;                                                                             \
  }

#define DEFINE_CONSTRUCTOR(SPELLING, NAME, COUNT)                                                  \
  SHOWN void PUBLIC(SPELLING)(WORDS_##COUNT, MPI_Fint * ierror) {                                  \
    MPI_Fint error = MPI_SUCCESS;                                                                  \
    const MPI_Comm parent = communicator(a); /* the result may be stored in the same variable */   \
    const uint64_t begun = mpispec_profile_setup_begin();                                          \
    mpispec_library_call_begin();                                                                  \
    NEXT(SPELLING)(VALUES_##COUNT, &error);                                                        \
    if (!error)                                                                                    \
      mpispec_communicator_adopt(parent, communicator(LAST_##COUNT));                              \
    mpispec_library_call_end();                                                                    \
    if (!error)                                                                                    \
      error = agree(parent, communicator(LAST_##COUNT), __builtin_return_address(0));              \
    mpispec_profile_setup_end(MPISPEC_PROFILE_COMMUNICATORS, begun);                               \
    if (ierror)                                                                                    \
      *ierror = error;                                                                             \
  }

#define DEFINE_BLOCKING(SPELLING, NAME, COUNT)                                                     \
  SHOWN void PUBLIC(SPELLING)(WORDS_##COUNT) {                                                     \
    mpispec_library_call_begin();                                                                  \
    NEXT(SPELLING)(VALUES_##COUNT);                                                                \
    mpispec_library_call_end();                                                                    \
  }

/* The last word is `ierror`. */
#define HAS_FAILED(COUNT) (LAST_##COUNT && *(const MPI_Fint *)LAST_##COUNT)

#define DEFINE_WINDOW(SPELLING, NAME, COUNT)                                                       \
  SHOWN void PUBLIC(SPELLING)(WORDS_##COUNT) {                                                     \
    mpispec_library_call_begin();                                                                  \
    NEXT(SPELLING)(VALUES_##COUNT);                                                                \
    mpispec_library_call_end();                                                                    \
    if (!HAS_FAILED(COUNT))                                                                        \
      mpispec_window_made();                                                                       \
  }

#define RANK(WORD) *(const MPI_Fint *)WORD
#define DEFINE_TARGET(SPELLING, NAME, COUNT, WINDOW, RANK, EPOCHS)                                 \
  SHOWN void PUBLIC(SPELLING)(WORDS_##COUNT) {                                                     \
    const int outer = mpispec_window_call_begin(MPI_Win_f2c(*(const MPI_Fint *)WINDOW), RANK);     \
    mpispec_library_call_begin();                                                                  \
    NEXT(SPELLING)(VALUES_##COUNT);                                                                \
    mpispec_library_call_end();                                                                    \
    mpispec_window_call_end(outer, HAS_FAILED(COUNT), EPOCHS);                                     \
  }

#define FORWARD(FUNCTION, NAME, ...) SPELLINGS(DEFINE_FORWARD, NAME, FUNCTION, ##__VA_ARGS__)
#define FORWARD_IN_MODULE(FUNCTION, NAME, ...) MODULE(DEFINE_FORWARD, NAME, FUNCTION, ##__VA_ARGS__)
#define FORWARD_IN_HEADER(FUNCTION, NAME, ...) HEADER(DEFINE_FORWARD, NAME, FUNCTION, ##__VA_ARGS__)
#define CONSTRUCTOR(NAME, COUNT) SPELLINGS(DEFINE_CONSTRUCTOR, NAME, COUNT)
#define BLOCKING(NAME, COUNT) SPELLINGS(DEFINE_BLOCKING, NAME, COUNT)
#define BLOCKING_IN_HEADER(NAME, COUNT) HEADER(DEFINE_BLOCKING, NAME, COUNT)
#define WINDOW(NAME, COUNT) SPELLINGS(DEFINE_WINDOW, NAME, COUNT)
#define WINDOW_IN_HEADER(NAME, COUNT) HEADER(DEFINE_WINDOW, NAME, COUNT)
#define TARGET(NAME, COUNT, WINDOW, RANK, EPOCHS)                                                  \
  SPELLINGS(DEFINE_TARGET, NAME, COUNT, WINDOW, RANK, EPOCHS)
#include "interposition/fortran/Entries.def"
#undef FORWARD
#undef FORWARD_IN_MODULE
#undef FORWARD_IN_HEADER
#undef CONSTRUCTOR
#undef BLOCKING
#undef BLOCKING_IN_HEADER
#undef WINDOW
#undef WINDOW_IN_HEADER
#undef TARGET

const struct mpispec_fortran_entry mpispec_fortran_entries[] = {
#define ROW(SPELLING, NAME)                                                                        \
  {#NAME, "mpi_" #SPELLING, PROFILING #SPELLING, (void *)PUBLIC(SPELLING)},
#define FORWARD(FUNCTION, NAME, ...) SPELLINGS(ROW, NAME)
#define FORWARD_IN_MODULE(FUNCTION, NAME, ...) MODULE(ROW, NAME)
#define FORWARD_IN_HEADER(FUNCTION, NAME, ...) HEADER(ROW, NAME)
#define CONSTRUCTOR(NAME, COUNT) SPELLINGS(ROW, NAME)
#define BLOCKING(NAME, COUNT) SPELLINGS(ROW, NAME)
#define BLOCKING_IN_HEADER(NAME, COUNT) HEADER(ROW, NAME)
#define WINDOW(NAME, COUNT) SPELLINGS(ROW, NAME)
#define WINDOW_IN_HEADER(NAME, COUNT) HEADER(ROW, NAME)
#define TARGET(NAME, COUNT, WINDOW, RANK, EPOCHS) SPELLINGS(ROW, NAME)
#include "interposition/fortran/Entries.def"
};
const int mpispec_fortran_entry_count = ENTRIES;

/* What a collective operation was, in words: for the error that members get who are in different
 * ones (mismatch.c). */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_TEXT_H
#define MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_TEXT_H

#include <stdint.h>

struct mpispec_collective_call;

/* Room for a text, which is cut off where it ends. */
struct mpispec_text {
  char *at, *end;
};

__attribute__((format(printf, 2, 3))) void mpispec_text_say(struct mpispec_text *text,
                                                            const char *format, ...);

/* What a signature says; returns 0 if it is none. */
int mpispec_text_say_signature(struct mpispec_text *text, uint64_t signature);

/* Specialised calls know their place, of others we know where they return to. */
void mpispec_text_say_place(struct mpispec_text *text, const struct mpispec_collective_call *call);

#endif

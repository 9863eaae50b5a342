/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Describes a collective operation in words, for the error that members in different operations get
 * (mismatch.c). */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_TEXT_H
#define MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_TEXT_H

#include <stdint.h>

struct mpispec_collective_call;

/* The rest of a text buffer. Text that does not fit is cut off. */
struct mpispec_text {
  char *at, *end;
};

__attribute__((format(printf, 2, 3))) void mpispec_text_append(struct mpispec_text *text,
                                                               const char *format, ...);

/* Appends the operation that a signature stands for. Returns 0 if it stands for none. */
int mpispec_text_append_signature(struct mpispec_text *text, uint64_t signature);

/* Appends the place of a call: file and line if it is specialised, else the return address. */
void mpispec_text_append_place(struct mpispec_text *text,
                               const struct mpispec_collective_call *call);

#endif

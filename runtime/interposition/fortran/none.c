/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces the other files of this directory if the MPI library has no Fortran binding (MPI-5's
 * ABI). */
#include "interposition/fortran/bypass.h"
#include "interposition/fortran/entries.h"

const struct mpispec_fortran_entry mpispec_fortran_entries[] = {{"", "", "", 0}};
const int mpispec_fortran_entry_count = 0;

void mpispec_fortran_forward_to(int entry, void *next) { (void)entry, (void)next; }

const char *mpispec_fortran_bypass(void) { return 0; }

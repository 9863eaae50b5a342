/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The file with the results of trials, in the user's cache (job/cache_file.h):
 *
 *   mpispec reduction orders 2, MPICH Version: 3.4.3, 9fd1..., settings 0, trees 77aa...
 *   6 0 0 34 0 0 3 10 10 5 8        size, hints, a class (known_orders.h), an octave
 *   ...
 *   end 5c0e...                     FNV-1a of all before
 *
 * Entries are expectations. An order is used only after a trial has confirmed it at both ends of
 * its octave. All members must have read the same entry. A file that is lost, damaged, old or
 * another user's costs trials, and changes no result. Libraries with a table (library_orders.h)
 * need no file. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ORDERS_FILE_H
#define MPISPEC_RUNTIME_COLLECTIVE_ORDERS_FILE_H

/* The first function reads the file into known_orders.c, the second replaces the file by the
 * results there. `cache` is the value of MPISPEC_CACHE, or null. Called with the lock held. */
void mpispec_orders_file_read(const char *cache);
void mpispec_orders_file_write(const char *cache);

#endif

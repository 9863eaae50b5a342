/* The file of what trials have found, in the user's cache (job/cache_file.h):
 *
 *   mpispec reduction orders 1, MPICH Version: 3.4.3, 0fd1..., settings 0, trees 77aa...
 *   6 0 0 34 0 0 3 10 10 5 8        size, hints, a class (known_orders.h), an octave
 *   ...
 *   end 5c0e...                     FNV-1a of all before
 *
 * Its entries are expectations: a trial confirms each at both ends of its octave before a sum is
 * combined in that order, and only members that have read the same use them. A file that is lost,
 * damaged, old or another user's costs trials, and changes no result. Libraries whose orders are
 * expected anyway (library_orders.h) need no file. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_ORDERS_FILE_H
#define MPISPEC_RUNTIME_COLLECTIVE_ORDERS_FILE_H

/* Reads the file into known_orders.c, and replaces it by what is known there. `cache` is
 * MPISPEC_CACHE or null. With the lock held. */
void mpispec_orders_file_read(const char *cache);
void mpispec_orders_file_write(const char *cache);

#endif

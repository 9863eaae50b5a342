/* bounds.h - the machine-dependent sizes that templates and their selection agree on, in bytes */
#ifndef MPISPEC_BOUNDS_H
#define MPISPEC_BOUNDS_H

/* A message of at most this many bytes is short: it travels inside the lane's cells. */
enum { mpispec_short_bytes = 1024 };

/* What is in a message's first cell, in each further one (from its second word on), and in a cell
 * of a slot. */
enum { mpispec_cell_payload = 48, mpispec_more_payload = 56, mpispec_slot_payload = 48 };

#endif

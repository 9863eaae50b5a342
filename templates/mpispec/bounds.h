/* bounds.h - the machine-dependent sizes that templates and their selection agree on, in bytes */
#ifndef MPISPEC_BOUNDS_H
#define MPISPEC_BOUNDS_H

/* A message of at most this many bytes is short: it travels inside the lane's cells. */
enum { mpispec_short_bytes = 1024 };

#endif

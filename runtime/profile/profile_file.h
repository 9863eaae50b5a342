/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout of a rank's profile file, which the runtime writes and `mpispec profile` reads.
 * docs/Profile.md explains every field for other readers.
 *
 *   +--------+--------------+----------------+------------+--------------+--------------------+
 *   | header | objects [64] | datatypes [64] | bins [256] | sites [2048] | peers [world_size] |
 *   +--------+--------------+----------------+------------+--------------+--------------------+
 *
 * The runtime maps the file and counts in place. Therefore the kernel keeps the counts even if the
 * process crashes. All numbers have the byte order of the machine, which `order` indicates. All
 * fields are integers of fixed width without padding. Therefore the layout is the same for every
 * compiler. Each change of the layout needs a new version. */
#ifndef MPISPEC_RUNTIME_PROFILE_FILE_H
#define MPISPEC_RUNTIME_PROFILE_FILE_H

#include <assert.h>
#include <stdint.h>

enum {
  MPISPEC_PROFILE_VERSION = 5,
  MPISPEC_PROFILE_ORDER = 0x01020304,
  MPISPEC_PROFILE_OBJECTS = 64,
  MPISPEC_PROFILE_DATATYPES = 64,
  MPISPEC_PROFILE_BINS = 256,
  MPISPEC_PROFILE_SITES = 2048, /* the last one counts for all sites without a place */
  MPISPEC_PROFILE_FRAMES = 8,   /* the frames of a call path above the call */
  MPISPEC_PROFILE_SIZES = 40,   /* 0 bytes; then [1,2), [2,4), ... */
  MPISPEC_PROFILE_VALUES = 6    /* the most frequent values of each argument */
};

#define MPISPEC_PROFILE_MAGIC "mpispecP"

/* How a profile ended. */
enum mpispec_profile_end {
  MPISPEC_PROFILE_CUT_SHORT, /* MPI_Abort, a signal, or it still runs */
  MPISPEC_PROFILE_EXITED,    /* the process ended without MPI_Finalize */
  MPISPEC_PROFILE_FINALIZED
};

/* The obstacle that would have kept the call from its template's fast path. PATHS is the number of
 * obstacles. */
enum mpispec_profile_path {
  MPISPEC_PATH_FAST,
  MPISPEC_PATH_NO_TEMPLATE,  /* the function has none */
  MPISPEC_PATH_NO_LANES,     /* the runtime is off, or has opened no lanes */
  MPISPEC_PATH_THREADS,      /* MPI_THREAD_MULTIPLE */
  MPISPEC_PATH_COMMUNICATOR, /* not adopted */
  MPISPEC_PATH_OTHER_NODE,   /* the peer, or members */
  MPISPEC_PATH_NO_PEER,      /* MPI_PROC_NULL, or an invalid rank */
  MPISPEC_PATH_DATATYPE,     /* it has gaps */
  MPISPEC_PATH_SIZE,         /* too long */
  MPISPEC_PATH_NOT_THERE,    /* the message or the other ranks had not arrived */
  MPISPEC_PATH_NO_ROOM,      /* the peer has not read what was sent before */
  MPISPEC_PATH_QUEUED,       /* other messages or receives come first */
  MPISPEC_PATH_NEW_DATATYPE, /* not in the table of sizes: a first call, or others took its place */
  MPISPEC_PATH_NO_SLOTS,  /* the communicator has none: a first collective operation opens them */
  MPISPEC_PATH_OPERATION, /* no template combines this operation and datatype */
  MPISPEC_PATH_ORDER,     /* the order of more than two floating-point numbers matters */
  MPISPEC_PATHS
};

/* Functions that are no sites. Only their time is counted. */
enum mpispec_profile_setup {
  MPISPEC_PROFILE_INIT,
  MPISPEC_PROFILE_FINALIZE,
  MPISPEC_PROFILE_COMMUNICATORS, /* make, free and disconnect */
  MPISPEC_PROFILE_SETUPS
};

struct mpispec_profile_header {
  char magic[8];
  uint32_t order, version;
  uint32_t header_bytes, object_bytes, datatype_bytes, site_bytes, peer_bytes;
  uint32_t rank, world_size;
  uint32_t objects, datatypes, sites; /* in use */
  uint32_t end;                       /* enum mpispec_profile_end */
  uint32_t lanes; /* nonzero: waiting was measured; else it is to be estimated */
  uint32_t thread_level;
  uint32_t core, cores, cores_online; /* first core; number that the rank may use; number online */
  uint64_t core_mask[16];             /* those that it may use, of the first 1024 */
  uint64_t began_at;                  /* nanoseconds since 1970 */
  uint64_t ticks_began, ticks_last;   /* the last call's end */
  uint64_t ticks_in_1024ns;
  uint64_t ticks_in_mpi, ticks_waiting; /* sums over all sites */
  uint64_t bin_ticks;                   /* how long a bin is */
  uint64_t process;
  uint64_t setup_calls[MPISPEC_PROFILE_SETUPS], setup_ticks[MPISPEC_PROFILE_SETUPS];
  uint64_t frames; /* most frames of a site above the call: MPISPEC_PROFILE_FRAMES=N */
  char node[64], library[64], program[256];
};

/* A program or library that has call sites. */
struct mpispec_profile_object {
  uint64_t base;
  char path[248];
};

/* A predefined datatype that a call had. */
struct mpispec_profile_datatype {
  int64_t handle; /* its value in the tables of values */
  uint64_t bytes; /* bytes of an element */
  char name[48];  /* MPI_INT */
};

/* A piece of the run. */
struct mpispec_profile_bin {
  uint64_t in_mpi, waiting; /* ticks */
};

/* A value that an argument had, and how often; `other` of a table has no value. */
struct mpispec_profile_value {
  int64_t value;
  uint64_t calls, bytes;
};

struct mpispec_profile_values {
  struct mpispec_profile_value kept[MPISPEC_PROFILE_VALUES]; /* those with calls */
  struct mpispec_profile_value candidate; /* for a row; has counts, like the rows */
  struct mpispec_profile_value other;
  uint64_t votes; /* for the candidate */
};

struct mpispec_profile_size {
  uint64_t calls, bytes, ticks, least_ticks;
};

/* A return address above a call. */
struct mpispec_profile_frame {
  uint64_t offset; /* in its object; 0: there is no such frame */
  uint64_t object;
};

struct mpispec_profile_site {
  uint64_t address; /* the return address of the call; 0: all sites without a place of their own */
  uint64_t offset;  /* the offset in its object */
  uint32_t object, symbol_offset;
  char symbol[64], function[32]; /* function: without MPI_ */
  uint32_t threads;              /* nonzero if several have called here */
  uint32_t waits_for;            /* enum mpispec_profile_waits */
  uint64_t calls, bytes, ticks, waiting, most_ticks;
  uint64_t computing; /* ticks of its thread outside of MPI, right before calls */
  uint64_t waiting_sender, waiting_receiver; /* parts of waiting: a late sender, a late receiver */
  uint64_t paths[MPISPEC_PATHS];
  uint64_t same;      /* calls whose arguments are those of the call before at this site */
  uint64_t run_on;    /* short sends right after one to the same peer */
  uint64_t exchanges; /* blocking sends that a receive from the same peer follows */
  struct mpispec_profile_size sizes[MPISPEC_PROFILE_SIZES];
  struct mpispec_profile_values peers, tags, datatypes, communicators;
  struct mpispec_profile_values lengths;                       /* bytes */
  struct mpispec_profile_frame frames[MPISPEC_PROFILE_FRAMES]; /* from the inside out */
};

static_assert(sizeof(struct mpispec_profile_site) == 2752, "readers take this size of version 5");

enum mpispec_profile_waits {
  MPISPEC_WAITS_FOR_SENDER,
  MPISPEC_WAITS_FOR_RECEIVER,
  MPISPEC_WAITS_FOR_ALL, /* a collective operation */
  MPISPEC_WAITS_FOR_ANY
};

/* Messages that this rank sent to a rank of MPI_COMM_WORLD, and how long it waited for
 * messages from there. */
struct mpispec_profile_peer {
  uint64_t messages, bytes, waiting;
};

#endif

/* Everything of the runtime that was chosen by measuring, or by judgement, and not by a layout that
 * templates share (mpispec/contract.h): how often to poll, how long to wait, from how many bytes
 * on.
 *
 * Each has its unit, its reason, and what changes where it is taken out, as
 * bench/tuning/compare-tuning.py measures it and docs/results/tuning.md has it: in the application
 * kernels (bench/kernels), and where these have no such messages, in the benches of messages whose
 * figures are promised. Machine, unless said otherwise: two cores of an AMD EPYC (2.6 GHz,
 * virtual), two ranks, MPICH 4.0.2, November 2026, medians of 7 or 9 pairs of runs, in which the
 * cores were equally far apart. Differences below 5 % are noise there and told as "none".
 *
 * A constant that is worth nothing in either is taken out with its code, unless it is a size or a
 * number that something must have, or bounds memory; bench/tuning/constants.tsv says which that
 * are. Times where something is wrong, or asleep, are judgement.
 *
 * A poll is a load of a line that another rank writes, and a pause: some 25 ns. */
#ifndef MPISPEC_RUNTIME_TUNING_H
#define MPISPEC_RUNTIME_TUNING_H

/* --- waiting: polls ----------------------------------------------------------------------------*/

enum {
  /* Before a waiting call yields its core: some 13 us, more than a message of 64 KiB takes. With 2,
   * each wait is a system call (0.5 us): cg takes 3.1 times as long, the work queue 7.8. As many
   * looks, without a pause, at what a writer is in the middle of: more than 1 us, in which it
   * writes 16 KiB, so that it has lost its core by then. */
  MPISPEC_SPINS = 512,
  /* The same where ranks outnumber cores, and a rank that polls keeps the awaited one from its
   * core. With 512: the halo's rows with 4 ranks on two cores 5.3 times as long, Barrier and Bcast
   * 1.9. With 32: exchanges of 4 ranks none to 20 %, of 3 ranks 15 to 50 %. With 2: of 4
   * ranks 20 to 30 % shorter, but Bcast of 3 ranks half as long again. */
  MPISPEC_SPINS_CROWDED = 8,

  /* Yields of a wait on an oversubscribed node before it sleeps: so many where at most that many
   * ranks share a processor, else none. A yield takes 1 us, or a turn of all other ranks; in vain,
   * if each rank is a session of its own: then Linux schedules sessions, and a yield ends when the
   * slice does. Sendrecv of 8 B by 8, 16, 32, 64 ranks on two processors: 8, 29, 85, 110 us with
   * 32 yields, 22, 21, 29, 47 with none; Allreduce of 8 B: 9, 47, 330, 1500 and 52, 109, 280, 740
   * (Xeon, family 6 model 207). */
  MPISPEC_YIELDS_BEFORE_SLEEP = 32,
  MPISPEC_FEW_RANKS = 8,

  /* One yield of so many is observed whether another thread ran meanwhile: two system calls more,
   * 0.6 us. Two ranks that share a processor by surprise notice it after 32 yields, 2 ms. */
  MPISPEC_YIELDS_PER_SAMPLE = 16,
  MPISPEC_SAMPLES_SHARED = 2, /* in a row with a switch: the processor is shared */
  MPISPEC_SAMPLES_ALONE = 8,  /* in a row without: it is no longer */

  /* Polls of the MPI library in a row that find nothing, some 0.1 us each: before a rank that
   * shares its processor yields in a blocking function of the library; the same in MPI_Test and its
   * kin, whose caller may have other work; and in a blocking function of a rank that does not,
   * before it looks whether it still has its processor for itself. */
  MPISPEC_EMPTY_POLLS = 8,
  MPISPEC_EMPTY_TESTS = 400,
  MPISPEC_EMPTY_LOOK = 4096,

  /* For the lock, between threads of one rank: 3 us, several times what a call holds it. */
  MPISPEC_LOCK_SPINS = 100,

  /* Polls of a waiting call between two calls of the MPI library: an empty PMPI_Test takes 0.1 us.
   * Every 8: work stealing 7 %, a stream of 8 B up to twice as long. */
  MPISPEC_POKE_EVERY = 256,
  /* Receives that found their message at once, between two rounds of all engines. With 1: kernels
   * none, but a receive of 8 B takes 29.3 instructions instead of 24.8. */
  MPISPEC_PASSES = 4,
  /* Calls that poll only the lanes they need, between two rounds of all engines. With 1: a test of
   * a receive whose message has not come takes 248 instructions instead of 50 (specialised 201
   * instead of 30), an Iprobe 167 instead of 62 (170 instead of 32); work stealing 16 %. */
  MPISPEC_GLANCES = 64,
  /* Calls that come late, one after the other, until a program counts no more as one that does
   * nothing but poll (MPISPEC_POLLING_GLANCE): one that exchanges messages has some. With 2:
   * kernels none, a loop of nothing but MPI_Test for one message of 8 B each way 9 to 17 %. */
  MPISPEC_POLLING_LATE = 8,
};

/* --- waiting: nanoseconds ----------------------------------------------------------------------*/

enum {
  /* Between two calls of the MPI library, by receives that find their message at once and calls
   * that yield each time: so long its own messages may lie. A sixteenth of it: kernels none,
   * ping-pong none. */
  MPISPEC_POKE_PAUSE = 25 * 1000,
  /* A call that finds nothing, below which MPISPEC_GLANCES of them in a row are those of a program
   * that does nothing but poll; and one of such a program, above which it comes late. Each call of
   * such a program enters the runtime, so that it polls every 25 ns instead of every 3 to 8. Never
   * (a glance of 0): a loop of nothing but MPI_Test for one message of 8 B each way 33 to 36 %.
   * Always (a call of 1 ms): work stealing 14 to 18 %. RandomAccess of HPC Challenge, which tests
   * once an update, takes 28 ns a test and more, and must not be slowed. */
  MPISPEC_POLLING_GLANCE = 16,
  MPISPEC_POLLING_CALL = 40,
  /* Until a receiver pulls pieces itself, because their sender does not fill the pipe; and until a
   * sender pushes pieces, because their receiver does not empty it: several times what a piece
   * takes. Kernels none, ping-pong none: in neither a rank is away. */
  MPISPEC_PIPE_WAIT = 12 * 1000,
  /* A cell, below which messages come one after the other, and their reader leaves the lines to
   * the writer (shm/copy.h). Never: a stream of 8 B 1.4 times as long, between distant cores 50 ns
   * and not 18, and records of 8 B dealt out there 1.4 times. Always: ping-pong of 64 B between
   * distant cores 315 ns and not 283. */
  MPISPEC_ROW_CELL = 150,
  /* A line of memory, above which it is in no cache, and so many lines are tried: memory takes 80
   * to 150 ns, and eight at a time some 20 each. Without copies past the caches: kernels none,
   * ping-pong of 4 MiB in no cache 15 to 21 %. */
  MPISPEC_CACHE_SPOT = 15,
  MPISPEC_CACHE_SPOTS = 8,

  /* Between two polls of the helper thread, while the program is in the MPI library: the first
   * time, and the bounds. The shortest is what a nap of the system takes anyway. */
  MPISPEC_NAP_FIRST = 100 * 1000,
  MPISPEC_NAP_SHORTEST = 20 * 1000,
  MPISPEC_NAP_LONGEST = 2000 * 1000,
  /* Naps after which nothing was to be done, before it sleeps until it is woken. */
  MPISPEC_NAPS_IN_VAIN = 4,
  /* Between two times that a long wait reads affinity masks again, which takes two system calls;
   * and between two looks of one wait at most. */
  MPISPEC_MASKS_PAUSE = 10 * 1000 * 1000,
  /* The slice asked for before a thread first yields: the shortest that Linux grants. With 3 ms,
   * the default, a message there and back beside a program that computes takes 1.4 ms, not 0.1. */
  MPISPEC_SLICE = 100 * 1000,

  /* The longest sleep on a doorbell: so long the MPI library may have to wait for a poll. */
  MPISPEC_SLEEP = 1000 * 1000,

  /* For which a rank that has found an operation of another kind waits for the other members to say
   * theirs. */
  MPISPEC_NOTES_TIMEOUT = 200 * 1000 * 1000,
  /* A leader that waits for other nodes, before it asks and between two times that it asks whether
   * they are in another operation; and rounds of progress between two looks at the clock. */
  MPISPEC_LEADERS_DOUBT = 20 * 1000 * 1000,
  MPISPEC_LEADERS_ROUNDS = 64,
  /* Between two polls for announcements at Init, and how many, for a library that lets some ranks
   * out of its own early. */
  MPISPEC_ANNOUNCEMENT_PAUSE = 10 * 1000 * 1000,
  MPISPEC_ANNOUNCEMENT_POLLS = 20,
};

/* --- messages: bytes ---------------------------------------------------------------------------*/

enum {
  /* Messages that leave in a block whoever sends them: both caches hold some of them. With 16 KiB:
   * the transposition in pieces 15 to 30 %. */
  MPISPEC_BLOCK_BYTES = 64 * 1024,
  /* Of a typemap, of a sender that does not wait: it would have to be packed elsewhere. */
  MPISPEC_PACKED_BLOCK_BYTES = 4 * 1024 * 1024,
  MPISPEC_PACKED_BYTES = 64 * 1024 * 1024, /* of such, lent at a time: a bound on memory */

  /* Told to the reader at a time while a block is filled: a quarter, at most so much. Not in such
   * steps: kernels none, ping-pong of 1 MiB 6 %. */
  MPISPEC_BLOCK_STEP = 16 * 1024,
  /* And at least: a page. What a sender that waits sends in one step is filled before it is shown,
   * which needs no request. A line instead: kernels none, ping-pong none, but MPI_Send of 100
   * doubles takes 667 instructions instead of 294, of 2 KiB 826 instead of 406. */
  MPISPEC_LEAST_STEP = 4096,
  /* Of a send that does not wait, up to which the block is filled before it is shown. With 0:
   * kernels none, 8 KiB both ways at once 7 to 15 %. */
  MPISPEC_WHOLE_BYTES = 16 * 1024,
  /* Lines that a reader which waits for bytes asks for in a poll. Without: kernels none, ping-pong
   * in no cache 21 % (64 KiB). */
  MPISPEC_LINES_AHEAD = 8,

  /* A long message is copied in two pieces, or in more of the larger size. With 64 KiB, between
   * distant cores: messages of 1 MiB 9 % (EPYC 9005). */
  MPISPEC_LEAST_PIECE = 64 * 1024,
  MPISPEC_MOST_PIECE = 256 * 1024,
  MPISPEC_MOST_EXCHANGED_PIECE = 4 * 1024 * 1024,
  MPISPEC_LAST_EXCHANGED = 16, /* messages that a peer sends none back for: no exchange any more */
  MPISPEC_PIPE_PIECE = 128 * 1024, /* of a message that is exchanged through the pipe */
  MPISPEC_PIPE_SLOTS = 4,          /* pieces that a sender may have on the way to one receiver */
  MPISPEC_EARLY_BYTES = 4 << 20,   /* and to all receivers, of messages that have no receive yet */
  /* How often a receiver looks for bytes in a pipe before it makes other progress. */
  MPISPEC_SLOT_POLLS = 100,
  /* Messages whose bytes a receiver fetches ahead, where that helps (shm/copy.h): longer than the
   * first, up to the second. Xeon, family 6 model 207, both ways at once: 64 KiB 5.7 us and
   * not 7.0; 16 KiB 2 % slower, 1 MiB 4 %. */
  MPISPEC_FETCHED_LEAST = 32 * 1024,
  MPISPEC_FETCHED_MOST = 512 * 1024,
  /* A longer receive buffer is looked at, whether it is in a cache: that takes 0.6 us. */
  MPISPEC_CACHED_BYTES = 512 * 1024,
};

/* --- long messages: how their ways are chosen --------------------------------------------------*/

enum {
  MPISPEC_WAY_TRIES = 128,     /* messages between two that try the other way, at least */
  MPISPEC_WAY_FIRST_TRIES = 8, /* and until it has been tried MPISPEC_WAY_SAMPLES times */
  MPISPEC_WAY_SAMPLES = 4,
  MPISPEC_WAY_MEMORY = 16,         /* a message counts as one part in so many of its cost, */
  MPISPEC_WAY_MEMORY_OF_TRIES = 4, /* and one that tries the other way, of which there are few */
  MPISPEC_WAY_UNSAMPLED = 64, /* messages without a sample after which what was learned is past */
  MPISPEC_WAY_OUTLIER = 4, /* a message that takes so many times as long as expected says nothing */
  /* Bytes of a message from which on it is no sample if a rank has lost its core meanwhile, as the
   * system counts it: two calls of 0.18 us each, 1 % of such a message. A shorter one takes less
   * than a quarter of a time slice, and is an outlier then. */
  MPISPEC_WAY_COUNTED_BYTES = 1 << 20,
};

/* --- collective operations: bytes --------------------------------------------------------------*/

enum {
  /* Up to which each rank reading all parts is cheaper than one more handoff. With none of it:
   * kernels none, Allreduce of 1 KiB between 4 ranks 1.4 times as long. */
  MPISPEC_SHORT_BYTES_READ = 8 * 1024,
  /* Portions of a Scatter up to which the root copies its own only when the others have theirs. */
  MPISPEC_HELPED_FIRST_BYTES = 512 * 1024,
  /* A chunk up to which a rank that waits in an exchange takes hold of all of its next one, and
   * what it takes hold of in a longer one. */
  MPISPEC_FETCHED_WHOLE_BYTES = 16 * 1024,
  MPISPEC_FETCHED_BYTES = 8 * 1024,
  /* The first chunk of a Bcast that is filled before it is shown. A longer one is read while it is
   * filled. */
  MPISPEC_CHUNK_WHOLE_BYTES = 8 * 1024,
  /* Portions up to which their owner does not wait for their reader, and those for which it does
   * not if the reader is late. */
  MPISPEC_PARTS_IN_BLOCKS = 32 * 1024,
  MPISPEC_LATE_BYTES = 256 * 1024,
  /* The owner of portions up to that size waits a nanosecond for so many bytes until its readers
   * come: about as long as copying them into blocks takes. */
  MPISPEC_ARRIVAL_BYTES = 16,
};

/* --- memory ------------------------------------------------------------------------------------*/

enum {
  /* Ranks of a node up to which memory that grows with them is asked of the system at Init: 16 MiB
   * of rings. A fresh page costs its first writer 0.25 us, so the first message to all some 1 ms.
   * With 0: the first transposition 11 %, the first records dealt out 13 to 51 %. */
  MPISPEC_FEW_PEERS = 32,
  /* Bytes of the arena that are kept after a flood, and asked for at Init: a pipe and some blocks.
   * With none kept: kernels none, the first message of 1 MiB 2.1 times as long, 64 of 64 KiB at
   * once 1.4. With none at Init: the first transposition 7 to 11 %, the first records dealt
   * out 17 to 35 %. */
  MPISPEC_ARENA_KEPT = 4 << 20,
  MPISPEC_ARENA_WARM = 6 << 18,
  /* Asked of the system at a time. With 256 KiB the first 64 messages of 64 KiB at once take 1.7
   * times as long: their reader waits for memory that nobody needs yet. */
  MPISPEC_ARENA_STEP = 64 << 10,
  /* Lent blocks looked at before fresh memory is taken: the more, the less memory where one reader
   * is slow. With 1: none in time. */
  MPISPEC_ARENA_SWEEP = 64,
  MPISPEC_ARENA_FEW = 16,   /* blocks lent that do not keep memory from going back */
  MPISPEC_ARENA_REST = 100, /* ms in which hardly any was lent, before it goes back */
  /* Bytes that the payload of a large block stays away from the begin of a page. Processors copy a
   * string at a third of their speed when it moves by 1 to 63 bytes modulo the page, and large
   * buffers of programs begin with a page, or 16 bytes later. Taken out: kernels none,
   * ping-pong of 64 KiB 9 to 17 %; between distant cores, with several blocks, it took 9.6 us and
   * not 3.0. */
  MPISPEC_APART = 128,
  /* Of one size, that a rank keeps of the blocks in which it has received, for its next sends: a
   * window of 64 messages of 64 KiB. With none: the transposition in pieces 7 to 11 %, 8 messages
   * of 64 KiB both ways at once 27 to 52 %, between distant cores 28 us each and not 5. */
  MPISPEC_KEPT_BYTES = 4 << 20,
  MPISPEC_KEPT_BLOCKS = 256,             /* and at most so many: a bound on what lists them */
  MPISPEC_KEPT_REST = 100 * 1000 * 1000, /* ns in which none was used, before they go back */
  MPISPEC_ARENA_TIMEOUT = 30,            /* s of nothing but refusals, before the job is ended */
};

#endif

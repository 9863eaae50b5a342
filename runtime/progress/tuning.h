/* Everything of the runtime that was chosen by measuring, or by judgement, and not by a layout that
 * templates share (mpispec/contract.h): how often to poll, how long to wait, from how many bytes
 * on.
 *
 * Each has its unit, its reason, and what changes where it is taken out: "kernels" are the
 * application kernels (bench/kernels), "ping-pong" and "stream" the message bench
 * (bench/runtime/latency.c). Machine, unless said otherwise: two cores of an AMD EPYC (2.6 GHz,
 * virtual), two ranks, MPICH 4.0.2, November 2026, all variants in turns: best of 5 turns (kernels)
 * or 3 (messages), or, since the 22nd, medians of 9 to 24 pairs of runs, of which only those count
 * in which the machine was in one state. Differences below 2 % (since: 5 %) are noise there and
 * told as "none".
 *
 * What was under 5 % in the kernels and in the messages was taken out: a pipe that began where the
 * message does within a line, more than one big block lent at a time, a number of rounds of its own
 * before a collective operation doubts (kernels none, messages none); the fetching of all lines of
 * the room that a stream has found (kernels 1 %; near cores are faster without it, Runtime.md).
 * What the kernels do not use, but a bench with bounds does, stays and says so.
 *
 * Where no cost of taking it out stands, no bench here shows one (threads, the helper, timeouts,
 * announcements): the reason is judgement, and times in it are estimates. The machine was shared:
 * between distant cores, or beside other processes, only what differs by much can be told.
 *
 * A poll is a load of a line that another rank writes, and a pause: some 25 ns. */
#ifndef MPISPEC_RUNTIME_TUNING_H
#define MPISPEC_RUNTIME_TUNING_H

/* --- waiting: polls ----------------------------------------------------------------------------*/

enum {
  /* Before a waiting call yields its core: some 13 us, more than a message of 64 KiB takes. With 2,
   * each wait is a system call (0.5 us): cg takes 2.9 times as long, the work queue 5.8, the halo's
   * rows 1.5, a ping-pong of 8 B 14. */
  MPISPEC_SPINS = 512,
  /* The same where ranks outnumber cores, and a rank that polls keeps the awaited one from its
   * core. With 512: exchanges of 4 ranks on two cores 2 to 5 times as long up to 1 KiB, Barrier and
   * Bcast 1.9. With 32: exchanges of 4 ranks none to 20 %, of 3 ranks 15 to 50 %. With 2: of 4
   * ranks 20 to 30 % shorter, but Bcast of 3 ranks half as long again. */
  MPISPEC_SPINS_CROWDED = 8,

  /* At a full lane, once, before its writer goes to fresh memory: 6 us, in which a reader that is
   * at work empties a quarter of it. Taken out: kernels none; a stream of messages of 200 B takes
   * 30 to 45 % longer, of 4 KiB 10 %, of 8 B up to 25 % less. */
  MPISPEC_ROOM_SPINS = 256,
  /* For the rest of what a writer is in the middle of, before the core is given to it: it writes a
   * cell in 5 ns and 16 KiB in 1 us, so that it has lost its core by then. With 1: kernels none,
   * ping-pong of 16 KiB 21 %, of 64 KiB 13 %. */
  MPISPEC_WRITER_SPINS = 1000,
  /* For the lock, between threads of one rank: 3 us, several times what a call holds it. */
  MPISPEC_LOCK_SPINS = 100,

  /* Polls of a waiting call between two calls of the MPI library: an empty PMPI_Test takes 0.1 us.
   * Every 8: kernels none, ping-pong none, a stream of 8 B up to twice as long. */
  MPISPEC_POKE_EVERY = 256,
  /* Receives that found their message at once, between two rounds of all engines. With 1:
   * kernels none, ping-pong none, a stream of 8 B up to 1.8 times as long. */
  MPISPEC_PASSES = 4,
  /* Calls that poll only the lanes they need, between two rounds of all engines. With 1: a test of
   * a receive whose message has not come takes 248 instructions instead of 50 (specialised 201
   * instead of 30), an Iprobe 167 instead of 62 (170 instead of 32); kernels none, a stream none.
   */
  MPISPEC_GLANCES = 64,
  /* Calls that come late, one after the other, until a program counts no more as one that does
   * nothing but poll (MPISPEC_POLLING_GLANCE): one that exchanges messages has some. With 2: a loop
   * of nothing but MPI_Test for one message of 8 B each way 10 to 20 %. */
  MPISPEC_POLLING_LATE = 8,
};

/* --- waiting: nanoseconds ----------------------------------------------------------------------*/

enum {
  /* Between two calls of the MPI library, by receives that find their message at once and calls
   * that yield each time. A sixteenth of it: kernels none, ping-pong none to 5 %. */
  MPISPEC_POKE_PAUSE = 25 * 1000,
  /* A call that finds nothing, below which MPISPEC_GLANCES of them in a row are those of a program
   * that does nothing but poll; and one of such a program, above which it comes late. Each call of
   * such a program enters the runtime, so that it polls every 25 ns instead of every 3 to 8. Never:
   * a loop of nothing but MPI_Test for one message of 8 B each way 30 to 45 % between near cores,
   * 10 to 20 % between distant ones, of MPI_Iprobe 30 to 55 %. RandomAccess of HPC Challenge, which
   * tests once an update, takes 28 ns a test and more, and must not be slowed. */
  MPISPEC_POLLING_GLANCE = 16,
  MPISPEC_POLLING_CALL = 40,
  /* Until a receiver that waits reads the bytes itself, because their sender does not begin to fill
   * a pipe: some handoffs and the first step of 64 KiB. Kernels none, ping-pong none: neither has
   * senders that are away. */
  MPISPEC_PIPE_WAIT = 12 * 1000,
  /* A cell, below which messages come one after the other, and their reader leaves the lines to
   * the writer (shm/copy.h). Never: a stream of 8 B takes 17 ns a message between near cores and
   * not 10, 50 and not 18 between distant ones, 64 messages of 64 B both ways 190 and not 120.
   * Always: ping-pong of 64 B between distant cores 315 ns and not 283. */
  MPISPEC_ROW_CELL = 150,
  /* A line of memory, above which it is in no cache, and so many lines are tried: memory takes 80
   * to 150 ns, and eight at a time some 20 each. Without copies past the caches: kernels none,
   * ping-pong of 4 MiB none between near cores, 3 to 13 % (in no cache) between distant ones. */
  MPISPEC_CACHE_SPOT = 15,
  MPISPEC_CACHE_SPOTS = 8,

  /* Between two polls of the helper thread, while the program is in the MPI library: the first
   * time, and the bounds. The shortest is what a nap of the system takes anyway. */
  MPISPEC_NAP_FIRST = 100 * 1000,
  MPISPEC_NAP_SHORTEST = 20 * 1000,
  MPISPEC_NAP_LONGEST = 2000 * 1000,
  /* Naps after which nothing was to be done, before it sleeps until it is woken. */
  MPISPEC_NAPS_IN_VAIN = 4,
  /* The slice asked for before a thread first yields: the shortest that Linux grants. With 3 ms,
   * the default, a message there and back beside a program that computes takes 1.4 ms, not 0.1. */
  MPISPEC_SLICE = 100 * 1000,

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
  /* Messages that leave in a block whoever sends them: both caches hold some of them. */
  MPISPEC_BLOCK_BYTES = 64 * 1024,
  /* The same from a rank to itself, of a sender that does not wait: the receive then copies
   * straight from its buffer. With the bound above, Isend, Recv and Wait of 64 KiB to oneself 2.7
   * us instead of 1.4, of 16 KiB 650 ns instead of 410; below 8 KiB a handshake costs what a copy
   * does. */
  MPISPEC_OWN_BLOCK_BYTES = 8 * 1024,
  /* Of a sender that waits for the end anyway. Without blocks this big: mm 4 %, ping-pong of 256
   * KiB 265 %, in no cache 25 %. */
  MPISPEC_BIG_BLOCK_BYTES = 256 * 1024,
  /* The same where it has also received since it sent the last: two ranks take turns. Without,
   * between near cores: kernels none, ping-pong of 1 MiB 5 % faster, in no cache 17 %; between
   * cores far apart or shared with other processes: ten times slower, for a pipe waits more often.
   */
  MPISPEC_TURN_BLOCK_BYTES = 1024 * 1024,
  /* Up to which a message is no turn, but acknowledges what came before
   * (blocks-where-ranks-take-turns.c). With 0: kernels none, ping-pong none, messages of 1 MiB that
   * are each answered by 1000 B 17 %. */
  MPISPEC_ANSWER_BYTES = 1024,
  /* Of a typemap, of a sender that does not wait: it would have to be packed elsewhere. */
  MPISPEC_PACKED_BLOCK_BYTES = 4 * 1024 * 1024,
  MPISPEC_PACKED_BYTES = 64 * 1024 * 1024, /* of such, lent at a time: a bound on memory */

  /* Told to the reader at a time, at most, while a block is filled. Not in steps: kernels none,
   * ping-pong 22 % (16 KiB) to 77 % (256 KiB in no cache). */
  MPISPEC_BLOCK_STEP = 16 * 1024,
  /* And at least: a page. What a sender that waits sends in one step is filled before it is shown,
   * which needs no request. A line instead: kernels none, ping-pong none, but MPI_Send of 100
   * doubles takes 667 instructions instead of 294, of 2 KiB 826 instead of 406. */
  MPISPEC_LEAST_STEP = 4096,
  /* Of a send that does not wait, up to which the block is filled before it is shown. With 0:
   * kernels none, 8 KiB both ways at once 12 to 15 %. */
  MPISPEC_WHOLE_BYTES = 16 * 1024,
  /* Lines that a reader which waits for bytes asks for in a poll. Without: kernels none, ping-pong
   * 29 % (256 KiB), in no cache 35 % (64 KiB). */
  MPISPEC_LINES_AHEAD = 8,

  /* A pipe: half of a cache of 2 MiB. A quarter of it: kernels none, ping-pong of 1 MiB in no cache
   * 11 %. It is filled in steps of MPISPEC_BLOCK_BYTES. */
  MPISPEC_PIPE_BYTES = 1024 * 1024,
  /* Pipes of one sender at a time: it can fill one, and has the next ready. With 1: kernels none,
   * ping-pong of 4 MiB 7 %. A bound on memory, too. */
  MPISPEC_PIPES_AT_ONCE = 2,
};

/* --- collective operations: bytes --------------------------------------------------------------*/

enum {
  /* Up to which each rank reading all parts is cheaper than one more handoff. With none of it:
   * kernels none, Allreduce none between 2 ranks, of 64 B and 1 KiB half as long again between 4.
   */
  MPISPEC_SHORT_BYTES_READ = 8 * 1024,
  /* A step of a pipeline: a quarter of the whole, within these. In one piece: kernels none,
   * Allreduce of 1 MiB 12 %. In pieces of 8 KiB: Reduce of 1 MiB 18 %. */
  MPISPEC_PIECE_LEAST = 8 * 1024,
  MPISPEC_PIECE_MOST = 64 * 1024,
};

/* --- memory ------------------------------------------------------------------------------------*/

enum {
  /* Ranks of a node up to which memory that grows with them is asked of the system at Init: 16 MiB
   * of rings. A fresh page costs its first writer 0.25 us, so the first message to all some 1 ms.
   * With 0: the first message of 8 B 2.4 times as long, of 4 KiB 4.6, of 256 KiB 4.9. */
  MPISPEC_FEW_PEERS = 32,
  /* Bytes of the arena that are kept after a flood, and asked for at Init: a pipe and some blocks.
   * With none kept: kernels none, the first message of 1 MiB 2.1 times as long, 64 of 64 KiB at
   * once 1.4. With none at Init: the first of 4 KiB 16 times, of 256 KiB 5. */
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
   * buffers of programs begin with a page, or 16 bytes later. Taken out: kernels none, ping-pong
   * none, for one block goes to and fro; with several, 64 KiB took 9.6 us and not 3.0. */
  MPISPEC_APART = 128,
  /* Of one size, that a rank keeps of the blocks in which it has received, for its next sends: a
   * window of 64 messages of 64 KiB. With one block at most, 8 messages of 64 KiB both ways at once
   * took 28 us each between distant cores and not 5, of 8 KiB 4.0 and not 1.1. */
  MPISPEC_KEPT_BYTES = 4 << 20,
  MPISPEC_KEPT_BLOCKS = 256,             /* and at most so many: a bound on what lists them */
  MPISPEC_KEPT_REST = 100 * 1000 * 1000, /* ns in which none was used, before they go back */
  MPISPEC_ARENA_TIMEOUT = 30,            /* s of nothing but refusals, before the job is ended */
};

#endif

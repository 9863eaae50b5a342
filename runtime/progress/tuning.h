/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The constants of the runtime that were chosen by measuring or by judgement: numbers of polls,
 * times and sizes. Constants of a layout that templates share are in mpispec/contract.h.
 *
 * The comment of a constant gives its meaning, its unit and its reason. bench/tuning/constants.tsv
 * gives the value that makes a constant ineffective, and the programs that measure its gain, or a
 * reason why there are none. docs/results/tuning.md has the results with their processors.
 *
 * A constant that makes no measured program faster is removed with its code. Three kinds are kept
 * and chosen by judgement. They are sizes and numbers that must have some value, bounds on memory,
 * and times that pass only after a failure or in a sleep.
 *
 * A poll is a load of a line that another rank writes, and a pause. */
#ifndef MPISPEC_RUNTIME_TUNING_H
#define MPISPEC_RUNTIME_TUNING_H

/* --- waiting: polls ----------------------------------------------------------------------------*/

enum {
  /* Polls before a waiting call yields its core. A yield is a system call. Therefore there are so
   * many polls that a message of 64 KiB arrives before the first yield. A reader that waits for the
   * rest of a message polls this often, without pauses, before it yields. If the rest has not
   * arrived by then, its writer has lost its core. */
  MPISPEC_SPINS = 512,
  /* The first polls of a wait for one word. They are unrolled (first_polls.h), and therefore few.
   * Meanwhile the rank neither makes progress nor releases the lock to another thread. */
  MPISPEC_FIRST_POLLS = 16,
  /* Like MPISPEC_SPINS, for an oversubscribed rank: while it polls, it may occupy the core that the
   * awaited rank needs. With very few polls, a wait that would end soon yields for nothing. */
  MPISPEC_SPINS_OVERSUBSCRIBED = 8,

  /* Where threads take turns (parking.h): polls of a thread before it yields or parks, until
   * THREAD_FAILURES waits in a row have done so. The polls last a few times as long as a switch to
   * another thread. After that, one wait in THREAD_CHOICE polls that often. THREAD_CHOICE doubles
   * each time that this was in vain, up to THREAD_CHOICE_RAREST. More polls would delay a thread
   * whose rank has blocked threads. */
  MPISPEC_THREAD_POLLS = 100,
  MPISPEC_THREAD_FAILURES = 2,
  MPISPEC_THREAD_CHOICE = 16,
  MPISPEC_THREAD_CHOICE_RAREST = 256,

  /* Polls of a waiting call from one yield to the next. A yield takes longer than these polls, and
   * meanwhile a message from a rank on another processor may come. */
  MPISPEC_POLLS_PER_YIELD = 4,

  /* The first round of such a rank's waits for members, and for a request: this round yields. Ranks
   * on its own processor write only after a yield. */
  MPISPEC_FIRST_ROUND_OVERSUBSCRIBED = MPISPEC_SPINS_OVERSUBSCRIBED + MPISPEC_POLLS_PER_YIELD,
  MPISPEC_LANE_SPINS = 20, /* polls of the lane without yields: for as long as an answer takes */
  MPISPEC_LANE_YIELDS = 7, /* and with yields, before the rank posts the receive */

  /* Yields of a wait on an oversubscribed node before it sleeps. With few ranks on a processor, a
   * yield soon returns and saves the cost of sleeping and waking. More yields would take time from
   * a rank that computes. With four ranks on a processor, 32 yields do not lengthen a computation
   * of 100 us, but 128 yields lengthen it by half. With two ranks (YIELDS_OF_TWO), 128 yields do
   * not lengthen it. With many ranks, all others run before a yield returns. Sleeps have another
   * advantage: a rank that is woken runs after the rank that wrote to it. If messages go around a
   * ring of ranks, it then finds several messages at a time. bench/shared-cores measures both
   * effects. A processor is idle if all its ranks sleep. On a virtual machine of 16 processors, it
   * takes 10 us to wake one of these ranks.
   *
   * If all ranks are in one scheduling group (processors.h), a yield passes the processor on to
   * another rank. Then a wait yields YIELDS_BEFORE_SLEEP times if at most FEW_IN_GROUP ranks share
   * a processor, and YIELDS_IN_GROUP times if at most YIELDING_IN_GROUP do. Most awaited messages
   * come within this number of turns of the other ranks. Few ranks gain by running ahead of each
   * other: a rank that is woken for each message runs at once instead (Xeon, family 6 model 167).
   * If the ranks are in several groups, many yields are in vain: Linux schedules groups, and a rank
   * that yields goes on until its group has used its share. Then a wait yields YIELDS_BEFORE_SLEEP
   * times if at most FEW_RANKS ranks share a processor, and YIELDS_OF_MANY times if at most
   * YIELDING_RANKS do. With more ranks, it sleeps at once. */
  MPISPEC_YIELDS_BEFORE_SLEEP = 32,
  MPISPEC_YIELDS_OF_TWO = 128,
  MPISPEC_YIELDS_OF_MANY = 16,
  MPISPEC_YIELDS_IN_GROUP = 4,
  MPISPEC_FEW_RANKS = 8,
  MPISPEC_FEW_IN_GROUP = 4,
  MPISPEC_YIELDING_RANKS = 12,
  MPISPEC_YIELDING_IN_GROUP = 32,

  /* One yield of this many is a sample: two more system calls find out whether another thread ran.
   * More samples would cost more; fewer would detect later that the processor is shared. */
  MPISPEC_YIELDS_PER_SAMPLE = 16,
  MPISPEC_SAMPLES_SHARED = 2, /* consecutive ones with a switch: the processor is shared */
  MPISPEC_SAMPLES_ALONE = 8,  /* consecutive ones without a switch: it is not shared any more */

  /* Consecutive polls of the MPI library in vain before an oversubscribed rank yields (POLLS: in a
   * blocking function; TESTS: in others; TEST_ROW: if the caller only tests, test_row.h) or wakes
   * targets (ASK, origin.h), or before a rank tests whether it shares its processor (CHECK). */
  MPISPEC_EMPTY_POLLS = 2,
  MPISPEC_EMPTY_ASK = 8,
  MPISPEC_EMPTY_TESTS = 400,
  MPISPEC_TEST_ROW = 8,
  MPISPEC_EMPTY_CHECK = 4096,

  /* Reads of a shared lock before a thread that waits for it yields. They take several times as
   * long as a call holds the lock. The number of pauses before a read doubles up to LOCK_PAUSES. A
   * thread at the end of its turn pauses LOCK_SPINS times, too. */
  MPISPEC_LOCK_SPINS = 12,
  MPISPEC_LOCK_LOOKS = 100, /* the same, without pauses, where threads or ranks share processors */
  MPISPEC_LOCK_PAUSES = 8,
  /* Calls in a row in which a thread acquires the lock while others wait for it. */
  MPISPEC_LOCK_TURN = 64,
  /* Time in ns between two reads of the heads of lanes by a parked thread, while another thread
   * receives: the first time, and the longest. */
  MPISPEC_LOOK_FIRST = 500,
  MPISPEC_LOOK_LONGEST = 8 * 1000,
  /* Yields of a parked thread before it naps. */
  MPISPEC_PARKED_YIELDS = 16,
  /* The greatest number of requests for which a parked thread waits at a time. Each release of the
   * lock tests all of them. */
  MPISPEC_PARKED_REQUESTS = 32,
  /* Rounds over the lanes by threads that are not parked, between two polls of a parked thread.
   * After at least this many, the parked thread need not poll the lanes. */
  MPISPEC_ROUNDS_OF_OTHERS = 8,
  /* Acquisitions of the lock in a row after which a thread becomes its owner. All together they
   * cost about as much as the system call by which another thread revokes the bias. */
  MPISPEC_BIAS_AFTER = 64,

  /* Polls of a waiting call between two calls of the MPI library, which cost more than a poll. */
  MPISPEC_LIBRARY_PROGRESS_EVERY = 256,
  MPISPEC_WINDOW_PROGRESS_EVERY = 4, /* with windows: a target's library executes operations */
  /* Receives that find their message at once, between two rounds of all engines: a round costs a
   * receive additional instructions. */
  MPISPEC_OPPORTUNISTIC_EVERY = 4,
  /* Calls that poll only the lanes they need, between two rounds of all engines. A round in each
   * call would make a test or probe in vain several times as long. */
  MPISPEC_EMPTY_POLL_BUDGET = 64,
  /* Consecutive late calls after which a program no longer counts as one that only polls
   * (MPISPEC_POLLING_AVERAGE). A program that exchanges messages has some late calls. */
  MPISPEC_POLLING_LATE = 8,
};

/* --- waiting: nanoseconds ----------------------------------------------------------------------*/

enum {
  /* Time between two calls of the MPI library, for receives that find their message at once and for
   * calls that yield each time. A message of the MPI library itself may wait this long. If several
   * ranks share a processor, waits that yield multiply this time by the number of these ranks.
   * Otherwise each turn of a rank would call the library. */
  MPISPEC_LIBRARY_PROGRESS_PAUSE = 25 * 1000,
  MPISPEC_WINDOW_PROGRESS_PAUSE = 4 * 1000, /* with windows; for yields as without */
  /* A program "only polls" if MPISPEC_EMPTY_POLL_BUDGET consecutive calls in vain take less than
   * the first time each. A call of that program is late if it takes more than the second. Each call
   * of a program that only polls enters the runtime, because polls at a very high rate delay the
   * message. So does each call of a program that tests less often than the third time. */
  MPISPEC_POLLING_AVERAGE = 16,
  MPISPEC_POLLING_CALL = 40,
  MPISPEC_RARE_TEST = 4000,
  MPISPEC_TEST = 300, /* the same as POLLING_AVERAGE, for rows of tests (test_row.h) */
  /* Time until a receiver pulls pieces itself, because their sender does not fill the pipe. The
   * same time passes until a sender pushes pieces, because their receiver does not empty the pipe.
   * To copy a piece of MPISPEC_LEAST_PIECE bytes takes less. */
  MPISPEC_PIPE_WAIT = 12 * 1000,
  /* Time per cell below which messages count as a stream. The reader of a stream returns the cells'
   * lines to the writer (mpispec_lines_release). For a ping-pong, returning them costs more than it
   * saves. */
  MPISPEC_STREAM_GAP = 250,
  /* Time per line above which memory is in no cache, and the number of lines that are tried.
   * Several loads overlap; therefore the time per line is shorter than one load takes. Lines of a
   * third-level cache take up to 47, with the translation of their addresses. */
  MPISPEC_MEMORY_SPOT = 50,
  MPISPEC_SPOTS = 8,

  /* Time between two polls of the helper thread while the program is in the MPI library: the first
   * one, and the bounds. The lower bound is about the shortest sleep that the system can do. */
  MPISPEC_NAP_FIRST = 100 * 1000,
  MPISPEC_NAP_SHORTEST = 20 * 1000,
  MPISPEC_NAP_LONGEST = 2000 * 1000,
  /* Consecutive polls of the helper with nothing to do (helper.c), before it sleeps until another
   * thread wakes it. */
  MPISPEC_NAPS_IN_VAIN = 4,
  MPISPEC_AWAY = 10 * 1000 * 1000, /* ns in one call before the helper calls the library */
  /* Least time between two readings of affinity masks in a long wait. A reading takes two system
   * calls. Two checks (mpispec_oversubscription_check) that are less apart belong to one wait. */
  MPISPEC_MASKS_PAUSE = 10 * 1000 * 1000,
  /* The time slice that a thread requests before it first yields: the shortest that Linux grants.
   * With longer slices, a message to a rank whose core also runs another program waits longer. */
  MPISPEC_SLICE = 100 * 1000,

  /* A wait that has lasted this long tests whether the awaited rank still exists. The same time
   * passes between two of these tests. They must not slow down a correct program. */
  MPISPEC_PEER_CHECK_INTERVAL = 1000 * 1000 * 1000,

  /* A wait of an oversubscribed rank that nobody ends by a doorbell: its time in vain before it
   * naps. A nap takes one part of MPISPEC_NAP_PART of the time until then, and at most
   * MPISPEC_SLEEP. */
  MPISPEC_NAP_AFTER = 500 * 1000,
  MPISPEC_NAP_PART = 8,

  MPISPEC_NAP_PARKED = 160 * 1000, /* the longest nap of a parked thread */

  /* The longest sleep on a doorbell: the MPI library may wait this long for a poll. To wake a rank
   * costs 30 to 300 us of a processor on a virtual machine. Therefore sleeps last longer in
   * proportion if more than RANKS_OF_SLEEP ranks share a processor, up to LONGER_SLEEPS times, but
   * not in a program with windows. */
  MPISPEC_SLEEP = 1000 * 1000,
  MPISPEC_RANKS_OF_SLEEP = 2,
  MPISPEC_LONGER_SLEEPS = 4,

  /* Time that a rank which has found a mismatch of operations waits for other members' notes. */
  MPISPEC_NOTES_TIMEOUT = 200 * 1000 * 1000,
  /* LOG_INTERVAL: time that a leader waits for other nodes before it compares logs
   * (leaders_mismatch.h), and until it does so again. ROUNDS: rounds of progress between two
   * readings of the clock. */
  MPISPEC_LEADERS_LOG_INTERVAL = 20 * 1000 * 1000,
  MPISPEC_LEADERS_ROUNDS = 64,
  /* Time between two polls for announcements in MPI_Init, and the number of polls. Some libraries
   * let a rank leave PMPI_Init before all have entered it. */
  MPISPEC_ANNOUNCEMENT_PAUSE = 10 * 1000 * 1000,
  MPISPEC_ANNOUNCEMENT_POLLS = 20,
  /* In seconds: time until a rank that has not passed its descriptors (passing.h) counts as ended.
   * In milliseconds: time between two attempts to send them, if a queue is full or a rank has no
   * socket yet. */
  MPISPEC_PASSING_TIMEOUT = 10,
  MPISPEC_PASSING_PAUSE = 1,
};

/* --- messages: bytes ---------------------------------------------------------------------------*/

enum {
  /* Standard and buffered sends up to this size go in a block if they are too long for cells. A
   * cache holds several such messages. */
  MPISPEC_BLOCK_BYTES = 64 * 1024,
  /* The same where ranks share processors (mpispec_block_most_bytes): with more than
   * LONGEST_BLOCKS_RANKS ranks on the node, and with fewer. The longest blocks of so many ranks do
   * not fit the caches. */
  MPISPEC_LONGER_BLOCK_BYTES = 512 * 1024,
  MPISPEC_LONGEST_BLOCK_BYTES = 4 * 1024 * 1024,
  MPISPEC_LONGEST_BLOCKS_RANKS = 16,
  /* Like MPISPEC_BLOCK_BYTES, for a message with a typemap whose sender does not wait. The
   * alternative is to pack the message into other memory. */
  MPISPEC_PACKED_BLOCK_BYTES = 4 * 1024 * 1024,
  MPISPEC_PACKED_BYTES = 64 * 1024 * 1024, /* lent at a time for those messages: bounds memory */

  /* A sender that fills a block in steps publishes its progress after each step, so that the reader
   * can copy meanwhile. A step is a quarter of the message, but at most this many bytes. */
  MPISPEC_BLOCK_STEP = 16 * 1024,
  /* The least size of these steps. If all bytes of a sender that waits fit one step, a fast path
   * fills the block before it publishes the message. */
  MPISPEC_LEAST_STEP = 4096,
  /* A sender that does not wait fills a block up to this size before it publishes the message. */
  MPISPEC_WHOLE_BYTES = 16 * 1024,
  /* Lines that a reader prefetches in one poll while it waits for bytes of a block. */
  MPISPEC_LINES_AHEAD = 8,

  /* Sizes of the pieces in which a long message is copied. Pieces are multiples of the first size.
   * A message above the first size has at least two pieces, none above the second size. If both
   * ranks send at once, each has a message to copy. Then, and where ranks share processors, a
   * message is one piece up to the third size. */
  MPISPEC_LEAST_PIECE = 64 * 1024,
  MPISPEC_MOST_PIECE = 256 * 1024,
  MPISPEC_MOST_EXCHANGED_PIECE = 4 * 1024 * 1024,
  /* An exchange ends after this many sends without a message from the peer. */
  MPISPEC_LAST_EXCHANGED = 16,
  MPISPEC_PIPE_PIECE = 128 * 1024, /* in an exchange through the pipe */
  MPISPEC_PIPE_SLOTS = 4,          /* pieces that a sender may have in the pipe to one receiver */
  /* Bytes that a sender copies before the receiver does: in all its pipes together, before receives
   * have matched, and in blocks of one size above MPISPEC_BLOCK_BYTES. */
  MPISPEC_EARLY_BYTES = 4 << 20,
  /* Polls for bytes in a pipe before a receiver makes other progress. */
  MPISPEC_SLOT_POLLS = 100,
  /* Messages that their receiver prefetches where that is faster (shm/copy.h): longer than the
   * first size, up to the second. Of longer ones it copies several pages at once. */
  MPISPEC_FETCHED_LEAST = 16 * 1024,
  MPISPEC_FETCHED_MOST = 64 * 1024,
  /* If stores may pass the caches, a receive tests whether a buffer above this size is in a cache.
   * A program that reads a shorter message at once gains by finding it in a cache. */
  MPISPEC_PASSING_BYTES = 1024 * 1024,
};

/* --- long messages: how their ways are chosen --------------------------------------------------*/

enum {
  MPISPEC_WAY_TRIES = 128,     /* at least this many messages between two that try the other way; */
  MPISPEC_WAY_FIRST_TRIES = 8, /* the same until the other way has MPISPEC_WAY_SAMPLES samples */
  MPISPEC_WAY_SAMPLES = 4,
  MPISPEC_WAY_MEMORY = 16,         /* a sample counts as one part in this many of the cost; */
  MPISPEC_WAY_MEMORY_OF_TRIES = 4, /* a sample of the other way, which is rare, counts more */
  MPISPEC_WAY_UNSAMPLED = 64,      /* messages without a sample that end the use of a learned way */
  MPISPEC_WAY_OUTLIER = 4,         /* samples above this many times the cost are ignored at first */
  /* Messages from this size on are no sample if the receiver has lost its core meanwhile. The
   * system counts those switches, and reading the count costs little of such a message. A shorter
   * message takes less than a time slice, and is an outlier if the core was lost. */
  MPISPEC_WAY_COUNTED_BYTES = 1 << 20,
  /* Picoseconds a byte: less than a core takes to read or write bytes in its second-level cache.
   * Messages that follow each other faster are back to back. */
  MPISPEC_TOUCH_COST = 10,
};

/* --- collective operations: bytes --------------------------------------------------------------*/

enum {
  /* Parts up to this many bytes in all are read by each rank: reading them costs less than one more
   * handoff. */
  MPISPEC_SHORT_BYTES_READ = 8 * 1024,
  /* Portions of a Scatter up to this size: the root copies its own after the others have theirs. */
  MPISPEC_HELPED_FIRST_BYTES = 512 * 1024,
  /* While a rank waits in an exchange, it fetches the lines of its next chunk. It fetches all of a
   * chunk up to the first size, and the second size of a longer one. */
  MPISPEC_FETCHED_WHOLE_BYTES = 16 * 1024,
  MPISPEC_FETCHED_BYTES = 8 * 1024,
  /* A reader of a Bcast prefetches the cell of so many steps later. */
  MPISPEC_FETCHED_STEPS = 8,
  /* Bytes from which on the only reader of a chunk returns its lines to the owner. Agreements on a
   * child's slot (child_slot.c) are shorter: in a wrong program, a reader of another operation must
   * not erase them. */
  MPISPEC_RELEASED_BYTES = 4 * 1024,
  /* A chunk up to this size is filled before it is shown (mpispec_step_is_followed). */
  MPISPEC_CHUNK_WHOLE_BYTES = 8 * 1024,
  /* Portions of up to the first size in all are copied if their reader is late, and if their owner
   * expects nothing from it. A Scatter's root puts longer ones into blocks up to the second. */
  MPISPEC_LATE_BYTES = 256 * 1024,
  MPISPEC_SCATTERED_BYTES = 32 * 1024,
  MPISPEC_WRITTEN_BYTES = 64, /* that a program writes in a nanosecond at most */
  /* Bytes per nanosecond. Such an owner waits as long as a copy would take at this rate. */
  MPISPEC_ARRIVAL_BYTES = 16,
  MPISPEC_COMPARE_PAUSE = 5 * 1000 * 1000, /* ns between comparisons of all cells (mismatch.c) */
};

/* --- memory ------------------------------------------------------------------------------------*/

enum {
  /* Ranks of a node up to which MPI_Init maps the memory of all home rings and the first blocks.
   * Fresh pages would delay the first message to each rank. The memory of the rings grows with the
   * number of ranks. */
  MPISPEC_FEW_PEERS = 32,
  /* Bytes of the arena that are kept after a burst of messages, and bytes that MPI_Init maps: a
   * pipe and some blocks. Fresh pages would delay the first messages. */
  MPISPEC_ARENA_KEPT = 4 << 20,
  MPISPEC_ARENA_WARM = 5 << 17,
  /* Bytes that the arena maps at a time. With more, readers wait for memory that none needs yet. */
  MPISPEC_ARENA_STEP = 64 << 10,
  /* Lent blocks that are tested before fresh memory: with more, a slow reader costs less memory. */
  MPISPEC_ARENA_SWEEP = 64,
  MPISPEC_ARENA_FEW = 16,   /* lent blocks up to which memory is returned to the system */
  MPISPEC_ARENA_REST = 100, /* ms with so few lent blocks before it is returned */
  /* Least distance in bytes between the payload of a large block and the begin of a page. String
   * instructions are much slower if the distance of source and target modulo the page is small.
   * Large buffers of programs begin with a page, or 16 bytes later if they come from malloc. */
  MPISPEC_APART = 128,
  /* Bytes of the received blocks of one size that a rank keeps for its next sends: a window of long
   * messages. */
  MPISPEC_KEPT_BYTES = 4 << 20,
  MPISPEC_KEPT_BLOCKS = 256,             /* and at most this many: bounds the list of them */
  MPISPEC_KEPT_REST = 100 * 1000 * 1000, /* ns without use before they are returned */
  MPISPEC_ARENA_TIMEOUT = 30,            /* s of refusals only, before the job ends */
  MPISPEC_MEMORY_TRIES = 64,             /* EAGAINs before memory counts as refused */
};

#endif

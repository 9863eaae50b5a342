/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Properties in which MPI libraries differ. Some are found when the program runs, the others are
 * constants of the interface for which this runtime is compiled. */
#ifndef MPISPEC_RUNTIME_ABI_LAYOUT_H
#define MPISPEC_RUNTIME_ABI_LAYOUT_H

/* Finds the properties and stores them for templates (mpispec/state.h). Called in MPI_Init, before
 * templates may run. Returns null, or the reason of a failure. */
const char *mpispec_layout_detect(void);

/* Whether MPI_Comm_idup stores the new handle before it returns. The Fortran binding of Open MPI
 * relies on the early store. It passes the address of a local variable, which no longer exists when
 * the operation completes. */
#ifdef MPISPEC_STYLE_OMPI
enum { MPISPEC_IDUP_STORES_EARLY = 1 };
#else
enum { MPISPEC_IDUP_STORES_EARLY = 0 };
#endif

/* The longest message, in bytes, that MPI_Bsend may send without an attached buffer. Open MPI needs
 * no buffer for a message that fits one packet of its transport. Users may set the packet's size,
 * and therefore the runtime assumes a fixed bound. The runtime must send these messages itself,
 * because receivers on the node wait for them in lanes. MPICH refuses even an empty message without
 * a buffer. Therefore no length satisfies its bound. */
#ifdef MPISPEC_STYLE_OMPI
enum { MPISPEC_SENT_UNBUFFERED = 64 << 10 };
#else
enum { MPISPEC_SENT_UNBUFFERED = -1 };
#endif

/* Nonzero if the MPI library refuses the same address for both buffers of a collective operation,
 * also where a buffer has no elements. Then a rank with these buffers calls the library's function,
 * and the program gets the library's error. Open MPI does not compare the buffers. There, a rank
 * that alone called the library's function would hang. */
#ifdef MPISPEC_STYLE_OMPI
enum { MPISPEC_BUFFERS_ARE_COMPARED = 0 };
#else
enum { MPISPEC_BUFFERS_ARE_COMPARED = 1 };
#endif

/* Nonzero if an element's result depends neither on the element's index nor on MPI_IN_PLACE. In
 * Open MPI, the result of MPI_MAX of +0 and -0 depends on the element's place in a vector
 * instruction. The result also depends on MPI_IN_PLACE, which only the root of a Reduce may use. In
 * Intel MPI, the result depends on MPI_IN_PLACE alone. If mpispec_reduction_ignores_position is 0,
 * the MPI library executes reductions whose result depends on the order of two operands. The
 * exceptions are reductions in the order of ranks (MPISPEC_REDUCTIONS). For sums, and for products
 * of real numbers, only the order of three or more operands matters. Valid after
 * mpispec_layout_detect. */
extern int mpispec_reduction_ignores_position;

#endif

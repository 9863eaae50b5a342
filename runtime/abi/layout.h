/* What of the MPI library's handles and statuses only the library itself can tell. */
#ifndef MPISPEC_RUNTIME_ABI_LAYOUT_H
#define MPISPEC_RUNTIME_ABI_LAYOUT_H

/* At Init, before templates may run: learns it, and shows it to them (mpispec/state.h). Returns why
 * not, or null. */
const char *mpispec_layout_learn(void);

/* Does the library give MPI_Comm_idup's handle when it begins? Open MPI's Fortran relies on it, and
 * hands over a variable of its own, which is gone when the library is done. */
#ifdef MPISPEC_STYLE_OMPI
enum { MPISPEC_NAMES_AT_ONCE = 1 };
#else
enum { MPISPEC_NAMES_AT_ONCE = 0 };
#endif

/* Up to how many bytes may MPI_Bsend send a message at once, with no buffer attached? Open MPI does
 * what fits into a packet of its transport, 4 KiB here and set by its user: what its ranks of ours
 * would then wait for in lanes must not go there. MPICH refuses even a message of no bytes. */
#ifdef MPISPEC_STYLE_OMPI
enum { MPISPEC_SENT_UNBUFFERED = 64 << 10 };
#else
enum { MPISPEC_SENT_UNBUFFERED = -1 };
#endif

/* Does a reduction treat all elements alike, in place or not? In Open MPI, which of two zeros
 * MPI_MAX gives depends on whether an element is among those that a vector instruction takes, and
 * on MPI_IN_PLACE, of which only the root of a Reduce knows; in Intel MPI on the latter. So what
 * depends on the operands' order is their own business. Known once the layout is learnt. */
extern int mpispec_reduces_alike;

#endif

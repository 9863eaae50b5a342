/* outside.h - functions besides MPI that a fuzzed program may call, and that no analysis can see into.
 *
 * fake_mpi.c defines them. Each stands for something that real programs and libraries do behind the
 * compiler's back.
 */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#ifdef __cplusplus
extern "C" {
#endif

/* A number in [low, high] that nobody can foresee, the same in each run. */
int outside_number(int low, int high);

/* Remembers the address; from now on any call out of the program may store a number in [low, high]
 * there, until the address is forgotten. */
void outside_keep(int *address, int low, int high);
void outside_forget(int *address);

/* Stores where it was told to. */
void outside_poke(void);

/* Calls back, once now and then from within any MPI function: as an error handler, or the callback
 * of a generalized request, is. */
void outside_callback(void (*function)(void));

/* A datatype of one int at an absolute address: MPI_Type_create_hindexed over MPI_Get_address. */
MPI_Datatype outside_type_at(MPI_Aint address);

#ifdef __cplusplus
}
#endif
#endif

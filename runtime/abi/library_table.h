/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the runtime reaches functions and variables of the MPI library.
 *
 *   libmpispec.a    library_linked.c: the linker binds the names, as in every program.
 *   libmpispec.so   library_table.c: the file names no MPI library. Each PMPI function that the
 *                   runtime calls has a row in a table, and a function of its name that jumps to
 * the address in the row. library.c fills the table from the library that the program uses. A
 * process without MPI loads the file and never fills the table.
 *
 *   runtime: call PMPI_Send --> PMPI_Send of the table: jmp *row ---> PMPI_Send of the library
 *
 * An entry of the procedure linkage table jumps in the same way. Therefore calls cost the same. */
#ifndef MPISPEC_RUNTIME_ABI_LIBRARY_TABLE_H
#define MPISPEC_RUNTIME_ABI_LIBRARY_TABLE_H

/* Nonzero in libmpispec.so. The functions below do nothing if it is 0. */
extern const int mpispec_has_table;

/* Finds a function or a variable of the library. */
typedef void *mpispec_find_symbol(const char *name);

/* Points every row, and every pointer to a variable of the MPI library, to what these functions
 * find. */
void mpispec_table_fill(mpispec_find_symbol *find_function, mpispec_find_symbol *find_variable);

/* The function of the table that jumps to `name` ("PMPI_Wait"); null if there is none. */
void *mpispec_table_entry(const char *name);

#endif

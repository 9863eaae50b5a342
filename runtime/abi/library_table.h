/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the runtime reaches functions and variables of the MPI library.
 *
 *   libmpispec.a    library_linked.c: the linker binds the names, as in every program.
 *   libmpispec.so   library_table.c: the file depends on no MPI library. A table has a row with
 *                   the address of each function that the runtime calls in the MPI library. For
 *                   each row, the file has an entry: a function of the same name that jumps to
 *                   the address. If the runtime itself defines this name (profiling.ld), the
 *                   entry's name begins with mpispec_library_.
 *
 * library.c fills the table from the library that the program uses. In a process without MPI, the
 * table is never filled.
 *
 *   runtime: call PMPI_Send --> PMPI_Send of the table: jmp *row ---> PMPI_Send of the library
 *
 * An entry of the procedure linkage table jumps in the same way. Therefore calls by either table
 * cost the same. */
#ifndef MPISPEC_RUNTIME_ABI_LIBRARY_TABLE_H
#define MPISPEC_RUNTIME_ABI_LIBRARY_TABLE_H

/* Nonzero in libmpispec.so. The functions below do nothing if it is 0. */
extern const int mpispec_has_table;

/* Finds a function or a variable of the library. */
typedef void *mpispec_find_symbol(const char *name);

/* Fills the table: stores the result of `find_function` in every row. If the result is null, the
 * row gets a function that ends the process with a message. Stores the result of `find_variable` in
 * every pointer to a variable of the MPI library, unless the result is null. */
void mpispec_table_fill(mpispec_find_symbol *find_function, mpispec_find_symbol *find_variable);

/* The function of the table that jumps to `name` ("PMPI_Wait"); null if there is none. */
void *mpispec_table_entry(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of a layout: constants, sizes and offsets, which the compiler evaluates and stores in an
 * object file under their names.
 *
 * A file of rows defines one array. cmake/identity.py reads the rows out of the object file and
 * hashes them. The script runs no program and needs no particular format of object files. Therefore
 * cross compilers can be used.
 *
 *   const struct mpispec_layout_row mpispec_layout[] = {
 *       MPISPEC_VALUE(mpispec_lap_shift), MPISPEC_SIZE(mpispec_cell),
 *       MPISPEC_FIELD(mpispec_cell, header), ...}; */
#ifndef MPISPEC_RUNTIME_LAYOUT_ROWS_H
#define MPISPEC_RUNTIME_LAYOUT_ROWS_H

#include <stddef.h>

struct mpispec_layout_row {
  char name[120];
  unsigned char value[8]; /* the lowest byte first */
};

#define MPISPEC_BYTE(value, number) (unsigned char)((unsigned long long)(value) >> 8 * number)

/* The literal "mpispec layout: " is in two parts, because -g3 puts the text of macros into the
 * object file. There, the script must find no row. */
#define MPISPEC_ROW_OF(name, value)                                                                \
  {                                                                                                \
    "mpispec "                                                                                     \
    "layout: " name,                                                                               \
    {                                                                                              \
      MPISPEC_BYTE(value, 0), MPISPEC_BYTE(value, 1), MPISPEC_BYTE(value, 2),                      \
          MPISPEC_BYTE(value, 3), MPISPEC_BYTE(value, 4), MPISPEC_BYTE(value, 5),                  \
          MPISPEC_BYTE(value, 6), MPISPEC_BYTE(value, 7)                                           \
    }                                                                                              \
  }

/* The value of a constant, the size of a structure, offset and size of a field. */
#define MPISPEC_VALUE(name) MPISPEC_ROW_OF("value " #name, name)
#define MPISPEC_SIZE(structure) MPISPEC_ROW_OF("size " #structure, sizeof(struct structure))
#define MPISPEC_FIELD(structure, field)                                                            \
  MPISPEC_ROW_OF("offset " #structure " " #field, offsetof(struct structure, field)),              \
      MPISPEC_ROW_OF("size " #structure " " #field, sizeof(((struct structure *)0)->field))

#endif

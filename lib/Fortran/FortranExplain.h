//===- FortranExplain.h - Facts about each MPI call of a Fortran source -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FORTRAN_FORTRANEXPLAIN_H
#define MPISPEC_FORTRAN_FORTRANEXPLAIN_H

#include "Fortran/FortranCall.h"

namespace mpispec {

/// The function to which the linker binds a call.
enum class FortranEntry : uint8_t {
  FastPathByName, ///< the runtime's function `mpi_send_`, which reads the arguments by address
  Section, ///< the runtime's function of mpi_f08, which reads the array descriptor of a section
  /// A function of the MPI library's binding, or of the runtime
  /// (runtime/interposition/fortran/Entries.def), that calls the runtime's function for C.
  Library,
};

FortranEntry entryOf(const FortranCall &Call);
llvm::StringRef text(FortranEntry E);

/// Are the datatypes and the types of the buffers known? True if a function of Functions.def has
/// neither.
bool isResolved(const FortranCall &Call);

/// Prints each call with its arguments, and the totals, for people.
void printFortranTable(const FortranUnit &Unit, llvm::raw_ostream &OS);

/// Prints an array of objects with the schema mpispec-explain-fortran/1.
void printFortranJSON(const FortranUnit &Unit, llvm::raw_ostream &OS);

} // namespace mpispec
#endif

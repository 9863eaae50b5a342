//===- MpiModules.h - MPI's Fortran modules as source text ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of an MPI library are files of one compiler's own format, which flang cannot read.
// Therefore the analysis reads modules of its own, made from the library's header mpif.h and from
// the table of functions:
//
//     mpif.h ─► module mpispec_mpif ─┬► module mpi        MPI's functions, handles are integers
//                                    └► module mpi_f08    MPI's functions, handles are types
//
// All constants, such as the kinds and MPI_STATUS_SIZE, are those of the header. The functions have
// no interface: each call's arguments are checked by this project's rules, not by flang's.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_MPIMODULES_H
#define MPISPEC_FORTRAN_MPIMODULES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace mpispec {

/// The module with the text of mpif.h.
inline constexpr llvm::StringLiteral HeaderModule = "mpispec_mpif";

std::string headerModuleSource();

/// The modules mpi and mpi_f08. \p Header contains the names that the header declares, in lower
/// case.
std::string mpiModulesSource(const llvm::StringSet<> &Header);

/// The usual form of an MPI function's name: `mpi_comm_rank` becomes `MPI_Comm_rank`. Empty: there
/// is no such function.
std::string mpiFunctionName(llvm::StringRef SmallLetters);

} // namespace mpispec
#endif

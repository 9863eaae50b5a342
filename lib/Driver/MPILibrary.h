//===- MPILibrary.h - The MPI library that a command links ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_DRIVER_MPILIBRARY_H
#define MPISPEC_DRIVER_MPILIBRARY_H

#include "Driver/Toolchain.h"
#include "MPI/Interfaces.h"

namespace mpispec {

/// Does `lib<Name>` belong to an MPI library? Examples are "mpi", "mpich" and "mpi_cxx".
bool isMPILinkName(llvm::StringRef Name);

/// Is \p Arg a part of an MPI library? Examples are `-lmpi`, `-lmpich`, `-lmpi_cxx` and
/// `/opt/lib/libmpi.so.40`, but not `-lmpispec`.
bool isMPILibrary(const Argument &Arg);

/// The value of the `-l` option that is \p Arg, or that names an MPI library among the words that
/// \p Arg passes to the linker. Empty if there is none.
llvm::StringRef libraryValue(const Argument &Arg);

/// Does the command name an MPI library (`-lmpi`, `libmpich.so`), or its wrapper?
bool namesMPILibrary(const Toolchain &T, const Invocation &I);

/// Is \p Arg the Fortran binding of MPICH, Intel MPI or Open MPI?
bool isFortranBinding(const Argument &Arg);

/// Does the command name MPI's Fortran library (`-lmpichfort`)?
bool callsByFortran(const Invocation &I);

/// The MPI library that a command links.
struct MPILibrary {
  std::string File;        ///< "libmpi.so.40.30.4"; empty: not found, or a static one
  const RuntimeKind *Kind; ///< the runtime for it; if unknown, the first of allRuntimes()
  std::string Other;       ///< another MPI library of the command, with other handles
};
MPILibrary libraryOf(const Toolchain &T, const Invocation &I);

} // namespace mpispec
#endif

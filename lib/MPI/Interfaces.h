//===- Interfaces.h - The binary interfaces of MPI libraries ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interface is the form of handles and statuses in a compiled program
// (templates/mpispec/handle.h). RuntimeKinds.h assigns a runtime to each library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_MPI_INTERFACES_H
#define MPISPEC_MPI_INTERFACES_H

#include "MPI/RuntimeKinds.h"
#include "llvm/ADT/StringRef.h"

namespace mpispec {

/// "MPICH", as in MPISPEC_STYLE_MPICH.
llvm::StringRef text(HandleStyle Style);

/// The MPI libraries whose headers have handles of that style: "MPICH or Intel MPI", "Open MPI".
llvm::StringRef ownersOf(HandleStyle Style);

/// The symbol of the state (templates/mpispec/state.h): "mpispec_state_<identity>_mpich".
std::string stateSymbol(HandleStyle Style);

} // namespace mpispec
#endif

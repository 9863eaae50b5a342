//===- Interfaces.h - The binary interfaces of MPI libraries ----------------------------------===//
//
// An interface is the form of handles and statuses in a compiled program
// (templates/mpispec/handle.h). The table also assigns a runtime to each library. The rows are in
// Interfaces.cpp.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_MPI_INTERFACES_H
#define MPISPEC_MPI_INTERFACES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mpispec {

enum class HandleStyle : uint8_t { MPICH, ABI, OMPI };

/// "MPICH", as in MPISPEC_STYLE_MPICH.
llvm::StringRef text(HandleStyle Style);

/// "Open MPI": whose headers have handles of that style.
llvm::StringRef ownersOf(HandleStyle Style);

/// The symbol of the state (templates/mpispec/state.h): "mpispec_state_<identity>_mpich".
std::string stateSymbol(HandleStyle Style);

/// One of the libraries libmpispec that are built for MPI libraries (cmake/MpispecMPI.cmake).
struct RuntimeKind {
  llvm::StringLiteral Name; ///< "openmpi4": it stands in lib/mpispec/openmpi4/
  HandleStyle Style;
  llvm::StringLiteral Title; ///< "Open MPI 4"
};
llvm::ArrayRef<RuntimeKind> allRuntimes();

/// What the contents of Open MPI 5's library have, and not those of its 4.
constexpr llvm::StringLiteral OpenMPI5Mark = llvm::StringLiteral::withInnerNUL("\0MPI_Isendrecv\0");

/// What the contents of a library have that has MPI-4.1's functions.
constexpr llvm::StringLiteral MPI41Mark =
    llvm::StringLiteral::withInnerNUL("MPI_Request_get_status_any\0");

/// The runtime for a shared MPI library, by its file's real name ("libmpi.so.40.30.4") and, where
/// that does not tell, by \p Contents; null if the name is none that MPI libraries have agreed on.
const RuntimeKind *runtimeForLibrary(llvm::StringRef File, llvm::StringRef Contents);

} // namespace mpispec
#endif

//===- RuntimeKinds.h - The runtime for each MPI library --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One build of libmpispec serves all MPI libraries of one binary interface with the same functions.
// The rows are in RuntimeKinds.cpp. Both files use no LLVM, because `mpispec run` is also built
// without the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_MPI_RUNTIMEKINDS_H
#define MPISPEC_MPI_RUNTIMEKINDS_H

#include <array>
#include <cstdint>
#include <string_view>

namespace mpispec {

/// The form of handles and statuses in a compiled program (templates/mpispec/handle.h).
enum class HandleStyle : uint8_t { MPICH, ABI, OMPI };

/// One of the libraries libmpispec that are built for MPI libraries (cmake/MpispecMPI.cmake).
struct RuntimeKind {
  std::string_view Name; ///< "openmpi4": it stands in lib/mpispec/openmpi4/
  HandleStyle Style;
  std::string_view Title; ///< "Open MPI 4"
};
const std::array<RuntimeKind, 5> &allRuntimes();

/// The row with that name, which exists.
const RuntimeKind *runtimeNamed(std::string_view Name);

/// A part of the contents of Open MPI 5's library, and not of Open MPI 4's.
constexpr std::string_view OpenMPI5Mark("\0MPI_Isendrecv\0", 15);

/// A part of the contents of each library that has MPI-4.1's functions.
constexpr std::string_view MPI41Mark("MPI_Request_get_status_any\0", 27);

/// Whether \p Name ("libmpich.so.12") is the name of a shared MPI library.
bool isMPILibraryName(std::string_view Name);

/// The runtime for a shared MPI library, by its file's real name ("libmpi.so.40.30.4"). Where the
/// name does not suffice, \p Contents decide. Null if the name is none that MPI libraries have
/// agreed on.
const RuntimeKind *runtimeForLibrary(std::string_view File, std::string_view Contents);

} // namespace mpispec
#endif

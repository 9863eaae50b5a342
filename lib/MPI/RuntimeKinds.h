//===- RuntimeKinds.h - The runtime for each MPI library --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One build of libmpispec serves all MPI libraries that have the same binary interface and the same
// set of functions. The rows are in RuntimeKinds.cpp. Both files use no LLVM, because `mpispec run`
// is also built without the compiler.
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

/// One build of libmpispec (cmake/MpispecMPI.cmake).
struct RuntimeKind {
  std::string_view Name; ///< "openmpi4": the build is in lib/mpispec/openmpi4/
  HandleStyle Style;
  std::string_view Title; ///< "Open MPI 4"
};
const std::array<RuntimeKind, 5> &allRuntimes();

/// The row with that name, which must exist.
const RuntimeKind *runtimeNamed(std::string_view Name);

/// These bytes are in Open MPI 5's library file, and not in Open MPI 4's.
constexpr std::string_view OpenMPI5Mark("\0MPI_Isendrecv\0", 15);

/// These bytes are in the file of each library that has MPI-4.1's functions.
constexpr std::string_view MPI41Mark("MPI_Request_get_status_any\0", 27);

/// Whether \p Name ("libmpich.so.12") is the name of a shared MPI library.
bool isMPILibraryFile(std::string_view Name);

/// The runtime for a shared MPI library, by its file's real name ("libmpi.so.40.30.4"). If several
/// runtimes fit the name, the file's \p Contents determine the runtime. Null if the name is not a
/// shared MPI library's.
const RuntimeKind *runtimeForLibrary(std::string_view File, std::string_view Contents);

} // namespace mpispec
#endif

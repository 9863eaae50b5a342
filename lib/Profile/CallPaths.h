//===- CallPaths.h - The call paths of a run --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With MPISPEC_PROFILE_FRAMES=N a rank's file has a site for each path. A path is the call and
// up to N return addresses above it.
//
//   files --addPaths--> addresses --findPlaces--> frames by name --mergePaths--> rows, and outputs
//
// A return address in inlined code becomes several frames. Frames above `main` are left out.
// Without N, a path is the call alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_CALLPATHS_H
#define MPISPEC_PROFILE_CALLPATHS_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Adds the sites of \p Rank to the paths of \p Run. Their frames have addresses only.
void addPaths(RunProfile &Run, const RankProfile &Rank);

/// Shortens paths to the requested depth, and merges those whose frames are equal. findPlaces()
/// calls this function after it has named the frames.
void mergePaths(RunProfile &Run);

/// Prints stacks in the form that flame graph viewers read, with times in microseconds:
/// "main (halo.c:30);exchange (halo.c:12);MPI_Send 1200".
void printFoldedPaths(const RunProfile &Run, llvm::raw_ostream &OS);

/// {"schema": "mpispec-call-paths/1", "program": "/home/me/halo", "frames": 3, "paths":
/// pathsValue()}
llvm::json::Object callPathsValue(const RunProfile &Run);

/// The JSON of all paths:
///
///     [{"function": "MPI_Send", "name": "MPI_SEND" (in Fortran), "calls": 10, "bytes": 80,
///       "seconds": 0.1, "waiting": 0.05, "estimated": false,
///       "frames": [{"function": "exchange", "file": "/home/me/halo.c", "line": 12,
///                   "object": "/home/me/halo", "offset": 4711}, ...]}, ...]
///
/// The first frame is that of the call. If a rank's table is full, calls at further paths are
/// counted in one path without frames.
llvm::json::Array pathsValue(const RunProfile &Run);

/// Reads the result of pathsValue().
std::vector<RunPath> readPaths(const llvm::json::Array &Paths);

/// "exchange (halo.c:12)", or the part of it that is known.
std::string labelOf(const RunFrame &Frame);

} // namespace mpispec
#endif

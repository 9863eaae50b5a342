//===- ProfileIndex.h - Sites of a run with their source locations ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile has addresses. Only the debugging information of the program that ran has their source
// locations, and the next build overwrites this program. Therefore `mpispec profile`, or the first
// compiler command with --mpispec-profile-use=DIR, writes DIR/index.json. This file contains the
// sites with their locations, in the form of `mpispec profile --format=json`, but without the data
// of single ranks, the advice and the complaints. Compiler commands read only this file.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_PROFILEINDEX_H
#define MPISPEC_PROFILE_PROFILEINDEX_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// The index of the profile in \p Directory.
std::string profileIndexFile(llvm::StringRef Directory);

llvm::Error writeProfileIndex(const RunProfile &Run);

/// Reads \p File, an index, for compilers and findPlaces(). The error names the file and the
/// defect.
llvm::Expected<RunProfile> readProfileIndex(llvm::StringRef File);

} // namespace mpispec
#endif

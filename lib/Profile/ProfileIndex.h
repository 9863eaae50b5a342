//===- ProfileIndex.h - A run's sites with their places, kept for compilers -------------------===//
//
// A profile has addresses; only the program that ran tells which places they are, and a build
// writes over it. So `mpispec profile`, and the first compiler command with
// --mpispec-profile-use=DIR, keep what they found in DIR/index.json: the sites of RunProfile.h with
// their places, in the form of `mpispec profile --format=json`, without what belongs to ranks.
// Compilers read that file alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_PROFILEINDEX_H
#define MPISPEC_PROFILE_PROFILEINDEX_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// The index of the profile in \p Directory.
std::string profileIndexFile(llvm::StringRef Directory);

llvm::Error writeProfileIndex(const RunProfile &Run);

/// Of \p File, an index: what compilers and findPlaces() ask for. The error names the file and says
/// what it is instead.
llvm::Expected<RunProfile> readProfileIndex(llvm::StringRef File);

} // namespace mpispec
#endif

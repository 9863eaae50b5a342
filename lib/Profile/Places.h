//===- Places.h - Source locations of call sites ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PROFILE_PLACES_H
#define MPISPEC_PROFILE_PLACES_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in file, line and function of each site whose object has debugging information, and merges
/// sites of one place. A call in an inlined template gets the place of the template's caller.
/// Places in the profile's index (ProfileIndex.h) take precedence. For a site without a place in
/// the index, the debugging information is read only if the object is unchanged since the run. The
/// function adds a complaint if the object is gone, or was written after the run began.
///
/// If the index is missing, belongs to another run or contains no place, the function writes a new
/// index. Then it fails if no place was found, or if the directory cannot be written.
llvm::Error findPlaces(RunProfile &Run);

} // namespace mpispec
#endif

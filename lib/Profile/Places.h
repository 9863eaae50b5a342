//===- Places.h - Source locations of call sites ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PROFILE_PLACES_H
#define MPISPEC_PROFILE_PLACES_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in file, line and function of each site whose object has debugging information, and merges
/// sites of one place. An inlined template counts as its caller. Places in the profile's index
/// (ProfileIndex.h) take precedence. The object of any other site must be unchanged since the run.
/// The function adds a complaint if the object is gone, or was written after the run began.
///
/// If the index had no place for the run, the function writes the index. It fails if no place was
/// found, or if the directory cannot be written.
llvm::Error findPlaces(RunProfile &Run);

} // namespace mpispec
#endif

//===- Places.h - Source locations of call sites ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PROFILE_PLACES_H
#define MPISPEC_PROFILE_PLACES_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in file, line and function of each site whose object has debugging information, and merges
/// sites of one place. An inlined template counts as its caller. An object that is gone, or was
/// written after the run began, is not the one that ran. Then the profile's index (ProfileIndex.h)
/// may still have the places. Otherwise the function adds a complaint.
///
/// The function stores the found places in the index. It fails if no place was found, or if the
/// directory cannot be written.
llvm::Error findPlaces(RunProfile &Run);

} // namespace mpispec
#endif

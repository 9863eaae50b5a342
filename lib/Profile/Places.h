//===- Places.h - Where in the source a call site is ----------------------------*- C++ -*-===//
#ifndef MPISPEC_PROFILE_PLACES_H
#define MPISPEC_PROFILE_PLACES_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in file, line and function of each site whose object has debugging information and is
/// still there, and merges those that are one place. Templates that were inlined are looked
/// through.
void findPlaces(RunProfile &Run);

} // namespace mpispec
#endif

//===- Places.h - Source locations of call sites ----------------------------------------------===//
#ifndef MPISPEC_PROFILE_PLACES_H
#define MPISPEC_PROFILE_PLACES_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in file, line and function of each site whose object has debugging information, and merges
/// those that are one place. Templates that were inlined are looked through. An object that is gone
/// or was written after the run is no longer the one that ran: then the profile's index
/// (ProfileIndex.h) may still know; if not, a complaint says so.
///
/// What was found is kept there. The error says why that is not so: nothing was found, or the
/// directory cannot be written.
llvm::Error findPlaces(RunProfile &Run);

} // namespace mpispec
#endif

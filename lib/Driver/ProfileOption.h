//===- ProfileOption.h - The profile of --mpispec-profile-use ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis reads an index of the profile (Profile/ProfileIndex.h). mpispec-profile makes the
// index when it is first needed, while the program that ran still exists. Sources in Fortran are
// not specialised, so a profile has no effect on them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_PROFILEOPTION_H
#define MPISPEC_DRIVER_PROFILEOPTION_H

#include "Driver/Settings.h"
#include "Driver/Specialise.h"

namespace mpispec {

/// The index of the profile that \p S names. The function makes the index if it is missing or old.
/// Returns an empty text if \p S names no profile, or if the index cannot be made. In the second
/// case a warning gives the reason, and the build continues without a profile.
std::string profileIndex(const Settings &S, const Installation &Here);

/// Prints one line if a profile is named and \p I compiles sources in Fortran that name MPI. The
/// profile cannot change these sources, but it shows their call sites.
void noteFortranSources(const Settings &S, const Invocation &I);

} // namespace mpispec
#endif

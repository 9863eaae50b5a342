//===- ProfileOption.h - The profile of --mpispec-profile-use ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis reads an index of the profile (Profile/ProfileIndex.h). mpispec-profile makes the
// index at its first use, while the program that ran still exists. Sources in Fortran are not
// specialised, so a profile has no effect on them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_PROFILEOPTION_H
#define MPISPEC_DRIVER_PROFILEOPTION_H

#include "Driver/Settings.h"
#include "Driver/Specialise.h"

namespace mpispec {

/// The index of the profile that \p S names, made if need be. Empty: none is named, or a warning
/// was written that says why there is none; then the build goes on as without.
std::string profileIndex(const Settings &S, const Installation &Here);

/// Prints one line if a profile is named and \p I compiles sources in Fortran that name MPI. The
/// profile cannot change these sources, but it shows their call sites.
void noteFortranSources(const Settings &S, const Invocation &I);

} // namespace mpispec
#endif

//===- Trial.h - A test program, built and run on two ranks -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial of `mpispec doctor` or `mpispec tune` builds a source that is part of mpispec, with the
// user's compiler in the patient's temporary directory. It runs the program by the user's launcher
// with a time limit. It neither reads nor writes the user's cache.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_TRIAL_H
#define MPISPEC_TOOLS_TRIAL_H

#include "doctor/Doctor.h"

namespace mpispec {

struct TrialBuild {
  std::string Program; ///< its path
  std::string Trouble; ///< why there is none, or empty
  std::string Remedy;  ///< or empty: nothing is known to help
};

/// Builds \p Source as \p Name with \p Compiler.
TrialBuild buildTrial(Patient &P, const std::string &Name, std::string_view Source,
                      const Words &Compiler);

/// Seconds after which a trial is ended, and those after which it ends by itself if it hangs.
constexpr unsigned TrialSeconds = 40, TrialAlarm = 30;

/// Runs what \p Launched, words of the launcher, starts, with \p Variables set. \p Before are words
/// that stand before the launcher's name.
Patient::Outcome runTrial(Patient &P, const Words &Variables, const Words &Launched,
                          const Words &Before = {});

} // namespace mpispec
#endif

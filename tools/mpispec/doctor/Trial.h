//===- Trial.h - A test program, built and run on two ranks -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial of `mpispec doctor` or `mpispec tune` compiles a source that is part of mpispec. It uses
// the user's compiler and the Patient's temporary directory. It starts the program with the user's
// launcher and a time limit. The program neither reads nor writes the user's cache.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_TRIAL_H
#define MPISPEC_TOOLS_TRIAL_H

#include "doctor/Doctor.h"

namespace mpispec {

struct TrialBuild {
  std::string Program; ///< its path
  std::string Trouble; ///< why there is none, or empty
  std::string Remedy;  ///< empty: no remedy is known
};

/// Builds \p Source as \p Name with \p Compiler. In \p Source, the macro TRIAL_ALARM has the value
/// of the constant TrialAlarm below.
TrialBuild buildTrial(Patient &P, const std::string &Name, std::string_view Source,
                      const Words &Compiler);

/// The time limits of a trial's run, in seconds. After TrialSeconds this process ends the run. A
/// program that hangs ends itself after TrialAlarm.
constexpr unsigned TrialSeconds = 40, TrialAlarm = 30;

/// Runs the launcher with the arguments \p Launched and with \p Variables set. The words \p Before
/// precede the launcher's name.
Patient::Outcome runTrial(Patient &P, const Words &Variables, const Words &Launched,
                          const Words &Before = {});

} // namespace mpispec
#endif

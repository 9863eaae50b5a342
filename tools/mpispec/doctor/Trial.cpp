//===- Trial.cpp - A test program, built and run on two ranks ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "doctor/Trial.h"

namespace mpispec {

TrialBuild buildTrial(Patient &P, const std::string &Name, std::string_view Source,
                      const Words &Compiler) {
  constexpr unsigned BuildSeconds = 120;
  const std::string Program = P.Directory + "/" + Name, Path = Program + ".c";
  if (!writeFile(Path, Source))
    return {"", "its source could not be written to " + P.Directory,
            "ulimit -f unlimited, and room in TMPDIR"};
  // The cache must not keep a summary of a temporary program.
  Words Build = {"env", "MPISPEC_CACHE=off"};
  Build.insert(Build.end(), Compiler.begin(), Compiler.end());
  Build.insert(Build.end(),
               {"-O2", "-DTRIAL_ALARM=" + std::to_string(TrialAlarm), Path, "-o", Program});
  const Patient::Outcome O = P.run(Build, BuildSeconds);
  if (O.Status)
    return {"", "it does not compile: " + lastWords(O.Text), ""};
  return {Program, "", ""};
}

Patient::Outcome runTrial(Patient &P, const Words &Variables, const Words &Launched,
                          const Words &Before) {
  Words Run = {"env", "MPISPEC_CACHE=off", "MPIEXEC_TIMEOUT=" + std::to_string(TrialSeconds - 5)};
  Run.insert(Run.end(), Variables.begin(), Variables.end());
  Run.insert(Run.end(), Before.begin(), Before.end());
  Run.push_back(P.Launcher);
  Run.insert(Run.end(), Launched.begin(), Launched.end());
  return P.run(Run, TrialSeconds);
}

} // namespace mpispec

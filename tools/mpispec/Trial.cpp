//===- Trial.cpp - A test program, built and run on two ranks ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Trial.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

static bool writeSource(const std::string &Path, StringRef Source) {
  std::error_code Code;
  raw_fd_ostream OS(Path, Code);
  if (Code)
    return false;
  OS << Source;
  OS.close();
  bool Good = !OS.has_error();
  OS.clear_error();
  return Good;
}

TrialBuild buildTrial(Patient &P, StringRef Name, StringRef Source, CommandLine Compiler) {
  constexpr unsigned BuildSeconds = 120;
  std::string Path = P.Directory + "/" + Name.str() + ".c",
              Program = P.Directory + "/" + Name.str();
  if (!writeSource(Path, Source))
    return {"", "its source could not be written to " + P.Directory,
            "ulimit -f unlimited, and room in TMPDIR"};
  CommandLine Build = {"env", "MPISPEC_CACHE=off"}; // the program is gone in a moment
  Build.insert(Build.end(), Compiler.begin(), Compiler.end());
  Build.insert(Build.end(), {"-O2", Path, "-o", Program});
  Patient::Outcome O = P.run(Build, BuildSeconds);
  if (O.Status)
    return {"", "it does not compile: " + lastWords(O.Text), ""};
  return {Program, "", ""};
}

Patient::Outcome runTrial(Patient &P, const CommandLine &Variables, const CommandLine &Launched) {
  CommandLine Run = {"env", "MPISPEC_CACHE=off",
                     "MPIEXEC_TIMEOUT=" + std::to_string(TrialSeconds - 5)};
  Run.insert(Run.end(), Variables.begin(), Variables.end());
  Run.push_back(P.Launcher);
  Run.insert(Run.end(), Launched.begin(), Launched.end());
  return P.run(Run, TrialSeconds);
}

} // namespace mpispec

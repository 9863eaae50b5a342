//===- RuntimeOnly.cpp - The main program of a build without the compiler ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build with MPISPEC_COMPILER=OFF has the runtime, and the subcommands run, runtime and doctor.
// This program rejects the other subcommands of the full program (../mpispec.cpp).
//
//===------------------------------------------------------------------------------------------===//
#include "doctor/Doctor.h"
#include "run/ResultFile.h"
#include "run/RunCommand.h"
#include "run/RuntimeCommand.h"
#include <cstdio>

using namespace mpispec;

static const char *const Usage =
    R"(mpispec - start MPI programs with messages between ranks of one node in shared memory

Usage:
  mpispec run [options] mpiexec -n 4 PROGRAM  start a program as it is, with the runtime preloaded
  mpispec runtime add MPICC | list | remove NAME
                                              make, list and remove runtimes for other MPI libraries
  mpispec doctor [PROGRAM]                    what is on, what is not, why, and what would help
  mpispec help run | runtime | doctor         the options, with examples
  mpispec --help | --version

This mpispec was built without its compiler, which specialises MPI calls.
)";

static std::string suggestNothing(const std::string &, const Words &) { return ""; }

/// `mpispec doctor`
static int examine(Words Arguments) {
  CommonOptions Common;
  if (const std::string Error = checkWords("doctor", Arguments, Common, suggestNothing);
      !Error.empty()) {
    std::fprintf(stderr, "mpispec: error: %s\n", Error.c_str());
    return 2;
  }
  if (Common.Help) {
    printHelpPage("doctor", DoctorHelp);
    return 0;
  }
  chooseColor(Common.Color);
  ResultFile Result;
  if (!Result.take(Arguments))
    return 2;
  const RunInstallation Here = findRunInstallation();
  Patient P;
  P.Archive = Here.Archive;
  P.Runtimes = Here.Runtimes;
  P.IsQuiet = Common.Quiet;
  P.Suggestion = suggestNothing;
  P.Self = Here.Self;
  const int Status = endStandardOutput(doctor(P, Arguments));
  return Result.finish(Status, Status < 2);
}

static int noPage(const std::string &Topic) {
  std::fprintf(stderr, "mpispec: error: there is no page '%s'; see 'mpispec --help'\n",
               Topic.c_str());
  return 2;
}

/// `mpispec help [SUBCOMMAND]`
static int help(const Words &Topics) {
  const std::string Topic = Topics.empty() ? "" : Topics[0];
  if (Topics.size() > 1) {
    std::fputs("mpispec: error: 'mpispec help' takes one word\n", stderr);
    return 2;
  }
  if (Topic == "run")
    printHelpPage("run", RunHelp);
  else if (Topic == "runtime")
    printHelpPage("runtime", RuntimeHelp);
  else if (Topic == "doctor")
    printHelpPage("doctor", DoctorHelp);
  else if (Topic.empty() || Topic[0] == '-')
    std::fputs(Usage, stdout);
  else
    return noPage(Topic);
  return 0;
}

static int runWords(int Argc, char **Argv) {
  const Words Arguments(Argv + 1, Argv + Argc);
  const std::string First = Arguments.empty() ? "" : Arguments[0];
  const Words Rest(Arguments.begin() + !Arguments.empty(), Arguments.end());
  if (First == "run" || First == "runtime")
    return (First == "run" ? runProgram : manageRuntimes)(findRunInstallation(), Rest,
                                                          suggestNothing);
  if (First == "doctor")
    return examine(Rest);
  if (First == "--help" || First == "-h" || First == "help")
    return help(First == "help" ? Rest : Words());
  if (First == "--version") {
    std::puts("mpispec " MPISPEC_VERSION ", without the compiler");
    std::puts(runtimesLine(findRunInstallation().Runtimes).c_str());
    return 0;
  }
  std::fprintf(
      stderr,
      "mpispec: error: this mpispec was built without its compiler, and has the subcommands "
      "'run', 'runtime' and 'doctor' alone; see 'mpispec --help'\n");
  return 2;
}

int main(int Argc, char **Argv) { return endStandardOutput(runWords(Argc, Argv)); }

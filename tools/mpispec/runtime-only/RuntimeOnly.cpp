//===- RuntimeOnly.cpp - The main program of a build without the compiler ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build with MPISPEC_COMPILER=OFF has the runtime, `mpispec run` and `mpispec runtime`. All other
// words of the whole program (../mpispec.cpp) are mistakes here.
//
//===------------------------------------------------------------------------------------------===//
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
  mpispec help run | runtime                  the options, with examples
  mpispec --help | --version

This mpispec was built without its compiler, which specialises MPI calls.
)";

static std::string suggestNothing(const std::string &, const Words &) { return ""; }

int main(int Argc, char **Argv) {
  const Words Arguments(Argv + 1, Argv + Argc);
  const std::string First = Arguments.empty() ? "" : Arguments[0];
  if (First == "run" || First == "runtime")
    return (First == "run" ? runProgram : manageRuntimes)(
        findRunInstallation(), Words(Arguments.begin() + 1, Arguments.end()), suggestNothing);
  if (First == "--help" || First == "-h" || First == "help") {
    if (Arguments.size() > 1 && Arguments[1] == "run")
      printHelpPage("run", RunHelp);
    else if (Arguments.size() > 1 && Arguments[1] == "runtime")
      printHelpPage("runtime", RuntimeHelp);
    else
      std::fputs(Usage, stdout);
    return 0;
  }
  if (First == "--version") {
    std::puts("mpispec " MPISPEC_VERSION ", without the compiler");
    std::puts(runtimesLine(findRunInstallation().Runtimes).c_str());
    return 0;
  }
  std::fprintf(
      stderr,
      "mpispec: error: this mpispec was built without its compiler, and has the subcommands "
      "'run' and 'runtime' alone; see 'mpispec --help'\n");
  return 2;
}

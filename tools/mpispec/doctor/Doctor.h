//===- Doctor.h - mpispec doctor --------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor checks everything from the compiler to running ranks. It prints the result of each
// check. If a check fails, it also prints the reason and the remedy. The table of checks is in
// Doctor.cpp. The checks run one after another on one Patient, which stores the results of earlier
// checks.
//
//   DoctorCompiler.cpp     compiler, MPI library, launcher, the parts of mpispec itself
//   DoctorMachine.cpp      system, shared memory, access to other ranks' memory, cores, limits
//   DoctorEnvironment.cpp  MPISPEC_* variables, and files that the runtime reads
//   DoctorProgram.cpp      a program that the user has built
//   DoctorTrial.cpp        a two-rank program, built and run with and without mpispec
//   DoctorReport.cpp       the findings as a table or as JSON
//
// Nothing here uses LLVM, because this subcommand is also built without the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_DOCTOR_H
#define MPISPEC_TOOLS_DOCTOR_H

#include "run/RunInstallation.h"
#include "run/Subcommands.h"
#include <cstdint>

namespace mpispec {

extern const HelpPage DoctorHelp;

/// The result of one check.
struct Finding {
  enum Verdict : uint8_t {
    On,      ///< the check succeeded
    Off,     ///< the check failed: calls are slow, or do not work at all
    Skipped, ///< no result: an earlier check is off, or the system prevents this check
  } V = On;
  std::string Says;   ///< one sentence
  std::string Remedy; ///< the change that would help, if the verdict is Off
};

inline Finding on(const std::string &Says) { return {Finding::On, Says, ""}; }
inline Finding off(const std::string &Says, const std::string &Remedy) {
  return {Finding::Off, Says, Remedy};
}
inline Finding skipped(const std::string &Says) { return {Finding::Skipped, Says, ""}; }

/// The data of checks, and their results for later checks. The destructor removes the temporary
/// directory.
struct Patient {
  Patient() = default;
  Patient(const Patient &) = delete;
  Patient &operator=(const Patient &) = delete;
  ~Patient() { clean(); }

  bool HasCompiler = false; ///< this mpispec compiles programs
  std::string Analyzer;     ///< the program mpispec-analyze; empty: it is missing
  std::string Archive;      ///< RunInstallation::Archive, or --mpispec-runtime; empty: missing
  /// RunInstallation::Runtimes. Empty: Archive is used, whatever the MPI library is.
  Words Runtimes;
  bool IsQuiet = false; ///< notes and progress are left out
  Suggest Suggestion = nullptr;

  std::string Self;    ///< the program mpispec
  std::string Program; ///< the user's program; empty: none
  Words Compiler;      ///< the command of the MPI wrapper: "mpicc"

  std::string Directory; ///< the temporary one; empty: there is none
  bool CompilerRuns = false;
  /// The path of the launcher; empty: none. Before checkLauncher(): the name that the user gave.
  std::string Launcher;
  std::string Library;        ///< the MPI library that programs need: "libmpich.so.12"
  std::string LibraryVersion; ///< the version in its mpi.h: "MPICH 4.0.2"
  bool HasMPI41 = false;      ///< mpi.h is that of MPI-4.1 or later
  double PlainTime = 0;       ///< ns for 8 bytes from rank to rank through the MPI library
  Words WithLanes; ///< the command of the last trial whose runtime had lanes; empty: none

  /// Makes the temporary directory. Returns the error, or an empty text.
  std::string makeDirectory();
  /// Removes it.
  void clean();

  /// If this process has received a signal, calls clean() and ends the process by that signal.
  void endIfInterrupted();

  static constexpr int TimedOut = 124; ///< the status of a command that exceeded its time limit
  /// The result of a command.
  struct Outcome {
    int Status;       ///< the status in a shell, or TimedOut
    std::string Text; ///< the output of the command, errors included
  };
  /// Runs \p Command, for at most \p Seconds. A signal to this process ends the command and this
  /// process.
  Outcome run(const Words &Command, unsigned Seconds = 20);
};

/// Runs `mpispec doctor` with \p Arguments. \p P contains the installation. The exit status is 2 if
/// the arguments are invalid. It is 1 if a check fails, or if the temporary directory cannot be
/// made. Otherwise it is 0.
int doctor(Patient &P, const Words &Arguments);

// The checks. Each may use the results that earlier checks of the table have stored in the Patient.
Finding checkSystem(Patient &P);
Finding checkCompiler(Patient &P);
Finding checkLibrary(Patient &P);
Finding checkLauncher(Patient &P);
Finding checkParts(Patient &P);
Finding checkSharedMemory(Patient &P);
Finding checkSingleCopy(Patient &P);
Finding checkEnds(Patient &P);
Finding checkCores(Patient &P);
Finding checkYield(Patient &P);
Finding checkLimits(Patient &P);
Finding checkEnvironment(Patient &P);
Finding checkLongMessages(Patient &P);
Finding checkProgram(Patient &P);
Finding checkPlainRun(Patient &P);
Finding checkSpecialisedRun(Patient &P);
Finding checkPreloadedRun(Patient &P);
Finding checkContainers(Patient &P);

/// The last line of \p Text that is not blank, shortened if it is long.
std::string lastWords(const std::string &Text);
/// Whether both names of MPI libraries stand for the same binary interface.
bool fits(const std::string &OneLibrary, const std::string &Other);
/// The shared runtime for the compiler's MPI library, or empty.
std::string sharedRuntime(const Patient &P);

inline bool startsWith(std::string_view Text, std::string_view Start) {
  return Text.substr(0, Start.size()) == Start;
}
inline bool contains(std::string_view Text, std::string_view Part) {
  return Text.find(Part) != std::string_view::npos;
}
/// \p All with \p Separator between them.
std::string joined(const Words &All, const char *Separator = " ");
/// \p Text without white space at both ends.
std::string trimmed(const std::string &Text);
/// The first line of \p Text that is not blank, without white space at both ends.
std::string firstLine(const std::string &Text);
/// Writes a file. Returns false if the file could not be written completely.
bool writeFile(const std::string &Path, std::string_view Text);

} // namespace mpispec
#endif

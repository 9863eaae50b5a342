//===- Doctor.h - mpispec doctor --------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor checks everything from the compiler to running ranks. It prints what works, what does
// not, why, and how to repair it. The table of checks is in Doctor.cpp. The checks run one after
// another on one Patient, which stores the results of earlier checks.
//
//   DoctorCompiler.cpp     compiler, MPI library, launcher, the parts of mpispec itself
//   DoctorMachine.cpp      shared memory, access to other ranks' memory, cores, limits
//   DoctorEnvironment.cpp  MPISPEC_* variables, and files that the runtime reads
//   DoctorProgram.cpp      a program that the user has built
//   DoctorTrial.cpp        a two-rank program of mpispec's, built and run with and without it
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_DOCTOR_H
#define MPISPEC_TOOLS_DOCTOR_H

#include "Driver/Session.h"
#include "Driver/Specialise.h"
#include "Driver/Toolchain.h"

namespace mpispec {

/// Runs `mpispec doctor` with the arguments behind it. The exit status is 0 if all checks succeed,
/// 1 if a check fails, 2 if the arguments are invalid.
int doctor(const Settings &S, const Installation &Here, const std::string &Self,
           llvm::ArrayRef<std::string> Words);

/// The result of one check.
struct Finding {
  enum Verdict : uint8_t {
    On,      ///< the check succeeded
    Off,     ///< it keeps calls from being fast, or from working at all
    Skipped, ///< nothing could be said: an earlier check is off
  } V = On;
  std::string Says;   ///< one sentence
  std::string Remedy; ///< where it is off: what would help
};

inline Finding on(const llvm::Twine &Says) { return {Finding::On, Says.str(), ""}; }
inline Finding off(const llvm::Twine &Says, const llvm::Twine &Remedy) {
  return {Finding::Off, Says.str(), Remedy.str()};
}
inline Finding skipped(const llvm::Twine &Says) { return {Finding::Skipped, Says.str(), ""}; }

/// The data of checks, and their results for later checks.
struct Patient {
  Patient(const Settings &S, const Installation &Here) : Here(Here), Files(S) {}

  const Installation &Here;
  std::string Self;     ///< the program mpispec
  std::string Program;  ///< the user's; empty: none
  CommandLine Compiler; ///< the wrapper's words: "mpicc"

  Session Files;                  ///< its temporary directory
  std::string Directory;          ///< in it; empty: there is none
  std::optional<Toolchain> Tools; ///< the compiler behind the wrapper was found
  std::string Launcher;           ///< mpiexec's path, or empty; before checkLauncher the user's
  std::string Library;            ///< the MPI library that programs need: "libmpich.so.12"
  std::string LibraryVersion;     ///< the version in its mpi.h: "MPICH 4.0.2"
  bool HasMPI41 = false;          ///< likewise: it is of MPI-4.1 or later
  double PlainTime = 0;           ///< nanoseconds of its 8-byte message, one way
  std::string Specialised;        ///< the specialised trial, which has had its lanes open; or empty

  /// Whether notes and progress are left out.
  bool isQuiet() const { return Files.settings().Quiet; }

  /// Runs \p Command, for at most \p Seconds.
  struct Outcome {
    int Status;       ///< the status in a shell; 124: the time limit was exceeded
    std::string Text; ///< its output, errors included
  };
  Outcome run(const CommandLine &Command, unsigned Seconds = 20);
};

// The checks. Each may rely on what those above it in the table left in the Patient.
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
Finding checkContainers(Patient &P);

/// The last line of \p Text that says something, cut short.
std::string lastWords(llvm::StringRef Text);
/// Have both the binary interface of MPICH?
bool fits(llvm::StringRef OneLibrary, llvm::StringRef Other);
/// The shared runtime for the compiler's MPI library, or empty.
std::string sharedRuntime(const Patient &P);

} // namespace mpispec
#endif

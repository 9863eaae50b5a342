//===- ProfileOption.cpp - The profile of --mpispec-profile-use -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/ProfileOption.h"
#include "Driver/Process.h"
#include "Driver/Summary.h"
#include "Support/AnalysisProtocol.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

/// Is no file of the profile younger than \p Index? True if the files do not exist any more.
static bool isCurrent(StringRef Directory, StringRef Index) {
  sys::fs::file_status Own, OfRank;
  if (sys::fs::status(Index, Own))
    return false;
  std::error_code Code;
  for (sys::fs::directory_iterator I(Directory, Code), End; I != End && !Code; I.increment(Code))
    if (StringRef(I->path()).ends_with(".mpispec") && !sys::fs::status(I->path(), OfRank) &&
        OfRank.getLastModificationTime() > Own.getLastModificationTime())
      return false;
  return true;
}

std::string profileIndex(const Settings &S, const Installation &Here) {
  const std::string &Directory = S.ProfileDirectory;
  if (Directory.empty())
    return "";
  std::string Index = Directory + "/" + ProfileIndexFile.str();
  if (S.DryRun || isCurrent(Directory, Index))
    return Index;
  if (Here.Profiler.empty()) {
    errs() << "mpispec: warning: --mpispec-profile-use: the program mpispec-profile was not found; "
              "install mpispec whole. The build goes on without a profile\n";
    return "";
  }
  return outputOf({Here.Profiler, "--index", Directory}, /*ShowErrors=*/true) ? Index : "";
}

/// Is \p Arg a source in Fortran that names MPI? Fortran does not distinguish case.
static bool isFortranWithMPI(const Argument &Arg) {
  if (Arg.M != Meaning::Source || !StringRef(Arg.Lang).starts_with("f"))
    return false;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Arg.Value);
  return Text && (*Text)->getBuffer().contains_insensitive("mpi_");
}

void noteFortranSources(const Settings &S, const Invocation &I) {
  if (S.ProfileDirectory.empty() || I.has(Meaning::PassThrough) || isProbe(I))
    return;
  auto First = find_if(I.Arguments, isFortranWithMPI);
  if (First == I.Arguments.end())
    return;
  auto Others = std::count_if(std::next(First), I.Arguments.end(), isFortranWithMPI);
  errs() << "mpispec: note: --mpispec-profile-use: " << First->Value;
  if (Others)
    errs() << " and " << Others << " more";
  errs()
      << (Others ? " are" : " is")
      << " compiled as without a profile, because calls in Fortran are not specialised; 'mpispec "
         "profile "
      << S.ProfileDirectory << "' shows their call sites and advice\n";
}

} // namespace mpispec

//===- ProfileOption.cpp - The profile of --mpispec-profile-use -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/ProfileOption.h"
#include "Driver/Process.h"
#include "Support/AnalysisProtocol.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

/// Is no file of the profile younger than \p Index? The files may be gone.
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

} // namespace mpispec

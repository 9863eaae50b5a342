//===- SummaryCache.h - Files by which units share their flows --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile of a unit makes a file with the unit's flows into places of the program (Flows.h). A
// later compile of another unit of the same project reads the file if a prediction is missing. A
// unit's file describes only its source, never predictions from other units. Therefore the order of
// compilation affects only when a prediction becomes available. A file that is old, broken or
// missing makes predictions worse and has no other effect.
//
//   $MPISPEC_CACHE/<project>/<unit>.json     default: $XDG_CACHE_HOME or ~/.cache, then /mpispec
//
//   {"version": 1, "source": "/home/me/solver/main.c",
//    "flows": {"f:params_t.type": ["@MPI_LONG", 1], "p:exchange:2": ["f:params_t.type", 3]}}
//
// The file has no flows into arguments of MPI calls, because only the call's own unit uses them. If
// the call is in a wrapper, its arguments are predicted from the values that other units pass to
// the wrapper's parameters.
//
// The project is the directory at or above the source that is under version control. If there is
// none, it is the topmost directory that has a makefile or a similar file, or else the source's
// own. Files are replaced as a whole, so that any number of compiles may run at the same time.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PREDICTIONS_SUMMARYCACHE_H
#define MPISPEC_PREDICTIONS_SUMMARYCACHE_H

#include "Predictions/Flows.h"

namespace mpispec {

class SummaryCache {
public:
  /// The cache of the project that \p Source belongs to, in cacheDirectory().
  static SummaryCache ofSource(llvm::StringRef Source);

  /// MPISPEC_CACHE=off, or there is no place for it: nothing is read or written.
  bool isOff() const { return Directory.empty(); }
  /// The directory of the project's files.
  llvm::StringRef directory() const { return Directory; }
  /// The flows of the other units of the project. Removes files of sources that are gone.
  Flows readOthers() const;
  /// Writes \p OfUnit for other units. Returns false if the file cannot be written.
  bool write(const Flows &OfUnit) const;

private:
  std::string file() const;

  std::string Directory;
  std::string Source; ///< absolute
};

} // namespace mpispec
#endif

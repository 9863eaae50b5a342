//===- SummaryCache.h - What units tell each other --------------------------------------------===//
//
// Each unit that is compiled leaves its flows into places of the program (Flows.h) in a file of its
// own, and the next compile of any unit of the same project reads all that there are. A unit's file
// says only what is in its source, never what was predicted from others: so the order of
// compilation decides what is known when, and nothing else. A file that is stale, broken or missing
// makes predictions worse, nothing else.
//
//     $MPISPEC_CACHE/<project>/<unit>.json     default: $XDG_CACHE_HOME or ~/.cache, then /mpispec
//
//     {"version": 1, "source": "/home/me/solver/main.c",
//      "flows": {"f:params_t.type": ["@MPI_LONG", 1], "p:exchange:2": ["f:params_t.type", 3]}}
//
// A wrapper's unit needs to tell nothing of what it forwards: its calls of MPI are in that unit,
// and predicted there, by what others say they pass to its parameters.
//
// The project is the directory at or above the source that is under version control, or the topmost
// one that has a makefile or its like, or the source's own. Files are replaced as a whole, so any
// number of compiles may go on at once.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PREDICTIONS_SUMMARYCACHE_H
#define MPISPEC_PREDICTIONS_SUMMARYCACHE_H

#include "Predictions/Flows.h"

namespace mpispec {

class SummaryCache {
public:
  /// The cache of the project that \p Source belongs to, as the environment says.
  static SummaryCache ofSource(llvm::StringRef Source);

  /// MPISPEC_CACHE=off, or there is no place for it: nothing is read or written.
  bool isOff() const { return Directory.empty(); }
  /// The project's.
  llvm::StringRef directory() const { return Directory; }
  /// What the other units of the project told. Files of sources that are gone are removed.
  Flows readOthers() const;
  /// Leaves \p OfUnit for others. False: it could not be written, which matters to nobody who did
  /// not ask for it.
  bool write(const Flows &OfUnit) const;

private:
  std::string file() const;

  std::string Directory;
  std::string Source; ///< absolute
};

} // namespace mpispec
#endif

//===- Prefilter.h - Can a source have an MPI call at all? ------------------------------------===//
//
// Most sources of most programs have none, and must cost next to nothing. So the text of a source,
// and of the user's headers that it can reach, is searched for the names of MPI functions before
// anything is started. The search is textual: conditions, comments and macros are not understood,
// so it may say yes too often; `MPI_##Send` it does not see, and such a source stays as it is.
//
// System directories that the command does not name are never searched, nor is mpi.h itself.
//
// A program's own header may name functions that most of its sources do not call. What the compiler
// makes of a source, when it is preprocessed, tells: there, macros have become what they stand for.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_PREFILTER_H
#define MPISPEC_DRIVER_PREFILTER_H

#include "Driver/Invocation.h"

namespace mpispec {

struct TextFindings {
  bool NamesMPI = false; ///< some name that begins with MPI_
  bool HasCalls = false; ///< a function whose calls are specialised, or watched for mistakes
  /// A macro of several statements: gcc's -Wmultistatement-macros looks at it, and can only do so
  /// where macros still are.
  bool HasStatementMacro = false;
};

/// Searches source \p Path of \p I. An unreadable file has no findings: the compiler will say it.
TextFindings searchSource(const Invocation &I, llvm::StringRef Path);

/// Is a function whose calls are specialised or watched named in preprocessed \p Text, outside of
/// mpi.h and what that includes?
bool textNamesCalls(llvm::StringRef Text);

} // namespace mpispec
#endif

//===- Prefilter.h - A text search for MPI calls ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most sources of most programs have no MPI call, and must cost almost nothing. Therefore a search
// for names of MPI functions comes before any other program is started. It reads the source, and
// the user's headers that the source can reach. The search ignores conditions, comments and macros.
// It may find names that are no calls. It does not find `MPI_##Send`, and a source with only such
// calls is not specialised.
//
// System directories that the command does not name are never searched, and neither is mpi.h.
//
// A macro of the program's own header may name functions, but most sources may never use the macro.
// Therefore the preprocessed text is searched as well. It contains the text of a macro only where
// the macro is used.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_PREFILTER_H
#define MPISPEC_DRIVER_PREFILTER_H

#include "Driver/Invocation.h"

namespace mpispec {

struct TextFindings {
  bool NamesMPI = false;       ///< some name that begins with MPI_
  bool NamesProfiling = false; ///< some name that begins with PMPI_, or `##`, which may make one
  bool HasCalls = false;       ///< a function whose calls are specialised, or watched for mistakes
  /// A macro of several statements. gcc's -Wmultistatement-macros can only check it in text that
  /// still contains macros.
  bool HasStatementMacro = false;
  bool IncludesOnce = false; ///< it includes a file that can be read only once
};

/// Is \p Path a pipe, a device or a folder?
bool isSpecialFile(llvm::StringRef Path);

/// Is \p Path a special file, or perhaps a redirected one that looks like a usual file
/// (/dev/stdin)?
bool canBeReadOnce(llvm::StringRef Path);

/// Searches source \p Path of \p I. An unreadable file has no findings, because the compiler
/// reports it.
TextFindings searchSource(const Invocation &I, llvm::StringRef Path);

/// Does the preprocessed \p Text name a function whose calls are specialised or watched? The text
/// of mpi.h, and of files that it includes, does not count.
bool textNamesCalls(llvm::StringRef Text);

} // namespace mpispec
#endif

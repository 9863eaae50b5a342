//===- FortranSource.h - How a Fortran source is compiled -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver reads the commands of a build and writes a FortranRequest, as JSON. The program
// mpispec-analyze-fortran reads the request. This file uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FORTRANSOURCE_H
#define MPISPEC_FORTRAN_FORTRANSOURCE_H

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mpispec {

struct FortranSource {
  std::string Name;      ///< the name in messages
  std::string File;      ///< relative to Directory, or absolute
  std::string Directory; ///< where it is compiled, absolute
  /// The build's own compiler with `-E`, which writes to standard output. Empty: the source is not
  /// preprocessed.
  std::vector<std::string> Preprocess;
  std::vector<std::string> IncludeDirectories; ///< for the statement INCLUDE
  bool IsFixedForm = false;
  unsigned Columns = 72; ///< the length of a line in fixed form
  bool HasOpenMP = false;
  unsigned IntegerKind = 4, RealKind = 4, DoubleKind = 8; ///< the default kinds
  bool IsAsked = true;                                    ///< false: read only for its modules
};

struct FortranRequest {
  std::vector<FortranSource> Sources;
  unsigned Jobs = 1;
};

llvm::json::Value toJSON(const FortranRequest &R);
bool fromJSON(const llvm::json::Value &Value, FortranRequest &R, llvm::json::Path Path);

/// Reads form, line length, OpenMP and default kinds from the words of a compiler command.
void readFortranOptions(const std::vector<std::string> &Words, FortranSource &Source);

} // namespace mpispec
#endif

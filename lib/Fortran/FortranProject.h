//===- FortranProject.h - The Fortran sources of a build, in order of their modules -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   definitions    a text search of all sources for the modules that they define
//   closure        the requested sources, and those whose modules they use
//   preprocess     by the build's own compiler
//   run            a process for each source, after the sources whose modules it uses
//
// Each source has a process of its own, so that an abnormal end of flang affects only one source.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FORTRANPROJECT_H
#define MPISPEC_FORTRAN_FORTRANPROJECT_H

#include "Fortran/FortranSource.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// The modules that a text defines and uses, in lower case.
struct ModulesOfText {
  std::vector<std::string> Defined, Used;
};

ModulesOfText findModules(llvm::StringRef Text);

struct FortranOutcome {
  std::string Name, Directory;
  std::string Failure; ///< why there is no answer; empty: there is one
  std::string Answer;
};

/// Analyses one source, whose preprocessed text is in the file \p Text. Returns the answer as text.
using FortranWork = llvm::function_ref<std::string(
    const FortranSource &Source, const std::string &Text, llvm::StringRef ModuleDirectory)>;

/// Runs \p Work on the requested sources, and on those that they need. Returns the outcomes of the
/// requested sources, in the order of the request. \p Temporary is an empty directory.
std::vector<FortranOutcome> analyseFortranProject(const FortranRequest &Request,
                                                  llvm::StringRef Temporary, FortranWork Work);

llvm::json::Value toJSON(const FortranOutcome &O);
bool fromJSON(const llvm::json::Value &Value, FortranOutcome &O, llvm::json::Path Path);

} // namespace mpispec
#endif

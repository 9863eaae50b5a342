//===- FlangSource.h - A Fortran source, parsed and checked by flang --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header includes headers of flang. Only files that need the parse tree include it.
//
// Semantic errors do not end the reading. A program that another compiler accepts may have some,
// because a module is missing. Types that depend on an error are not used (FlangArguments.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FLANGSOURCE_H
#define MPISPEC_FORTRAN_FLANGSOURCE_H

#include "Fortran/FortranSource.h"
#include "flang/Parser/parsing.h"
#include "flang/Semantics/semantics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <set>

namespace mpispec {

class FlangSource {
public:
  /// Modules are read from, and written to, \p ModuleDirectory.
  FlangSource(const FortranSource &Source, llvm::StringRef ModuleDirectory);

  /// Reads MPI's modules and then \p Text, the preprocessed source. \p OnlyInterfaces: executable
  /// statements are left out, so that errors in them do not prevent modules from being written.
  llvm::Error read(const std::string &Text, bool OnlyInterfaces);

  bool hasErrors() { return Context->AnyFatalError(); }
  bool definesModules() const { return !OwnModules.empty(); }
  Fortran::parser::Program &program() { return *Program->parseTree(); }
  Fortran::parser::AllCookedSources &texts() { return Cooked; }
  Fortran::semantics::SemanticsContext &context() { return *Context; }
  const std::set<std::string> &missingModules() const { return Missing; }
  /// The values of the integer constants of mpif.h, by their names in lower case.
  const llvm::StringMap<int64_t> &constants() const { return Constants; }

private:
  using Parsed = std::unique_ptr<Fortran::parser::Parsing>;
  llvm::Expected<Parsed> parse(const std::string &File, bool IsFixedForm);
  llvm::Error readModules();
  llvm::Error check(const std::string &Text);
  void removeMissingModules();

  const FortranSource &Source;
  std::string ModuleDirectory;
  Fortran::parser::AllSources Sources;
  Fortran::parser::AllCookedSources Cooked{Sources};
  Fortran::common::LanguageFeatureControl Features;
  Fortran::common::LangOptions Language;
  Fortran::common::IntrinsicTypeDefaultKinds Kinds;
  std::unique_ptr<Fortran::semantics::SemanticsContext> Context;
  std::vector<Parsed> Modules; ///< the context refers to their trees
  Parsed Program;
  std::set<std::string> OwnModules, Missing;
  llvm::StringMap<int64_t> Constants;
};

} // namespace mpispec
#endif

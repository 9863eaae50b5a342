//===- ProgramText.cpp - Declarations of a unit that belong to the program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/ProgramText.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace mpispec {

bool isProgramText(const ParsedUnit &Unit, const Decl *D) {
  const SourceManager &Sources = Unit.sources();
  SourceLocation Location = D->getLocation();
  if (Location.isInvalid())
    return isa<TranslationUnitDecl>(D);
  if (Sources.isInSystemHeader(Location))
    return false;
  auto [File, Offset] = Sources.getDecomposedExpansionLoc(Location);
  return File != Sources.getMainFileID() || Offset < Unit.MainFileSize;
}

} // namespace mpispec

//===- LineMacro.cpp - __LINE__ as gcc counts it ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ordinary macro replaces the built-in one. Its only token is set just before each expansion.
//
//===------------------------------------------------------------------------------------------===//
#include "Rewrite/LineMacro.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace llvm;

namespace mpispec {

namespace {

class LineMacro : public PPCallbacks {
public:
  explicit LineMacro(Preprocessor &PP) : PP(PP), Macro(PP.AllocateMacroInfo(SourceLocation())) {
    Body = Macro->allocateTokens(1, PP.getPreprocessorAllocator()).data();
    Body->startToken();
    Body->setKind(tok::numeric_constant);
    PP.CreateString("0", *Body);
    PP.appendDefMacroDirective(PP.getIdentifierInfo("__LINE__"), Macro);
  }

  void MacroExpands(const Token &Name, const MacroDefinition &Definition, SourceRange,
                    const MacroArgs *) override {
    if (Definition.getMacroInfo() == Macro)
      PP.CreateString(Twine(lineOf(Name.getLocation())).str(), *Body);
  }

private:
  /// gcc's rule: `__LINE__` in the body of a macro has the line of the macro's name. In an argument
  /// it has the line at which it is written.
  unsigned lineOf(SourceLocation Location) const {
    const SourceManager &SM = PP.getSourceManager();
    while (Location.isMacroID())
      Location = SM.isMacroArgExpansion(Location)
                     ? SM.getImmediateSpellingLoc(Location)
                     : SM.getImmediateExpansionRange(Location).getBegin();
    PresumedLoc Place = SM.getPresumedLoc(Location);
    return Place.isValid() ? Place.getLine() : 1;
  }

  Preprocessor &PP;
  MacroInfo *Macro;
  Token *Body = nullptr;
};

} // namespace

void countLinesLikeGcc(Preprocessor &PP) { PP.addPPCallbacks(std::make_unique<LineMacro>(PP)); }

} // namespace mpispec

//===- RewrittenUnit.h - A source that went through parse, gcc -E and rewriting ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of rewriting: every call that has templates gets its most general one, unless a test
// chooses another. Therefore the result does not depend on facts that can be proven.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TEST_REWRITTENUNIT_H
#define MPISPEC_TEST_REWRITTENUNIT_H

#include "Frontend/Parse.h"
#include "Rewrite/Integrity.h"
#include "Rewrite/Rewriter.h"
#include "Selection/TemplateCatalog.h"
#include "TwoCompilers.h"

namespace mpispec {

struct RewrittenUnit {
  std::string Original, Text, Source, Failure;
  std::vector<std::string> Untouched; ///< in Source
  std::unique_ptr<ParsedUnit> Parsed;
  std::vector<SiteFacts> Facts;
  std::vector<Choice> Choices;

  SpecialisedSites sites() const {
    return {Parsed->Sites, Facts, Choices, Parsed->Values.elements()};
  }
  const clang::LangOptions &language() const { return Parsed->compiler().getLangOpts(); }
  llvm::Error check(llvm::StringRef NewText) const {
    return checkIntegrity(Original, NewText, Parsed->Sites, Choices, language());
  }
};

struct UnitOptions {
  bool IsCxx = false;
  TextDialect Dialect = TextDialect::Gcc;
  std::vector<std::string> Flags;
  std::function<bool(const CallSite &)> Wanted = [](const CallSite &) { return true; };
};

inline void chooseTemplates(RewrittenUnit &Unit, const UnitOptions &Options) {
  for (const CallSite &Site : Unit.Parsed->Sites) {
    SiteFacts Facts;
    Facts.Site = Site.Number;
    Facts.Transfers.resize(transfersOf(*Site.Function).size());
    Unit.Facts.push_back(Facts);
    Choice C;
    C.Site = Site.Number;
    if (!templateRowsOf(Site.Function->Name).empty() && Options.Wanted(Site)) {
      llvm::StringRef Cell = templateCell(Site.Function->Name, CallFacts());
      C.Form = Cell == OrdinaryCell ? CallForm::Ordinary : CallForm::Inline;
      C.Template = Cell == OrdinaryCell ? "" : Cell.str();
    }
    Unit.Choices.push_back(C);
  }
}

/// Rewrites `a.c` (or `a.cpp`) with the given text in \p Directory, both forms.
inline RewrittenUnit rewriteUnit(const TemporaryDirectory &Directory, llvm::StringRef Text,
                                 const UnitOptions &Options = {}) {
  RewrittenUnit Unit;
  std::vector<std::string> Arguments = Options.Flags;
  Arguments.push_back("-I" MPISPEC_MPI_INCLUDE);
  Arguments.push_back("-I" + Directory.file("."));
  Arguments.push_back(Directory.write(Options.IsCxx ? "a.cpp" : "a.c", Text));
  bool Gcc = Options.Dialect == TextDialect::Gcc;
  llvm::StringRef Compiler =
      Options.IsCxx ? (Gcc ? "g++" : "clang++-22") : (Gcc ? "gcc" : "clang-22");
  auto Preprocessed = preprocess(Compiler, Arguments, Directory.file("original.i"));
  TokenStream Tokens;
  auto Parsed = parse(Arguments, [&](clang::Preprocessor &PP, unsigned MainFileEnd) {
    recordTokens(PP, Tokens, Options.Dialect, MainFileEnd);
  });
  if (!Preprocessed || !Parsed) {
    Unit.Failure = Parsed ? "preprocessing failed" : llvm::toString(Parsed.takeError());
    return Unit;
  }
  Unit.Original = *Preprocessed;
  Unit.Parsed = std::move(*Parsed);
  chooseTemplates(Unit, Options);
  auto Keep = [&](llvm::Expected<std::string> Result, std::string &Where) {
    if (Result)
      Where = *Result;
    else
      Unit.Failure = llvm::toString(Result.takeError());
  };
  Keep(rewritePreprocessed(Unit.Original, Tokens, Unit.sites(),
                           RewriteContext{Options.Dialect, Unit.language()}),
       Unit.Text);
  Keep(rewriteSource(Unit.Parsed->sources(), Unit.language(), Unit.Parsed->MainFileSize,
                     Unit.sites(), Unit.Untouched),
       Unit.Source);
  return Unit;
}

/// Does \p Compiler accept \p File without a word?
inline bool compiles(llvm::StringRef Compiler, std::vector<std::string> Arguments) {
  llvm::ErrorOr<std::string> Program = llvm::sys::findProgramByName(Compiler);
  if (!Program)
    return false;
  Arguments.insert(Arguments.begin(),
                   {Compiler.str(), "-fsyntax-only", "-Werror", "-Wall", "-Wextra", "-pedantic"});
  std::vector<llvm::StringRef> Words(Arguments.begin(), Arguments.end());
  return llvm::sys::ExecuteAndWait(*Program, Words) == 0;
}

} // namespace mpispec
#endif

//===- UnitRewriter.cpp - One translation unit, from preprocessed text to rewritten text ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/UnitRewriter.h"
#include "Frontend/Indentation.h"
#include "Frontend/UnusedPrototypes.h"
#include "Rewrite/FileMacro.h"
#include "Rewrite/GccIdentity.h"
#include "Rewrite/Integrity.h"
#include "Rewrite/PreprocessedText.h"
#include "Rewrite/ReadableText.h"
#include "Rewrite/Rewriter.h"
#include "Rewrite/TokenRecorder.h"
#include "Selection/Selector.h"
#include "clang/Lex/Preprocessor.h"
#include <ctime>

using namespace llvm;

namespace mpispec {

namespace {

/// How Clang reads the source. The default is the way `whole`.
struct Reading {
  /// Prototypes of MPI that the text never uses are left out, and templates of the C++ library are
  /// not parsed until they are instantiated.
  bool LeavesOutUnused = false;
  /// gcc is run to evaluate feature tests (Rewrite/GccAnswers.h).
  bool AsksGcc = false;
  /// No template is parsed until it is instantiated.
  bool DelaysTemplates = false;

  std::vector<std::string> leniences() const;
};

/// The ways of one unit; see the header.
class UnitRewriter {
public:
  UnitRewriter(StringRef Text, const UnitRewriteOptions &Options) : Text(Text), Options(Options) {}

  Expected<RewriteResult> rewrite();

private:
  Expected<RewriteResult> trimmedOrWhole();
  Expected<RewriteResult> fromSource(const Reading &How);
  Expected<RewriteResult> fromOwnText(const Reading &How);
  Expected<RewriteResult> finish(AnalysedUnit Unit, const TokenStream &Tokens,
                                 clang::SourceLocation OwnText = {});
  Expected<std::string> writeText(AnalysedUnit &Unit, const TokenStream &Tokens,
                                  clang::SourceLocation OwnText) const;
  Error leaveBrokenSites(AnalysedUnit &Unit, Error Failures) const;
  void readLikeGcc(clang::Preprocessor &PP, GccAnswers *Answers) const;
  void addCallsTakenOut(AnalysedUnit &Unit, const ReadableText &Readable) const;
  bool mayHaveDiagnostics(AnalysedUnit &Unit, bool FromOwnText) const;
  bool isGcc() const { return Options.UserCompiler == TextDialect::Gcc; }

  const StringRef Text;
  const UnitRewriteOptions &Options;
  clang::LangOptions Language; ///< the source's language, set by the first way
};

} // namespace

/// Words for the clang driver.
std::vector<std::string> Reading::leniences() const {
  if (DelaysTemplates)
    return {"-fdelayed-template-parsing"};
  if (!LeavesOutUnused)
    return {NoDelayedTemplates.str()};
  return {};
}

/// \p E as a Fallback.
static Fallback reasonOf(Error E) {
  Fallback Reason(RemarkID::FallbackParseError, "");
  handleAllErrors(std::move(E), [&](const Fallback &F) { Reason = F; });
  return Reason;
}

//===- The ways, in their order ---------------------------------------------------------------===//

Expected<RewriteResult> UnitRewriter::rewrite() {
  Expected<RewriteResult> First = trimmedOrWhole();
  if (First)
    return First;
  Fallback Reason = reasonOf(First.takeError());
  bool IsParseError = Reason.Remark == RemarkID::FallbackParseError;
  if (!IsParseError && Reason.Remark != RemarkID::FallbackPreprocessedDifferently)
    return make_error<Fallback>(Reason);
  Reading How;
  How.AsksGcc = true;
  How.DelaysTemplates = IsParseError;
  if (isGcc() && !Options.Gcc.empty()) {
    Expected<RewriteResult> Second = fromSource(How);
    if (Second)
      return Second;
    consumeError(Second.takeError());
  }
  Expected<RewriteResult> Third = fromOwnText(How);
  bool IsLost = Third && !Third->Unit.rewritten() && !Third->Unit.Parsed->Sites.empty();
  if (Third && !IsLost)
    return Third;
  if (!Third)
    consumeError(Third.takeError());
  return make_error<Fallback>(Reason);
}

/// Tries the way `trimmed`, and then `whole` if the omitted declarations may be the reason of the
/// failure. Clang may read a call that the user's compiler does not read, and whose prototype was
/// omitted. A template of the C++ library is parsed at the end of the unit, and may have another
/// meaning there.
Expected<RewriteResult> UnitRewriter::trimmedOrWhole() {
  Reading Trimmed;
  Trimmed.LeavesOutUnused = true;
  Expected<RewriteResult> First = fromSource(Trimmed);
  if (First)
    return First;
  Fallback Reason = reasonOf(First.takeError());
  StringRef Error = Reason.Text;
  if (Reason.Remark == RemarkID::FallbackParseError &&
      (Error.contains("MPI") || Error.contains("/c++/")))
    return fromSource(Reading());
  return make_error<Fallback>(Reason);
}

Expected<RewriteResult> UnitRewriter::fromSource(const Reading &How) {
  TokenStream Tokens;
  std::unique_ptr<GccAnswers> Answers;
  auto Hook = [&](clang::Preprocessor &PP, unsigned MainFileEnd) {
    Language = PP.getLangOpts();
    if (How.AsksGcc)
      Answers = std::make_unique<GccAnswers>(Options.Gcc, PP.getLangOpts().CPlusPlus);
    if (How.LeavesOutUnused)
      leaveOutUnusedPrototypes(PP, Text);
    if (isGcc())
      readLikeGcc(PP, Answers.get());
    recordTokens(PP, Tokens, Options.UserCompiler, MainFileEnd);
  };
  auto Unit = analyse(Options.Analysis, Hook, How.leniences());
  if (!Unit)
    return Unit.takeError();
  return finish(std::move(*Unit), Tokens);
}

void UnitRewriter::readLikeGcc(clang::Preprocessor &PP, GccAnswers *Answers) const {
  if (!Answers || !readUserTextAsGcc(PP, *Answers))
    if (std::optional<GccVersion> Version = gccVersionOf(Text))
      readUserTextAsGcc(PP, *Version);
  nameFilesLikeGcc(PP, Text);
}

Expected<RewriteResult> UnitRewriter::fromOwnText(const Reading &How) {
  constexpr unsigned MostRounds = 8;
  constexpr std::clock_t Enough = 10 * CLOCKS_PER_SEC; // then no further round
  ReadableText Readable(Text, Language);
  auto Hook = [](clang::Preprocessor &PP, unsigned) { knowFloatTypesOfGcc(PP); };
  for (unsigned Round = 1;; ++Round) {
    OwnText Own{Readable.text(), Readable.isWhole(), {}};
    auto Unit = analyse(Options.Analysis, Hook, How.leniences(), &Own);
    if (Unit) {
      const clang::SourceManager &Sources = Unit->Parsed->sources();
      auto Result = finish(std::move(*Unit), TokenStream(),
                           Sources.getLocForStartOfFile(Sources.getMainFileID()));
      if (Result)
        addCallsTakenOut(Result->Unit, Readable);
      return Result;
    }
    if (Round == MostRounds || std::clock() > Enough || !Readable.takeOut(Own.Errors))
      return Unit.takeError();
    consumeError(Unit.takeError());
  }
}

/// Adds the calls in functions that were taken out of the text, so that remarks name them as well.
void UnitRewriter::addCallsTakenOut(AnalysedUnit &Unit, const ReadableText &Readable) const {
  std::vector<CallSite> &Sites = Unit.Parsed->Sites;
  for (CallSite &Call : Readable.callsTakenOut(Sites.size())) {
    SiteFacts Nothing;
    Nothing.Site = Call.Number;
    Unit.Choices.push_back(selectTemplates(Call, Nothing, Options.Analysis.InlineAll).front());
    Unit.Facts.push_back(std::move(Nothing));
    Sites.push_back(std::move(Call));
  }
}

//===- The end of every way -------------------------------------------------------------------===//

/// Does the program read columns of its own source at run time? The rewritten text has other
/// columns. Headers of the system declare functions that read columns, but do not call them.
static bool readsColumns(StringRef Text, const clang::LangOptions &Language) {
  bool HasLocation = Text.contains("source_location") && Text.contains("column");
  if (!HasLocation && !Text.contains("__builtin_COLUMN"))
    return false;
  PreprocessedText Parts(Text, Language);
  ArrayRef<TextToken> Tokens = Parts.tokens();
  for (size_t At = 0; At < Tokens.size(); ++At)
    if (Parts.reads(Tokens[At], "__builtin_COLUMN") ||
        (HasLocation && At + 1 < Tokens.size() && Parts.reads(Tokens[At], "column") &&
         Parts.reads(Tokens[At + 1], "(")))
      return true;
  return false;
}

/// Writes the new text of a unit whose recorded tokens are \p Tokens. If the text itself was
/// parsed, it begins at \p OwnText.
Expected<RewriteResult> UnitRewriter::finish(AnalysedUnit Unit, const TokenStream &Tokens,
                                             clang::SourceLocation OwnText) {
  RewriteResult Result;
  Result.MayHaveDiagnostics = mayHaveDiagnostics(Unit, OwnText.isValid());
  Result.Unit = std::move(Unit);
  if (Result.Unit.rewritten() && readsColumns(Text, Result.Unit.Parsed->compiler().getLangOpts()))
    return make_error<Fallback>(RemarkID::FallbackReadsColumns, "");
  auto NewText = writeText(Result.Unit, Tokens, OwnText);
  if (!NewText)
    return NewText.takeError();
  if (Result.Unit.rewritten())
    Result.NewText = preprocessedWithoutUnusedPrototypes(*NewText);
  return Result;
}

/// The checked text. Sites that do not pass the check stay unrewritten. Each round excludes at
/// least one more site, so that the rounds end.
Expected<std::string> UnitRewriter::writeText(AnalysedUnit &Unit, const TokenStream &Tokens,
                                              clang::SourceLocation OwnText) const {
  RewriteContext Context;
  Context.Dialect = Options.UserCompiler;
  Context.Language = Unit.Parsed->compiler().getLangOpts();
  Context.CheckFacts = Options.CheckFacts;
  Context.ForX86 = Unit.Parsed->compiler().getTarget().getTriple().getArch() == Triple::x86_64;
  Context.OwnText = OwnText;
  while (Unit.rewritten()) {
    auto NewText = rewritePreprocessed(Text, Tokens, Unit.sites(), Context);
    if (!NewText)
      return make_error<Fallback>(RemarkID::FallbackPreprocessedDifferently,
                                  toString(NewText.takeError()));
    Error Failures =
        checkIntegrity(Text, *NewText, Unit.Parsed->Sites, Unit.Choices, Context.Language);
    if (!Failures)
      return NewText;
    if (Error OfUnit = leaveBrokenSites(Unit, std::move(Failures)))
      return make_error<Fallback>(RemarkID::FallbackIntegrity, toString(std::move(OfUnit)));
  }
  return "";
}

/// Excludes the sites that \p Failures name from rewriting. Returns the failures of the unit
/// itself.
Error UnitRewriter::leaveBrokenSites(AnalysedUnit &Unit, Error Failures) const {
  return handleErrors(std::move(Failures), [&](const BrokenSite &Broken) {
    CallSite &Site = Unit.Parsed->Sites[Broken.Number];
    Site.Obstacle = RemarkID::FailedCheck;
    Unit.Choices[Broken.Number] =
        selectTemplates(Site, Unit.Facts[Broken.Number], Options.Analysis.InlineAll).front();
  });
}

/// Without optimization, gcc compares the arguments of a call with the array parameters of the
/// function. Therefore it warns of MPI_STATUSES_IGNORE, which is the address of no array. It does
/// not warn about a rewritten call, which is in the site's function.
static bool mayIgnoreStatuses(const AnalysedUnit &Unit) {
  return any_of(zip(Unit.Parsed->Sites, Unit.Choices), [](const auto &Pair) {
    auto [Site, Chosen] = Pair;
    std::optional<unsigned> Statuses = Site.Function->find(Role::Statuses);
    return Chosen.isRewritten() && Statuses && Site.Spellings[*Statuses].K == Spelling::Constant;
  });
}

/// The preprocessed text lacks macros and columns, on which some diagnostics depend. If Clang has
/// read only this text, there may be such diagnostics.
bool UnitRewriter::mayHaveDiagnostics(AnalysedUnit &Unit, bool FromOwnText) const {
  bool OfSource = Options.CheckIndentation || !isGcc();
  bool Optimizes = Unit.Parsed->compiler().getPreprocessor().isMacroDefined("__OPTIMIZE__");
  return Unit.Parsed->Warnings || (isGcc() && !Optimizes && mayIgnoreStatuses(Unit)) ||
         (FromOwnText && OfSource) ||
         (Options.CheckIndentation && mayMislead(Unit.Parsed->compiler().getASTContext()));
}

Expected<RewriteResult> rewriteUnit(StringRef Text, const UnitRewriteOptions &Options) {
  return UnitRewriter(Text, Options).rewrite();
}

} // namespace mpispec

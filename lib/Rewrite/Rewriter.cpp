//===- Rewriter.cpp - Rewriting preprocessed text ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite/Rewriter.h"
#include "Rewrite/Emitter.h"
#include "Rewrite/SharedTemplates.h"
#include "Rewrite/TemplateText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace mpispec {

namespace {

/// The edits of a text, by offset: insertions, tokens that are renamed, and flags of line markers
/// that are removed. At one offset the insertion comes first.
struct Edits {
  std::map<uint32_t, std::string> Insertions;
  std::map<uint32_t, std::pair<uint32_t, std::string>> Renamings; ///< length and new name

  std::string definitions() const { return join(make_second_range(Insertions), ""); }
};

} // namespace

static Error noPlace(const CallSite &Site) {
  return createStringError(inconvertibleErrorCode(),
                           formatv("{0}:{1}: the call of {2} is not in the preprocessed text",
                                   Site.File, Site.Line, Site.Callee));
}

/// \p Definition with line markers for two of its lines. The line with the function's name gets the
/// place of the call, so that a debugger stops there once, before the arguments are evaluated. The
/// line with the ordinary call, which is the last call of the MPI function, is not marked as text
/// of a system header. Therefore the compiler gives the same warnings as for the source, perhaps at
/// another place (an attribute of the callee, a freed buffer).
static std::string atPlaceOfCall(StringRef Definition, const CallSite &Site,
                                 const TextPlace &Place) {
  size_t Name = Definition.find(siteFunctionName(Site.Number) + "(");
  size_t Body = Definition.find('\n', Name) + 1;
  size_t Call = Definition.rfind('\n', Definition.rfind(Site.Callee + "(")) + 1;
  size_t End = Definition.find('\n', Call) + 1;
  std::string Text = Definition.take_front(Name).str();
  Text += formatv("# {0} {1} 3\n", Place.Line, Place.QuotedFile);
  Text += (Definition.slice(Name, Body) + RegionMarker + Definition.slice(Body, Call)).str();
  Text += (RegionMarker.drop_back(3) + Place.Flags + "\n" + Definition.slice(Call, End)).str();
  Text += (RegionMarker + Definition.substr(End)).str();
  return Text;
}

/// Clang's inliner gives code without debug information the place of the call, which is the best
/// one. (gcc does not have the attribute.)
static void leaveDebugInformationOut(std::string &Inserted) {
  constexpr StringLiteral Attribute = "__no_instrument_function__", More = ", __nodebug__";
  for (size_t At = 0; (At = Inserted.find(Attribute, At)) != std::string::npos;) {
    At += Attribute.size();
    Inserted.insert(At, More.str());
  }
}

static Error editSite(const PreprocessedText &Text, const Alignment &Aligned, const CallSite &Site,
                      const SiteFacts &Facts, const Choice &Choice, const DefinitionStyle &Style,
                      Edits &E) {
  std::optional<unsigned> Callee = Aligned.tokenAt(Site.CalleeLocation);
  std::optional<unsigned> Declaration = Aligned.tokenFrom(Site.DeclarationLocation);
  if (!Callee || !Declaration || *Declaration > *Callee ||
      !Text.reads(Text.tokens()[*Callee], Site.Callee))
    return noPlace(Site);
  const TextToken &Name = Text.tokens()[*Callee];
  bool New =
      E.Renamings.try_emplace(Name.Offset, Name.Length, siteFunctionName(Site.Number)).second;
  if (!New) // two sites in one text would need one definition for both
    return noPlace(Site);
  E.Insertions[Text.declarationStart(*Declaration)] +=
      atPlaceOfCall(siteDefinition(Site, Facts, Choice, Style), Site, Text.placeAt(Name.Offset));
  return Error::success();
}

/// \p Content as text of a file of its own, with a line marker back to the place in the user's
/// text. The rest of the line keeps its column (LastColumn).
static std::string region(const PreprocessedText &Text, uint32_t Offset, StringRef Content) {
  TextPlace Place = Text.placeAt(Offset);
  unsigned Column = Text.columnOf(Offset);
  return formatv("{0}{1}{2}{3}# {4} {5}{6}\n{7}", Column > 1 ? "\n" : "", RegionMarker, Content,
                 RegionEnd, Place.Line, Place.QuotedFile, Place.Flags,
                 std::string(std::min(Column, LastColumn) - 1, ' '));
}

static std::string apply(const PreprocessedText &Text, const Edits &E) {
  StringRef Old = Text.text();
  std::string New;
  New.reserve(Old.size() + Old.size() / 4);
  uint32_t Done = 0;
  auto CopyUpTo = [&](uint32_t Offset) {
    New += Old.slice(Done, Offset);
    Done = Offset;
  };
  auto Insertion = E.Insertions.begin();
  auto InsertUpTo = [&](uint32_t Offset) {
    for (; Insertion != E.Insertions.end() && Insertion->first <= Offset; ++Insertion) {
      CopyUpTo(Insertion->first);
      New += region(Text, Insertion->first, Insertion->second);
    }
  };
  for (const auto &[Offset, Renaming] : E.Renamings) {
    InsertUpTo(Offset);
    CopyUpTo(Offset);
    New += Renaming.second;
    Done += Renaming.first;
  }
  InsertUpTo(Old.size());
  CopyUpTo(Old.size());
  return New;
}

Expected<std::string> rewritePreprocessed(StringRef Input, const TokenStream &Clang,
                                          const SpecialisedSites &Unit,
                                          const RewriteContext &Context) {
  PreprocessedText Text(Input, Context.Language);
  if (any_of(Text.tokens(),
             [&](const TextToken &T) { return Text.raw(T).starts_with(SiteNamePrefix); }))
    return createStringError(inconvertibleErrorCode(), "the text is rewritten already");
  Expected<Alignment> Aligned = Context.OwnText.isValid() ? alignWithItself(Text, Context.OwnText)
                                                          : align(Clang, Text, Context.Dialect);
  if (!Aligned)
    return Aligned.takeError();
  Edits E;
  DefinitionStyle Style;
  Style.CheckFacts = Context.CheckFacts;
  Style.Elements = Unit.Elements;
  const SharedTemplates Shared(Unit, Style);
  SetVector<StringRef> Functions; ///< whose templates are called
  unsigned Rewritten = 0;
  for (auto [I, Site] : enumerate(Unit.Sites)) {
    if (!Unit.isRewritten(I))
      continue;
    ++Rewritten;
    if (Unit.Choices[I].Form == CallForm::Inline)
      Functions.insert(Site.Function->Name);
    Style.Shared = Shared.functionOf(I);
    Style.SharedVersions = Shared.versionsOf(I);
    if (Error Failure = editSite(Text, *Aligned, Site, Unit.Facts[I], Unit.Choices[I], Style, E))
      return Failure;
  }
  if (!Rewritten)
    return Input.str();
  // This function is inserted behind the MPI header, so that the names of handles are declared.
  std::string &FirstSite = E.Insertions.begin()->second;
  FirstSite = elementFunction(E.definitions(), Style) + FirstSite;
  // The templates precede all other text, so that no pragma or linkage specification of the user
  // applies to them.
  std::string &First = E.Insertions[Text.textStart()];
  First = templateText(Functions.getArrayRef(), Unit.Style, Context.CheckFacts, Context.ForX86) +
          Shared.definitions().str() + First;
  if (Context.Dialect == TextDialect::Clang)
    for (auto &[Offset, Inserted] : E.Insertions)
      leaveDebugInformationOut(Inserted);
  for (StringRef Flags : Text.systemMacroFlags())
    E.Renamings[Flags.data() - Text.text().data()] = {Flags.size(), ""};
  return apply(Text, E);
}

} // namespace mpispec

//===- SourceRewriter.cpp - Rewriting source text for a person to read ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the same edits as Rewriter.cpp in a file that still contains directives. The directives
// limit which calls can be edited, and where definitions can be inserted.
//
//===------------------------------------------------------------------------------------------===//
#include "Rewrite/Emitter.h"
#include "Rewrite/PreprocessedText.h"
#include "Rewrite/Rewriter.h"
#include "Selection/TemplateCatalog.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace mpispec {

namespace {

/// A token or a comment of the file, or a whole directive.
struct Piece {
  enum Kind : uint8_t {
    Comment,
    Token,
    DeclarationEnd, ///< `;`, `{` or `}`
    Pragma,         ///< may belong to the next declaration
    Conditional,    ///< `#if` and similar ones, which may be within a declaration
    Directive,      ///< any other
  } K;
  unsigned Begin, End;
};

class SourceRewriter {
public:
  SourceRewriter(const SourceManager &Sources, const LangOptions &Language, unsigned MainFileEnd)
      : Sources(Sources), Text(Sources.getBufferData(Sources.getMainFileID())),
        End(std::min<size_t>(MainFileEnd, Text.size())) {
    split(Language);
  }

  bool isRewritten() const {
    return any_of(Pieces, [&](const Piece &P) {
      return Text.slice(P.Begin, P.End).starts_with(SiteNamePrefix);
    });
  }
  std::string run(const SpecialisedSites &Unit, std::vector<std::string> &Untouched) const;

private:
  void split(const LangOptions &Language);
  Piece readDirective(Lexer &Raw, clang::Token &Tok, unsigned Begin);
  std::map<unsigned, size_t> editableSites(const SpecialisedSites &Unit,
                                           std::vector<std::string> &Untouched) const;
  std::optional<unsigned> calleeOffset(const CallSite &Site, std::string &Why) const;
  std::optional<unsigned> declarationOffset(const CallSite &Site) const;
  unsigned insertionOffset(unsigned Declaration) const;
  size_t withComments(size_t Declaration, size_t Earliest) const;
  unsigned includeOffset() const;
  unsigned lineStart(unsigned Offset) const { return Text.take_front(Offset).rfind('\n') + 1; }
  bool isWithinDeclaration(size_t I) const;
  std::string apply(const std::map<unsigned, std::string> &Insertions,
                    const std::map<unsigned, const CallSite *> &Renamings) const;

  const SourceManager &Sources;
  StringRef Text;
  unsigned End;
  std::vector<Piece> Pieces;
  StringSet<> Macros; ///< that the file defines
};

} // namespace

static Piece::Kind kindOf(const clang::Token &Tok) {
  if (Tok.is(tok::comment))
    return Piece::Comment;
  return Tok.isOneOf(tok::semi, tok::l_brace, tok::r_brace) ? Piece::DeclarationEnd : Piece::Token;
}

/// Reads the directive whose `#` is \p Tok; \p Tok becomes the token after it.
Piece SourceRewriter::readDirective(Lexer &Raw, clang::Token &Tok, unsigned Begin) {
  Piece P{Piece::Directive, Begin, Begin + 1};
  SmallVector<StringRef, 2> Words;
  while (true) {
    Raw.LexFromRawLexer(Tok);
    if (Tok.is(tok::eof) || Tok.isAtStartOfLine())
      break;
    P.End = Raw.getBufferLocation() - Text.data();
    if (Words.size() < 2)
      Words.push_back(Text.slice(P.End - Tok.getLength(), P.End));
  }
  StringRef Name = Words.empty() ? StringRef() : Words.front();
  if (Name == "pragma" && Words.size() > 1 && mayBindToDeclaration(Words[1]))
    P.K = Piece::Pragma;
  else if (Name.starts_with("if") || Name.starts_with("el") || Name == "endif")
    P.K = Piece::Conditional;
  else if (Name == "define" && Words.size() > 1)
    Macros.insert(Words[1]);
  return P;
}

void SourceRewriter::split(const LangOptions &Language) {
  Lexer Raw(SourceLocation(), Language, Text.data(), Text.data(), Text.data() + Text.size());
  Raw.SetCommentRetentionState(true);
  clang::Token Tok;
  Raw.LexFromRawLexer(Tok);
  while (Tok.isNot(tok::eof)) {
    unsigned After = Raw.getBufferLocation() - Text.data();
    unsigned Begin = After - Tok.getLength();
    if (Begin >= End)
      break;
    if (Tok.is(tok::hash) && Tok.isAtStartOfLine()) {
      Pieces.push_back(readDirective(Raw, Tok, Begin));
      continue;
    }
    Pieces.push_back({kindOf(Tok), Begin, After});
    Raw.LexFromRawLexer(Tok);
  }
}

/// The offset of the callee's name in the main file. If the name is elsewhere, returns nothing and
/// sets \p Why.
std::optional<unsigned> SourceRewriter::calleeOffset(const CallSite &Site, std::string &Why) const {
  SourceLocation Location = Site.CalleeLocation;
  while (Location.isMacroID()) {
    if (!Sources.isMacroArgExpansion(Location)) {
      Why = "in the body of macro " + Site.EnclosingMacro;
      return std::nullopt;
    }
    Location = Sources.getImmediateSpellingLoc(Location);
  }
  auto [File, Offset] = Sources.getDecomposedLoc(Location);
  if (File != Sources.getMainFileID() || !declarationOffset(Site)) {
    Why = "in an included file";
    return std::nullopt;
  }
  if (!Text.substr(Offset).starts_with(Site.Callee)) {
    Why = "its name is made by the preprocessor";
    return std::nullopt;
  }
  return Offset;
}

std::optional<unsigned> SourceRewriter::declarationOffset(const CallSite &Site) const {
  auto [File, Offset] = Sources.getDecomposedExpansionLoc(Site.DeclarationLocation);
  if (File != Sources.getMainFileID())
    return std::nullopt;
  return Offset;
}

/// Does the directive at \p I stand between tokens of one declaration?
bool SourceRewriter::isWithinDeclaration(size_t I) const {
  while (I > 0 && (Pieces[I].K == Piece::Comment || Pieces[I].K >= Piece::Pragma)) {
    if (Pieces[I].K == Piece::Directive)
      return false;
    --I;
  }
  return Pieces[I].K == Piece::Token;
}

/// The line that begins the declaration at \p Declaration, with the attributes, `template <...>`,
/// pragmas and comments ahead of it.
unsigned SourceRewriter::insertionOffset(unsigned Declaration) const {
  size_t I = llvm::upper_bound(Pieces, Declaration,
                               [](unsigned Offset, const Piece &P) { return Offset < P.Begin; }) -
             Pieces.begin() - 1;
  size_t First = I; // begin of the declaration's own text
  while (I > 0) {
    const Piece &Before = Pieces[I - 1];
    if (Before.K == Piece::DeclarationEnd || Before.K == Piece::Directive ||
        (Before.K == Piece::Conditional && !isWithinDeclaration(I - 1)))
      break;
    --I;
    if (Pieces[I].K != Piece::Comment)
      First = I;
  }
  First = withComments(First, I);
  unsigned Least = First > 0 ? Pieces[First - 1].End : 0;
  return std::max(Least, lineStart(Pieces[First].Begin));
}

/// \p Declaration, or the first of the comments directly above it from \p Earliest on. A comment
/// behind code on the same line belongs to that code.
size_t SourceRewriter::withComments(size_t Declaration, size_t Earliest) const {
  auto LinesBetween = [&](size_t I) {
    return Text.slice(Pieces[I].End, Pieces[I + 1].Begin).count('\n') +
           Text.slice(Pieces[I].Begin, Pieces[I].End).ends_with("\n");
  };
  auto IsBehindCode = [&](size_t I) {
    return I > 0 && Pieces[I - 1].K != Piece::Comment && LinesBetween(I - 1) == 0;
  };
  size_t I = Declaration;
  while (I > Earliest && LinesBetween(I - 1) <= 1 && !IsBehindCode(I - 1))
    --I;
  return I;
}

/// The offset at which the templates are included. It precedes the user's macros, because a macro
/// could have the name of a template's parameter.
unsigned SourceRewriter::includeOffset() const {
  for (const Piece &P : Pieces)
    if (P.K != Piece::Comment)
      return lineStart(P.Begin);
  return 0;
}

std::string SourceRewriter::apply(const std::map<unsigned, std::string> &Insertions,
                                  const std::map<unsigned, const CallSite *> &Renamings) const {
  std::string New;
  unsigned Done = 0;
  auto CopyUpTo = [&](unsigned Offset) {
    New += Text.slice(Done, Offset);
    Done = Offset;
  };
  auto Insertion = Insertions.begin();
  auto InsertUpTo = [&](unsigned Offset) {
    for (; Insertion != Insertions.end() && Insertion->first <= Offset; ++Insertion) {
      CopyUpTo(Insertion->first);
      if (!New.empty() && New.back() != '\n')
        New += '\n';
      New += Insertion->second;
    }
  };
  for (auto [Offset, Site] : Renamings) {
    InsertUpTo(Offset);
    CopyUpTo(Offset);
    New += siteFunctionName(Site->Number);
    Done += Site->Callee.size();
  }
  InsertUpTo(End);
  CopyUpTo(End);
  return New;
}

/// The sites that can be edited here, by the offset of the callee's name.
std::map<unsigned, size_t>
SourceRewriter::editableSites(const SpecialisedSites &Unit,
                              std::vector<std::string> &Untouched) const {
  std::map<unsigned, std::vector<size_t>> ByOffset;
  auto Leave = [&](const CallSite &Site, StringRef Why) {
    Untouched.push_back(
        formatv("{0}:{1}:{2}: {3}: {4}", Site.File, Site.Line, Site.Column, Site.Callee, Why));
  };
  for (auto [I, Site] : enumerate(Unit.Sites)) {
    std::string Why;
    if (!Unit.isRewritten(I))
      continue;
    if (std::optional<unsigned> Offset = calleeOffset(Site, Why))
      ByOffset[*Offset].push_back(I);
    else
      Leave(Site, Why);
  }
  std::map<unsigned, size_t> Editable;
  for (const auto &[Offset, Numbers] : ByOffset) {
    if (Numbers.size() == 1)
      Editable[Offset] = Numbers.front();
    else
      for (size_t I : Numbers)
        Leave(Unit.Sites[I], "in an argument that a macro repeats");
  }
  return Editable;
}

std::string SourceRewriter::run(const SpecialisedSites &Unit,
                                std::vector<std::string> &Untouched) const {
  std::map<unsigned, size_t> Editable = editableSites(Unit, Untouched);
  std::map<unsigned, std::string> Insertions;
  std::map<unsigned, const CallSite *> Renamings;
  SetVector<StringRef> Functions;
  DefinitionStyle Style;
  Style.Reserved = Macros;
  Style.NamesHandles = Unit.KeepsNames;
  Style.Elements = Unit.Elements;
  for (auto [Offset, I] : Editable) {
    const CallSite &Site = Unit.Sites[I];
    Renamings[Offset] = &Site;
    if (Unit.Choices[I].Form == CallForm::Inline)
      Functions.insert(Site.Function->Name);
    Insertions[insertionOffset(*declarationOffset(Site))] +=
        siteDefinition(Site, Unit.Facts[I], Unit.Choices[I], Style) + "\n";
  }
  if (!Insertions.empty()) {
    std::string &First = Insertions.begin()->second;
    First = elementFunction(join(make_second_range(Insertions), ""), Style) + First;
  }
  std::string Includes;
  for (StringRef Function : Functions)
    Includes += ("#include \"mpispec/" + templateFunction(Function).Header + "\"\n").str();
  if (!Includes.empty()) {
    std::string &First = Insertions[includeOffset()];
    First = Includes + First;
  }
  return apply(Insertions, Renamings);
}

Expected<std::string> rewriteSource(const SourceManager &Sources, const LangOptions &Language,
                                    unsigned MainFileEnd, const SpecialisedSites &Unit,
                                    std::vector<std::string> &Untouched) {
  SourceRewriter Rewriter(Sources, Language, MainFileEnd);
  if (Rewriter.isRewritten())
    return createStringError(inconvertibleErrorCode(), "the file is rewritten already");
  return Rewriter.run(Unit, Untouched);
}

} // namespace mpispec
